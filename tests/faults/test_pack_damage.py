"""Packs that are damaged, cut off, foreign or too new: the old bank searches on, and the error says what to do."""

from __future__ import annotations

import json
import os
import random
import shlex
import shutil
import struct
import subprocess
import sys
import tarfile
import time
from pathlib import Path

import office
import psutil
import pytest
import zstandard
from namespaces import needs_small_disk
from program import ROOT, Briefbank, command

from briefbank.bank.local import Bank
from briefbank.errors import BriefBankError, ExitCode, PackError
from briefbank.office.packs import signing_keys
from briefbank.office.packs.format import HEAD_BYTES, Head
from briefbank.values.records import Query


@pytest.fixture(scope="module")
def stick(library_bank: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the office's keys and a pack, newer than any other by its list of alerts."""
    root = tmp_path_factory.mktemp("stick")
    bank = Path(shutil.copytree(library_bank, root / "bank"))
    office.write_text(bank / "alerts.csv", "authority,says\n")
    in_an_hour = time.time() + 3_600
    os.utime(bank / "alerts.csv", (in_an_hour, in_an_hour))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BRIEFBANK_KEYS", str(root / "keys"))
        signing_keys.make_key("Office")
        Bank.open(bank).pack(root / "office.bbpack")
    return root


@pytest.fixture
def pack(stick: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of that pack, to be spoilt."""
    monkeypatch.setenv("BRIEFBANK_KEYS", str(stick / "keys"))
    return Path(shutil.copy(stick / "office.bbpack", tmp_path))


@pytest.fixture(scope="module")
def laptop_before(stick: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bank that was installed from an earlier pack."""
    root = tmp_path_factory.mktemp("earlier")
    folder = root / "briefs"
    office.write_text(folder / "only.txt", office.memo("Arrays", office.LINEUP))
    bank = office.write_bank(root / "bank")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BRIEFBANK_KEYS", str(stick / "keys"))
        Bank.open(bank).index(folder)
        Bank.open(bank).pack(root / "earlier.bbpack")
        Bank.install(root / "laptop", root / "earlier.bbpack")
    return root / "laptop"


@pytest.fixture
def laptop(laptop_before: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(laptop_before, tmp_path / "laptop"))


def state(bank: Path) -> dict[str, bytes]:
    found = (path for path in bank.rglob("*") if path.is_file() and path.name != "writer.lock")
    return {path.relative_to(bank).as_posix(): path.read_bytes() for path in found}


def assert_refused(laptop: Path, pack: Path, kind: type[BriefBankError] = PackError) -> BriefBankError:
    """The pack is refused with advice, and the bank is byte for byte what it was, and searches."""
    before = state(laptop)
    with pytest.raises(kind) as caught:
        Bank.install(laptop, pack)
    assert caught.value.advice
    assert state(laptop) == before
    assert Bank.open(laptop).search(Query("blind administrator")).hits
    return caught.value


def test_a_flipped_byte_anywhere_is_found(laptop: Path, pack: Path) -> None:
    whole = pack.read_bytes()
    moments = random.Random(11)  # a seed, so that a failure can be repeated
    edges = [0, 7, 8, 12, 15, 20, 30, 60, 70, 100, 110, 150, HEAD_BYTES, len(whole) - 9, len(whole) - 1]
    before = state(laptop)
    for at in (*edges, *(moments.randrange(len(whole)) for _ in range(60))):
        spoilt = bytearray(whole)
        spoilt[at] ^= 0x55
        pack.write_bytes(spoilt)
        with pytest.raises(BriefBankError) as caught:
            Bank.install(laptop, pack)
        assert caught.value.advice, at
        assert caught.value.exit_code in (ExitCode.DAMAGED, ExitCode.NEWER), at
        assert state(laptop) == before, at
    assert_refused(laptop, pack)


def test_a_pack_with_something_behind_it_is_refused(laptop: Path, pack: Path) -> None:
    pack.write_bytes(pack.read_bytes() + bytes(10))
    assert_refused(laptop, pack)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"BBPACK\r\n", b"BBPACK\n" + bytes(300)])
