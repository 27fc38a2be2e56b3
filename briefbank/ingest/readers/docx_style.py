"""How Word's styles and automatic numbers apply to a paragraph; knows the XML, not the text that is made of it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from briefbank.ingest.readers.docx_parts import IN_TEXT, Paper, Side

_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_CHARACTERS = {"tab": "\t", "ptab": "\t", "noBreakHyphen": "-", "softHyphen": ""}
_ROMAN = {
    1000: "M", 900: "CM", 500: "D", 400: "CD", 100: "C", 90: "XC", 50: "L", 40: "XL", 10: "X", 9: "IX", 5: "V",
    4: "IV", 1: "I",
}  # fmt: skip
_W14 = "{http://schemas.microsoft.com/office/word/2010/wordml}"
_LEAST_PT = 1.0
"""Type up to this size, and lines and rows up to this height, cannot be read on paper."""
_LEAST_SCALE = 10
"""The same for letters squeezed to this share of their width, in percent."""
_LEAST_FIT_PT = 2.0
_MOST_TRANSPARENT = 90_000
"""Transparency, of 100,000, from which letters are not seen."""
_THEME = {"background1": "FFFFFF", "light1": "FFFFFF", "bg1": "FFFFFF", "text1": "000000", "dark1": "000000"}
_HIGHLIGHTS = {
    "black": "000000", "blue": "0000FF", "cyan": "00FFFF", "green": "00FF00", "magenta": "FF00FF", "red": "FF0000",
    "yellow": "FFFF00", "white": "FFFFFF", "darkBlue": "000080", "darkCyan": "008080", "darkGreen": "008000",
    "darkMagenta": "800080", "darkRed": "800000", "darkYellow": "808000", "darkGray": "808080", "lightGray": "C0C0C0",
}  # fmt: skip
_TABLE_LOOK = {
    "firstRow": 0x20,
    "lastRow": 0x40,
    "firstColumn": 0x80,
    "lastColumn": 0x100,
    "noHBand": 0x200,
    "noVBand": 0x400,
}
"""What a table takes of its style, and the bits of it."""
_FRAME_PT = 468.0
"""How large a frame is at most that does not say it: as wide as text on letter paper."""
_ALIKE = 24
"""Difference of a colour's red, green and blue up to which two colours cannot be told apart."""
_WP_SYMBOLS = "●○■•*¶§¡¿«»£¥₧ƒªº½¼¢²ⁿ®©¤¾³‛’‘‟”“–—‹›○□†‡™℠℞"  # noqa: RUF001
"""WordPerfect's character set 4 from its first character, in the order of the font WP TypographicSymbols from "!"."""
_WP_FONT = "WP TypographicSymbols"
_PRIVATE = range(0xF000, 0xF100)
"""Where Word keeps the characters of fonts that have an order of their own."""
_DEEPEST_STYLE = 20
"""Styles are based on one another; a file may make a ring of them."""


def qualified(name: str) -> str:
    """The name of a WordprocessingML element or attribute as lxml writes it."""
    return f"{{{_W}}}{name}"


def attribute(element: Any, name: str = "val") -> str:
    """An attribute's value; empty where it or the element is missing."""
    return "" if element is None else str(element.get(qualified(name), ""))


def text_of(element: Any) -> str:
    """The characters that one child of a run stands for."""
    if element.tag == qualified("t"):
        return element.text or ""
    return _CHARACTERS.get(str(element.tag).removeprefix(qualified("")), "")


def symbol(element: Any) -> str:
    """The character that a symbol (`w:sym`) stands for; "▪" where its font has pictures."""
    code, font = attribute(element, "char"), attribute(element, "font")
    try:
        number = int(code, 16)
    except ValueError:
        return ""
    number -= _PRIVATE.start if number in _PRIVATE else 0
    if font == _WP_FONT:
        return in_font(chr(number), font)
    if font.startswith(("Wingdings", "Webdings", "Symbol", "WP ")):
        return "▪"
    return bytes([number]).decode("cp1252", "replace") if number < 256 else chr(number)


def in_font(text: str, font: str) -> str:
    """What text looks like in a font: only WordPerfect's signs have their own order."""
    if font != _WP_FONT:
        return text
    places = (ord(character) - ord("!") for character in text)
    return "".join(
        _WP_SYMBOLS[place] if 0 <= place < len(_WP_SYMBOLS) else character
        for place, character in zip(places, text, strict=True)
    )


