"""Three briefs, near-copies of each other, that make one argument of consent, and a draft that makes it with faults."""

from __future__ import annotations

from pathlib import Path

import office

from briefbank.cli.main import main

HELD = "a motorist who may not refuse has given the State nothing that deserves the name of consent"
CONSENT = (
    "Consent to search a stopped car must be knowing. State v. Ode, 101 N.J. 5, 9 (1986). "
    f"The court held that “{HELD}.” "
    "The trooper asked for consent without suspicion, and the search of the car went beyond what was asked. "
    "State v. Penn, 150 N.J. 3 (1997). The evidence that was found in the trunk of the car must be suppressed."
)
DRAFT = (
    f"Consent to search a stopped car must be knowing. The court held that “{HELD.replace('may not', 'may')}.” "
    "State v. Rill, 160 N.J. 1 (1999). The trooper asked for consent without suspicion of anything, and then searched "
    "the trunk of the car, beyond what had been asked. As Point IV shows, the evidence must be suppressed."
)
ALERTS = {"160 N.J. 1": "overruled in part"}


def briefs() -> dict[str, str]:
    """The text of each brief, by the name of its file."""
    return {
        str(number): office.brief(
            name, f"A-000{number}-19T1", f"May {number + 1}, 2019", ("THE CONSENT WAS VOID.", CONSENT)
        )
        for number, name in enumerate(("Ann Ode", "Bo Reed", "Cy Moss"))
    }


def bank_with(folder: Path, alert: str = "160 N.J. 1,overruled in part", **more: str) -> Path:
    """A new bank of these briefs and of some more texts, with one alert, in a folder `briefs` beside it."""
    root = office.write_bank(folder / "bank")
    for name, text in (briefs() | more).items():
        office.write_text(folder / f"briefs/{name}.txt", text)
    office.write_text(folder / "briefs/briefbank.csv", "file,kind\nlist.txt,directive\n")
    table = office.write_text(folder / "careful.csv", f"authority,says\n{alert}\n")
    assert main(["index", str(folder / "briefs"), "--bank", str(root), "--quiet"]) == 0
    assert main(["alerts", "--set", str(table), "--bank", str(root)]) == 0
    return root


def draft_of(words: str, folder: Path) -> Path:
    text = office.brief("Dee Hart", "A-0100-26T1", "", ("THE CONSENT WAS VOID.", words))
    return office.write_text(folder / "desk" / "draft.txt", text)
