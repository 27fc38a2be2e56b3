"""What reads bytes that others wrote: for each parser of ours, how it is fed, and small seeds, all of them invented.

A parser may answer, or raise an error that tells a person what to do; anything else it raises is a find.
"""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from briefbank.errors import BriefBankError

_FORMATS = Path(__file__).parents[1] / "formats"
Feed = Callable[[bytes], None]


@dataclass(frozen=True, slots=True)
class Parser:
    """One parser: `feed` gives it the bytes; `words` are what mutations may put in, beside single bytes."""

    feed: Feed
    seeds: tuple[bytes, ...]
    words: tuple[bytes, ...] = ()


@cache
def _scratch() -> Path:
    return Path(mkdtemp(prefix="briefbank-fuzz-"))


def _as_file(name: str, read: Callable[[Path], object]) -> Feed:
    def feed(data: bytes) -> None:
        path = _scratch() / name
        path.write_bytes(data)
        read(path)

    return feed


def _as_text(read: Callable[[str], object]) -> Feed:
    return lambda data: _ignore(read(data.decode("utf-8", "replace")))


def _ignore(_: object) -> None:
    pass


def _connectors(text: str) -> None:
    from briefbank.search.connectors.parser import parse

    parse(text)


def _question(text: str) -> None:
    from briefbank.search.hints import HintReader
    from briefbank.search.parse import understand
    from briefbank.values.records import Query

    HintReader(()).read(Query(text))
    understand(text)


def _manifest(data: bytes) -> None:
    from briefbank.office.packs.format import PackManifest

    PackManifest.decode(data)


def _pack(path: Path) -> None:
    from briefbank.office.packs.read import open_pack
    from briefbank.office.packs.signing_keys import read_public_key

    with open_pack(path, read_public_key(_FORMATS / "pack-4.0.pub")) as reader:
        for _, pieces in reader.files():
            for _ in pieces:
                pass


def _log_lines(path: Path) -> None:
    from briefbank.judgements.feedback.merge import temporary_log, unite
    from briefbank.judgements.feedback.sources import read_source

    union = unite([read_source(path)])
    if union.events:
        with temporary_log(union.events):
            pass


def _mail(path: Path) -> None:
    from briefbank.ingest.readers import read_file
    from briefbank.platform.settings import Settings

    read_file(path, Settings())


_TYPES = """<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default
Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override
PartName="/word/document.xml" ContentType=
"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>"""
_RELATIONS = """<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
Target="word/document.xml"/></Relationships>"""
_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def _word_structure(data: bytes) -> None:
    """The XML of a Word file's body, in a file that is otherwise in order."""
    from briefbank.ingest.readers import read_file
    from briefbank.platform.settings import Settings

    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("[Content_Types].xml", _TYPES)
        archive.writestr("_rels/.rels", _RELATIONS)
        archive.writestr("word/document.xml", data)
    path = _scratch() / "brief.docx"
    path.write_bytes(packed.getvalue())
    read_file(path, Settings())


def _patterns(path: Path) -> None:
    from briefbank.law.citations.patterns import load_patterns

    load_patterns(path)


def _gguf(path: Path) -> None:
    from briefbank.models.installed.gguf import read_gguf

    read_gguf(path)


def _beir(path: Path) -> None:
    from briefbank.judgements.evaluate.beir import read_entries

    read_entries(path)


def _beir_qrels(path: Path) -> None:
    from briefbank.judgements.evaluate.beir import read_beir_qrels

    folder = path.parent / "beir" / "qrels"
    folder.mkdir(parents=True, exist_ok=True)
    path.replace(folder / path.name)
    read_beir_qrels(folder.parent, path.stem)


def _trec_run(path: Path) -> None:
    from briefbank.judgements.evaluate.beir import read_trec_run

    read_trec_run(path)


def _sidecar(path: Path) -> None:
    from briefbank.ingest.sidecar import Table, read_sidecars

    read_sidecars(path.parent / "nothing", [Table(path, path.parent)])


def _alerts(path: Path) -> None:
    from briefbank.search.alerts import read_alerts

    read_alerts(path)


def _profile(data: bytes) -> None:
    from briefbank.search.profiles.profile import read_profile, write_profile

    profile = read_profile(data, "a.toml")
    assert read_profile(write_profile(profile), "a.toml").keywords == profile.keywords


def _spans(path: Path) -> None:
    from briefbank.judgements.evaluate.spans.annotations import read_spans

    read_spans(path)


def _review(path: Path) -> None:
    from briefbank.law.anonymise.review import read_review

    read_review(path)


def _sheet(path: Path) -> None:
    from briefbank.judgements.pooling.sheet import read_sheet

    read_sheet(path)