def ground_of(shading: Any) -> str:
    """The colour that a shading (`w:shd`) puts behind letters; empty where it puts none."""
    if attribute(shading) == "solid":
        colour = _coloured(shading, attribute(shading, "color"), "theme")
        return "000000" if colour in ("", "auto") else colour
    return _coloured(shading, attribute(shading, "fill"), "themeFill")


def _coloured(element: Any, colour: str, theme: str) -> str:
    """A colour, or that of the theme which Word shows in its place where this is plain black or white."""
    name = theme if theme.startswith("themeFill") else "themeColor"
    if attribute(element, f"{theme}Tint") or attribute(element, f"{theme}Shade"):
        return colour
    return _THEME.get(attribute(element, name), colour)


def _filled(look_of_fill: Any) -> dict[str, Any]:
    """What Word's own fill of letters (`w14:textFill`) makes of them, which goes before their colour."""
    if look_of_fill.find(f"{_W14}noFill") is not None:
        return {"is_hidden": True}
    colour = next(look_of_fill.iterfind(f"{_W14}solidFill/*"), None)
    if colour is None:
        return {}
    alpha = colour.find(f"{_W14}alpha")
    value, transparent = colour.get(f"{_W14}val", ""), "" if alpha is None else alpha.get(f"{_W14}val", "")
    changes: dict[str, Any] = {"colour": _THEME.get(value, value)} if len(colour) == 0 else {}
    if transparent.isdigit() and int(transparent) >= _MOST_TRANSPARENT:
        changes["is_hidden"] = True
    return changes


def is_unseen_row(row: Any) -> bool:
    """Whether Word shows nothing of a row: it is hidden, deleted, or of no height."""
    properties = row.find(qualified("trPr"))
    if properties is None:
        return False
    height = properties.find(qualified("trHeight"))
    is_flat = attribute(height, "hRule") == "exact" and _is_up_to(attribute(height), 20 * _LEAST_PT)
    return is_flat or any(properties.find(qualified(name)) is not None for name in ("hidden", "del"))


def _points(twips: str) -> float:
    return int(twips) / 20 if twips.lstrip("-").isdigit() else 0.0


def _is_up_to(value: str, most: float) -> bool:
    return value.isdigit() and int(value) <= most


def _is_alike(colour: str, ground: str) -> bool:
    """Whether letters of a colour cannot be seen on a ground; of a colour that the program chooses they can."""
    try:
        one, other = (bytes.fromhex(each) for each in (colour, "FFFFFF" if ground == "auto" else ground))
    except ValueError:
        return False
    return max(abs(a - b) for a, b in zip(one, other, strict=False)) <= _ALIKE


def _is_on(element: Any) -> bool:
    return element is not None and attribute(element) not in ("0", "false", "off", "none")


@dataclass(frozen=True, slots=True)
class Look:
    """What a style, and then a paragraph or run, makes of text. `list_id` and `level` name its automatic number."""

    name: str = ""
    size_pt: float = 12.0
    is_bold: bool = False
    is_italic: bool = False
    is_underlined: bool = False
    is_superscript: bool = False
    indent_pt: float = 0.0
    breaks_before: bool = False
    across: Side = IN_TEXT
    down: Side = IN_TEXT
    """Where on the page a frame or an indented paragraph stands."""
    is_hidden: bool = False
    is_flat: bool = False
    """Whether its lines are too low to show it."""
    colour: str = "auto"
    fill: str = "auto"
    """The colours of letters and of the ground behind them, as "RRGGBB"."""
    font: str = ""
    list_id: str = ""
    level: int = 0


@dataclass(frozen=True, slots=True)
class Cell:
    """What a table makes of the words in one of its cells; empty and 0 where it says nothing."""

    fill: str = ""
    colour: str = ""
    size_pt: float = 0.0
    is_hidden: bool = False

    def styled(self, style: Any) -> Cell:
        """The same with a style of tables, or with its part for some cells."""
        look = _with_run(Look(colour="", size_pt=0.0), style.find(qualified("rPr")))
        fills = (style.find(f"{qualified(name)}/{qualified('shd')}") for name in ("tblPr", "tcPr"))
        fill = next((colour for each in reversed([*fills]) if (colour := ground_of(each))), "")
        is_hidden = self.is_hidden or look.is_hidden
        return Cell(fill or self.fill, look.colour or self.colour, look.size_pt or self.size_pt, is_hidden)


