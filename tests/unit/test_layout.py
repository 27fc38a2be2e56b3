"""A new bank, and which banks this program reads."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest
from systems import is_private, links

from briefbank.errors import BankDamagedError, BankMissingError, BankNewerError, UsageError
from briefbank.platform.files import write_new
from briefbank.platform.layout import Layout
from briefbank.platform.versions import BANK


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    made = Layout(tmp_path / "deep" / "bank")
    made.create()
    return made


def test_a_new_bank_is_its_owners_alone(layout: Layout) -> None:
    folders = [layout.root, *(path for path in layout.root.rglob("*") if path.is_dir())]
    assert [path for path in folders if not is_private(path)] == []


def test_a_bank_made_in_an_open_folder_closes_it(tmp_path: Path) -> None:
    (tmp_path / "bank").mkdir(mode=0o755)
    Layout(tmp_path / "bank").create()
    assert is_private(tmp_path / "bank")


def test_of_several_programs_that_make_one_bank_exactly_one_is_told_that_it_did(tmp_path: Path) -> None:
    layout, together = Layout(tmp_path / "deep" / "bank"), Barrier(8)

    def create(_number: int) -> bool:
        together.wait()
        return layout.create()

    with ThreadPoolExecutor(8) as programs:
        assert sorted(programs.map(create, range(8))) == [False] * 7 + [True]
    assert not layout.create()
    layout.require()


def test_of_two_programs_that_make_one_bank_the_later_keeps_the_settings_of_the_earlier(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    layout = Layout(tmp_path / "bank")

    def later(path: Path, data: bytes) -> bool:
        """The earlier program makes its bank and changes a setting just after the later one has found none."""
        path.write_text('[bank]\nformat = "1.0"\n[settings]\nocr_dpi = 200\n', encoding="utf-8")
        return write_new(path, data)

    monkeypatch.setattr("briefbank.platform.layout.write_new", later)
    layout.create()
    assert "ocr_dpi" in layout.settings_file.read_text(encoding="utf-8")


@links
@pytest.mark.parametrize("act", [Layout.create, Layout.require])
def test_a_link_to_nothing_is_named_as_such(tmp_path: Path, act: Callable[[Layout], object]) -> None:
    (tmp_path / "bank").symlink_to(tmp_path / "unplugged")
    with pytest.raises(BankMissingError, match=r"is a link to .*unplugged") as caught:
        act(Layout(tmp_path / "bank"))
    assert "link" in caught.value.advice


@pytest.mark.parametrize("act", [Layout.create, Layout.require])
def test_a_file_is_no_bank(tmp_path: Path, act: Callable[[Layout], object]) -> None:
    (tmp_path / "bank").write_text("a letter")
    with pytest.raises(UsageError, match="is a file; a bank is a folder"):
        act(Layout(tmp_path / "bank"))
    assert (tmp_path / "bank").read_text() == "a letter"


@pytest.mark.parametrize("name", ["bank\nsound", "bank\u202etxt.exe"])
@pytest.mark.parametrize("act", [Layout.create, Layout.require])
def test_a_path_that_does_not_read_as_it_is_is_refused_and_shown_escaped(
    tmp_path: Path, act: Callable[[Layout], object], name: str
) -> None:
    with pytest.raises(UsageError, match="control characters") as caught:
        act(Layout(tmp_path / name))
    assert caught.value.message.isprintable()
    assert caught.value.message.isascii()
    assert list(tmp_path.iterdir()) == []


def test_a_bank_may_have_a_name_in_any_script(tmp_path: Path) -> None:
    layout = Layout(tmp_path / "פסקי דין é 判例")
    layout.create()
    layout.require()


def test_a_missing_bank_is_named_with_advice(tmp_path: Path) -> None:
    with pytest.raises(BankMissingError, match="nowhere") as caught:
        Layout(tmp_path / "nowhere").require()
    assert "briefbank index" in caught.value.advice


def test_a_newer_bank_is_refused_with_both_versions(layout: Layout) -> None:
    layout.settings_file.write_text(f'[bank]\nformat = "{BANK.major + 1}.3"\n', encoding="utf-8")
    with pytest.raises(BankNewerError) as caught:
        layout.require()
    assert f"{BANK.major + 1}.3" in caught.value.message
    assert str(BANK) in caught.value.message


def test_a_bank_of_a_newer_minor_format_is_read(layout: Layout) -> None:
    layout.settings_file.write_text(f'[bank]\nformat = "{BANK.major}.{BANK.minor + 7}"\n', encoding="utf-8")
    layout.require()


@pytest.mark.parametrize("content", [b"", b'[bank]\nformat = "old"\n'])
def test_a_bank_whose_format_cannot_be_read_is_damaged(layout: Layout, content: bytes) -> None:
    layout.settings_file.write_bytes(content)
    with pytest.raises(BankDamagedError):
        layout.require()
