"""The text of a web page as a mail program shows it: without what style sheets, its own styles and its colours hide.

Knows as much of CSS as hides words: simple selectors, specificity, what is inherited. Rules for some screens only are
passed over.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser
from typing import NamedTuple

_VOID = frozenset("area base br col embed hr img input link meta source track wbr".split())
_BLOCKS = frozenset("address blockquote br div h1 h2 h3 h4 h5 h6 hr li p pre table td th tr ul ol".split())
_UNSEEN = frozenset("script style template title iframe audio video canvas datalist desc defs noembed noframes".split())
"""Not `head`: its end may be left out, and what it holds is unseen by itself."""
_ENDS_ITSELF = {"li": ("ul", "ol"), "td": ("table", "tr"), "th": ("table", "tr"), "tr": ("table",), "p": ("td", "div")}
"""Elements whose end may be left out before another of their name, and which ones keep the two apart."""
_HIDING = re.compile(
    r"display:none|mso-hide:all|content-visibility:hidden|(?:opacity:|filter:opacity\()0?(?:\.0\d*)?%?\)?$"
    r"|(?:left|right|top|text-indent|margin-left):-(?:\d{3,}|\d\d+r?em)|margin(?:-top)?:(?:.*\s)?-\d{4}|zoom:0(?:\.0*)?%?$"
    r"|clip-path:(?:inset\((?:100%|50%\))|circle\(0)|clip:rect\((?:0|1px[ ,]1px[ ,]1px[ ,]1px)"
    r"|transform:(?:scale[xy]?\(0(?:\.0\d*)?[,)]|translate[xy]?\((?:[^,)]*,)?-\d{4})"
)
"""Declarations that hide an element with all that it holds."""
_NO_ROOM = re.compile(r"(?:max-)?(?:height|width):(?:(?=[\d.])0*(?:\.0*)?(?:[a-z]+|%)?|(?:0?\.\d+|1)px)$")
_TINY = re.compile(r"(?:(?=[\d.])0*(?:\.0*)?(?:[a-z]+|%)?|(?:0?\.\d+|1)p[tx]|0?\.[01]\d*r?em|\d(?:\.\d+)?%)$")
_RELATIVE = re.compile(r"[\d.]+(?:em|%)$|inherit|unset|smaller|larger")
"""Sizes of type that are a share of the size around them."""
_SIZE_OF_FONT = re.compile(r"(?<![\w.])(?:[\d.]+(?:[a-z]+|%)|0)(?=[\s/])")
_OPENING = re.compile(r"<!--|-->|/\*.*?(?:\*/|$)", re.DOTALL)
_RULE = re.compile(r"([^{}]++)\{([^{}]*)\}|[^{}]++")
_COMPOUND = re.compile(r"(?P<tag>\*|[\w-]+)?(?P<rest>(?:[.#][\w-]+|\[[^\]]*\])*)$")
_PART = re.compile(r"([.#])([\w-]+)|\[\s*([\w-]+)\s*(?:([~^$*|]?)=\s*[\"']?([^\"'\]]*))?[\"']?\s*\]")
_COLOUR = re.compile(r"\b(?:rgba?|hsla?)\(([^)]*)\)", re.IGNORECASE)
_WHITE = (255, 255, 255)
_ALIKE = 24
"""Difference of a colour's red, green and blue up to which two colours cannot be told apart."""
_ON_SCREENS = re.compile(r"(?:.*,)?\s*(?:all|(?:only\s+)?screen)?\s*(?:,.*)?", re.IGNORECASE | re.DOTALL)
"""For which devices a style sheet is that holds on every screen."""
_MOST_RULES = 20_000
"""Rules that are looked at; a newsletter has some hundred, a page of the web some thousand."""
_DEEPEST = 100
"""Elements around one that a selector is held against."""
Colour = tuple[int, int, int]


class Shown(NamedTuple):
    """The text of a page, block by block, and how many words it holds that nobody sees."""

    text: str
    hidden_words: int


def shown_text(html: str) -> Shown:
    """Return what of a web page is shown."""
    sheets = _Sheets()
    sheets.feed(html)
    reader = _Reader(sheets.found)
    reader.feed(html)
    reader.close()
    return Shown(re.sub(r"\n\s*\n+", "\n\n", "".join(reader.parts)).strip(), reader.hidden_words)