class Styles:
    """The styles of one document, resolved along what each is based on."""

    def __init__(self, document: Any) -> None:
        root = document.styles.element
        self._paper = Paper.of(document.part)
        self._rows: dict[Any, int] = {}
        """The rows of the table at hand, and their numbers."""
        self._elements = {attribute(style, "styleId"): style for style in root.iterfind(qualified("style"))}
        self._default = next((key for key, style in self._elements.items() if _is_default_paragraph(style)), "")
        base = root.find(f"{qualified('docDefaults')}/{qualified('rPrDefault')}/{qualified('rPr')}")
        self._base = _with_run(Look(size_pt=10.0), base)
        self._looks: dict[str, Look] = {}

    def paragraph(self, paragraph: Any) -> Look:
        """The look of a paragraph before its runs' own."""
        properties = paragraph.find(qualified("pPr"))
        name = "" if properties is None else attribute(properties.find(qualified("pStyle")))
        return _with_paragraph(self._look(name or self._default), properties)

    def run(self, paragraph: Any, run: Any) -> Look:
        """The look of a run, or of the paragraph's own text where `run` is None."""
        look = self.paragraph(paragraph)
        properties = None if run is None else run.find(qualified("rPr"))
        if properties is None:
            return look
        return _with_run(self._with_styles(look, attribute(properties.find(qualified("rStyle")))), properties)

    def _with_styles(self, look: Look, key: str, depth: int = 0) -> Look:
        """A look with the runs' part of a style, and of all that this is based on."""
        style = self._elements.get(key)
        if style is None or depth > _DEEPEST_STYLE:
            return look
        look = self._with_styles(look, attribute(style.find(qualified("basedOn"))), depth + 1)
        return _with_run(look, style.find(qualified("rPr")))

    def is_hidden(self, paragraph: Any, run: Any, ground: str, cell: Cell) -> bool:
        """Whether nobody sees a run in Word: it is hidden, tiny, off the page, or of the colour of the `ground` behind
        it.
        """
        look = self.run(paragraph, run)
        behind = ground if look.fill == "auto" else look.fill
        is_placed = look.across is not IN_TEXT or look.down is not IN_TEXT
        if look.is_hidden or cell.is_hidden or (is_placed and self._paper.lacks(look.across, look.down)):
            return True
        # What the paragraph's styles say goes before the table's; Word takes their defaults for nothing said.
        colour = cell.colour if look.colour == self._base.colour and cell.colour else look.colour
        size_pt = cell.size_pt if look.size_pt == self._base.size_pt and cell.size_pt else look.size_pt
        return look.is_flat or size_pt <= _LEAST_PT or _is_alike(colour, behind)

    def cell(self, cell: Any) -> Cell:
        """What a table, its style and a cell make of the words in the cell."""
        row = cell.getparent()
        table = next(cell.iterancestors(qualified("tbl")), None)
        properties = None if table is None else table.find(qualified("tblPr"))
        if properties is None:
            return Cell(fill=ground_of(cell.find(f"{qualified('tcPr')}/{qualified('shd')}")))
        made = Cell(fill=ground_of(properties.find(qualified("shd"))))
        styles = self._based_on(attribute(properties.find(qualified("tblStyle"))))
        places = self._places_in(table, row, cell, properties.find(qualified("tblLook"))) if styles else set()
        for style in styles:
            made = made.styled(style)
            for part in style.iterfind(qualified("tblStylePr")):
                made = made.styled(part) if attribute(part, "type") in places else made
        own = ground_of(cell.find(f"{qualified('tcPr')}/{qualified('shd')}"))
        return replace(made, fill=own or made.fill)

    def _places_in(self, table: Any, row: Any, cell: Any, look: Any) -> set[str]:
        """The parts of a table's style that apply to a cell, by its place and by what the table takes of its style."""
        if row not in self._rows:
            self._rows = {each: number for number, each in enumerate(table.iterchildren(qualified("tr")))}
        if row not in self._rows:
            return {"wholeTable"}  # in a content control: Word counts it, we do not
        at, across = self._rows[row], sum(1 for _ in cell.itersiblings(qualified("tc"), preceding=True))
        bits = attribute(look)
        mask = int(bits, 16) if re.fullmatch(r"[0-9A-Fa-f]{1,8}", bits) else 0x4A0
        takes = {name: attribute(look, name) in ("1", "true") or bool(mask & bit) for name, bit in _TABLE_LOOK.items()}
        found = {"wholeTable"}
        found |= set() if takes["noHBand"] else {f"band{2 if (at - takes['firstRow']) % 2 else 1}Horz"}
        found |= set() if takes["noVBand"] else {f"band{2 if (across - takes['firstColumn']) % 2 else 1}Vert"}
        is_last = next(cell.itersiblings(qualified("tc")), None) is None
        ends = {"firstRow": at == 0, "lastRow": at + 1 == len(self._rows), "firstColumn": across == 0}
        ends["lastColumn"] = is_last
        return found | {name.replace("Column", "Col") for name, is_there in ends.items() if is_there and takes[name]}

    def _based_on(self, key: str) -> list[Any]:
        """A style and all that it is based on, the outermost first."""
        found: list[Any] = []
        while (style := self._elements.get(key)) is not None and len(found) <= _DEEPEST_STYLE:
            found.insert(0, style)
            key = attribute(style.find(qualified("basedOn")))
        return found

    def _look(self, key: str, depth: int = 0) -> Look:
        if key in self._looks:
            return self._looks[key]
        style = self._elements.get(key)
        if style is None or depth > _DEEPEST_STYLE:
            return self._base
        look = self._look(attribute(style.find(qualified("basedOn"))), depth + 1)
        look = _with_run(_with_paragraph(look, style.find(qualified("pPr"))), style.find(qualified("rPr")))
        name = attribute(style.find(qualified("name")))
        name = name[:1].upper() + name[1:] if name.islower() else name
        self._looks[key] = replace(look, name=name)
        return self._looks[key]


