"""Mails saved as files, as mail programs and hostile senders write them."""

from __future__ import annotations

from contextlib import suppress
from email.message import EmailMessage
from pathlib import Path

import docx
import office
import pytest
from hypothesis import given
from hypothesis import strategies as st

from briefbank.bank.local import Bank
from briefbank.errors import SourceError, TooLargeError
from briefbank.ingest.readers import read_file
from briefbank.ingest.readers.mail import read_mail
from briefbank.platform.settings import Settings
from briefbank.values.records import Query, Reading


def written(subject: str, text: str = "", html: str = "") -> EmailMessage:
    mail = EmailMessage()
    mail["From"] = "Juniper Ashgrove <jashgrove@office.example>"
    mail["To"] = "Bram Okonjo <bokonjo@office.example>"
    mail["Date"] = "Tue, 04 May 2021 09:30:00 -0400"
    mail["Subject"] = subject
    if text:
        mail.set_content(text)
    if html:
        (mail.add_alternative if text else mail.set_content)(html, subtype="html")
    return mail


def saved(path: Path, mail: EmailMessage | bytes) -> Path:
    path.write_bytes(mail if isinstance(mail, bytes) else mail.as_bytes())
    return path


def lines(reading: Reading) -> list[str]:
    return [line.text for page in reading.pages for line in page.lines]


def test_headers_text_and_names_of_attachments_are_read(tmp_path: Path) -> None:
    mail = written("Consent at the roadside – draft", office.paragraph(office.CONSENT), "<p>not shown</p>")
    mail.add_attachment(b"%PDF-1.7", maintype="application", subtype="pdf", filename="brief final.pdf")
    mail.add_attachment(written("The earlier mail", "Text of another mail."))
    reading = read_file(saved(tmp_path / "mail.eml", mail), Settings())
    told = lines(reading)
    assert told[0] == "From: Juniper Ashgrove <jashgrove@office.example>"
    assert "Subject: Consent at the roadside – draft" in told
    assert any("tainted" in line for line in told)
    assert "Attachment 1: brief final.pdf" in told
    assert told[told.index("Attachment 2: mail “The earlier mail”") :][-1] == "Text of another mail."
    assert reading.unread_parts == ("attachment 1 “brief final.pdf”",)
    assert not any("not shown" in line for line in told)
    assert (reading.info_title, reading.info_created) == ("Consent at the roadside – draft", "2021-05-04")
    assert not reading.has_pages


def test_a_mail_that_is_only_a_web_page_is_read_as_it_is_seen(tmp_path: Path) -> None:
    html = "<html><head><style>p {}</style><title>t</title></head><body><p>First&nbsp;point &amp; more.</p>"
    html += "<script>alert(1)</script><ul><li>one</li><li>two</li></ul></body></html>"
    told = lines(read_mail(saved(tmp_path / "mail.eml", written("Points", html=html)), Settings()))
    assert told[4:] == ["First point & more.", "one", "two"]


@pytest.mark.parametrize("charset", ["iso-8859-1", "no-such-set"])
def test_letters_survive_whatever_the_mail_says_of_them(tmp_path: Path, charset: str) -> None:
    text = "The résumé of José Peña.".encode("iso-8859-1" if charset == "iso-8859-1" else "utf-8")
    head = f"From: a@office.example\nSubject: x\nContent-Type: text/plain; charset={charset}\n"
    data = head.encode() + b"Content-Transfer-Encoding: 8bit\n\n" + text
    assert "The résumé of José Peña." in lines(read_mail(saved(tmp_path / "mail.eml", data), Settings()))


@given(st.binary(max_size=400))
def test_whatever_a_mail_holds_it_is_read_or_named(tmp_path_factory: pytest.TempPathFactory, junk: bytes) -> None:
    path = tmp_path_factory.mktemp("mail") / "hostile.eml"
    data = b'From: a@b\nDate: never\nContent-Type: multipart/mixed; boundary="x"\n\n--x\nContent-Type: ' + junk
    with suppress(SourceError):
        assert read_mail(saved(path, data), Settings()).pages


def test_a_mail_is_found_by_what_it_says(empty_bank: Path, folder: Path) -> None:
    saved(folder / "mail.eml", written("Arrays", office.paragraph(office.LINEUP)))
    bank = Bank.open(empty_bank)
    assert bank.index(folder).failures == ()
    best = bank.search(Query("blind administration of the photographic array")).hits[0]
    assert best.document.source_path.endswith("mail.eml")
    assert best.document.metadata.title.value == "Arrays"


@pytest.mark.parametrize(
    "html",
    [
        "<html><head><title>t</title><body><p>The stop was prolonged.</p>",
        "<head><title>t<body>The stop was prolonged.",
    ],
)
def test_a_web_page_whose_head_has_no_end_keeps_its_body(tmp_path: Path, html: str) -> None:
    told = lines(read_mail(saved(tmp_path / "mail.eml", written("Points", html=html)), Settings()))
    assert "The stop was prolonged." in told