def shown_text_of(data: bytes) -> Shown:
    """Return what of a web page in a file is shown."""
    try:
        return shown_text(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return shown_text(data.decode("cp1252", "replace"))


@dataclass(frozen=True, slots=True)
class _Look:
    """How an element's words look; all is inherited."""

    is_hidden: bool = False
    is_visible: bool = True
    is_tiny: bool = False
    is_clear: bool = False
    colour: Colour | None = (0, 0, 0)
    ground: Colour | None = _WHITE
    """None where it cannot be told."""

    @property
    def is_seen(self) -> bool:
        if self.is_hidden or not self.is_visible or self.is_tiny or self.is_clear:
            return False
        if self.colour is None or self.ground is None:
            return True
        return max(abs(one - other) for one, other in zip(self.colour, self.ground, strict=True)) > _ALIKE


class _Element(NamedTuple):
    tag: str
    id: str
    classes: frozenset[str]
    attributes: Mapping[str, str]
    look: _Look


class _Rule(NamedTuple):
    """What a style sheet says of elements that a selector fits: its compounds, the last one for the element itself."""

    compounds: tuple[re.Match[str], ...]
    declarations: tuple[tuple[str, str, bool], ...]
    weight: tuple[int, int, int, int]
    """Ids, classes, tags and place, by which rules go before one another."""


@dataclass(slots=True)
class _Sheet:
    """The rules of all style sheets so far, by what their last compound asks for."""

    rules: dict[str, list[_Rule]] = field(default_factory=lambda: defaultdict(list))
    count: int = 0

    def add(self, text: str) -> None:
        for selectors, body in _RULE.findall(_without_conditions(_OPENING.sub(" ", text))):
            declarations = tuple(_declarations(body))
            for selector in selectors.split(",") if declarations else ():
                found = [_COMPOUND.fullmatch(each) for each in selector.replace(">", " ").split()]
                compounds = tuple(each for each in found if each)
                if compounds and len(compounds) == len(found) and self.count < _MOST_RULES:
                    self.count += 1
                    self.rules[_key(compounds[-1])].append(
                        _Rule(compounds, declarations, _weight(compounds, self.count))
                    )

    def declared(self, element: _Element, above: Sequence[_Element]) -> Iterator[tuple[str, str]]:
        """What holds for an element, its own style included; the last one of a name counts."""
        keys = (element.tag, "*", f"#{element.id}", *(f".{each}" for each in element.classes))
        fitting = [rule for key in keys for rule in self.rules.get(key, ()) if _fits(rule, element, above)]
        fitting.sort(key=lambda rule: rule.weight)
        own = tuple(_declarations(element.attributes.get("style", "")))
        every = [each for rule in fitting for each in rule.declarations] + list(own)
        for important in (False, True):
            yield from ((name, value) for name, value, is_important in every if is_important is important)


def _without_conditions(text: str) -> str:
    """A style sheet without its rules for some screens, and with those for all."""
    kept, depth, start = [], 0, 0
    for place in re.finditer(r"@[^@{};]*\{|[{}]", text):
        if depth == 0 and place[0].startswith("@"):
            kept.append(text[start : place.start()])
            name, _, devices = place[0][:-1].partition(" ")
            is_for_all = name.lower() == "@layer" or (name.lower() == "@media" and _ON_SCREENS.fullmatch(devices))
            start, depth = place.end(), 0 if is_for_all else 1
        elif depth:
            depth += 1 if place[0].endswith("{") else -1
            start = place.end()
    return "".join([*kept, text[start:] if depth == 0 else ""])


def _declarations(body: str) -> Iterator[tuple[str, str, bool]]:
    for each in _OPENING.sub("", body).split(";"):
        name, _, value = re.sub(r"\s*([:(),!])\s*", r"\1", each.strip().lower()).partition(":")
        if name and value:
            value, is_important = value.removesuffix("!important").strip(), value.endswith("!important")
            yield "color" if name == "-webkit-text-fill-color" else name, value, is_important
            if name == "font" and (size := _SIZE_OF_FONT.search(value)):
                yield "font-size", size[0], is_important


def _key(compound: re.Match[str]) -> str:
    part = _PART.search(compound["rest"])
    return part[1] + part[2] if part and part[1] else (compound["tag"] or "*").lower()


def _weight(compounds: Sequence[re.Match[str]], place: int) -> tuple[int, int, int, int]:
    parts = [part for each in compounds for part in _PART.finditer(each["rest"])]
    ids = sum(part[1] == "#" for part in parts)
    return ids, len(parts) - ids, sum(each["tag"] not in (None, "*") for each in compounds), place


def _fits(rule: _Rule, element: _Element, above: Sequence[_Element]) -> bool:
    *outer, own = rule.compounds
    if not _is_one(own, element):
        return False
    lines = iter(reversed(above[-_DEEPEST:]))
    return all(any(_is_one(compound, each) for each in lines) for compound in reversed(outer))


def _is_one(compound: re.Match[str], element: _Element) -> bool:
    if compound["tag"] not in (None, "*", element.tag) and (compound["tag"] or "").lower() != element.tag:
        return False
    return all(_has(part, element) for part in _PART.finditer(compound["rest"]))


def _has(part: re.Match[str], element: _Element) -> bool:
    kind, name, attribute, how, value = part.groups()
    if kind:
        return name in element.classes if kind == "." else name == element.id
    has = element.attributes.get(attribute.lower())
    if has is None or value is None:
        return has is not None
    fits = {"^": has.startswith, "$": has.endswith, "*": has.__contains__, "~": has.split().__contains__}
    return fits.get(how, has.__eq__)(value)


def _look(above: _Look, declared: Sequence[tuple[str, str]], attributes: Mapping[str, str]) -> _Look:
    """How an element looks in one that looks as `above`."""
    colour = attributes.get("color") or attributes.get("text", "")
    values = {"color": colour, "background": attributes.get("bgcolor", "")} | dict(declared)
    own = [f"{name}:{value}" for name, value in values.items()]
    is_cut = any(values.get(name) in ("hidden", "clip") for name in ("overflow", "overflow-x", "overflow-y"))
    is_closed = is_cut and any(map(_NO_ROOM.match, own))
    changes: dict[str, object] = {}
    if "hidden" in attributes or is_closed or any(map(_HIDING.match, own)):
        changes["is_hidden"] = True
    if "visibility" in values:
        changes["is_visible"] = values["visibility"] not in ("hidden", "collapse")
    if (size := values.get("font-size")) and not (above.is_tiny and _RELATIVE.match(size)):
        changes["is_tiny"] = _TINY.match(size) is not None
    if colour := values["color"]:
        is_clear = _is_clear(colour)
        changes |= {"is_clear": True} if is_clear else {"is_clear": False, "colour": _parsed(colour, above.colour)}
    for name in ("background", "background-color", "background-image"):
        value = values.get(name)
        if value and value not in ("none", "initial", "inherit", "unset") and not _is_clear(value):
            changes["ground"] = _parsed(value.split(" ")[0] if "(" not in value else value, None)
    return replace(above, **changes) if changes else above  # type: ignore[arg-type]


def _is_clear(colour: str) -> bool:
    found = _COLOUR.fullmatch(colour)
    parts = re.split(r"[\s,/]+", found[1].strip()) if found else []
    return colour == "transparent" or (
        re.fullmatch(r"#(?:\w{3}0|\w{6}0\w)", colour) is not None
        or (len(parts) == len("rgba") and re.fullmatch(r"0?(?:\.0\d*)?%?", parts[3]) is not None)
    )


def _parsed(colour: str, otherwise: Colour | None) -> Colour | None:
    """A colour's red, green and blue; `otherwise` where it is inherited or no plain colour."""
    from PIL import ImageColor

    found = _COLOUR.fullmatch(colour)
    if found:
        parts = re.split(r"[\s,/]+", found[1].strip())[:3]
        colour = f"{colour[:3]}({','.join(part.removesuffix('deg') for part in parts)})"
    try:
        return ImageColor.getrgb(colour)[:3]
    except ValueError:
        pass
    try:
        return ImageColor.getrgb(f"#{colour}")[:3]  # attributes may leave the sign out
    except ValueError:
        return otherwise


class _Sheets(HTMLParser):
    """Collects the style sheets, which hold for what stands before them too."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found = _Sheet()
        self._is_for_screens = True

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "style":
            self._is_for_screens = _ON_SCREENS.fullmatch(dict(attrs).get("media") or "") is not None

    def handle_data(self, data: str) -> None:
        if self.cdata_elem == "style" and self._is_for_screens:
            self.found.add(data)


class _Reader(HTMLParser):
    """Collects what is shown, and counts the words that are not."""

    def __init__(self, sheet: _Sheet) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.hidden_words = 0
        self._open: list[_Element] = []
        self._names: Counter[str] = Counter()
        self._sheet = sheet

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._end_unclosed(tag)
        look = self._open[-1].look if self._open else _Look()
        attributes = {name: value or "" for name, value in attrs}
        classes = frozenset(attributes.get("class", "").split())
        element = _Element(tag, attributes.get("id", ""), classes, attributes, look)
        declared = list(self._sheet.declared(element, self._open))
        if declared or attributes.keys() & {"color", "text", "bgcolor", "hidden"}:
            element = element._replace(look=_look(look, declared, attributes))
        if tag not in _VOID:
            self._open.append(element)
            self._names[tag] += 1
        if tag in _BLOCKS and element.look.is_seen and not self._is_unseen():
            self.parts.append("\n\n" if tag == "p" else "\n")

    def handle_endtag(self, tag: str) -> None:
        if tag in _BLOCKS and not self._is_unseen() and (not self._open or self._open[-1].look.is_seen):
            self.parts.append("\n")
        if self._names[tag]:
            self._close_to(tag)

    def handle_data(self, data: str) -> None:
        if self._is_unseen():
            return
        if not self._open or self._open[-1].look.is_seen:
            self.parts.append(re.sub(r"\s+", " ", data))
        else:
            self.hidden_words += len(data.split())

    def _is_unseen(self) -> bool:
        return any(self._names[each] for each in _UNSEEN)

    def _end_unclosed(self, tag: str) -> None:
        """Close what ends by itself where another element begins."""
        if tag == "body":
            for each in _UNSEEN:  # whatever was left open before it
                if self._names[each]:
                    self._close_to(each)
        own = "p" if tag in _BLOCKS and tag not in _VOID else tag
        for name in {own, tag} & _ENDS_ITSELF.keys():
            for element in reversed(self._open) if self._names[name] else ():
                if element.tag in _ENDS_ITSELF[name]:
                    break
                if element.tag == name:
                    self._close_to(name)
                    break

    def _close_to(self, tag: str) -> None:
        while self._open:
            closed = self._open.pop().tag
            self._names[closed] -= 1
            if closed == tag:
                return
