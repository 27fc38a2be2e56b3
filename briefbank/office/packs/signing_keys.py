"""The office's signing key, and the keys that a machine trusts. Knows nothing of packs.

The private key is a PKCS#8 file of its owner's alone; a public key is a short text file that people can read out.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import tomli_w

from briefbank.errors import PackError, UsageError
from briefbank.platform.files import make_folder, parse_toml, read_bounded, write_atomic, write_new

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

PUBLIC_SUFFIX = ".pub"
# Of Ed25519.
_KEY_BYTES = 32
_MOST_KEY_FILE_BYTES = 64_000
"""Size of the largest file that is read as a public key; ours have a few hundred bytes."""
_FINGERPRINT_WORDS = 10


@dataclass(frozen=True, slots=True)
class PublicKey:
    """A key that packs are verified with. `name` is what its owner calls it."""

    name: str
    data: bytes

    @property
    def fingerprint(self) -> str:
        """Ten words that people can compare by telephone: the first 80 bits of the key's SHA-256."""
        digest = hashlib.sha256(self.data).digest()
        return " ".join(_words()[byte] for byte in digest[:_FINGERPRINT_WORDS])

    def text(self) -> str:
        """The key as the file that is handed to other machines."""
        table = {"name": self.name, "key": base64.b64encode(self.data).decode(), "fingerprint": self.fingerprint}
        return tomli_w.dumps({"briefbank-public-key": table})

    def has_signed(self, message: bytes, signature: bytes) -> bool:
        """Whether the signature is this key's, over that message."""
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

        try:
            Ed25519PublicKey.from_public_bytes(self.data).verify(signature, message)
        except (InvalidSignature, ValueError):
            return False
        return True


def keys_folder() -> Path:
    """Where this user's keys lie: where BRIEFBANK_KEYS points, else in the user's configuration folder."""
    named = os.environ.get("BRIEFBANK_KEYS")
    if named:
        return Path(named)
    import platformdirs

    return Path(platformdirs.user_config_dir("briefbank", appauthor=False)) / "keys"


def private_key_file() -> Path:
    """Where `make_key` puts the private key."""
    return keys_folder() / "office.key"


def make_key(name: str, passphrase: bytes | None = None) -> PublicKey:
    """Make the office's key, trust it on this machine, and return its public half.

    Raises:
        UsageError: there is a key already, or the name cannot name a file.
    """
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    path = private_key_file()
    _require_name(name)
    if path.exists():
        raise _taken(path)
    private = Ed25519PrivateKey.generate()
    lock = serialization.BestAvailableEncryption(passphrase) if passphrase else serialization.NoEncryption()
    data = private.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, lock)
    make_folder(path.parent)
    public = PublicKey(name, _public_bytes(private))
    _write_trusted(public)
    if not write_new(path, data):
        raise _taken(path)
    return public


def _taken(path: Path) -> UsageError:
    advice = "Use it (briefbank keys show); to make another, move that file away first, and keep it safe."
    return UsageError(f"There is a private key already: {path}", advice)


def load_private_key(path: Path | None = None, passphrase: bytes | None = None) -> Ed25519PrivateKey:
    """Read a private key; without a path, the office's own.

    Raises:
        UsageError: there is none, it is none, or the passphrase is missing or wrong.
    """
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    path = path or private_key_file()
    try:
        private = load_pem_private_key(path.read_bytes(), passphrase)
    except FileNotFoundError as error:
        advice = "Make the office's key once (briefbank keys make), or name it with --key."
        raise UsageError(f"There is no private key: {path}", advice) from error
    except TypeError as error:
        state = "needs a passphrase" if passphrase is None else "has no passphrase"
        raise UsageError(f"The private key {path} {state}.", "See --passphrase-file.") from error
    except (ValueError, OSError) as error:
        raise UsageError(
            f"The private key {path} cannot be read.", "Give the right passphrase, or the right file."
        ) from error
    if not isinstance(private, Ed25519PrivateKey):
        raise UsageError(f"{path} is not a key made by briefbank keys make.", "Name the right file.")
    return private


