"""Signs a program with the certificate that the environment names, as setup_program.py tells: `sign.py PROGRAM`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

_TOLD = (
    ("BRIEFBANK_CERTIFICATE", "-pkcs12"),
    ("BRIEFBANK_CERTIFICATE_PASSPHRASE", "-readpass"),
    ("BRIEFBANK_TIMESTAMP", "-ts"),
)


def sign(program: Path) -> None:
    """Sign `program` in place; it is replaced whole or not at all.

    Raises:
        subprocess.CalledProcessError: osslsigncode says why.
    """
    signed = program.with_name(f"{program.name}.signed")
    options = [word for name, option in _TOLD if os.environ.get(name) for word in (option, os.environ[name])]
    command = ["osslsigncode", "sign", *options, "-h", "sha256", "-n", "BriefBank"]
    try:
        subprocess.run([*command, "-in", str(program), "-out", str(signed)], check=True, stdout=subprocess.DEVNULL)
        signed.replace(program)
    finally:
        signed.unlink(missing_ok=True)


if __name__ == "__main__":
    sign(Path(sys.argv[1]))
