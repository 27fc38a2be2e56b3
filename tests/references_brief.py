"""A brief that refers to its own points, notes, pages and terms, for the tests of the engine and the window."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path

import office
import pymupdf

HEAD = office.brief("Alder Quince", "A-1482-17T4").split("STATEMENT OF FACTS", maxsplit=1)[0]
FACTS = (
    'Trooper Ellis Varga stopped the car on Route 9. He asked the Roxbury Towing Company ("Roxbury") for a truck, and '
    'had the car towed. The Marlow City Yard. (Hereinafter: "Yard") was closed. He '
    'filed the Motor Vehicle Stop Report (the "Stop Report") on the next day. The driver said ("Yes.") that he would '
    "wait. The trooper was asked about it later."
)
STOP = (
    "The stop was prolonged beyond its purpose. State v. Carty, 170 N.J. 632, 647 n.4 (2002). As Point II.B shows, the "
    "consent was its fruit; see also note 2, infra, and pages 4 and 5 of this brief. The driver of Roxbury came at "
    "noon (Da 12). Carty, supra, at 640. The State's Point I below said otherwise."
)
CONSENT = (
    "The consent was the fruit of the stop, for the reasons in Point I, supra. The Stop Report says nothing of it."
)
VOICE = "He had no choice. Section 2 of the Act does not help the State, and the facts at 2 above tell why."
FORM = (
    "The form was never read to him, as Point IV will show; see p. 40, infra. So sections A-B of this point, and Point "
    "II.A.3. The Yard in Marlow was closed. Objections were made on other grounds2 too. At that point I leave it. "
    "Point two percent."
)
NOTES = {
    3: "1 The tape of the stop was never played at the trial.",
    4: "2 See Point I.A and the second issue of the petition for certification.",
}
PAGES = (
    ("STATEMENT OF FACTS", FACTS),
    ("LEGAL ARGUMENT", "POINT I", "THE STOP WAS UNLAWFULLY PROLONGED.", STOP),
    ("POINT II", "THE CONSENT WAS TAINTED.", "A. He had no free choice.", CONSENT, VOICE),
    ("B. The form was not read to him.", FORM),
    ("CONCLUSION", "For these reasons the judgment of conviction should be reversed."),
)


def write_brief(path: Path, pages: Sequence[Sequence[str]] = PAGES, notes: dict[int, str] = NOTES) -> Path:
    """Draw a cover, and pages that are numbered from 1 behind it, some with a footnote, by their sheets."""
    path.parent.mkdir(parents=True)
    with pymupdf.open() as drawn:
        for sheet, blocks in enumerate([HEAD.splitlines(), *pages], 1):
            sheet_drawn = drawn.new_page(width=office.PAGE_WIDTH_PT, height=office.PAGE_HEIGHT_PT)
            y = 80.0
            for block in blocks:
                face = "tibo" if block.startswith(("A.", "B.")) else "tiro"
                for line in textwrap.wrap(block, 80):
                    sheet_drawn.insert_text((72, y), line, fontname=face, fontsize=12)
                    y += 16
                y += 12
            if sheet in notes:
                sheet_drawn.insert_text((72, 690), notes[sheet], fontname="tiro", fontsize=9)
            if sheet > 1:
                sheet_drawn.insert_text((300, 750), str(sheet - 1), fontname="tiro", fontsize=12)
        drawn.save(path)
    return path


def write_bank(folder: Path) -> Path:
    """Index the brief alone, and return the bank."""
    from briefbank.bank.local import Bank

    write_brief(folder / "files" / "quince.pdf")
    root = office.write_bank(folder / "bank")
    with Bank.open(root) as bank:
        bank.index(folder / "files")
    return root
