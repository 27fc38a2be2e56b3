"""Manifests of packs, and the keys that sign them."""

from __future__ import annotations

from pathlib import Path

import pytest
from systems import is_private

from briefbank.errors import PackError, UsageError
from briefbank.office.packs import signing_keys
from briefbank.office.packs.format import PackedFile, PackManifest


def manifest(*names: str, generation: str = "20240301T120000Z") -> PackManifest:
    packed = tuple(PackedFile(name, 1, "0" * 64) for name in names)
    made = "2024-03-01T12:00:00+00:00"
    return PackManifest("a test", generation, "0" * 64, made, made, 0, 0, "0" * 64, packed)


@pytest.mark.parametrize(
    "name",
    [
        "../current", "/etc/passwd", "generation/../../x", "generation//x", "generation/./x", "generation\\..\\x",
        "C:/x", "generation/x:stream", "generation/", "current", "ledger.sqlite", "generation/nul",
        "generation/COM1.txt", "generation/x ", "generation/x.", "generation/a\nb", "models/../x", "",
        "generation/\u202egnp.exe",
    ],
)  # fmt: skip
def test_a_manifest_that_names_anything_outside_its_place_is_refused(name: str) -> None:
    with pytest.raises(PackError, match="name that is not allowed"):
        PackManifest.decode(manifest(name).encode())


def test_a_manifest_is_read_as_it_was_written() -> None:
    known = manifest("generation/passages.lance/_versions/1.manifest", "bank.toml", "encoder/model.onnx")
    assert PackManifest.decode(known.encode()) == known


@pytest.mark.parametrize("name", ["..", "x/y", "current", "20240301T120000Z.building", ""])
def test_a_generation_has_the_name_of_a_time(name: str) -> None:
    with pytest.raises(PackError, match="generation has a name"):
        PackManifest.decode(manifest("bank.toml", generation=name).encode())


def test_two_files_that_windows_takes_for_one_are_refused() -> None:
    with pytest.raises(PackError, match="twice"):
        PackManifest.decode(manifest("generation/a", "generation/A").encode())


@pytest.fixture
def keys_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BRIEFBANK_KEYS", str(tmp_path / "keys"))
    return tmp_path / "keys"


def test_a_key_is_its_owners_alone_and_is_trusted_where_it_was_made(keys_folder: Path) -> None:
    key = signing_keys.make_key("Office of the Example")
    assert is_private(signing_keys.private_key_file())
    assert is_private(keys_folder)
    assert signing_keys.trusted_keys() == [key]
    assert len(key.fingerprint.split()) == 10
    with pytest.raises(UsageError, match="already"):
        signing_keys.make_key("Another")


def test_a_locked_key_opens_with_its_passphrase_only(keys_folder: Path) -> None:
    key = signing_keys.make_key("Office", b"three blind mice")
    assert b"ENCRYPTED" in signing_keys.private_key_file().read_bytes()
    public, signature = signing_keys.sign(signing_keys.load_private_key(passphrase=b"three blind mice"), b"message")
    assert public == key.data
    assert key.has_signed(b"message", signature)
    assert not key.has_signed(b"massage", signature)
    for wrong in (None, b"two"):
        with pytest.raises(UsageError) as caught:
            signing_keys.load_private_key(passphrase=wrong)
        assert caught.value.advice


def test_a_public_key_travels_as_text(keys_folder: Path, tmp_path: Path) -> None:
    key = signing_keys.make_key("Office")
    handed = tmp_path / "office.pub"
    handed.write_text(key.text(), encoding="utf-8")
    assert signing_keys.read_public_key(handed) == key
    assert signing_keys.trust_key(handed) == key
    assert signing_keys.trusted_keys() == [key]


def test_a_changed_letter_in_a_public_key_is_found(keys_folder: Path, tmp_path: Path) -> None:
    text = signing_keys.make_key("Office").text()
    handed = tmp_path / "office.pub"
    start = text.index("key = ") + 7
    for inside in range(start, start + 40):
        handed.write_text(text[:inside] + ("A" if text[inside] != "A" else "B") + text[inside + 1 :], encoding="utf-8")
        with pytest.raises(UsageError):
            signing_keys.read_public_key(handed)


def test_another_key_never_takes_the_place_of_a_trusted_one(
    keys_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = signing_keys.make_key("The Office")
    monkeypatch.setenv("BRIEFBANK_KEYS", str(tmp_path / "other"))
    other = signing_keys.make_key("the-office")
    handed = signing_keys.public_key_file(other)
    monkeypatch.setenv("BRIEFBANK_KEYS", str(keys_folder))
    with pytest.raises(UsageError, match="trusted already"):
        signing_keys.trust_key(handed)
    assert signing_keys.trusted_keys() == [known]


@pytest.mark.parametrize("name", ["", "…", "a\nb", "\x1b[2J a"])
def test_a_key_without_a_name_is_not_made(keys_folder: Path, name: str) -> None:
    with pytest.raises(UsageError):
        signing_keys.make_key(name)
    assert not signing_keys.private_key_file().exists()


def test_the_words_of_fingerprints_are_256_and_distinct() -> None:
    words = signing_keys._words()
    assert len(words) == len(set(words)) == 256
    assert all(word.isalpha() and word.islower() for word in words)