def _settings(path: Path) -> None:
    from briefbank.platform.layout import Layout
    from briefbank.platform.settings import read_settings

    Layout(path.parent).require()
    read_settings(path)


def _public_key(path: Path) -> None:
    from briefbank.office.packs.signing_keys import read_public_key

    read_public_key(path)


def _word_xml(body: str) -> bytes:
    return f'<w:document xmlns:w="{_WORD}"><w:body>{body}</w:body></w:document>'.encode()


def _gguf_seed() -> bytes:
    key = b"general.architecture"
    pair = struct.pack("<Q", len(key)) + key + struct.pack("<IQ", 8, 5) + b"llama"
    many = struct.pack("<Q", 1) + b"a" + struct.pack("<IIQ", 9, 4, 2) + struct.pack("<2I", 1, 2)
    tensor = struct.pack("<Q", 1) + b"t" + struct.pack("<IQQIQ", 2, 2, 2, 0, 0)
    return b"GGUF" + struct.pack("<IQQ", 3, 1, 2) + pair + many + tensor + bytes(64)


def _manifest_seed() -> bytes:
    from briefbank.office.packs.format import PackedFile, PackManifest

    made = "2024-05-06T07:08:09+00:00"
    file = PackedFile("generation/families.npy", 5, "0" * 64)
    return PackManifest("briefbank", "20240506T070809Z", "0" * 64, made, made, 1, 1, "0" * 64, (file,)).encode()


_EVENT = b"""{"id":"e1","device_id":"d1","at":"2024-05-06T07:08:09+00:00","program":"0.1","search":{"text":"the stop",
"parameters":{},"generation":"g","took_ms":1.5},"shown":[{"search_id":"e1","position":1,"rank":1,"score":0.5,
"passage_id":"p-3","document_id":"p","text_sha256":"0","generation":"g"}]}
{"id":"e2","device_id":"d1","at":"2024-05-06T07:09:09+00:00","program":"0.1","judgement":{"search_id":"e1",
"passage_id":"p-3","is_relevant":true}}
""".replace(b",\n", b",")
_MAIL = b"""From: Juniper Ashgrove <juniper@example.org>
To: staff@example.org
Date: Mon, 6 May 2024 07:08:09 +0000
Subject: =?utf-8?q?Arrays_=E2=80=94_shown?=
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=x

--x
Content-Type: text/html; charset=windows-1252
Content-Transfer-Encoding: quoted-printable

<p>The array was shown by=20the lead detective.</p><script>no</script>
--x
Content-Type: message/rfc822

Subject: within

inside
--x
Content-Type: application/pdf; name*=utf-8''brief.pdf
Content-Disposition: attachment; filename*0=brief; filename*1=.pdf
Content-Transfer-Encoding: base64

JVBERg==
--x--
"""
_PATTERNS = b"""[[pattern]]
title = "Local rule"
family = "local rule {number}"
regex = 'local rule (?P<number>\\\\d+)'
examples = ["Local Rule 4"]
names = { "a" = "b" }
"""
_CSV = b"""file,title,docket,filed,kind
"brief, one.pdf",State v. Quince,A-1-20,2020-05-04,brief
memo.txt,Arrays,,,memo
"""
_KEY = b"""[briefbank-public-key]
name = "Office"
key = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
fingerprint = "x"
"""

_PROFILE = b"""name = "Change of control"
format = 1
question = "what ends it"
keywords = "[change^5, \\"merger sale\\"~10^2.5, privity]"
[filters]
since = 2020-01-02
kinds = ["brief"]
[[sample]]
text = "upon a merger"
passage = "p-3"
central = true
"""

_NESTED = b"a = " + b"[" * 5_000

