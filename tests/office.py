"""An invented office for the tests: writes small briefs, memos and directives in every format, and banks to hold them.

Names, dockets and facts are fictional; the law is real. Nothing here knows how the program reads them.
"""

from __future__ import annotations

import textwrap
import tomllib
from collections.abc import Mapping
from pathlib import Path

import tomli_w

from briefbank.platform.layout import Layout

PAGE_WIDTH_PT, PAGE_HEIGHT_PT = 612, 792
LINES_A_PAGE = 46

STOP = """The troopers had no reasonable and articulable suspicion to prolong the roadside stop once the warning was
written. Under State v. Carty, 170 N.J. 632 (2002), consent to search a lawfully stopped motor vehicle is not valid
unless an officer has a reasonable suspicion of criminal wrongdoing before the consent is sought. The driver waited for
thirty-one minutes while a second patrol car was called, and nothing learned in that time pointed to a crime."""
CONSENT = """Consent obtained during an unlawful detention is tainted by it. The State must prove by clear and positive
testimony that the consent was unequivocal and specific. State v. King, 44 N.J. 346 (1965). Here the form was signed in
the dark, on the hood of the patrol car, by a man who had been told that a dog was on its way."""
HEARSAY = """The statement of the absent caller was hearsay and was admitted for its truth. The exception for excited
utterances, N.J.R.E. 803(c)(2), asks whether the speaker had time to reflect. State v. Branch, 182 N.J. 338 (2005). An
hour on the telephone with a sister is time enough to deliberate, and the court below found nothing to the contrary."""
CHARGE = """The jury was never told that it must find purpose or knowledge beyond a reasonable doubt under N.J.S.A.
2C:11-3(a)(1). An error in the instruction on an element is reversible unless it could not have led the jury to a result
it otherwise might not have reached. State v. Jordan, 147 N.J. 409 (1997). The omission went to the only disputed
issue."""
SENTENCE = """The sentencing court found aggravating factor three without pointing to any competent evidence in the
record. A remand is required where the findings do not rest upon competent and reasonably credible evidence. State v.
Fuentes, 217 N.J. 57 (2014). Youth is a mitigating factor, and it was argued and not weighed."""
LINEUP = """The photographic array was shown by the lead detective, who knew which picture was the suspect's. State v.
Henderson, 208 N.J. 208 (2011), names blind administration among the system variables. The witness was told that she
had done well, and her confidence grew from that moment on."""
FACTS = """On the evening of the stop the car was travelling with the flow of traffic on Route 9. Trooper Ellis Varga
followed it for two miles and saw it touch the fog line once. (2T 13-12 to 20). The driver produced a licence and an
insurance card that were valid. (2T 15-3 to 9). No contraband was in plain view."""


def paragraph(text: str) -> str:
    """Return a paragraph on one line."""
    return " ".join(text.split())


def brief(
    defendant: str,
    docket: str,
    filed: str = "",
    *points: tuple[str, str],
    author: str = "Marisol Teague",
) -> str:
    """Return an appellate brief as plain text; `points` are headings with their argument, `filed` is as printed."""
    head = [
        "SUPERIOR COURT OF NEW JERSEY",
        "APPELLATE DIVISION",
        f"DOCKET NO. {docket}",
        "",
        "STATE OF NEW JERSEY,",
        "Plaintiff-Respondent,",
        "v.",
        f"{defendant.upper()},",
        "Defendant-Appellant.",
        "",
        "BRIEF ON BEHALF OF DEFENDANT-APPELLANT",
        "",
        "STATEMENT OF FACTS",
        "",
        paragraph(FACTS),
        "",
        "LEGAL ARGUMENT",
        "",
    ]
    numerals = ("I", "II", "III", "IV")
    body = [
        line
        for numeral, (heading, text) in zip(numerals, points, strict=False)
        for line in (f"POINT {numeral}", "", heading, "", paragraph(text), "")
    ]
    end = [
        "CONCLUSION",
        "",
        "For these reasons the judgment of conviction should be reversed.",
        "",
        "Respectfully submitted,",
        author,
        "Assistant Deputy Public Defender",
    ]
    return "\n".join([*head, *body, *end, *([f"Dated: {filed}"] if filed else []), ""])


def directive(number: str, subject: str, issued: str, text: str) -> str:
    """Return an office directive as plain text."""
    return f"DIRECTIVE {number}\n\nSubject: {subject}\n\nIssued: {issued}\n\n{paragraph(text)}\n"


def memo(subject: str, text: str, *, dated: str = "") -> str:
    """Return an internal memorandum as plain text."""
    date_line = f"Date: {dated}\n" if dated else ""
    return f"MEMORANDUM\n\nTo: All staff\nFrom: Juniper Ashgrove\n{date_line}Subject: {subject}\n\n{paragraph(text)}\n"


