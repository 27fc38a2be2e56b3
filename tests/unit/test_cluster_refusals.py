"""Who may not take part in a cluster: machines that would read otherwise, and keys that others may read."""

from __future__ import annotations

import shutil
import sys
from datetime import timedelta
from pathlib import Path

import msgspec
import numpy as np
import office
import pytest
from hashing_encoder import HashingEncoder
from program import Briefbank

from briefbank import __version__
from briefbank.errors import UsageError
from briefbank.ingest.cache import Cache
from briefbank.ingest.cluster import certificates
from briefbank.ingest.cluster.certificates import machine_certificates, make_certificates
from briefbank.ingest.cluster.reading import Reader, ReadingSetup, UnfitError, setup_for
from briefbank.ingest.process import FileProcessor
from briefbank.ingest.readers.office import find_converter
from briefbank.platform.progress import CancelToken
from briefbank.platform.settings import Settings

OTHER_CONVERTER = f"LibreOffice, which {'the head lacks' if find_converter() else 'is missing'}"
with_rights = pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps rights otherwise")


@pytest.fixture
def setup(tmp_path: Path) -> ReadingSetup:
    """A setup as this machine itself would read it."""
    with Cache(Path(":memory:")) as cache:
        settings, work = Settings(encoder="hashing"), tmp_path / "work"
        return setup_for(
            FileProcessor(settings, cache, work, tmp_path / "citations.toml", CancelToken(), HashingEncoder())
        )


def test_a_machine_that_reads_alike_may_join(setup: ReadingSetup, tmp_path: Path) -> None:
    Reader(tmp_path, setup).close()


@pytest.mark.parametrize(
    ("differs", "said"),
    [
        ({"program": "0.0.1"}, f"its version of BriefBank, {__version__} instead of 0.0.1"),
        ({"recipe": "5:other"}, "the recipe by which it reads"),
        ({"encoder_digest": "0" * 64}, "its encoder"),
        ({"precision": "int8"}, "the precision of its encoder, fp32 instead of int8"),
        (
            {"converter": not find_converter()},
            OTHER_CONVERTER,
        ),
    ],
    ids=["version", "recipe", "encoder", "precision", "converter"],
)
def test_a_machine_is_refused_by_what_differs(
    setup: ReadingSetup, tmp_path: Path, differs: dict[str, str | bool], said: str
) -> None:
    with pytest.raises(UnfitError) as refused:
        Reader(tmp_path, msgspec.structs.replace(setup, **differs))
    assert str(refused.value) == said


def test_an_encoder_of_the_same_name_that_encodes_otherwise_is_refused(setup: ReadingSetup, tmp_path: Path) -> None:
    vectors = np.frombuffer(setup.sample, dtype=np.float32).reshape(-1, HashingEncoder.dimension)
    with pytest.raises(UnfitError, match="what its encoder makes of the same sentences"):
        Reader(tmp_path, msgspec.structs.replace(setup, sample=np.ascontiguousarray(vectors[::-1]).tobytes()))


@with_rights
def test_keys_are_for_their_owner_alone(tmp_path: Path) -> None:
    [folder] = make_certificates(tmp_path / "keys", ["pc-17"], days=1)
    for key in (folder / "machine.key", tmp_path / "keys" / "authority.key"):
        assert key.stat().st_mode & 0o077 == 0
    assert machine_certificates(folder).key == folder / "machine.key"


@with_rights
@pytest.mark.parametrize("rights", [0o640, 0o604])
def test_a_key_that_others_may_read_is_refused(tmp_path: Path, rights: int, briefbank: Briefbank) -> None:
    [folder] = make_certificates(tmp_path / "keys", ["127.0.0.1"], days=1)
    (folder / "machine.key").chmod(rights)
    with pytest.raises(UsageError, match="Others may read"):
        machine_certificates(folder)
    briefs = office.write_text(tmp_path / "briefs" / "memo.txt", "words").parent
    address = "tls://127.0.0.1:9"
    for words in (
        ["cluster", "status", address],
        ["cluster", "scheduler"],
        ["cluster", "worker", address, "--folder", briefs],
        ["index", briefs, "--bank", tmp_path / "bank", "--cluster", address],
    ):
        refused = briefbank(*words, "--certificates", folder)
        assert (refused.code, "chmod 600" in refused.err) == (2, True)


def test_a_certificate_that_has_ended_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certificates, "_CLOCK_SLACK", timedelta(days=3))
    [folder] = make_certificates(tmp_path / "keys", ["pc-17"], days=-1)
    with pytest.raises(UsageError, match=r"machine\.pem ended on "):
        machine_certificates(folder)


def test_a_certificate_beside_the_authority_of_another_cluster_is_told(tmp_path: Path) -> None:
    [own], [other] = (make_certificates(tmp_path / name, ["pc-17"], days=1) for name in ("own", "other"))
    shutil.copy(other / "authority.pem", own)
    with pytest.raises(UsageError, match=r"machine\.pem was not made by the authority of authority\.pem beside it"):
        machine_certificates(own)


def test_a_folder_without_certificates_is_named(tmp_path: Path, briefbank: Briefbank) -> None:
    refused = briefbank("cluster", "status", "tls://127.0.0.1:9", "--certificates", tmp_path)
    assert refused.code == 2
    assert f"There is no authority.pem in {tmp_path}." in refused.err


@pytest.mark.parametrize("address", ["tcp://head:8786", "tls://head", "tls://head:1/x"])
def test_an_address_that_is_none_or_not_encrypted_is_refused(
    tmp_path: Path, address: str, briefbank: Briefbank
) -> None:
    [folder] = make_certificates(tmp_path / "keys", ["127.0.0.1"], days=1)
    refused = briefbank("cluster", "status", address, "--certificates", folder)
    assert (refused.code, f"{address} is no address of a scheduler." in refused.err) == (2, True)
