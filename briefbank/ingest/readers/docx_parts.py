"""The parts of a Word file: which of them are text, furniture or neither, and the dialect that they are written in."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Collection, Iterator
from itertools import pairwise
from typing import Any, BinaryIO, NamedTuple, Self

from briefbank.ingest.beneath import Readable

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_STRICT = b"http://purl.oclc.org/ooxml/"
_DIALECTS = {
    b"http://purl.oclc.org/ooxml/wordprocessingml/main": b"http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    b"http://purl.oclc.org/ooxml/officeDocument/relationships": (
        b"http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    ),
    b"http://purl.oclc.org/ooxml/drawingml/": b"http://schemas.openxmlformats.org/drawingml/2006/",
}
"""The names of the strict dialect of Open XML and of the usual one, which python-docx reads."""

_READ = frozenset("officeDocument footnotes endnotes".split())
_FURNITURE = frozenset(
    "styles numbering settings webSettings fontTable font theme themeOverride core-properties extended-properties "
    "custom-properties stylesWithEffects customXml customXmlProps glossaryDocument header footer printerSettings "
    "thumbnail commentsExtended commentsIds commentsExtensible people keyMapCustomizations attachedToolbars "
    "digital-signature origin signature classificationlabels documentTasks colors diagramLayout diagramQuickStyle "
    "diagramColors chartStyle chartColorStyle chartUserShapes vbaProject wordVbaData webextensiontaskpanes".split()
)
"""Kinds of relationship, by their last word, to parts that hold no words of the document (how it looks and is edited,
data of programs), and to running heads, which are read as `running_heads` has them.
"""
_NAMES = {
    "image": "a picture",
    "chart": "a chart",
    "chartEx": "a chart",
    "diagramData": "a diagram",
    "oleObject": "an object of another program",
    "package": "an embedded file",
    "control": "a control",
    "video": "a recording",
    "audio": "a recording",
    "media": "a recording",
}
_EMU_PT = 12_700
_NO_SIZE = (float("inf"), float("inf"))
_LEAST_PICTURE_PT2 = 4 * 72 * 72
"""Area from which a picture may hold a text: signatures, seals and logos are smaller than four square inches."""
_CHOICES = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_KNOWN_TO_WORD = re.compile(
    r"http://schemas\.microsoft\.com/office/(?:word/20(?:06|10|12|15|16|18|20|23)/|drawing/20(?:08|10|12|14|15|16|17)/).+"
    r"|http://schemas\.openxmlformats\.org/.+|urn:schemas-microsoft-com:(?:vml|office:.+)"
)
"""The namespaces that Word reads, by their beginnings."""
_HIDDEN_SHAPE = re.compile(r"visibility:\s*hidden", re.IGNORECASE)
_VML_PLACE = re.compile(r"(?:^|;)\s*(width|height|margin-left|margin-top|left|top):(-?\d+(?:\.\d+)?)(pt|in)")
_MARGIN_PT = 144.0
"""As far outside of the page a box may begin that is counted from a margin or a text."""
_VML_SIDE = re.compile(r"(width|height):([\d.]+)(pt|in)")


def transitional(path: Readable) -> BinaryIO:
    """The package, rewritten in the usual dialect where it is in the strict one.

    Raises:
        zipfile.BadZipFile, OSError, ValueError, LookupError: it is damaged.
    """
    whole, made = io.BytesIO(path.read_bytes()), io.BytesIO()
    with zipfile.ZipFile(whole) as archive:
        roots = [name for name in archive.namelist() if name.lower() == "_rels/.rels"]
        if not roots or _STRICT not in archive.read(roots[0]):
            whole.seek(0)
            return whole
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as rewritten:
            for name in archive.namelist():
                data = archive.read(name)
                if name.lower().endswith((".xml", ".rels")):
                    for strict, usual in _DIALECTS.items():
                        data = data.replace(strict, usual)
                rewritten.writestr(name, data)
    made.seek(0)
    return made


def shown_children(parent: Any) -> Iterator[Any]:
    """The children of an element; of alternatives those that Word shows: the first that it knows all names of."""
    for element in parent:
        if element.tag == f"{_CHOICES}AlternateContent":
            branch = _chosen(element)
            yield from () if branch is None else shown_children(branch)
        else:
            yield element


def _chosen(alternatives: Any) -> Any:
    for each in alternatives.iterchildren(f"{_CHOICES}Choice", f"{_CHOICES}Fallback"):
        required = each.get("Requires", "").split()
        if each.tag == f"{_CHOICES}Fallback" or (
            required and all(_is_known(each.nsmap.get(name)) for name in required)
        ):
            return each
    return None


def _is_known(namespace: str | None) -> bool:
    return bool(_KNOWN_TO_WORD.fullmatch(namespace or ""))


def is_passed_over(element: Any) -> bool:
    """Whether an element lies in an alternative that Word does not show."""
    line = [element, *element.iterancestors()]
    return any(
        above.tag == f"{_CHOICES}AlternateContent" and _chosen(above) is not below for below, above in pairwise(line)
    )


def is_hidden_drawing(element: Any, paper: Paper) -> bool:
    """Whether an element lies in a drawing that is hidden, or off the page."""
    for ancestor in element.iterancestors():
        shape = next(ancestor.iterchildren("{*}docPr"), None)
        style = ancestor.get("style", "")
        if (shape is not None and shape.get("hidden") in ("1", "true", "on")) or _HIDDEN_SHAPE.search(style):
            return True
        if paper.lacks(_drawn(ancestor, "positionH", "cx"), _drawn(ancestor, "positionV", "cy")):
            return True
        if paper.lacks(_styled(style, "left", "width"), _styled(style, "top", "height")):
            return True
    return False


class Paper(NamedTuple):
    """The width and height of the largest page of a document, in points."""

    width: float
    height: float

    @classmethod
    def of(cls, main: Any) -> Self:
        """Return that of a document by its main part."""
        sizes = [*main.element.iter(f"{_W}pgSz")]
        sides = ([each.get(f"{_W}{name}", "") for each in sizes] for name in "wh")
        return cls(*(max((int(each) / 20 for each in side if each.isdigit()), default=792.0) for side in sides))

    def lacks(self, across: Side, down: Side) -> bool:
        """Whether a box lies beyond the page on any side."""
        return across.is_off(self.width) or down.is_off(self.height)


class Side(NamedTuple):
    """Where a box begins on a page, across or down, and how long it is; `is_from_edge`, or from a margin or a text."""

    start_pt: float = 0.0
    size_pt: float = 0.0
    is_from_edge: bool = False

    def is_off(self, page_pt: float) -> bool:
        """Whether it lies beyond a page of that size."""
        outside_pt = 0.0 if self.is_from_edge else _MARGIN_PT
        return self.start_pt + self.size_pt < -outside_pt or self.start_pt >= page_pt


IN_TEXT = Side()
"""Where what nobody placed is."""


def _drawn(anchor: Any, name: str, size: str) -> Side:
    """How a drawing lies across or down."""
    extent = next(anchor.iterchildren("{*}extent"), None)
    length = "" if extent is None else extent.get(size, "")
    place = next(anchor.iterchildren(f"{{*}}{name}"), None)
    start = "" if place is None else (place.findtext("{*}posOffset") or "").strip()
    if place is None or not start.lstrip("-").isdigit():
        return IN_TEXT
    size_pt = int(length) / _EMU_PT if length.isdigit() else 0.0
    return Side(int(start) / _EMU_PT, size_pt, place.get("relativeFrom") == "page")


def _styled(style: str, edge: str, size: str) -> Side:
    """How a shape of Word's older kind lies across or down."""
    sides = {name: float(value) * (72 if unit == "in" else 1) for name, value, unit in _VML_PLACE.findall(style)}
    start = sides.get(f"margin-{edge}", sides.get(edge, 0.0))
    return Side(start, sides.get(size, 0.0)) if start else IN_TEXT


