"""How Word's styles and automatic numbers apply to a paragraph; knows the XML, not the text that is made of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_CHARACTERS = {"tab": "\t", "ptab": "\t", "noBreakHyphen": "-", "softHyphen": ""}
_ROMAN = {
    1000: "M", 900: "CM", 500: "D", 400: "CD", 100: "C", 90: "XC", 50: "L", 40: "XL", 10: "X", 9: "IX", 5: "V",
    4: "IV", 1: "I",
}  # fmt: skip
_LEAST_PT = 1.0
"""Type up to this size cannot be read on paper."""
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
    is_hidden: bool = False
    colour: str = "auto"
    fill: str = "auto"
    """The colours of letters and of the ground behind them, as "RRGGBB"."""
    font: str = ""
    list_id: str = ""
    level: int = 0


class Styles:
    """The styles of one document, resolved along what each is based on."""

    def __init__(self, document: Any) -> None:
        root = document.styles.element
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
        style = self._elements.get(attribute(properties.find(qualified("rStyle"))))
        if style is not None:
            look = _with_run(look, style.find(qualified("rPr")))
        return _with_run(look, properties)

    def is_hidden(self, paragraph: Any, run: Any, ground: str) -> bool:
        """Whether nobody sees a run in Word: it is hidden, tiny, or of the colour of the `ground` behind it."""
        look = self.run(paragraph, run)
        behind = ground if look.fill == "auto" else look.fill
        return look.is_hidden or look.size_pt <= _LEAST_PT or _is_alike(look.colour, behind)

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
    if colour := attribute(properties.find(qualified("color"))):
        changes["colour"] = colour
    if fill := attribute(properties.find(qualified("shd")), "fill"):
        changes["fill"] = fill
    if font := attribute(properties.find(qualified("rFonts")), "ascii"):
        changes["font"] = font
    size = attribute(properties.find(qualified("sz")))
    if size.isdigit():
        changes["size_pt"] = int(size) / 2
    raised = properties.find(qualified("vertAlign"))
    if raised is not None:
        changes["is_superscript"] = attribute(raised) == "superscript"
    return replace(look, **changes) if changes else look


def _with_paragraph(look: Look, properties: Any) -> Look:
    if properties is None:
        return look
    changes: dict[str, Any] = {}
    indent = properties.find(qualified("ind"))
    left = attribute(indent, "left") or attribute(indent, "start")
    if left.lstrip("-").isdigit():
        changes["indent_pt"] = max(0.0, int(left) / 20)
    if fill := attribute(properties.find(qualified("shd")), "fill"):
        changes["fill"] = fill
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
