"""Packs the offline folder for Windows into an installer: `python installer/windows/setup_program.py OUT [--quick]`.

Takes OUT/briefbank and writes OUT/BriefBank-VERSION-setup.exe with NSIS. Signs that, the uninstaller and both programs
where BRIEFBANK_CERTIFICATE names a PKCS #12 file (its passphrase in the file that BRIEFBANK_CERTIFICATE_PASSPHRASE
names; BRIEFBANK_TIMESTAMP, a server that vouches for the time of signing).
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "bundle"), str(HERE.parent)]

from pack_source import source_time  # noqa: E402
from parts import list_files  # noqa: E402
from sign import sign  # noqa: E402

from briefbank import __version__  # noqa: E402

_NSIS_BYTES = 2 * 1024**3
"""What an NSIS installer can hold; models and banks therefore travel as packs."""


def main() -> int:
    """Sign, pack, and sign the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path, help="the folder that build_folder.py wrote to")
    parser.add_argument("--quick", action="store_true", help="do not compress, to try it sooner")
    arguments = parser.parse_args()
    folder: Path = arguments.out / "briefbank"
    if os.environ.get("BRIEFBANK_CERTIFICATE"):
        for name in ("briefbank.exe", "briefbank-ui.exe"):
            sign(folder / name)
        list_files(folder)
    program = pack(folder, arguments.out, is_quick=arguments.quick)
    sys.stdout.write(f"{program}: {program.stat().st_size / (1 << 20):.1f} MiB\n")
    return 0


def pack(folder: Path, out: Path, *, is_quick: bool = False) -> Path:
    """Write the installer of `folder` and return where it is; the same folder gives the same bytes.

    Raises:
        ValueError: the folder is too large for NSIS.
    """
    if sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) > _NSIS_BYTES:
        raise ValueError(f"{folder} is over 2 GiB, which is more than NSIS can pack.")
    program = out / f"BriefBank-{__version__}-setup.exe"
    named = {"VERSION": __version__, "BUNDLE": folder.resolve(), "OUT": program.resolve()}
    if (icon := out / "work" / "briefbank.ico").is_file():
        named["ICON"] = icon.resolve()
    if is_quick:
        named["QUICK"] = 1
    if os.environ.get("BRIEFBANK_CERTIFICATE"):
        named["SIGN"] = f"'{sys.executable}' '{HERE / 'sign.py'}'"
    command = ["makensis", "-V2", *(f"-D{key}={value}" for key, value in named.items()), str(HERE / "briefbank.nsi")]
    subprocess.run(command, env={**os.environ, "SOURCE_DATE_EPOCH": str(source_time())}, check=True)
    if os.environ.get("BRIEFBANK_CERTIFICATE"):
        sign(program)
    return program


if __name__ == "__main__":
    sys.exit(main())