def write_text(path: Path, text: str) -> Path:
    """Write a text file and return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def write_pdf(path: Path, text: str) -> Path:
    """Write a born-digital PDF and return its path."""
    import pymupdf

    lines = [line for each in text.split("\n") for line in (textwrap.wrap(each, 84) or [""])]
    with pymupdf.open() as document:
        for start in range(0, len(lines), LINES_A_PAGE):
            page = document.new_page(width=PAGE_WIDTH_PT, height=PAGE_HEIGHT_PT)
            page.insert_text(
                (72, 80), lines[start : start + LINES_A_PAGE], fontname="tiro", fontsize=11, lineheight=1.3
            )
        document.save(path, deflate=True)
    return path


def write_scan(path: Path, text: str, *, dpi: int = 150) -> Path:
    """Write a PDF whose pages are pictures of the text, and return its path."""
    import pymupdf

    drawn = write_pdf(path.with_suffix(".drawn"), text)
    with pymupdf.open(drawn, filetype="pdf") as source, pymupdf.open() as document:
        for page in source:
            picture = page.get_pixmap(dpi=dpi, colorspace=pymupdf.csGRAY)
            document.new_page(width=PAGE_WIDTH_PT, height=PAGE_HEIGHT_PT).insert_image(page.rect, pixmap=picture)
        document.save(path, deflate=True)
    drawn.unlink()
    return path


def write_docx(path: Path, text: str) -> Path:
    """Write a Word file, one paragraph a line, and return its path."""
    import docx

    document = docx.Document()
    for line in filter(None, text.split("\n")):
        document.add_paragraph(line)
    document.save(str(path))
    return path


def write_bank(root: Path, **settings: object) -> Path:
    """Write the `bank.toml` of a bank that needs no model, and return the bank's root.

    It leaves out no weak matches: the threshold is one for real encoders.
    """
    root.mkdir(mode=0o700, parents=True, exist_ok=True)
    told = {"encoder": "hashing", "workers": 1, "weak_below": 0.0, "settle_s": 0.0, **settings}
    (root / "bank.toml").write_text(
        tomli_w.dumps({"bank": {"format": "1.0", "created_by": "a test"}, "settings": told}), encoding="utf-8"
    )
    Layout(root).create()
    return root


def index_pdfs(root: Path, texts: Mapping[str, str], *, alerts: Mapping[str, str] | None = None) -> Path:
    """Write each text as a PDF of that name, index them, and return the bank; `alerts` say something of authorities."""
    from briefbank.bank.local import Bank

    folder = root / "briefs"
    folder.mkdir()
    for name, text in texts.items():
        write_pdf(folder / f"{name}.pdf", text)
    bank_root = write_bank(root / "bank")
    if alerts:
        rows = "".join(f'"{authority}",{says}\n' for authority, says in alerts.items())
        write_text(bank_root / "alerts.csv", f"authority,says\n{rows}")
    with Bank.open(bank_root) as bank:
        assert bank.index(folder).indexed == len(texts)
    return bank_root


def change_settings(bank: Path, **settings: object) -> None:
    """Give settings of a bank other values, as IT does in its `bank.toml`."""
    file = bank / "bank.toml"
    tables = tomllib.loads(file.read_text(encoding="utf-8"))
    file.write_text(tomli_w.dumps({**tables, "settings": {**tables["settings"], **settings}}), encoding="utf-8")


def write_library(folder: Path) -> Path:
    """Write the folder most tests search: five dated documents, an undated one, and two that cannot be read."""
    folder.mkdir(parents=True, exist_ok=True)
    quince = brief(
        "Alder Quince",
        "A-1482-17T4",
        "September 14, 2018",
        ("THE STOP WAS UNLAWFULLY PROLONGED.", STOP),
        ("THE CONSENT WAS TAINTED BY THE DETENTION.", CONSENT),
    )
    write_pdf(folder / "quince.pdf", quince)
    write_text(
        folder / "older" / "lorne.txt",
        brief("Petra Lorne", "A-0311-04T2", "March 3, 2005", ("THE CALLER'S STATEMENT WAS HEARSAY.", HEARSAY)),
    )
    write_docx(
        folder / "hale.docx",
        brief(
            "Corin Hale",
            "A-2207-21",
            "May 30, 2022",
            ("THE CHARGE OMITTED AN ELEMENT.", CHARGE),
            ("THE SENTENCE IS EXCESSIVE.", SENTENCE),
            author="Bram Okonjo",
        ),
    )
    write_text(
        folder / "directive-2021-12.txt",
        directive("2021-12", "Consent searches of motor vehicles", "November 30, 2021", STOP + " " + CONSENT),
    )
    write_text(folder / "memo-lineups.md", memo("Photographic arrays", LINEUP, dated="June 8, 2015"))
    write_text(folder / "notes-on-consent.txt", memo("Notes on consent at the roadside", CONSENT))
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog")
    write_text(folder / "plan.xls", "not read")
    return folder