def sign(private: Ed25519PrivateKey, message: bytes) -> tuple[bytes, bytes]:
    """Return the public key and the signature, which is the same every time."""
    return _public_bytes(private), private.sign(message)


def read_public_key(path: Path) -> PublicKey:
    """Read a public key's file.

    Raises:
        UsageError: there is none, or it is none.
    """
    try:
        table = parse_toml(read_bounded(path, _MOST_KEY_FILE_BYTES).decode("utf-8"))["briefbank-public-key"]
        key = PublicKey(str(table["name"]), base64.b64decode(table["key"], validate=True))
    except OSError as error:
        raise UsageError(f"The key {path} cannot be read: {error.strerror}.", "Name the right file.") from error
    except (KeyError, TypeError, ValueError) as error:
        raise UsageError(f"{path} is not a public key.", "Name the file that briefbank keys show tells of.") from error
    if len(key.data) != _KEY_BYTES or table.get("fingerprint") != key.fingerprint:
        raise UsageError(f"The public key {path} is damaged.", "Copy it again.")
    return key


def trust_key(path: Path) -> PublicKey:
    """Trust a public key on this machine from now on.

    Raises:
        UsageError: it cannot be read, or another key of that name is trusted.
    """
    key = read_public_key(path)
    _require_name(key.name)
    for known in trusted_keys():
        if public_key_file(known) == public_key_file(key) and known.data != key.data:
            advice = f"If the office has a new key, remove the old one from {_trusted_folder()} first."
            raise UsageError(f"Another key named {key.name} is trusted already.", advice)
    _write_trusted(key)
    return key


def trusted_keys() -> list[PublicKey]:
    """The keys trusted by this user and by whoever administers the machine, by name.

    Raises:
        UsageError: one of them is damaged.
    """
    return sorted((read_public_key(path) for path in _trusted_files()), key=lambda key: (key.name, key.data))


def require_trusted(public_key: bytes, extra: PublicKey | None = None) -> PublicKey:
    """Return the trusted key that has these bytes.

    Raises:
        PackError: this machine does not trust it.
    """
    for key in [*([extra] if extra else []), *trusted_keys()]:
        if key.data == public_key:
            return key
    fingerprint = PublicKey("", public_key).fingerprint
    raise PackError(
        f"The pack is signed by a key that this machine does not trust: {fingerprint}.",
        "If that is the office's key, get its file from IT, compare the words, and run briefbank keys trust FILE. "
        "Nothing was changed.",
    )


def _trusted_files() -> Iterator[Path]:
    import platformdirs

    everyone = Path(platformdirs.site_config_dir("briefbank", appauthor=False)) / "keys" / "trusted"
    for folder in (_trusted_folder(), everyone):
        if folder.is_dir():
            yield from sorted(folder.glob(f"*{PUBLIC_SUFFIX}"))


def _trusted_folder() -> Path:
    return keys_folder() / "trusted"


def public_key_file(key: PublicKey) -> Path:
    """Where a key lies that this user trusts."""
    return _trusted_folder() / f"{re.sub(r'[^a-z0-9]+', '-', key.name.casefold()).strip('-')}{PUBLIC_SUFFIX}"


def _require_name(name: str) -> None:
    if not re.search(r"[A-Za-z0-9]", name) or not name.isprintable():
        raise UsageError(f"A key cannot be named {name!r}.", "Give the office's name, in letters.")


def _write_trusted(key: PublicKey) -> None:
    path = public_key_file(key)
    make_folder(path.parent)
    write_atomic(path, key.text().encode())


def _public_bytes(private: Ed25519PrivateKey) -> bytes:
    from cryptography.hazmat.primitives import serialization

    return private.public_key().public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)


@cache
def _words() -> tuple[str, ...]:
    """256 words, one a byte."""
    return tuple(files("briefbank.office.packs").joinpath("words.txt").read_text(encoding="utf-8").split())