def _is_default_paragraph(style: Any) -> bool:
    return attribute(style, "type") == "paragraph" and attribute(style, "default") in ("1", "true")


def _with_run(look: Look, properties: Any) -> Look:
    if properties is None:
        return look
    changes: dict[str, Any] = {}
    for tag, name in (("b", "is_bold"), ("i", "is_italic"), ("u", "is_underlined")):
        element = properties.find(qualified(tag))
        if element is not None:
            changes[name] = _is_on(element)
    hidden = properties.find(qualified("vanish"))
    if hidden is not None:
        changes["is_hidden"] = _is_on(hidden)
    changes |= _colours(look, properties)
    if font := attribute(properties.find(qualified("rFonts")), "ascii"):
        changes["font"] = font
    size = attribute(properties.find(qualified("sz")))
    if size.isdigit():
        changes["size_pt"] = int(size) / 2
    raised = properties.find(qualified("vertAlign"))
    if raised is not None:
        changes["is_superscript"] = attribute(raised) == "superscript"
    return replace(look, **changes) if changes else look


def _colours(look: Look, properties: Any) -> dict[str, Any]:
    """What properties of a run say of its letters' colour and width, and of the ground behind them."""
    changes: dict[str, Any] = {}
    if (colour := properties.find(qualified("color"))) is not None:
        changes["colour"] = _coloured(colour, attribute(colour), "theme") or look.colour
    if fill := ground_of(properties.find(qualified("shd"))):
        changes["fill"] = fill
    if fill := _HIGHLIGHTS.get(attribute(properties.find(qualified("highlight"))), ""):
        changes["fill"] = fill
    scale = attribute(properties.find(qualified("w"))).removesuffix("%")
    if _is_up_to(scale, _LEAST_SCALE) or _is_up_to(
        attribute(properties.find(qualified("fitText"))), 20 * _LEAST_FIT_PT
    ):
        changes["is_hidden"] = True
    if (filled := properties.find(f"{_W14}textFill")) is not None:
        changes |= _filled(filled)
    return changes


