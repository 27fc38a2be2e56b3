"""Finds the names of people in the texts of one document, by elimination and by what stands around them.

A capitalised word that is no word of the language, no place, institution or term of law is a name; one that is (Rose,
Young) is a name beside a title, another name, or where nothing but a name would have a capital. A name found once is
found in the whole document. Citations are left alone. Must not know other kinds of personal data.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from briefbank.law.anonymise.analysed_text import CASE_LEADS, DETERMINERS, AnalysedText, Knowledge, WordClass
from briefbank.law.anonymise.citing import Cited
from briefbank.law.anonymise.classifier import NAMES, Classifier
from briefbank.law.anonymise.name_resolution import Grouping, NameResolver
from briefbank.law.word_lists import lexicon
from briefbank.platform.regex import bounded
from briefbank.values.records import Span

_ROMAN_OR_NUMBER = re.compile(r"[IVX]+\Z|\d")
_ADDRESSED = re.compile(
    r"\b(?:Mr|Mrs|Ms|Dr|Det|Sgt|Hon|Ptl|Cpl|Lt|Tpr|Agent|Deputy(?!\s(?:A|Ch|Cl|Com|Di|Pr|Pu|Sh|So|Su|Wa)\w+)|Officer|Detective|Sergeant|Trooper)\.?\s+(?P<name>[A-Z][a-z]+)\b"
)
_ALIAS = re.compile(
    r"(?:\ba/?k/?a/?|\balias|\bknown\s+(?:only\s+)?as|\bnicknamed|\bcall(?:ed|s)(?:\s+(?:him|her|them|me|us))?|\bcall\s+(?:him|her|them|me|us)|\brefer(?:s|red)?\s+to\s+(?:him|her|them)\s+as|\bgoes\s+by|\bstreet\s+name|\bprefers)[:,]?\s*[\"“'‘]?\Z"
)
_TOLD_OF = re.compile(r",\s+(?:who|whose|aged?\s\d+)\b")
_UNKNOWN = bounded(
    r"[,\"”'’\s(]*(?:(?:full\s+|real\s+)?(?:last\s+|sur|real\s+)?name\s+(?:is\s+)?(?:unknown|not\s+known|withheld)|LNU\b"
    r"|(?:later|since|then|now)\s+identified\s+as|whose\s+(?:real|true|last|full|legal)\s+name)"
)
"""Behind a name of which only a part is known."""
_APPOSITION = re.compile(r",\s+(?:(?:the|a|an|his|her|their|my|our|who|whose)\b|\(?\d{3}\)?[ .-]?\d{3}-)")
_NO_NAME = re.compile(r"(?:ing|ed|ly)\Z")
_AROUND, _SHORT = 4, 4
"""Words on either side that tell a heading, and how long those are that have no capital there."""
_LISTED = bounded(r",\s+(?:and\s+|&\s+)?|\s+(?:and|&)\s+")
_VERSUS = re.compile(r"(?:\b[vV]s?\.|-against-|\bagainst\b)\s*\Z")
_SIGNED = re.compile(r"(?:/s/?|(?<!\w)s/)[ \t]*\Z")
_SIDE = bounded(
    r"(?:\s*,)?\s*(?:et\s+al\.,?\s*)?(?:Defendants?|Appellants?|Respondents?|Petitioners?|Appellees?|Plaintiffs?|Juvenile|a\s+minor)\b",
    re.IGNORECASE,
)


def people_in(
    texts: Sequence[str], cited: Cited, taken: Sequence[Sequence[Span]], full_names: Iterable[str] = ()
) -> list[list[Span]]:
    """The names in each text of a document, in order, without titles and possessive endings.

    `taken` are stretches found already (addresses and so on); `full_names` are people known from elsewhere.
    """
    titled = {match["name"].lower() for text in texts for match in _ADDRESSED.finditer(text)}
    knowledge = Knowledge(cited, titled, full_names)
    classifier, evidence, resolver = Classifier(knowledge), _Evidence(knowledge), NameResolver(knowledge)
    pages = [
        classifier.read(text, (*spans, *references, *used))
        for text, spans, references, used in zip(texts, cited.spans, cited.references, taken, strict=True)
    ]
    for page in pages:
        knowledge.known |= _initials(page)
        evidence.find(page)
        knowledge.learn(page.words[place] for place in page.is_name if page.classes[place] is not WordClass.INITIAL)
    return [resolver.resolve(page) for page in pages]


def _initials(page: AnalysedText) -> set[str]:
    """Two capitals that do or have what only people can."""
    found = {match["value"].lower() for match in NAMES.matches("initials", page.text)}
    return found - lexicon().terms - lexicon().titles


class _CaseOrPlace:
    """Tells names of places and cited cases from names of people, one run of words at a time. It knows which cases a
    document cites, and which are known without that.
    """

    def __init__(self, knowledge: Knowledge) -> None:
        self._lexicon = knowledge.lexicon
        self._cases, self._leading = knowledge.cases, knowledge.leading
        self._case_acts = self._lexicon.case_acts - self._lexicon.acts

    def is_case_or_place(self, page: AnalysedText, group: list[int]) -> bool:
        """Whether a lone unknown word is rather a place (`in Paramus`) or a cited case (`in Elders`)."""
        if self.is_case(page, group):
            return True
        if len([place for place in group if page.classes[place] is not WordClass.INITIAL]) > 1:
            return False
        word = page.words[group[0]]
        if self.is_called_case(page, group[0], self._lexicon.case_things | self._case_acts):
            return True
        before = page.words[group[0] - 1].lower if group[0] else ""
        if group[0] > 1 and page.words[group[0] - 2].lower in ("brief", "briefs", "reply", "petition", "motion"):
            return False
        behind = page.text[word.span.end :]
        if re.match(r",\s+(?:[A-Z][a-z]+\s+)?(?:[A-Z][a-z]+|[A-Z]{2}|[A-Z]\.\s?[A-Z]\.)(?=[,.;\s])", behind):
            after = tuple(re.findall(r"[\w.]+", behind.lower())[:2])
            if after[:1] in self._lexicon.places or after in self._lexicon.places:
                return True
        return (
            before in ("in", "near", "within", "outside", "through", "throughout")
            and " " in word.gap
            and word.gap.strip() == ""
            and not word.is_possessive
        )

    def is_case(self, page: AnalysedText, group: list[int]) -> bool:
        """Whether a run is the short name of a cited case, in all its words; which is never written in capitals."""
        group = self._within_heading(page, group)
        first = page.words[group[0]]
        is_loud = first.is_all_capitals and (page.classes[group[0]] is WordClass.WEAK or first.lower in self._leading)
        if first.lower in self._leading and (self._is_owner(page, group[-1]) or self._is_led(page, group[0])):
            return False
        lowers = (page.words[place].lower for place in group)
        numbers = self._lexicon.suffixes | {"i", "v"}  # `Olenowski I` is the first decision of that name
        return not is_loud and " ".join(each for each in lowers if each not in numbers) in self._cases

    def _within_heading(self, page: AnalysedText, group: list[int]) -> list[int]:
        """The name of `B. Strickland Test`, without the letter of the heading and what follows a case's name."""
        reach = [*group, group[-1] + 1] if group[-1] + 1 < len(page.words) else group
        things = (index for index, place in enumerate(reach) if page.words[place].lower in self._lexicon.case_things)
        end = next(things, 0)
        if not end:
            return group
        is_lettered = end > 1 and page.classes[group[0]] is WordClass.INITIAL and page.words[group[0]].is_start
        return group[is_lettered:end]

    def _is_led(self, page: AnalysedText, place: int) -> bool:
        """Whether a first name or a role stands before a word: `Wayne Ledbetter`, `my brother-in-law Gilbert`."""
        lists, before = self._lexicon, page.words[place - 1].lower if place else ""
        return page.words[place].gap == " " and before in lists.given_names | lists.first_names | lists.roles

    def _is_owner(self, page: AnalysedText, place: int) -> bool:
        """`Sandoval's brother`, where `Sandoval's rule` is a case's."""
        behind = page.words[place + 1].lower if place + 1 < len(page.words) else ""
        return page.words[place].is_possessive and behind not in self._lexicon.case_nouns | self._lexicon.case_things

    def is_called_case(self, page: AnalysedText, place: int, things: frozenset[str]) -> bool:
        """Whether a lone word is called what only cases are: `under Elders`, `a Clawans charge`."""
        word = page.words[place]
        before = page.words[place - 1] if place else None
        after = page.words[place + 1] if place + 1 < len(page.words) else None
        lead = before.lower if before and word.is_all_capitals else before.text if before else ""
        if lead in CASE_LEADS and word.gap.isspace():
            return True
        return (
            after is not None
            and after.gap == " "
            and not things.isdisjoint((after.lower, after.lower.removesuffix("s")))
            and not word.is_possessive
        )