def test_another_file_is_refused(laptop: Path, pack: Path, content: bytes) -> None:
    pack.write_bytes(content)
    assert_refused(laptop, pack)


def test_a_newer_pack_is_refused_by_name(laptop: Path, pack: Path, briefbank: Briefbank) -> None:
    data = bytearray(pack.read_bytes())
    struct.pack_into("<HH", data, 8, 5, 6)
    pack.write_bytes(data)
    told = briefbank("install", pack, "--bank", laptop, "--quiet")
    assert told.code == ExitCode.NEWER
    assert "5.6" in told.err
    assert "4.0" in told.err


def resigned(pack: Path, public_key: bytes, signature: bytes) -> None:
    data = pack.read_bytes()
    head = Head.decode(data[:HEAD_BYTES])
    pack.write_bytes(head.signed(public_key, signature).encode() + data[HEAD_BYTES:])


def test_an_unsigned_pack_is_refused(laptop: Path, pack: Path) -> None:
    resigned(pack, bytes(32), bytes(64))
    assert "not signed" in assert_refused(laptop, pack).message


def test_another_ones_signature_is_refused(laptop: Path, pack: Path) -> None:
    resigned(pack, signing_keys.trusted_keys()[0].data, bytes(range(64)))
    assert "signature" in assert_refused(laptop, pack).message


