"""The certificates by which the machines of a cluster know each other, made by an authority of the office's own.

A certificate opens the whole cluster: whoever holds one can have its machines run what he likes. Keys are therefore
for their owner alone, and one that others may read is refused.
"""

from __future__ import annotations

import ipaddress
import os
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from briefbank.errors import UsageError
from briefbank.platform.files import TABLE_BYTES, make_folder, read_bounded, write_atomic

if TYPE_CHECKING:
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

_AUTHORITY, _AUTHORITY_KEY = "authority.pem", "authority.key"
_MACHINE, _MACHINE_KEY = "machine.pem", "machine.key"
_HOST = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.:-]{0,62}[A-Za-z0-9])?")
_CLOCK_SLACK = timedelta(hours=1)
_AUTHORITY_DAYS = 3650
"""Longer than any machine's certificate, which is made anew by the same authority."""
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
    _require_sound(found)
    return found


def _require_sound(found: Certificates) -> None:
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

    Returns the folders, each to be copied to its machine. An authority goes on for as long as its certificate holds.

    Raises:
        UsageError: a host's name is none, or the authority's files cannot be read.
    """
    for host in hosts:
        if not _HOST.fullmatch(host):
            raise UsageError(f"{host} is no name of a machine.", "Give names or addresses as the network has them.")
    make_folder(folder)
    authority, key = _authority(folder, days)
    return [_made_for(host, folder / host.replace(":", "_"), authority, key, days) for host in hosts]


def _authority(folder: Path, days: int) -> tuple[x509.Certificate, EllipticCurvePrivateKey]:
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    if not (folder / _AUTHORITY).exists():
        return _new_authority(folder)
    try:
        certificate = x509.load_pem_x509_certificate(read_bounded(folder / _AUTHORITY, TABLE_BYTES))
        key = load_pem_private_key(read_bounded(folder / _AUTHORITY_KEY, TABLE_BYTES), None)
    except (OSError, ValueError) as error:
        advice = "Name the folder where the authority was made, or an empty one for a new authority."
        raise UsageError(f"The authority in {folder} cannot be read.", advice) from error
    if not isinstance(key, EllipticCurvePrivateKey):
        raise UsageError(f"{folder / _AUTHORITY_KEY} is no key of BriefBank.", "Name an empty folder.")
    ends = certificate.not_valid_after_utc
    if ends < datetime.now(UTC) + timedelta(days=days):
        advice = (
            "Ask for fewer --days, or name an empty folder for a new authority and give all machines new certificates."
        )
        raise UsageError(f"The authority in {folder} ends on {ends:%Y-%m-%d}, before these certificates would.", advice)
    return certificate, key


def _new_authority(folder: Path) -> tuple[x509.Certificate, EllipticCurvePrivateKey]:
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = _name("BriefBank cluster authority")
    usage = _usage(signs_certificates=True)
    builder = (
        _builder(name, key, _AUTHORITY_DAYS)
        .issuer_name(name)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(key.public_key()), critical=False)
    )
    certificate = _signed(builder, key)
    write_atomic(folder / _AUTHORITY_KEY, _private(key))
    write_atomic(folder / _AUTHORITY, _public(certificate))
    return certificate, key


def _made_for(
    host: str, folder: Path, authority: x509.Certificate, authority_key: EllipticCurvePrivateKey, days: int
) -> Path:
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import ExtendedKeyUsageOID

    key = ec.generate_private_key(ec.SECP256R1())
    issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(authority_key.public_key())
    both = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH])
    builder = (
        _builder(_name(host), key, days)
        .issuer_name(authority.subject)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs_certificates=False), critical=True)
        .add_extension(both, critical=False)
        .add_extension(x509.SubjectAlternativeName([_alternative(host)]), critical=False)
        .add_extension(issuer, critical=False)
    )
    make_folder(folder)
    write_atomic(folder / _MACHINE_KEY, _private(key))
    write_atomic(folder / _MACHINE, _public(_signed(builder, authority_key)))
    write_atomic(folder / _AUTHORITY, _public(authority))
    return folder


def _builder(name: x509.Name, key: EllipticCurvePrivateKey, days: int) -> x509.CertificateBuilder:
    from cryptography import x509

    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _CLOCK_SLACK)
        .not_valid_after(now + timedelta(days=days))
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    from cryptography import x509

    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _alternative(host: str) -> x509.GeneralName:
    from cryptography import x509

    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _name(common: str) -> x509.Name:
    from cryptography import x509
    from cryptography.x509.oid import NameOID

    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common)])


def _signed(builder: x509.CertificateBuilder, key: EllipticCurvePrivateKey) -> x509.Certificate:
    from cryptography.hazmat.primitives.hashes import SHA256

    return builder.sign(key, SHA256())


def _private(key: EllipticCurvePrivateKey) -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def _public(certificate: x509.Certificate) -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding

    return certificate.public_bytes(Encoding.PEM)