PARSERS: dict[str, Parser] = {
    "connectors": Parser(
        _as_text(_connectors),
        (b'("consent to search" /s stop!) & date(after 2018-02) % title(quince)', b"a +3 b /p c^2 or d~ but not *e"),
        (b" /s ", b" +255 ", b" & ", b" % ", b" but not ", b'"', b"(", b")", b"^2", b"~5", b"date(", b"kind(", b"!"),
    ),
    "question": Parser(
        _as_text(_question),
        (
            b"may police search after consent since 2020, N.J.S.A. 2C:35-10(a)?",
            "State v. Carty § 170 N.J. 632".encode(),
        ),
        (b"since ", b"before ", b"2C:11-3", b" v. ", b"A-1482-17T4", "’".encode(), b"in 2019"),
    ),
    "pack": Parser(
        _as_file("a.bbpack", _pack),
        ((_FORMATS / "pack-4.0.bbpack").read_bytes(),),
    ),
    "pack manifest": Parser(_manifest, (_manifest_seed(),), (b"generation/", b"../", b"models/x/", b"CON", b"\x00")),
    "feedback lines": Parser(_as_file("a.jsonl", _log_lines), (_EVENT,), (b'"stars":', b'"shown":', b"null", b"[]")),
    "mail": Parser(
        _as_file("a.eml", _mail),
        (_MAIL, b"Subject: a\n\nb"),
        (b"=?utf-8?b?", b"?=", b"charset=", b"Content-Type: ", b"boundary=", b"filename*=", b"\n--x\n", b"Date: "),
    ),
    "word structure": Parser(
        _word_structure,
        (
            _word_xml('<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>POINT I</w:t></w:r></w:p>'),
            _word_xml("<w:tbl><w:tr><w:tc><w:p><w:r><w:br w:type='page'/></w:r></w:p></w:tc></w:tr></w:tbl>"),
            _word_xml(
                '<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr><w:hyperlink>'
                '<w:r><w:footnoteReference w:id="2"/></w:r></w:hyperlink><w:ins><w:r><w:tab/></w:r></w:ins></w:p>'
            ),
        ),
        (b"<w:p>", b"</w:p>", b"<w:del>", b"<w:sdt><w:sdtContent>", b' w:val="', b"<w:sym ", b"<w:sectPr>"),
    ),
    "citation patterns": Parser(
        _as_file("citations.toml", _patterns),
        (_PATTERNS, _NESTED),
        (b"(?P<number>", b"{sub}", b"{number}", b"bare = true", b"(?:", b"[[", b"'''"),
    ),
    "gguf": Parser(_as_file("a.gguf", _gguf), (_gguf_seed(),), (b"GGUF", b"\xff" * 8, b"general.alignment")),
    "beir entries": Parser(_as_file("corpus.jsonl", _beir), (b'{"_id":"p1","title":"a","text":"the stop"}\n',)),
    "beir qrels": Parser(_as_file("judged.tsv", _beir_qrels), (b"query-id\tcorpus-id\tscore\nq1\tp1\t2\n",)),
    "trec run": Parser(_as_file("a.run", _trec_run), (b"q1 Q0 p1 1 0.5 bb\n",), (b"nan", b"inf", b"-0")),
    "office's table": Parser(_as_file("briefbank.csv", _sidecar), (_CSV,), (b'"', b";", b"\t", b"2024-W01", b"\x00")),
    "alerts": Parser(
        _as_file("alerts.csv", _alerts),
        (b"authority,says,date,source\n170 N.J. 632,limited,2024-01-02,Office\n", b'authority,says\n"R. 3:5-7",x\n'),
        (b'"', b"2C:35-10", b"\r"),
    ),
    "profile": Parser(
        _profile,
        (_PROFILE, _NESTED),
        (b"~5", b"^5", b'"', b"[", b"]", b"\\", b"9" * 400, b"filters.", b"format = 2", b"\xe2\x80\x9c"),
    ),
    "annotated clauses": Parser(
        _as_file("spans.jsonl", _spans),
        (b'{"file": "a.txt", "category": "Insurance", "clause": "each party", "found": true}\n',),
        (b"null", b"[" * 2_000, b'"found": false', b"\xff"),
    ),
    "approved list": Parser(
        _as_file("review.csv", _review),
        (b"remove,kind,text,stands for,count,example\nyes,person,Quince,A,1,x\n",),
    ),
    "graded sheet": Parser(
        _as_file("sheet.csv", _sheet),
        (b"query_id,query,passage_id,grade\nq1,the stop,p1,2\n",),
        (b'"', b"query", b"grade", b"passage", b"text"),
    ),
    "settings": Parser(
        _as_file("bank.toml", _settings),
        (
            _NESTED,
            b'[bank]\nformat = "1.0"\n[settings]\nencoder = "hashing"\nworkers = 1\n',
        ),
        (b"[", b"settings", b"nan", b"= 1e999", b"2.0", b"[[settings]]"),
    ),
    "public key": Parser(_as_file("a.pub", _public_key), (_KEY, _NESTED), ("é".encode(), b"[[", b"\\u0000")),
}


def seeds_of(name: str) -> Sequence[bytes]:
    """A parser's seeds, and the inputs that once broke it."""
    folder = Path(__file__).parent / "finds"
    found = sorted(folder.glob(f"{name.replace(' ', '-').replace(chr(39), '')}.*"))
    return [*PARSERS[name].seeds, *(path.read_bytes() for path in found)]


def feed(name: str, data: bytes) -> None:
    """Give a parser some bytes; an error that says what to do is an answer."""
    try:
        PARSERS[name].feed(data)
    except BriefBankError as told:
        told_something = told.message and told.advice
    else:
        return
    assert told_something, f"{name} says nothing"
