"""What an index run and a look at a bank tell: counts, failures, findings."""

from __future__ import annotations

from dataclasses import dataclass

from briefbank.values.unreadable import UnreadableFiles


@dataclass(frozen=True, slots=True)
class Failure:
    """A file or folder that could not be read: its path, the error's code (`BriefBankError.code`), what happened, and
    what to do about it.
    """

    path: str
    code: str
    error: str
    advice: str


@dataclass(frozen=True, slots=True)
class IndexReport:
    """How an index run ended. `generation` is the one that is live now; `published` tells whether this run wrote it.

    Of the folder's files, `indexed` were read and put into the index, `unchanged` were in it already, `removed` are
    gone; `copies` are the same as others, with which they are one document. `failures` names files and folders that
    could not be read. `notes` are pairs of path and sentence: files that were read with something missing, that were
    still being written and wait for the next run, or that only a table of IT's names. `documents` and `passages` count
    what the whole index holds now, `pages` those read by this run. `missing_protection` has a sentence for each thing
    that this machine cannot refuse to the readers of untrusted files.
    """

    generation: str
    published: bool
    indexed: int
    unchanged: int
    removed: int
    failures: tuple[Failure, ...]
    notes: tuple[tuple[str, str], ...]
    documents: int
    passages: int
    pages: int
    seconds: float
    copies: int = 0
    missing_protection: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Provenance:
    """The pack that an installed generation came from. `pack` is its id, the SHA-256 of its manifest; `signed_by` and
    `fingerprint` tell whose key signed it; `file` is the name that it had. `installed_at` and `updated_at` are ISO
    times: when it was installed, and when the newest of its index and lists was made. `file` and `updated_at` are empty
    where an older program installed it.
    """

    pack: str
    generation: str
    signed_by: str
    fingerprint: str
    installed_at: str
    file: str = ""
    updated_at: str = ""


@dataclass(frozen=True, slots=True)
class BankStatus:
    """What a bank holds and how it is. `generation` is the live one, None where nothing was indexed yet;
    `other_generations` are kept for going back. `documents` and `passages` are counts of the live generation, `files`
    of the ledger, `failures` those of them that could not be read. `encoder` is the digest of the encoder, `precision`
    the number format in which passages were encoded. `bytes` is the size of the bank on disk, cache included. `learned`
    says what the ranking learned from judgements, and is empty where it learned nothing. `installed` is None where the
    bank was indexed on this machine. `missing_protection` is as in `IndexReport`.
    """

    bank: str
    format: str
    generation: str | None
    other_generations: tuple[str, ...]
    documents: int
    passages: int
    encoder: str
    precision: str
    files: int
    failures: tuple[Failure, ...]
    bytes: int
    learned: str = ""
    installed: Provenance | None = None
    missing_protection: tuple[str, ...] = ()
    alert_problems: tuple[str, ...] = ()
    """What is wrong with the office's list of overruled cases, and what of it is shown nevertheless."""
    retired_settings: tuple[str, ...] = ()
    """Settings in `bank.toml` that this program does not use any more."""
    unreadable: UnreadableFiles | None = None
    """The files that the live generation lacks; None where an older program wrote it, or there is none."""


@dataclass(frozen=True, slots=True)
class BankFinding:
    """Something wrong with a bank: in which part of it, what, and what to do about it."""

    where: str
    problem: str
    advice: str
    is_damage: bool = True
    """False where nothing is damaged, and something is only in the way or not used."""