def unread_parts(main: Any, chunks: Collection[str]) -> Iterator[str]:
    """Name every part below the main one that is neither read (`chunks` are, besides notes) nor furniture."""
    seen: set[str] = {main.partname}
    waiting = [main]
    counts: dict[str, int] = {}
    small = _small_pictures(main)
    while waiting:
        part = waiting.pop()
        for relation in part.rels.values():
            kind = relation.reltype.rpartition("/")[2]
            if relation.is_external or relation.target_part.partname in seen:
                continue
            seen.add(relation.target_part.partname)
            if kind in _FURNITURE or (kind == "image" and (part is not main or relation.rId in small)):
                continue
            if kind == "comments":
                counts["a comment"] = _comment_count(relation.target_part.blob)
                continue
            waiting.append(relation.target_part)
            if kind not in _READ and relation.target_part.partname not in chunks:
                name = _NAMES.get(kind, f"a part of the kind “{kind}”")
                counts[name] = counts.get(name, 0) + 1
    for name, count in sorted(counts.items()):
        if count:
            yield name if count == 1 else f"{name} ({count} times)"


def _comment_count(data: bytes) -> int:
    """How many comments hold words: a reviewer's, not the document's."""
    from docx.oxml import parse_xml

    return sum(any((text.text or "").strip() for text in each.iter("{*}t")) for each in parse_xml(data))


