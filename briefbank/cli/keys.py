"""`briefbank keys`: the key that signs packs, and the keys that this machine trusts."""

from __future__ import annotations

import argparse
import getpass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from briefbank.cli import output
from briefbank.cli.options import add_json
from briefbank.errors import ExitCode, UsageError
from briefbank.platform.files import TABLE_BYTES, read_bounded

if TYPE_CHECKING:
    from briefbank.office.packs.signing_keys import PublicKey


def register(verbs: Any) -> None:
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        "keys",
        help="make and trust the keys that sign packs",
        description="One machine of the office makes a key and signs packs with it; laptops trust its public half. "
        "Each ACTION takes --json.",
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    make = actions.add_parser("make", help="make the office's key on this machine")
    make.add_argument("name", metavar="OFFICE", help="the office's name, as laptops show it")
    add_passphrase(make, ask=True)
    show = actions.add_parser("show", help="show a public key and the words to compare")
    show.add_argument("file", type=Path, nargs="?", metavar="FILE", help="a public key (default: every one trusted)")
    trust = actions.add_parser("trust", help="trust a public key from now on")
    trust.add_argument("file", type=Path, metavar="FILE")
    listing = actions.add_parser("list", help="list the keys trusted on this machine")
    for each, run in ((make, _make), (show, _show), (trust, _trust), (listing, _list)):
        add_json(each)
        each.set_defaults(run=run)


def add_passphrase(parser: argparse.ArgumentParser, *, ask: bool = False) -> None:
    """Add `--passphrase-file`, and `--passphrase` to be asked for one."""
    parser.add_argument(
        "--passphrase-file", type=Path, metavar="FILE", help="a file whose first line is the private key's passphrase"
    )
    if ask:
        parser.add_argument("--passphrase", action="store_true", help="ask for a passphrase to lock the key with")


def passphrase_of(args: argparse.Namespace) -> bytes | None:
    """The passphrase that the call gives, or None.

    Raises:
        UsageError: its file cannot be read, or is empty.
    """
    if args.passphrase_file is None:
        return None
    try:
        lines = read_bounded(args.passphrase_file, TABLE_BYTES).decode().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{args.passphrase_file} cannot be read.", "Name the right file.") from error
    if not lines or not lines[0]:
        raise UsageError(f"{args.passphrase_file} holds no passphrase.", "Write it into the first line.")
    return str(lines[0]).encode()


def _make(args: argparse.Namespace) -> ExitCode:
    from briefbank.office.packs.signing_keys import make_key, private_key_file, public_key_file

    passphrase = _asked() if args.passphrase else passphrase_of(args)
    key = make_key(args.name, passphrase)
    if args.json:
        output.out_json({**_row(key), "private_key": private_key_file(), "public_key": public_key_file(key)})
        return ExitCode.OK
    output.out(f"Private key  {private_key_file()}  (keep it on this machine, and a copy in a safe)")
    output.out(f"Public key   {public_key_file(key)}  (hand it to every laptop: briefbank keys trust FILE)")
    output.out(f"Words        {key.fingerprint}")
    return ExitCode.OK


def _asked() -> bytes:
    first = getpass.getpass("Passphrase: ")
    if not first or getpass.getpass("Again: ") != first:
        raise UsageError("The two passphrases differ, or are empty.", "Run the command again.")
    return first.encode()


def _show(args: argparse.Namespace) -> ExitCode:
    from briefbank.office.packs.signing_keys import read_public_key, trusted_keys

    keys = [read_public_key(args.file)] if args.file else trusted_keys()
    if args.json:
        output.out_json({"keys": [_row(key) for key in keys]})
        return ExitCode.OK
    for key in keys:
        output.out(key.text().rstrip())
    return ExitCode.OK


def _trust(args: argparse.Namespace) -> ExitCode:
    from briefbank.office.packs.signing_keys import trust_key

    key = trust_key(args.file)
    if args.json:
        output.out_json(_row(key))
    else:
        output.out(f"Packs signed by {key.name} are installed from now on.")
        output.out(f"Compare these words with the office's; if they differ, the key is not theirs: {key.fingerprint}")
    return ExitCode.OK


def _list(args: argparse.Namespace) -> ExitCode:
    from briefbank.office.packs.signing_keys import trusted_keys

    keys = trusted_keys()
    if args.json:
        output.out_json({"keys": [_row(key) for key in keys]})
        return ExitCode.OK
    for key in keys:
        output.out(f"{key.name}\n    {key.fingerprint}")
    if not keys:
        output.out("No key is trusted here: briefbank keys trust FILE")
    return ExitCode.OK


def _row(key: PublicKey) -> dict[str, str]:
    return {"name": key.name, "fingerprint": key.fingerprint}