class _Evidence:
    """Finds the names that show by themselves."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._lexicon = knowledge.lexicon
        self._cases, self._titled, self._known = knowledge.cases, knowledge.titled, knowledge.known
        self._case_or_place = _CaseOrPlace(knowledge)

    def find(self, page: AnalysedText) -> None:
        """Note the names of a text that show by themselves."""
        for group in Grouping().groups(page):
            self._judge(page, self._trimmed(page, group))
        self._fill_lists(page)

    def _fill_lists(self, page: AnalysedText) -> None:
        """`ROSENBLATT, JORDAN, and BRASHEARS`: a word that is a name among others, between two names."""
        names = self._lexicon.first_names | self._lexicon.last_names | {each[0] for each in self._lexicon.places}
        for place in range(1, len(page.words) - 1):
            word, behind = page.words[place], page.words[place + 1]
            follows = place + 2 if behind.lower == "and" else place + 1
            if (
                place not in page.is_name
                and word.is_capital
                and word.lower in names
                and not word.span.overlaps_any(page.kept)
                and place - 1 in page.is_name
                and follows in page.is_name
                and all(
                    _LISTED.fullmatch(page.text[page.words[first].span.end : page.words[last].span.start])
                    for first, last in ((place - 1, place), (place, follows))
                )
            ):
                page.is_name.add(place)

    def _trimmed(self, page: AnalysedText, group: list[int]) -> list[int]:
        """A run without what only leads to the name: a sentence's first word, or `I`."""
        first = page.words[group[0]]
        if len(group) > 1 and first.text == "I" and page.text[first.span.end : first.span.end + 1] == " ":
            group = group[1:]
        while len(group) > 1 and self._only_leads(page, group[0]) and not self._is_shown(page, group):
            group = group[1:]
        return group

    def _only_leads(self, page: AnalysedText, place: int) -> bool:
        word = page.words[place]
        if page.classes[place] is not WordClass.WEAK:
            return False
        if not (word.is_start or word.is_shouted):
            return False
        names = self._lexicon.first_names | self._lexicon.particles
        if page.words[place + 1].lower in self._cases:
            return word.lower not in names
        is_no_name = word.lower in self._lexicon.roles | self._lexicon.acts or bool(_NO_NAME.search(word.lower))
        return is_no_name and word.lower not in names | self._lexicon.last_names | self._known

    def _judge(self, page: AnalysedText, group: list[int]) -> None:
        """Decide whether a run is a name, or which part of it."""
        if not group:
            return
        classes = [page.classes[place] for place in group]
        if (
            len(group) == 1
            and classes[0] is WordClass.WEAK
            and self._case_or_place.is_called_case(page, group[0], self._lexicon.sure_case_things)
        ):
            return
        is_shown = self._is_shown(page, group)
        if not is_shown and self._case_or_place.is_case(page, group):
            return
        if any(page.words[place].is_shouted for place in group) and not is_shown:
            self._judge_shouted(page, group)
            return
        if (
            is_shown
            or (WordClass.STRONG in classes and not self._case_or_place.is_case_or_place(page, group))
            or (WordClass.STRONG not in classes and self._is_bare_name(page, group))
        ):
            page.is_name.update(group)

    def _is_shown(self, page: AnalysedText, group: list[int]) -> bool:
        """Whether a title, a role, the caption or a suffix shows that a run is a name."""
        first, last = page.words[group[0]], page.words[group[-1]]
        if last.lower.rstrip(".") in self._lexicon.suffixes and len(group) > 1:
            return first.lower not in self._cases
        behind = page.text[last.span.end :]
        ahead = page.text[: first.span.start]
        if (
            _SIGNED.search(ahead) or _VERSUS.search(ahead) or _ALIAS.search(ahead) or _UNKNOWN.match(behind)
        ) and not first.span.overlaps_any(page.kept):
            return True
        if (
            re.match(r"[\"”']?,?[ \t]*\n?", behind)
            and _SIDE.match(behind.lstrip("\"”'"))
            and "\n" in ahead[-40:] + "\n"
        ):
            return (
                any(page.classes[place] in (WordClass.WEAK, WordClass.STRONG) for place in group) and not first.is_start
            ) or first.is_all_capitals
        before = page.words[group[0] - 1] if group[0] else None
        if before is None or before.is_possessive:
            return False
        lower = before.lower.rstrip(".")
        if first.gap.startswith(".") and lower not in self._lexicon.titles:
            return False
        if re.fullmatch(r":[ \t]+", first.gap) and lower in self._lexicon.titles | self._lexicon.roles:
            return first.lower in self._lexicon.first_names | self._lexicon.last_names
        if not re.fullmatch(r"\.?[ \t]*\n?[ \t]*[\"“'(‘]?|,[ \t]*\n?", first.gap):
            return False
        if "," not in first.gap and lower in self._lexicon.titles and (before.is_capital or lower == "po"):
            return True
        if page.classes[group[0]] is WordClass.INITIAL and len(group) == 1:
            return False
        is_role = lower in self._lexicon.roles and not (before.is_capital and before.is_shouted)
        return (
            is_role
            and not first.is_shouted
            and not (WordClass.STRONG not in [page.classes[g] for g in group] and "," in first.gap and len(group) == 1)
        )

    def _is_bare_name(self, page: AnalysedText, group: list[int]) -> bool:
        """Whether words of the language have their capitals because they are a name."""
        first, last = page.words[group[0]], page.words[group[-1]]
        lowers = [page.words[place].lower for place in group if page.classes[place] is not WordClass.INITIAL]
        if not lowers:
            return False
        if lowers[-1] in self._lexicon.last_names and _TOLD_OF.match(page.text, last.span.end):
            return True
        has_first = lowers[0] in self._lexicon.first_names
        if len(lowers) > 1 and has_first and (lowers[-1] in self._lexicon.last_names or not first.is_start):
            return True
        if len(lowers) > 1 and lowers[-1] in self._titled:
            return True
        is_initialled = page.classes[group[0]] is WordClass.INITIAL and not first.is_start
        if is_initialled and (lowers[-1] in self._lexicon.last_names or lowers[0] in self._lexicon.particles):
            return True
        if self._case_or_place.is_case(page, group):
            return False
        before = page.words[group[0] - 1] if group[0] else None
        after = page.words[group[-1] + 1] if group[-1] + 1 < len(page.words) else None
        if (
            first.is_start
            and ":" in first.gap
            and len(lowers) > 1
            and lowers[-1] in self._lexicon.last_names | self._lexicon.first_names
        ):
            return True
        if first.is_start:
            is_told = last.is_possessive or bool(_APPOSITION.match(page.text, last.span.end))
            is_told = is_told or (after is not None and after.gap.isspace() and self._is_act(after.lower))
            is_name = has_first or lowers[-1] in self._lexicon.last_names
            return is_told and is_name and lowers[-1] not in self._lexicon.terms
        if first.is_all_capitals or (after and after.gap.isspace() and _ROMAN_OR_NUMBER.match(after.text)):
            return False
        if self._is_part_of_term(page, group) or (len(group) == 1 and self._is_in_title(page, group[0])):
            return False
        if not (first.gap.isspace() or (self._lexicon.first_names | self._lexicon.last_names).issuperset(lowers)):
            return False
        return before is not None and (before.lower not in DETERMINERS or "," in first.gap)

    def _is_in_title(self, page: AnalysedText, place: int) -> bool:
        """Whether longer words around have capitals too: `Possession with Intent to Deliver a Controlled Substance`."""
        first = last = place
        while place - first < _AROUND and first and page.words[first].gap.isspace():
            first -= 1
        while last - place < _AROUND and last + 1 < len(page.words) and page.words[last + 1].gap.isspace():
            last += 1
        longer = [each for each in range(first, last + 1) if each != place and len(page.words[each].text) > _SHORT]
        capitals = [
            each for each in longer if page.words[each].is_capital and page.classes[each] is not WordClass.STRONG
        ]
        return len(longer) >= _AROUND and 2 * len(capitals) > len(longer)

    def _is_act(self, lower: str) -> bool:
        return lower in self._lexicon.acts or (lower.endswith("ed") and lower not in self._lexicon.case_acts)

    def _is_part_of_term(self, page: AnalysedText, group: list[int]) -> bool:
        """`Public Safety Assessment`, `Judgment of Conviction`: a capital beside a capital that is no name."""
        first, behind = group[0], group[-1] + 1
        if behind < len(page.words) and page.words[behind].is_capital and page.words[behind].goes_on:
            return page.classes[behind] is WordClass.NOTHING
        if not first or not page.words[first].goes_on:
            return False
        before = page.words[first - 1]
        if before.lower == "of" and first > 1:
            return page.words[first - 2].is_capital and page.classes[first - 2] in (WordClass.NOTHING, WordClass.WEAK)
        return before.is_capital and page.classes[first - 1] is WordClass.NOTHING and not before.is_start

    def _judge_shouted(self, page: AnalysedText, group: list[int]) -> None:
        """In capitals only words of no other use are names, and the names that are words beside them."""
        for index, place in enumerate(group):
            word = page.words[place]
            beside = [page.classes[each] for each in group[max(0, index - 1) : index + 2] if each != place]
            names = self._lexicon.last_names | self._lexicon.first_names
            if word.lower in self._cases and self._case_or_place.is_called_case(
                page, place, self._lexicon.sure_case_things
            ):
                continue
            if page.classes[place] is WordClass.STRONG:
                if word.lower not in self._cases or len(group) > 1:
                    page.is_name.add(place)
            elif (page.classes[place] is WordClass.INITIAL and WordClass.STRONG in beside) or (
                (WordClass.STRONG in beside or WordClass.INITIAL in beside) and word.lower in names
            ):
                page.is_name.add(place)
        found = [place for place in group if place in page.is_name]
        page.is_name.update(place for place in group if found and found[0] < place < found[-1])