def running_heads(main: Any) -> Iterator[Any]:
    """The headers and footers that Word shows, each once."""
    seen: set[str] = set()
    settings = next((each.target_part for each in main.rels.values() if each.reltype.endswith("/settings")), None)
    is_facing = settings is not None and b"evenAndOddHeaders" in settings.blob
    for section in main.element.iter(f"{_W}sectPr"):
        shown = {
            "default",
            *(["even"] if is_facing else []),
            *(["first"] if _is_on(section.find(f"{_W}titlePg")) else []),
        }
        for reference in section.iterchildren(f"{_W}headerReference", f"{_W}footerReference"):
            relation = next((value for name, value in reference.items() if name.endswith("}id")), "")
            part = main.related_parts.get(relation)
            if part is not None and relation not in seen and reference.get(f"{_W}type", "default") in shown:
                seen.add(relation)
                yield part.element


def _is_on(element: Any) -> bool:
    return element is not None and element.get(f"{_W}val", "1") not in ("0", "false", "off")


def _small_pictures(main: Any) -> set[str]:
    """The ids of pictures that are shown too small to hold a text, at every place where they are shown."""
    largest: dict[str, float] = {}
    for blip in main.element.iter("{*}blip", "{*}imagedata"):
        ids = [value for name, value in blip.items() if name.endswith(("}embed", "}id"))]
        for each in ids:
            width, height = _shown_size(blip)
            largest[each] = max(largest.get(each, 0.0), width * height)
    return {each for each, area in largest.items() if area < _LEAST_PICTURE_PT2}


def pictures_in(drawing: Any, part: Any) -> Iterator[tuple[Any, tuple[float, float]]]:
    """The parts of the pictures that a drawing shows, and width and height there, in points."""
    for blip in drawing.iter("{*}blip", "{*}imagedata"):
        size = _shown_size(blip)
        for value in (value for name, value in blip.items() if name.endswith(("}embed", "}id"))):
            if value in part.related_parts and size != _NO_SIZE:
                yield part.related_parts[value], size


def _shown_size(blip: Any) -> tuple[float, float]:
    """In what width and height a picture is shown; without end where nothing says how large."""
    for ancestor in blip.iterancestors():
        extent = next(ancestor.iterchildren("{*}extent"), None)
        if extent is not None and extent.get("cx", "").isdigit() and extent.get("cy", "").isdigit():
            return int(extent.get("cx")) / _EMU_PT, int(extent.get("cy")) / _EMU_PT
        sides = {
            name: float(size) * (72 if unit == "in" else 1)
            for name, size, unit in _VML_SIDE.findall(ancestor.get("style", ""))
        }
        if len(sides) == 2:
            return sides["width"], sides["height"]
    return _NO_SIZE
