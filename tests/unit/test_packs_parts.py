"""The parts that packs are made of, each against the law that it promises."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from systems import is_private

from briefbank.errors import PackError, UsageError
from briefbank.office.packs import signing_keys
from briefbank.office.packs.base import LARGEST_BYTES, SMALLEST_BYTES, Chunker
from briefbank.office.packs.format import (
    LARGEST_REFERENCE_BYTES,
    BaseFile,
    Extent,
    PackedFile,
    PackManifest,
    Reference,
    unpacked,
)
from briefbank.office.packs.references import NO_GAPS, Gaps, References, numbers_start, read_gaps, read_reference
from briefbank.office.packs.volumes import SMALLEST_VOLUME_BYTES, VolumeReader, volume, writing_volumes


def noise(seed: int, size: int) -> bytes:
    return np.random.default_rng(seed).bytes(size)


def chunks(data: bytes, piece: int) -> list[bytes]:
    chunker = Chunker()
    found = [chunk for start in range(0, len(data), piece) for chunk in chunker.feed(data[start : start + piece])]
    return [*found, *chunker.finish()]


@given(st.integers(0, 1000), st.integers(0, 400_000), st.integers(1_000, 200_000))
def test_chunks_tile_the_stream_whatever_the_pieces(seed: int, size: int, piece: int) -> None:
    data = noise(seed, size)
    found = chunks(data, piece)
    assert b"".join(found) == data
    assert found == chunks(data, 1 << 20)
    assert all(SMALLEST_BYTES <= len(chunk) <= LARGEST_BYTES for chunk in found[:-1])


def test_a_stream_of_one_byte_is_cut_at_the_largest_chunk() -> None:
    assert {len(chunk) for chunk in chunks(b"a" * 4 * LARGEST_BYTES, 10_000)} <= {SMALLEST_BYTES, LARGEST_BYTES}


def test_what_is_inserted_moves_no_cut_but_those_beside_it() -> None:
    before = noise(1, 1_000_000)
    after = before[:500_000] + b"inserted" + before[500_000:]
    assert len(set(chunks(after, 1 << 20)) - set(chunks(before, 1 << 20))) <= 3


@given(st.lists(st.integers(0, 2**32 - 1), max_size=300), st.binary(max_size=3), st.integers(1, 97))
def test_gaps_come_back_as_the_numbers_they_were(numbers: list[int], rest: bytes, piece: int) -> None:
    data = b"head" + np.array(numbers, dtype="<u4").tobytes() + rest
    for start in (NO_GAPS, 4):
        there, back = Gaps(start), Gaps(start)
        pieces = [data[at : at + piece] for at in range(0, len(data), piece)]
        stream = b"".join(map(there.forward, pieces)) + there.finish()
        assert len(stream) == len(data)
        again = [stream[at : at + 13] for at in range(0, len(stream), 13)]
        assert b"".join(map(back.back, again)) + back.finish() == data


@given(st.integers(0, 90), st.integers(0, 90), st.data())
def test_a_part_of_the_gaps_is_read_as_if_the_whole_was(count: int, tail: int, data: st.DataObject) -> None:
    import tempfile

    content = b"headers!" + noise(count, 4 * count + tail % 4)
    stream = Gaps(8)
    whole = stream.forward(content) + stream.finish()
    offset = data.draw(st.integers(0, len(content)))
    length = data.draw(st.integers(0, len(content) - offset))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "numbers"
        file.write_bytes(content)
        assert read_gaps(file, 8, offset, length) == whole[offset : offset + length]
        assert read_gaps(file, NO_GAPS, offset, length) == content[offset : offset + length]


@pytest.mark.parametrize(("dtype", "has_gaps"), [("i4", True), ("u4", True), ("i8", False), ("f4", False)])
def test_only_files_of_32_bit_integers_are_taken_as_gaps(tmp_path: Path, dtype: str, has_gaps: bool) -> None:
    file = tmp_path / "array.npy"
    np.save(file, np.arange(10, dtype=dtype))
    start = numbers_start(file)
    assert (start != NO_GAPS) == has_gaps
    if has_gaps:
        assert file.stat().st_size - start == 40
    for other in (b"", b"\x93NUMPY\x01\x00\xff\xff{", file.read_bytes()[:20]):
        (tmp_path / "other.npy").write_bytes(other)
        assert numbers_start(tmp_path / "other.npy") == NO_GAPS


@given(st.binary(min_size=1, max_size=30_000), st.integers(0, 30_000), st.integers(0, 30_000))
def test_parts_are_read_as_one_stream(data: bytes, offset: int, length: int) -> None:
    import tempfile

    data = data * (1 + 20_000 // len(data))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.bbpack"
        with writing_volumes(path, SMALLEST_VOLUME_BYTES) as writer:
            writer.write(data[:1000])
            writer.write(data[1000:])
            parts = writer.publish()
        assert all(part.stat().st_size <= SMALLEST_VOLUME_BYTES for part in parts)
        assert parts[:2] == (path, volume(path, 2))
        with VolumeReader(path) as reader:
            assert reader.size_bytes == len(data)
            assert reader.read(offset, length) == data[offset : offset + length]
        assert sorted(Path(folder).iterdir()) == sorted(parts)


def test_a_pack_in_parts_that_fails_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "x.bbpack"

    def fail() -> None:
        with writing_volumes(path, SMALLEST_VOLUME_BYTES) as writer:
            writer.write(bytes(10_000))
            assert len(list(tmp_path.iterdir())) == 3
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert list(tmp_path.iterdir()) == []


def manifest(*names: str, generation: str = "20240301T120000Z") -> PackManifest:
    packed = tuple(PackedFile(name, 1, "0" * 64, 0, (Extent(1),), b"") for name in names)
    return PackManifest(
        "a test",
        "1.0",
        generation,
        "0" * 64,
        "2024-03-01T12:00:00+00:00",
        0,
        0,
        "0" * 64,
        "",
        "",
        (),
        packed,
        ((1, len(names) or 1),),
    )


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


@pytest.mark.parametrize(
    "reference",
    [(1, 0, 1), (-2, 0, 1), (-1, 0, 1), (0, -1, 1), (0, 0, 0), (0, 0, LARGEST_REFERENCE_BYTES + 1)],
)
def test_a_manifest_whose_blocks_refer_to_nothing_is_refused(reference: tuple[int, int, int]) -> None:
    known = replace(manifest("bank.toml"), base_files=(BaseFile("words.txt", 0),))
    assert PackManifest.decode(replace(known, references=(Reference(0, 5, 7),)).encode())
    for references in ((Reference(*reference),), (Reference(0, 5, 7),) * 2):
        with pytest.raises(PackError, match="contradicts itself"):
            PackManifest.decode(replace(known, references=references).encode())


@given(st.integers(0, 1000), st.integers(1, 60_000), st.integers(0, 59_999), st.integers(0, 100))
def test_a_block_comes_back_from_what_it_was_compressed_against(seed: int, size: int, at: int, inserted: int) -> None:
    with TemporaryDirectory() as folder:
        data = noise(seed, size)
        (Path(folder) / "earlier.bin").write_bytes(data)
        references = References(Path(folder), [BaseFile("earlier.bin", NO_GAPS)])
        block = data[:at] + noise(seed + 1, inserted) + data[at:]
        aim = references.aim("drawn-at-random.bin", len(block))
        assert aim is not None
        packed, used = references.compressed(block, references.around(aim.place[0], 0, len(block)))
        like = read_reference(Path(folder), [BaseFile("earlier.bin", NO_GAPS)], used) if used.length else b""
        assert unpacked(packed, len(block), like) == block
        assert size < 1_000 or len(packed) < 200 + inserted + size // 100


def test_an_aim_follows_what_is_found_and_no_chance_find(tmp_path: Path) -> None:
    for name, size in (("a.bin", 1_000_000), ("b.txt", 10), ("empty.bin", 0)):
        (tmp_path / name).write_bytes(bytes(size))
    references = References(tmp_path, [BaseFile(name, NO_GAPS) for name in ("b.txt", "empty.bin", "a.bin")])
    aim = references.aim("a.bin", 2_000_000)
    assert aim is not None
    aim.pass_over(500_000, None)
    assert aim.place == (2, 250_000)
    aim.pass_over(1_000, (2, 260_000))
    assert aim.place == (2, 261_000)
    aim.pass_over(1_000, (0, 7))
    assert aim.place == (2, 262_000)
    assert references.aim("deeper/a.bin", 5) is None


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


@pytest.mark.parametrize("at", range(0, 180, 7))
def test_a_changed_letter_in_a_public_key_is_found(keys_folder: Path, tmp_path: Path, at: int) -> None:
    key = signing_keys.make_key("Office")
    handed = tmp_path / "office.pub"
    text = key.text()
    inside = text.index("key = ") + 7 + at % 40
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
