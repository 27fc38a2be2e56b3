"""What builds the offline folder for Windows, as far as it can be tried in seconds and without a network."""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest
from certificates import is_signed_by, write_certificate
from program import ROOT

INSTALLER = ROOT / "installer"
sys.path[:0] = [str(INSTALLER / "bundle"), str(INSTALLER / "windows"), str(INSTALLER)]

import contents  # noqa: E402
import cpython  # noqa: E402
import launchers  # noqa: E402
import linked  # noqa: E402
import llama  # noqa: E402
import packages  # noqa: E402
import setup_program  # noqa: E402
import sign  # noqa: E402
from source_package import SourcePackage, UntrustedPackageError  # noqa: E402

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the folder for Windows is built on Linux")
needs_compiler = pytest.mark.skipif(shutil.which(launchers.COMPILER) is None, reason="MinGW-w64 is not installed")
needs_signatures = pytest.mark.skipif(shutil.which("osslsigncode") is None, reason="osslsigncode is not installed")


def locked() -> dict[str, str]:
    lines = (line.split() for line in packages.LOCK.read_text("utf-8").splitlines() if not line.startswith("#"))
    return {words[0]: words[1] for words in lines}


def test_the_wheels_for_windows_are_pinned_as_everywhere_else_with_a_digest_each() -> None:
    pinned = {line.partition(" ")[0].strip() for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines()}
    pinned = {
        re.sub(r"[-_.]+", "-", name.partition("==")[0]).lower() + "==" + name.partition("==")[2] for name in pinned
    }
    of_windows = (INSTALLER / "wheelhouse-windows.txt").read_text("utf-8")
    assert len(locked()) > 40
    for name, digest in locked().items():
        assert name in pinned, name
        assert re.fullmatch(r"--hash=sha256:[0-9a-f]{64}", digest), name
        assert digest.removeprefix("--hash=") in of_windows, name


def test_the_folder_for_windows_gets_what_the_one_for_linux_gets() -> None:
    inside = {name.partition("==")[0] for name in locked()}
    only_of_linux = {"briefbank", "protobuf"}
    assert {name for name in contents.libraries() if name in _required()} <= inside | only_of_linux
    assert not inside & {"torch", "transformers", "scikit-learn", "pymupdf-layout", "pytest"}


def _required() -> set[str]:
    text = (ROOT / "pyproject.toml").read_text("utf-8").partition("dependencies = [")[2].partition("]")[0]
    return set(re.findall(r'"([\w-]+)', text))


@pytest.mark.parametrize(
    ("path", "needed"),
    [
        ("PySide6/Qt6Core.dll", True),
        ("PySide6/Qt6Quick.dll", False),
        ("PySide6/plugins/sqldrivers/qsqlodbc.dll", False),
        ("pyarrow/arrow_flight.dll", False),
        ("pymupdf/layout/model.onnx", False),
        ("shiboken6/msvcp140.dll", False),
        ("docx/templates/default.docx", True),
    ],
)
def test_only_what_the_window_and_the_search_use_goes_into_the_folder_for_windows(path: str, needed: bool) -> None:
    assert contents.is_needed_on_windows(path) == needed


@pytest.mark.skipif(shutil.which("makensis") is None, reason="NSIS is not installed")
def test_the_same_folder_gives_the_same_installer_wherever_it_lies(tmp_path: Path) -> None:
    made = []
    for place in (tmp_path / "one", tmp_path / "second place"):
        # In another order each time, as folders on another disk list their files.
        for name in sorted(("LICENSE", "briefbank.exe", "_internal/start.py", "docs/a.md"), reverse=bool(made)):
            path = place / "briefbank" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(name * 1000, encoding="utf-8")
            os.utime(path, (1_700_000_000, 1_700_000_000))
        made.append(setup_program.pack(place / "briefbank", place).read_bytes())
    assert made[0] == made[1]
    assert b"longPathAware" in made[0], "Windows would let it write no path of over 260 characters"


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="byte code is written by Python 3.11")
def test_modules_become_byte_code_that_is_the_same_wherever_it_was_made(tmp_path: Path) -> None:
    codes = []
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "module.py").write_text("NAMES = {'a', 'b', 'c'}\n", encoding="utf-8")
        os.utime(folder / "module.py", (len(codes), len(codes)))
        packages.compile_all(folder)
        assert [path.name for path in folder.iterdir()] == ["module.pyc"]
        codes.append((folder / "module.pyc").read_bytes())
    assert codes[0] == codes[1]
    assert str(tmp_path).encode() not in codes[0]


def test_a_python_package_of_another_digest_is_refused(tmp_path: Path) -> None:
    (tmp_path / "python.tar.gz").write_bytes(b"not the one")
    with pytest.raises(UntrustedPackageError, match="SHA-256"):
        cpython.unpack(tmp_path / "python.tar.gz", tmp_path / "python")
    assert not (tmp_path / "python").exists()


def test_llama_cpp_is_built_from_the_pinned_source_package_alone(tmp_path: Path) -> None:
    pinned = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    assert f"llama-cpp-python=={llama.VERSION}" in pinned
    assert f"# built here: llama-cpp-python=={llama.VERSION}" in packages.LOCK.read_text("utf-8").splitlines()
    (tmp_path / "llama.tar.gz").write_bytes(b"not the one")
    with pytest.raises(UntrustedPackageError, match="SHA-256"):
        llama.compile_libraries(tmp_path / "llama.tar.gz", tmp_path)