def _with_paragraph(look: Look, properties: Any) -> Look:
    if properties is None:
        return look
    changes: dict[str, Any] = {}
    indent = properties.find(qualified("ind"))
    left = attribute(indent, "left") or attribute(indent, "start")
    if left.lstrip("-").isdigit():
        changes["indent_pt"] = max(0.0, int(left) / 20)
        if abs(int(left)) > 20 * _FRAME_PT:
            changes["across"] = Side(int(left) / 20)
    if (frame := properties.find(qualified("framePr"))) is not None:
        anchors = (attribute(frame, name) == "page" for name in ("hAnchor", "vAnchor"))
        x, y, width, height = (_points(attribute(frame, name)) for name in ("x", "y", "w", "h"))
        changes["across"] = Side(x, width or _FRAME_PT, next(anchors)) if x else IN_TEXT
        changes["down"] = Side(y, height or _FRAME_PT, next(anchors)) if y else IN_TEXT
    if fill := ground_of(properties.find(qualified("shd"))):
        changes["fill"] = fill
    spacing = properties.find(qualified("spacing"))
    if attribute(spacing, "line"):
        is_exact = attribute(spacing, "lineRule") == "exact"
        changes["is_flat"] = is_exact and _is_up_to(attribute(spacing, "line"), 20 * _LEAST_PT)
    before = properties.find(qualified("pageBreakBefore"))
    if before is not None:
        changes["breaks_before"] = _is_on(before)
    numbered = properties.find(qualified("numPr"))
    if numbered is not None:
        list_id, level = numbered.find(qualified("numId")), attribute(numbered.find(qualified("ilvl")))
        changes["level"] = int(level) if level.isdigit() else look.level
        if list_id is not None:
            changes["list_id"] = "" if attribute(list_id) == "0" else attribute(list_id)
    return replace(look, **changes) if changes else look


class Numbering:
    """Automatic numbers (`POINT I`, `A.`), which Word computes and does not store, counted along the document."""

    def __init__(self, document: Any) -> None:
        self._levels: dict[tuple[str, int], tuple[str, str, int]] = {}
        self._lists: dict[str, str] = {}
        self._restarts: dict[tuple[str, int], int] = {}
        """What a list begins a level with again, by its id, where it does not go on with that of its kind."""
        self._counts: dict[tuple[str, int], int] = {}
        for relation in document.part.rels.values():
            if relation.reltype.endswith("/numbering"):
                self._load(relation.target_part.element)

    def label(self, paragraph: Any, look: Look) -> str:
        """The next number of the paragraph's list as printed; empty without one, for bullets and blank paragraphs."""
        key = self._lists.get(look.list_id)
        if key is None or (key, look.level) not in self._levels or not _has_text(paragraph):
            return ""
        style, template, start = self._levels[key, look.level]
        if (again := self._restarts.pop((look.list_id, look.level), None)) is not None:
            self._counts[key, look.level] = again - 1
        self._counts[key, look.level] = self._counts.get((key, look.level), start - 1) + 1
        for deeper in [place for place in self._counts if place[0] == key and place[1] > look.level]:
            del self._counts[deeper]
        if style in ("bullet", "none"):
            return ""
        for level in range(look.level + 1):
            if f"%{level + 1}" in template and (key, level) in self._levels:
                kind, _, first = self._levels[key, level]
                template = template.replace(f"%{level + 1}", _formatted(self._counts.get((key, level), first), kind))
        return template.strip()

    def _load(self, root: Any) -> None:
        for abstract in root.iterfind(qualified("abstractNum")):
            key = attribute(abstract, "abstractNumId")
            for level in abstract.iterfind(qualified("lvl")):
                depth, start = attribute(level, "ilvl"), attribute(level.find(qualified("start")))
                if depth.isdigit():
                    style = attribute(level.find(qualified("numFmt"))) or "decimal"
                    template = attribute(level.find(qualified("lvlText")))
                    self._levels[key, int(depth)] = (style, template, int(start) if start.isdigit() else 1)
        for number in root.iterfind(qualified("num")):
            list_id = attribute(number, "numId")
            self._lists[list_id] = attribute(number.find(qualified("abstractNumId")))
            for override in number.iterfind(qualified("lvlOverride")):
                depth, start = attribute(override, "ilvl"), attribute(override.find(qualified("startOverride")))
                if depth.isdigit() and start.isdigit():
                    self._restarts[list_id, int(depth)] = int(start)


def _has_text(paragraph: Any) -> bool:
    return any((element.text or "").strip() for element in paragraph.iter(qualified("t")))


def _formatted(number: int, style: str) -> str:
    if style in ("upperLetter", "lowerLetter"):
        letters = chr(ord("A") + (number - 1) % 26) * ((number - 1) // 26 + 1)
        return letters if style == "upperLetter" else letters.lower()
    if style in ("upperRoman", "lowerRoman"):
        text = ""
        for value, numeral in _ROMAN.items():
            text += numeral * (number // value)
            number %= value
        return text if style == "upperRoman" else text.lower()
    return f"{number:02d}" if style == "decimalZero" else str(number)