def test_a_web_page_beside_an_empty_text_is_read(tmp_path: Path) -> None:
    mail = written("Points", "\n", "<p>The stop was prolonged.</p>")
    assert "The stop was prolonged." in lines(read_mail(saved(tmp_path / "mail.eml", mail), Settings()))


@pytest.mark.parametrize("depth", [60, 5_000])
def test_a_mail_with_parts_in_one_another_without_end_is_named(tmp_path: Path, depth: int) -> None:
    parts = "".join(f'Content-Type: multipart/mixed; boundary="b{n}"\n\n--b{n}\n' for n in range(depth))
    data = f"From: a@office.example\nSubject: x\n{parts}Content-Type: text/plain\n\nlast\n"
    with pytest.raises(TooLargeError, match=r"mail\.eml.*deep"):
        read_mail(saved(tmp_path / "mail.eml", data.encode()), Settings())


def test_every_part_of_a_mail_is_read_or_named(tmp_path: Path) -> None:
    """Each leaf holds a word of its own; what is no text is named."""
    word = docx.Document()
    word.add_paragraph("An oak casket was pawned.")
    word.save(str(tmp_path / "a.docx"))
    mail = written("Parts", "A birch flute was heard.", "<p>A birch flute was heard.</p>")
    mail.make_mixed()
    mail.add_attachment(b"\x89PNG\r\n", maintype="image", subtype="png", filename="map.png", disposition="inline")
    behind = EmailMessage()
    behind.set_content("A cedar sled was found behind it.")
    mail.attach(behind)
    mail.add_attachment("An elm wheel was noted.", filename="note.txt")
    mail.add_attachment("<p>A fir mast fell.</p>", subtype="html", filename="page.html")
    mail.add_attachment((tmp_path / "a.docx").read_bytes(), maintype="application", subtype="x-word", filename="b.docx")
    mail.add_attachment(b"{\\rtf1 A gum tree.}", maintype="application", subtype="rtf", filename="c.rtf")
    mail.add_attachment(b"\x00\x01\x02", maintype="application", subtype="octet-stream", filename="d.xls")
    inner = written("Inner", "A hazel rod was cut.")
    inner.add_attachment("An ivy wreath was hung.", filename="deep.txt")
    mail.add_attachment(inner)
    reading = read_mail(saved(tmp_path / "mail.eml", mail), Settings())
    text = " ".join(lines(reading))
    for tree in ("birch", "cedar", "elm", "fir", "oak", "hazel", "ivy"):
        assert tree in text, tree
    assert text.count("birch") == 1
    assert reading.unread_parts == ("attachment 1 “map.png”", "attachment 5 “c.rtf”", "attachment 6 “d.xls”")
    assert {style for _, _, style in reading.styles} == {"Heading 1"}
    headed = [reading.pages[page - 1].lines[index].text for page, index, _ in reading.styles]
    assert headed[1] == "Attachment 2: note.txt"


@pytest.mark.parametrize("charset", ["iso-8859-1", "us-ascii", "utf-8"])
def test_quotation_marks_of_windows_are_read_whatever_the_mail_calls_them(tmp_path: Path, charset: str) -> None:
    head = f"From: a@b.c\nSubject: x\nContent-Type: text/plain; charset={charset}\n\n".encode()
    path = saved(tmp_path / "mail.eml", head + "He said “never” — the officer’s words.".encode("cp1252"))
    assert "He said “never” — the officer’s words." in lines(read_mail(path, Settings()))


@pytest.mark.parametrize(
    "look",
    [
        "display:none",
        "visibility: hidden",
        "font-size: 0px",
        "font-size: 1px",
        "color:#ffffff",
        "color: rgba(0, 0, 0, 0)",
        "color: hsl(0, 0%, 100%)",
        "opacity:0",
        "mso-hide:all",
        "position: absolute; left: -9999px",
        "text-indent: -9999px",
        "max-height: 0; overflow: hidden",
        "overflow: hidden; height: 0px",
        "clip-path: inset(100%)",
        "transform: scale(0)",
    ],
)
def test_what_the_style_of_a_web_page_hides_is_not_read(tmp_path: Path, look: str) -> None:
    html = f"<p>Seen.</p><div style='{look}'><div>Not seen.<br></div>Nor this.</div><p>Seen too.</p>"
    told = " ".join(lines(read_mail(saved(tmp_path / "mail.eml", written("x", html=html)), Settings())))
    assert "Seen." in told
    assert "Seen too." in told
    assert "Not seen" not in told
    assert "Nor this" not in told


def test_white_words_of_a_web_page_on_a_ground_of_their_own_are_read(tmp_path: Path) -> None:
    html = "<p>Seen.</p><p style='color: white; background: #036'>Seen too.</p>"
    told = " ".join(lines(read_mail(saved(tmp_path / "mail.eml", written("x", html=html)), Settings())))
    assert "Seen too." in told