def test_a_key_that_is_not_trusted_is_named_in_words(
    laptop: Path, pack: Path, stick: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (known,) = signing_keys.trusted_keys()
    monkeypatch.setenv("BRIEFBANK_KEYS", str(tmp_path / "elsewhere"))
    other = signing_keys.make_key("Somebody")
    assert known.fingerprint in assert_refused(laptop, pack).message
    with pytest.raises(PackError):
        Bank.install(laptop, pack, trust=signing_keys.public_key_file(other))
    assert Bank.install(laptop, pack, trust=stick / "keys" / "trusted" / "office.pub").is_new
    assert signing_keys.trusted_keys() == [other]


def test_a_strangers_pack_is_refused_for_its_key_before_anything_else_of_it_is_read(
    laptop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its manifest would be 3 GiB of noise; a sparse file stands for it, and reading it would raise MemoryError."""
    monkeypatch.setenv("BRIEFBANK_KEYS", str(tmp_path / "stranger"))
    signing_keys.make_key("Stranger")
    head = Head(HEAD_BYTES + (3 << 30), 3 << 30, bytes(32))
    pack = tmp_path / "stranger.bbpack"
    with pack.open("wb") as opened:
        opened.write(head.signed(*signing_keys.sign(signing_keys.load_private_key(), head.message())).encode())
        opened.truncate(head.pack_bytes)
    monkeypatch.setenv("BRIEFBANK_KEYS", str(tmp_path / "ours"))
    resource = pytest.importorskip("resource", reason="limits of memory are POSIX's")
    limit = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (psutil.Process().memory_info().vms + (1 << 30), limit[1]))
    try:
        told = assert_refused(laptop, pack)
        assert "does not trust" in told.message
        monkeypatch.setenv("BRIEFBANK_KEYS", str(tmp_path / "stranger"))
        assert "larger than it may be" in assert_refused(laptop, pack).message
    finally:
        resource.setrlimit(resource.RLIMIT_AS, limit)


def packed_by_hand(pack: Path, archive: bytes) -> None:
    """Put another archive behind the manifest of a pack, signed by the trusted key."""
    data = pack.read_bytes()
    head = Head.decode(data[:HEAD_BYTES])
    manifest = data[HEAD_BYTES : HEAD_BYTES + head.manifest_bytes]
    other = Head.unsigned(manifest, HEAD_BYTES + len(manifest) + len(archive))
    signed = other.signed(*signing_keys.sign(signing_keys.load_private_key(), other.message()))
    pack.write_bytes(signed.encode() + manifest + archive)


@pytest.mark.parametrize("kind", ["bomb", "window", "longer", "empty"])
def test_an_archive_that_is_not_the_one_its_contents_tell_of_is_refused(laptop: Path, pack: Path, kind: str) -> None:
    """Also where the office itself signed it: neither a bomb nor a wish for gigabytes of memory is followed."""
    data = pack.read_bytes()
    head = Head.decode(data[:HEAD_BYTES])
    whole = data[HEAD_BYTES + head.manifest_bytes :]
    wide = zstandard.ZstdCompressionParameters.from_level(1, window_log=27, write_content_size=0)
    archive = {
        "bomb": zstandard.ZstdCompressor().compress(bytes(200 << 20)),
        "window": zstandard.ZstdCompressor(compression_params=wide).compress(bytes(200 << 20)),
        "longer": whole + zstandard.ZstdCompressor().compress(b"more"),
        "empty": b"",
    }[kind]
    packed_by_hand(pack, archive)
    assert_refused(laptop, pack)


def test_a_pack_is_a_tar_archive_in_zstandard_behind_its_list_of_contents(pack: Path) -> None:
    data = pack.read_bytes()
    start = HEAD_BYTES + Head.decode(data[:HEAD_BYTES]).manifest_bytes
    with (
        zstandard.ZstdDecompressor().stream_reader(data[start:]) as unpacked,
        tarfile.open(fileobj=unpacked, mode="r|") as archive,
    ):
        sizes = {member.name: member.size for member in archive}
    assert sizes == {each["path"]: each["size_bytes"] for each in json.loads(data[HEAD_BYTES:start])["files"]}


def test_a_pack_is_installed_from_a_read_only_medium(laptop: Path, pack: Path) -> None:
    pack.chmod(0o400)
    pack.parent.chmod(0o500)
    try:
        assert Bank.install(laptop, pack).is_new
        assert sorted(path.name for path in pack.parent.iterdir()) == ["laptop", pack.name]
    finally:
        pack.parent.chmod(0o700)


def test_what_a_killed_install_left_is_removed_by_the_next(laptop: Path, pack: Path) -> None:
    (laptop / "installing" / "generation").mkdir(parents=True)
    (laptop / "generations" / "20200101T000000Z.building").mkdir()
    for name in ("current", "writer.owner", "seals.json"):
        (laptop / f".{name}.17.tmp").write_bytes(b"")
    (laptop / "cache" / ".summaries.sqlite.17.tmp").write_bytes(b"half")
    assert Bank.install(laptop, pack).is_new
    assert not (laptop / "installing").exists()
    assert not list(laptop.rglob("*.tmp"))
    assert len(list((laptop / "generations").iterdir())) == 2


def test_a_damaged_bank_is_mended_by_installing_its_pack_again(laptop: Path, pack: Path) -> None:
    Bank.install(laptop, pack)
    places = next((laptop / "generations" / (laptop / "current").read_text().strip()).rglob("places.npy"))
    places.write_bytes(b"spoilt")
    before = sorted(path.name for path in (laptop / "generations").iterdir())
    assert Bank.install(laptop, pack).is_new
    assert Bank.open(laptop).check() == []
    assert sorted(path.name for path in (laptop / "generations").iterdir()) == before


def test_a_cancelled_install_leaves_the_bank_as_it_was(laptop: Path, pack: Path) -> None:
    from briefbank.errors import CancelledError
    from briefbank.platform.progress import CancelToken, Progress

    cancel = CancelToken()
    before = state(laptop)

    def stop(progress: Progress) -> None:
        if progress.files_done == 5:
            cancel.cancel()

    with pytest.raises(CancelledError):
        Bank.install(laptop, pack, reporter=stop, cancel=cancel)
    assert state(laptop) == before


def test_a_bank_that_another_program_made_meanwhile_is_left_alone(pack: Path, tmp_path: Path) -> None:
    from briefbank.errors import BankInUseError
    from briefbank.platform.progress import Progress

    root = tmp_path / "new" / "bank"
    winners: dict[str, bytes] = {}

    def install_too(progress: Progress) -> None:
        if progress.files_done == 5:
            assert Bank.install(root, pack).is_new
            winners.update(state(root))

    with pytest.raises(BankInUseError, match="meanwhile"):
        Bank.install(root, pack, reporter=install_too)
    assert state(root) == winners
    assert [path.name for path in root.parent.iterdir()] == ["bank"]


SCRIPT = """
mount -t tmpfs -o size={size_kb}k tmpfs {disk} && cp -r {bank}/. {disk}/ || exit 99
{fill}
{verb} 2>&1; echo "exit $?"
ls {disk}
"""


def on_a_small_disk(bank: Path, disk: Path, size_kb: int, verb: list[str], fill: str = "") -> str:
    disk.mkdir()
    script = SCRIPT.format(size_kb=size_kb, disk=disk, bank=bank, verb=" ".join(verb), fill=fill)
    done = subprocess.run(
        ["unshare", "-rm", "sh", "-c", script], cwd=ROOT, capture_output=True, encoding="utf-8", timeout=100, check=True
    )
    return done.stdout


@needs_small_disk
def test_a_pack_that_does_not_fit_is_refused_before_anything_is_written(
    laptop: Path, pack: Path, tmp_path: Path
) -> None:
    disk = tmp_path / "disk"
    told = on_a_small_disk(laptop, disk, 3_000, command("install", pack, "--bank", disk, "--quiet"))
    assert f"exit {int(ExitCode.NO_SPACE)}" in told
    assert "MB are free" in told
    assert "searches as before" in told
    assert "installing" not in told.split("exit 11")[1]


FILLED = """
import os, shutil, sys
from pathlib import Path
from briefbank.bank.local import Bank
from briefbank.errors import NoSpaceError

disk, pack, at, left = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
ballast = disk / "ballast"

def fill(progress):
    if progress.files_done == at % progress.files_total:
        with ballast.open("wb") as opened:
            os.posix_fallocate(opened.fileno(), 0, shutil.disk_usage(disk).free - left)

try:
    Bank.install(disk, pack, reporter=fill)
except NoSpaceError as error:
    print("exit", int(error.exit_code), error.message, error.advice)
print("left over:", (disk / "installing").exists(), *disk.glob("generations/*.building"))
os.system(sys.argv[5])
ballast.unlink()
print("again:", Bank.install(disk, pack).is_new, Bank.open(disk).check())
"""


@needs_small_disk
@pytest.mark.parametrize(("at", "left_bytes"), [(0, 0), (15, 4096), (-1, 4096)])
def test_a_disk_that_fills_while_a_pack_is_installed_leaves_the_old_bank_searching(
    laptop: Path, pack: Path, tmp_path: Path, at: int, left_bytes: int
) -> None:
    disk = tmp_path / "disk"
    search = shlex.join(command("search", "blind administrator", "--bank", disk))
    words = [sys.executable, "-c", FILLED, str(disk), str(pack), str(at), str(left_bytes), search]
    told = on_a_small_disk(laptop, disk, 60_000, [shlex.join(words)])
    assert f"exit {int(ExitCode.NO_SPACE)} No space left while installing the pack, on the disk of" in told
    assert "left over: False\n" in told
    assert "1 of 1 passage," in told
    assert "again: True []" in told


@needs_small_disk
def test_a_disk_that_fills_while_a_pack_is_written_keeps_nothing_of_it(
    library_bank: Path, tmp_path: Path, pack: Path
) -> None:
    disk = tmp_path / "disk"
    room = 20
    empty = tmp_path / "empty"
    empty.mkdir()
    verb = command("pack", disk / "a.bbpack", "--bank", library_bank, "--quiet")
    told = on_a_small_disk(empty, disk, room, verb)
    assert f"exit {int(ExitCode.NO_SPACE)}" in told
    assert "bbpack" not in told.split("exit 11")[1]
