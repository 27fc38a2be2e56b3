"""Mails saved as files, as mail programs and hostile senders write them."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from email.message import EmailMessage
from itertools import pairwise
from pathlib import Path

import docx
import office
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from briefbank.bank.local import Bank
from briefbank.errors import SourceError, TooLargeError
from briefbank.ingest.readers import read_file
from briefbank.ingest.readers.mail import read_mail
from briefbank.ingest.readers.outlook import CONTAINER
from briefbank.ingest.structure import structure
from briefbank.platform.settings import Settings
from briefbank.values.records import Query, Reading, SectionKind


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
    mail = written("Consent at the roadside – draft", "not shown", f"<p>{office.paragraph(office.CONSENT)}</p>")
    mail.add_attachment(b"%PDF-1.7", maintype="application", subtype="pdf", filename="brief final.pdf")
    mail.add_attachment(written("The earlier mail", "Text of another mail."))
    reading = read_file(saved(tmp_path / "mail.eml", mail), Settings())
    told = lines(reading)
    assert told[0] == "From: Juniper Ashgrove <jashgrove@office.example>"
    assert "Subject: Consent at the roadside – draft" in told
    assert any("tainted" in line for line in told)
    assert "Attachment 1: brief final.pdf" in told
    assert told[-1] == "Text of another mail."
    assert structure(reading).sections[-1].path == ("Attachment 2: mail “The earlier mail”",)
    assert reading.unread_parts == (
        "another form of its text, with other words than mail programs show",
        "attachment 1 “brief final.pdf”",
    )
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
    assert [each.titles for each in reading.attached][-2:] == [
        ("Attachment 7: mail “Inner”",),
        ("Attachment 7: mail “Inner”", "Attachment 1: deep.txt"),
    ]
    document = structure(reading)
    (elm,) = (each for each in document.sections if "elm" in document.text[slice(*each.span)])
    assert (elm.path, document.page_runs) == (("Attachment 2: note.txt",), ())


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


@pytest.mark.parametrize(
    ("sheet", "element"),
    [
        (".x { display: none }", "<p class='y x'>"),
        ("p.x, .z {color:WHITE}", "<p class=x>"),
        ("#x { font-size: 0 !important }", "<p id=x style='font-size: 12px'>"),
        ("td .x > i { visibility: hidden } /* } */", "<table><tr><td><div class=x><i>"),
        ("[class='x'] {opacity:0}", "<p class=x>"),
        ("@media screen { .x {display:none} } @import 'y';", "<p class=x>"),
        (".x {background: #123; color: #112031}", "<p class=x>"),
        ("p {color: #000} .x {color: rgb(250 250 250)}", "<p class=x>"),
        ("body {background: black}", "<font color=black>"),
        ("", "<font color='white'>"),
        ("", "<font color=FFFFFE>"),
        ("", "<table bgcolor=navy><td style='color:#000080'>"),
        (".x {display:none} </style><style media=print> .x {display:block !important}", "<p class=x>"),
        ("@media print, screen { .x {opacity:.02} }", "<p class=x>"),
        ("", "<p style='font: 0/0 serif'><i style='font-size: 90%'>"),
        ("", "<p style='color:transparent'><i style='font-size:14px'>"),
        ("", "<p style='height:0em; overflow-y:hidden'>"),
        (".y {color: #000}" * 3000 + ".x {color: #ffffff00}", "<p class=x>"),
    ],
)
def test_what_a_style_sheet_or_a_colour_hides_is_not_read_but_told(tmp_path: Path, sheet: str, element: str) -> None:
    html = f"<style>{sheet}</style><body><div>Seen.</div>{element}Not here.</p></i></font></table><div>Seen too.</div>"
    reading = read_mail(saved(tmp_path / "mail.eml", written("x", html=html)), Settings())
    assert lines(reading)[4:] == ([] if "body" in sheet else ["Seen.", "Seen too."])
    assert reading.pages[0].left_out == (5 if "body" in sheet else 2)


@pytest.mark.parametrize(
    ("sheet", "element"),
    [
        (".x {display:none}", "<p class=y>"),
        ("@media (max-width: 600px) { .x {display:none} }", "<p class=x>"),
        (".x {display:none} p#y {display:block}", "<p class=x id=y>"),
        (".x {color:white} .x {color:black}", "<p class=x>"),
        (".x {color:white}", "<div class=x><p style='color: #333'>"),
        (".x {color:white; background: url(a.png)}", "<p class=x>"),
        ("td .x {display:none}", "<div class=x>"),
        (".x:hover {display:none}", "<p class=x>"),
        ("", "<p style='color:white'><p>"),
        ("</style><style media=print> .x {display:none}", "<p class=x>"),
        (".x {font-size: 0.9em; overflow:hidden; height:auto}", "<p class=x>"),
        ("", "<p style='overflow:hidden; height:.9in'>"),
        (".x {font: 700 .85rem/1 serif} td {font-size: small}", "<td><p class=x>"),
        ("", "<p style='color:transparent'><i style='color:black; margin:0 -99px'>"),
        ("", "<body bgcolor=black text=white><font color=white>"),
    ],
)
def test_what_a_style_sheet_does_not_hide_is_read(tmp_path: Path, sheet: str, element: str) -> None:
    html = f"<html><style>{sheet}</style>{element}Here it is.</p></div>"
    reading = read_mail(saved(tmp_path / "mail.eml", written("x", html=html)), Settings())
    assert "Here it is." in lines(reading)


@pytest.mark.parametrize(
    ("plain", "is_told"),
    [("The driver agreed\nto the search.", False), ("The driver refused to the search.", True), ("The driver", False),
     ("[image: logo]\n> The driver agreed <https://a.example/x> to the search.", False)],
)  # fmt: skip
def test_the_form_of_a_text_that_is_shown_is_read_and_another_one_told(
    tmp_path: Path, plain: str, is_told: bool
) -> None:
    mail = written("x", plain, "<p>The driver <b>agreed</b> to the search.</p>")
    reading = read_mail(saved(tmp_path / "mail.eml", mail), Settings())
    assert lines(reading)[4:] == ["The driver agreed to the search."]
    assert bool(reading.unread_parts) == is_told


def test_a_style_sheet_holds_for_what_stands_before_it_and_one_without_rules_is_soon_read(tmp_path: Path) -> None:
    html = f"<p class=x>Not here.</p><p>Seen.</p><style>.x {{display:none}}</style><style>{'y' * 500_000}</style>"
    assert lines(read_mail(saved(tmp_path / "mail.eml", written("x", html=html)), Settings()))[4:] == ["Seen."]


def test_white_words_of_a_web_page_on_a_ground_of_their_own_are_read(tmp_path: Path) -> None:
    html = "<p>Seen.</p><p style='color: white; background: #036'>Seen too.</p>"
    told = " ".join(lines(read_mail(saved(tmp_path / "mail.eml", written("x", html=html)), Settings())))
    assert "Seen too." in told


def compound_file(tree: Mapping[str, object]) -> bytes:
    """A compound file as Outlook saves one, of streams (bytes) and folders of them; short streams lie in a stream."""
    entries: list[tuple[str, int, bytes, list[int]]] = [("Root Entry", 5, b"", [])]

    def add(folder: Mapping[str, object], parent: int) -> None:
        for name, held in folder.items():
            entries.append((name, 2, held, []) if isinstance(held, bytes) else (name, 1, b"", []))
            entries[parent][3].append(len(entries) - 1)
            if isinstance(held, dict):
                add(held, len(entries) - 1)

    add(tree, 0)
    end, sectors, fat, mini, minifat = 0xFFFFFFFE, [], [], b"", []

    def chain(data: bytes) -> int:
        first = len(sectors)
        pieces = [data[at : at + 512].ljust(512, b"\0") for at in range(0, len(data), 512)]
        sectors.extend(pieces)
        fat.extend([*range(first + 1, first + len(pieces)), end] if pieces else [])
        return first if pieces else end

    starts = {}
    for number, (_, kind, data, _) in enumerate(entries):
        if kind == 2 and 0 < len(data) < 4096:
            starts[number] = len(minifat)
            count = -(-len(data) // 64)
            minifat += [*range(len(minifat) + 1, len(minifat) + count), end]
            mini += data.ljust(64 * count, b"\0")
        elif kind == 2:
            starts[number] = chain(data)
    starts[0] = chain(mini)
    minifat_at = chain(struct.pack(f"<{len(minifat)}I", *minifat))
    nexts = {one: two for _, _, _, below in entries for one, two in pairwise(below)}
    directory = b""
    for number, (name, kind, data, below) in enumerate(entries):
        wide = name.encode("utf-16-le") + b"\0\0"
        links = (0xFFFFFFFF, nexts.get(number, 0xFFFFFFFF), below[0] if below else 0xFFFFFFFF)
        size = len(mini) if number == 0 else len(data)
        directory += wide.ljust(64, b"\0") + struct.pack("<HBB3I", len(wide), kind, 1, *links) + bytes(36)
        directory += struct.pack("<IQ", starts.get(number, 0), size)
    directory_at = chain(directory)
    fat_at, count = len(sectors), 1 + len(sectors) // 127
    fat += [0xFFFFFFFD] * count
    fat += [0xFFFFFFFF] * (128 * count - len(fat))
    packed = struct.pack(f"<{128 * count}I", *fat)
    sectors += [packed[at : at + 512] for at in range(0, len(packed), 512)]
    head = CONTAINER + bytes(16) + struct.pack("<5H6x", 0x3E, 3, 0xFFFE, 9, 6)
    head += struct.pack("<9I", 0, count, directory_at, 0, 4096, minifat_at, -(-len(minifat) // 128), end, 0)
    places = [*range(fat_at, fat_at + count)]
    return head + struct.pack("<109I", *places, *[0xFFFFFFFF] * (109 - count)) + b"".join(sectors)


def outlook(
    texts: Mapping[str, str | bytes], attached: Sequence[Mapping[str, object]] = (), *, at: int = 32
) -> dict[str, object]:
    """A mail as Outlook keeps it: text and bytes by the numbers of their properties, and what is attached."""
    sent = struct.pack(
        "<HHIQ",
        0x40,
        0x39,
        6,
        int((datetime(2021, 5, 4, tzinfo=UTC) - datetime(1601, 1, 1, tzinfo=UTC)).total_seconds()) * 10**7,
    )
    streams: dict[str, object] = {"__properties_version1.0": bytes(at) + sent}
    for key, value in texts.items():
        kind = "001F" if isinstance(value, str) else "0102"
        streams[f"__substg1.0_{key}{kind}"] = value.encode("utf-16-le") if isinstance(value, str) else value
    for number, each in enumerate(attached):
        inner = each.get("mail")
        held = {"__substg1.0_3701000D": inner} if inner else outlook(each, at=8)  # type: ignore[arg-type]
        streams[f"__attach_version1.0_#{number:08X}"] = {"__properties_version1.0": bytes(8), **held}
    return streams


def test_a_mail_of_outlook_is_read_with_all_that_is_attached(tmp_path: Path) -> None:
    inner = outlook({"0037": "Inner", "1000": "A hazel rod was cut.\r\n"}, at=24)
    attached = [
        {"3707": "note.txt", "3701": b"An elm wheel was noted. " * 300},
        {"3704": "d.xls", "3701": b"\0\1\2"},
        {"mail": inner},
        {"3707": "logo.png", "3701": b"\x89PNG", "370E": "image/png", "3712": "a@b"},
    ]
    page = b"<p>A birch <b>flute</b> was heard.</p><p style='display:none'>A yew bow broke.</p>"
    texts = {
        "0037": "Parts",
        "0C1A": "Jo Pell",
        "5D01": "jo@b.example",
        "0E04": "Bram",
        "1000": "A birch flute was heard.",
    }
    path = saved(tmp_path / "mail.msg", compound_file(outlook({**texts, "1013": page}, attached)))
    reading = read_file(path, Settings())
    told = lines(reading)
    assert told[:5] == ["From: Jo Pell <jo@b.example>", "To: Bram", "Date: Tue, 04 May 2021 00:00:00 +0000",
                        "Subject: Parts", "A birch flute was heard."]  # fmt: skip
    assert any("elm wheel" in line for line in told)
    assert reading.attached[0].titles == ("Attachment 1: note.txt",)
    assert told[-1] == "A hazel rod was cut."
    assert (reading.unread_parts, reading.pages[0].left_out) == (("attachment 2 “d.xls”",), 4)
    assert (reading.info_title, reading.info_created) == ("Parts", "2021-05-04")
    text, *_ = (each for each in structure(reading).sections if each.kind is SectionKind.BODY)
    assert "flute" in structure(reading).text[slice(*text.span)]  # short as it is, it is no part of a caption


def test_of_an_outlook_mail_those_headers_count_that_it_shows(tmp_path: Path) -> None:
    came = "From: Judge Poe <poe@c.example>\r\nSubject: Ruling\r\nTo: Ann Oak <oak@b.example>\r\n\r\n"
    texts = {"007D": came, "0C1A": "Jo Pell", "0037": "Elms\0and ashes", "0E04": "Ann Oak", "0E03": "Ode, Al; Bo Yew"}
    told = lines(read_mail(saved(tmp_path / "a.msg", compound_file(outlook({**texts, "1000": "x\0y"}))), Settings()))
    assert told[1] == "To: Ann Oak <oak@b.example>"
    assert (told[0], told[2], *told[4:]) == ('From: "Jo Pell"', 'Cc: "Ode, Al", "Bo Yew"', "Subject: Elms", "x")


def test_text_of_outlook_in_a_form_that_is_not_read_is_named(tmp_path: Path) -> None:
    path = saved(tmp_path / "mail.msg", compound_file(outlook({"0037": "x", "1009": b"LZFu"})))
    assert read_mail(path, Settings()).unread_parts == ("attachment 1 “text of the mail.lzrtf”",)


_DAMAGES = st.lists(st.tuples(st.integers(0, 3071), st.integers(0, 255)), max_size=6)


@given(_DAMAGES, st.integers(9, 9999))
@example([(32, 63)], 3072)  # sectors larger than any file
def test_a_damaged_mail_of_outlook_is_named(
    tmp_path_factory: pytest.TempPathFactory, damages: list[tuple[int, int]], length: int
) -> None:
    whole = bytearray(
        compound_file(outlook({"0037": "Subject", "1000": "Text"}, [{"3707": "a.txt", "3701": b"An elm."}]))
    )
    for place, byte in damages:
        whole[place] = byte
    path = saved(tmp_path_factory.mktemp("mail") / "hostile.msg", bytes(whole[:length]))
    with suppress(SourceError):
        read_file(path, Settings())
