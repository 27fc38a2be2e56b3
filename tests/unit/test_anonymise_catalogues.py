"""Every form of the catalogues finds what it says it does, by itself and among the others of its group."""

from __future__ import annotations

import tomllib
from importlib.resources import files

import pytest

from briefbank.law.anonymise.citing import KEPT
from briefbank.law.anonymise.classifier import NAMES
from briefbank.law.anonymise.forms import FORMS
from briefbank.law.catalogue import Catalogue, Form, found_in
from briefbank.law.dockets import NUMBERS

CATALOGUES = {
    "anonymise/forms.toml": FORMS,
    "anonymise/kept.toml": KEPT,
    "anonymise/names.toml": NAMES,
    "dockets.toml": NUMBERS,
}
SINGLY = {"birth", "born_too", "told", "initials", "told_given", "told_rare", "told_last_first", "told_unknown"}
"""Groups whose forms are read one after the other."""
ENTRIES = [
    pytest.param(catalogue, group, form, id=f"{group}: {form.title}")
    for catalogue in CATALOGUES.values()
    for group, forms in catalogue.groups.items()
    for form in forms
]


def marked(example: str) -> tuple[str, tuple[int, int]]:
    """The text of an example, and what is to be found in it: what is between « and », or all."""
    if "«" not in example:
        return example, (0, len(example))
    before, found, behind = example.replace("»", "«").split("«")
    return before + found + behind, (len(before), len(before + found))


@pytest.mark.parametrize(("catalogue", "group", "form"), ENTRIES)
def test_a_form_finds_its_examples_whole(catalogue: Catalogue, group: str, form: Form) -> None:
    assert len(form.examples) > 1
    for text, span in map(marked, form.examples):
        ways = [catalogue.compiled(group, form).finditer(text), catalogue.matches(group, text)]
        if group not in SINGLY:
            ways.append(catalogue[group].finditer(text))
        for way in ways:
            assert span in map(found_in, way), text


@pytest.mark.parametrize(("catalogue", "group", "form"), ENTRIES)
def test_a_form_does_not_find_what_it_is_not_to(catalogue: Catalogue, group: str, form: Form) -> None:
    pattern = catalogue.compiled(group, form)
    assert [text for text in form.refused if pattern.search(text)] == []


@pytest.mark.parametrize("name", CATALOGUES)
def test_no_fragment_is_idle(name: str) -> None:
    text = files("briefbank.law").joinpath(name).read_text(encoding="utf-8")
    table = tomllib.loads(text)
    assert [fragment for fragment in table["fragments"] if f"{{{fragment}}}" not in text] == []
    assert table.get("starts", {}).keys() <= CATALOGUES[name].groups.keys()