@pytest.fixture
def published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A source package, all that pip can find, that leaves a mark where any code of it is run."""
    code = f"open({str(tmp_path / 'ran')!r}, 'w')\nfrom setuptools import setup\nsetup(name='given', version='1.0')\n"
    folder = tmp_path / "published"
    folder.mkdir()
    archive = folder / "given-1.0.tar.gz"
    with tarfile.open(archive, "w:gz") as packed:
        entry = tarfile.TarInfo("given-1.0/setup.py")
        entry.size = len(code)
        packed.addfile(entry, io.BytesIO(code.encode()))
    for name, value in (("NO_INDEX", "1"), ("FIND_LINKS", str(folder)), ("CONFIG_FILE", os.devnull)):
        monkeypatch.setenv(f"PIP_{name}", value)
    return archive


def test_a_source_package_is_fetched_and_no_code_of_it_run(published: Path, tmp_path: Path) -> None:
    package = SourcePackage("given", "1.0", sha256(published.read_bytes()).hexdigest())
    fetched = package.fetch(tmp_path / "fetched")
    assert fetched.read_bytes() == published.read_bytes()
    assert not (tmp_path / "ran").exists()
    fetched.write_bytes(b"another")
    with pytest.raises(UntrustedPackageError, match=re.escape(str(fetched))):
        package.fetch(tmp_path / "fetched")


@pytest.mark.usefixtures("published")
def test_a_source_package_of_another_digest_is_not_kept(tmp_path: Path) -> None:
    with pytest.raises(subprocess.CalledProcessError):
        SourcePackage("given", "1.0", "0" * 64).fetch(tmp_path / "fetched")
    assert list((tmp_path / "fetched").iterdir()) == []
    assert not (tmp_path / "ran").exists()


def zipped(files: dict[str, bytes]) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return held.getvalue()


@needs_signatures
@needs_compiler
def test_a_python_that_its_foundation_did_not_sign_is_refused_and_not_left_there(tmp_path: Path, icon: Path) -> None:
    program = launchers.compile_launchers(tmp_path, tmp_path, version="1.0", icon=icon)[0]
    data = zipped({"cp311/python311.dll": program.read_bytes()})
    with pytest.raises(cpython.UntrustedPythonError, match=r"python311\.dll is not signed"):
        cpython.unpack_checked(data, tmp_path / "python")
    assert not (tmp_path / "python").exists()


@needs_signatures
@needs_compiler
def test_a_signature_of_somebody_else_is_none_of_the_foundation(
    tmp_path: Path, icon: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate, alone = write_certificate(tmp_path)
    program = launchers.compile_launchers(tmp_path, tmp_path, version="1.0", icon=icon)[0]
    monkeypatch.setenv("BRIEFBANK_CERTIFICATE", str(certificate))
    assert not is_signed_by(alone, program)
    sign.sign(program)
    assert is_signed_by(alone, program)
    with pytest.raises(cpython.UntrustedPythonError, match="not signed by the Python Software Foundation"):
        cpython.check_signature(program)


@needs_compiler
def test_the_launchers_are_programs_with_icon_and_version_and_the_same_bytes_each_time(
    tmp_path: Path, icon: Path
) -> None:
    made = []
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        programs = launchers.compile_launchers(folder, folder, version="1.2.3", icon=icon)
        assert [path.name for path in programs] == ["briefbank.exe", "briefbank-ui.exe"]
        made.append([path.read_bytes() for path in programs])
    assert made[0] == made[1]
    for content in made[0]:
        assert content[:2] == b"MZ"
        assert "1.2.3".encode("utf-16-le") in content
        assert b"longPathAware" in content
        assert icon.read_bytes()[-64:] in content
        assert str(tmp_path).encode() not in content


@pytest.fixture
def icon(tmp_path: Path) -> Path:
    from PIL import Image

    path = tmp_path / "briefbank.ico"
    Image.effect_noise((32, 32), 90).convert("RGBA").save(path, sizes=[(32, 32)])
    return path


@needs_compiler
def test_a_library_that_a_bare_windows_lacks_is_named(tmp_path: Path, icon: Path) -> None:
    folder = tmp_path / "briefbank"
    python = folder / "_internal" / "python"
    python.mkdir(parents=True)
    launchers.compile_launchers(folder, tmp_path, version="1.0", icon=icon)
    assert linked.missing(folder) == []
    (tmp_path / "other.c").write_text("__declspec(dllexport) int one(void) { return 1; }\n", encoding="utf-8")
    (tmp_path / "user.c").write_text("int one(void);\nint main(void) { return one(); }\n", encoding="utf-8")
    other, user = python / "other140.dll", folder / "_internal" / "packages" / "wheel" / "user.exe"
    user.parent.mkdir(parents=True)
    subprocess.run([launchers.COMPILER, "-shared", str(tmp_path / "other.c"), "-o", str(other)], check=True)
    subprocess.run([launchers.COMPILER, str(tmp_path / "user.c"), str(other), "-o", str(user)], check=True)
    assert linked.missing(folder) == [], "what lies beside Python is found by everything"
    other.unlink()
    assert linked.missing(folder) == [
        "_internal/packages/wheel/user.exe links to other140.dll, which is not there",
    ]
