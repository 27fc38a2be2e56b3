"""The certificates by which the machines of a cluster know each other, made by an authority of the office's own.

A certificate opens the whole cluster: whoever holds one can have its machines run what he likes. Keys are therefore
for their owner alone, and one that others may read is refused.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from briefbank.errors import UsageError
from briefbank.platform.files import TABLE_BYTES, make_folder, read_bounded, write_atomic

if TYPE_CHECKING:
    from trustme import CA

_AUTHORITY, _AUTHORITY_KEY = "authority.pem", "authority.key"
_MACHINE, _MACHINE_KEY = "machine.pem", "machine.key"
_HOST = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.:-]{0,62}[A-Za-z0-9])?")
_ORGANISATION = "BriefBank cluster"
_CLOCK_SLACK = timedelta(hours=1)
"""How far the clocks of two machines may differ."""


@dataclass(frozen=True, slots=True)
class Certificates:
    """The files by which this machine takes part."""

    authority: Path
    machine: Path
    key: Path


def machine_certificates(folder: Path) -> Certificates:
    """Return the certificates that a machine was given in a folder.

    Raises:
        UsageError: one is missing, has ended or is of another authority, or others may read the key.
    """
    found = Certificates(folder / _AUTHORITY, folder / _MACHINE, folder / _MACHINE_KEY)
    for file in (found.authority, found.machine, found.key):
        if not file.is_file():
            advice = "Name the folder that `briefbank cluster certificates` made for this machine."
            raise UsageError(f"There is no {file.name} in {folder}.", advice)
    if os.name != "nt" and found.key.stat().st_mode & 0o077:
        raise UsageError(f"Others may read {found.key}.", f"Run: chmod 600 {found.key}")
    _require_valid(found)
    return found


def _require_valid(found: Certificates) -> None:
    """Check what a peer would refuse without a reason: a certificate that ended, or that is not of the authority."""
    from cryptography import x509
    from cryptography.exceptions import InvalidSignature

    try:
        machine, authority = (
            x509.load_pem_x509_certificate(read_bounded(file, TABLE_BYTES)) for file in (found.machine, found.authority)
        )
    except (OSError, ValueError) as error:
        message = f"The certificates in {found.machine.parent} cannot be read."
        raise UsageError(message, "Make this machine's certificates anew.") from error
    if machine.not_valid_after_utc < datetime.now(UTC):
        advice = "Run `briefbank cluster certificates` again where the authority lies, and copy the folder here."
        raise UsageError(f"The certificate {found.machine} ended on {machine.not_valid_after_utc:%Y-%m-%d}.", advice)
    try:
        machine.verify_directly_issued_by(authority)
    except (InvalidSignature, TypeError, ValueError) as error:
        message = f"{found.machine} was not made by the authority of {found.authority.name} beside it."
        raise UsageError(message, "Copy the whole folder that was made for this machine.") from error


def make_certificates(folder: Path, hosts: list[str], days: int) -> list[Path]:
    """Make a folder with certificates for each host in `folder`, by the authority there, which is made where it lacks.

    Returns the folders, each to be copied to its machine.

    Raises:
        UsageError: a host's name is none, the authority's files cannot be read, or what makes certificates is not
            installed.
    """
    for host in hosts:
        if not _HOST.fullmatch(host):
            raise UsageError(f"{host} is no name of a machine.", "Give names or addresses as the network has them.")
    make_folder(folder)
    authority = _authority(folder)
    now = datetime.now(UTC)
    made = []
    for host in hosts:
        issued = authority.issue_cert(
            host,
            common_name=host,
            organization_name=_ORGANISATION,
            not_before=now - _CLOCK_SLACK,
            not_after=now + timedelta(days=days),
        )
        own = folder / host.replace(":", "_")
        make_folder(own)
        write_atomic(own / _MACHINE_KEY, issued.private_key_pem.bytes())
        write_atomic(own / _MACHINE, issued.cert_chain_pems[0].bytes())
        write_atomic(own / _AUTHORITY, authority.cert_pem.bytes())
        made.append(own)
    return made


def _authority(folder: Path) -> CA:
    """The authority of a folder; its own certificate does not end."""
    try:
        from trustme import CA
    except ImportError as error:
        advice = 'Install it: pip install "briefbank[cluster]"'
        raise UsageError("What makes certificates (trustme) is not installed.", advice) from error
    certificate, key = folder / _AUTHORITY, folder / _AUTHORITY_KEY
    if not certificate.exists():
        authority = CA(path_length=0, organization_name=_ORGANISATION, organization_unit_name="Authority")
        write_atomic(key, authority.private_key_pem.bytes())
        write_atomic(certificate, authority.cert_pem.bytes())
    try:
        return CA.from_pem(read_bounded(certificate, TABLE_BYTES), read_bounded(key, TABLE_BYTES))
    except (OSError, TypeError, ValueError) as error:
        advice = "Name the folder where the authority was made, or an empty one for a new authority."
        raise UsageError(f"The authority in {folder} cannot be read.", advice) from error
