"""A certificate for signing programs that an office gave itself."""

from __future__ import annotations

import subprocess
from pathlib import Path


def write_certificate(folder: Path, passphrase: str = "") -> tuple[Path, Path]:
    """Write it with its key (PKCS #12), and by itself (PEM), and return both paths."""
    key, alone, packed = (folder / name for name in ("office.key", "office.pem", "office.p12"))
    asked = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/O=Office/CN=Office", "-days", "30"]
    usage = ["-addext", "extendedKeyUsage=codeSigning", "-addext", "keyUsage=digitalSignature"]
    subprocess.run([*asked, *usage, "-keyout", str(key), "-out", str(alone)], check=True, capture_output=True)
    packing = ["openssl", "pkcs12", "-export", "-inkey", str(key), "-in", str(alone), "-out", str(packed)]
    subprocess.run([*packing, "-passout", f"pass:{passphrase}"], check=True, capture_output=True)
    return packed, alone


def is_signed_by(certificate: Path, program: Path) -> bool:
    """Whether a Windows program is whole and signed with the certificate of that PEM file."""
    verify = ["osslsigncode", "verify", "-CAfile", str(certificate), "-in", str(program)]
    return subprocess.run(verify, capture_output=True, check=False).returncode == 0
