"""How a source is written: ready templates, an office's own, and what is wrong with one."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from briefbank.errors import UsageError
from briefbank.values.source_format import PRESETS, STANDARD, Source, SourceFormat

FULL = Source("State v. Renfrew", "Appellate Division", "A-1403-22", date(2024, 2, 27), "pp. 8–9", "brief", "R. Teague")
BARE = Source("Memo on stops")
WRITTEN = {
    "full": "State v. Renfrew, Appellate Division, No. A-1403-22 (filed 27 Feb 2024), pp. 8–9",
    "short": "State v. Renfrew, No. A-1403-22, pp. 8–9",
    "bluebook": "State v. Renfrew, No. A-1403-22, at 8–9 (Appellate Division, Feb. 27, 2024)",
}
WRITTEN_BARE = {"full": "Memo on stops (undated)", "short": "Memo on stops", "bluebook": "Memo on stops (undated)"}


@pytest.mark.parametrize("name", PRESETS)
def test_each_ready_format_writes_what_is_known_and_leaves_out_the_rest(name: str) -> None:
    assert SourceFormat.of(name).line(FULL) == WRITTEN[name]
    assert SourceFormat.of(name).line(BARE) == WRITTEN_BARE[name]


def test_the_page_alone_follows_at_and_a_sheet_is_called_one() -> None:
    form = SourceFormat.of("bluebook")
    assert ", at 8–9 (" in form.line(replace(FULL, pages="pp. 8–9 (sheets 13–14)"))
    assert ", at Da 12 (" in form.line(replace(FULL, pages="Da 12 (sheet 40)"))
    assert ", at sheet 13 (" in form.line(replace(FULL, pages="sheet 13"))


def test_an_offices_own_format_is_used() -> None:
    own = SourceFormat.of("{author}: {title}[ ({year})] [{pages}]")
    assert own.line(FULL) == "R. Teague: State v. Renfrew (2024) pp. 8–9"
    assert own.line(BARE) == ": Memo on stops"


def test_braces_in_a_title_stand_for_nothing() -> None:
    assert SourceFormat.of("short").line(Source("State v. {court} [sic]")) == "State v. {court} [sic]"


WRONG = {
    "{titel}": "{titel}",
    "[{title}]": "does not name {title}",
    "{title}, {court": "braces",
    "{title}}": "braces",
    "{title}[, {court}": "square brackets",
    "{title}[, [{court}]]": "square brackets",
    "": "does not name {title}",
    "{title}\n{court}": "one line",
    "{title}" + " " * 300 + ".": "one line",
}


@pytest.mark.parametrize("template", WRONG)
def test_a_wrong_format_is_told_with_what_is_wrong_and_an_example(template: str) -> None:
    with pytest.raises(UsageError) as caught:
        SourceFormat.of(template)
    assert WRONG[template] in caught.value.message
    assert "{title}" in caught.value.advice or "title, court" in caught.value.advice


def test_a_docket_that_says_no_is_not_numbered_twice() -> None:
    assert "No. 5-1" in STANDARD.line(replace(FULL, docket="No. 5-1"))
    assert "No. No." not in STANDARD.line(replace(FULL, docket="No. 5-1"))
