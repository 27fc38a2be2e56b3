"""Shouted headings in sentence case: "POINT I: THE STOP WAS ILLEGAL" reads "Point I: The stop was illegal".

For reading alone: what is copied, and what a tool tip shows, is the heading as filed. Only words in capitals are
changed, and only where the heading shouts; what is no common word and is unknown here becomes lower case, because most
words of a heading are common ones. Knows no widget and no record.
"""

from __future__ import annotations

import re

_SHOUTED_SHARE = 0.7
"""Chosen by reading some 1,700 headings of filed briefs: what shouts has few small letters ("v.", "of"), what does not
has few words in capitals (DWI, the name of a party)."""
_LABEL = re.compile(
    r"(?:(?:POINT|ARGUMENT|ISSUE|PART|SECTION|COUNT|QUESTION|EXHIBIT)\s+(?:[IVXLC]+|\d+|ONE|TWO|THREE|FOUR|FIVE|[A-Z])\b|"
    r"\(?(?:[IVXLC]+|[A-Z]|\d+)(?:[.)]|(?=\s*[:–—-]\s)))[.:]?\s*[–—-]?\s*",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+(?:[’'.][^\W_]+)*\.?(?!\w)|[^\W_]+")
_SENTENCE_END = re.compile(r"(?:[a-zA-Z]{3,}|[)”\"])[.?!:;]\s*$")
_ROMAN = re.compile(r"(?=[IVXL])(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")
_VERSUS = {"V.", "VS.", "V", "VS"}
_TITLES = {"MR.", "MS.", "MRS.", "DR.", "MR", "MS", "MRS", "DR"}
_ABBREVIATIONS = frozenset(
    "ADMIN AM AMEND ANN APP ARIZ ARK ART ASSN BANKR BUS CAL CAPT CHEM CIR CIV CL CO COLO COMM CONN CONST CORP CRIM "
    "CT CTY DEL DEPT DET DIST DIV EDUC EST EVID EX EXH EXT FAM FED FIG FLA GA GEN GOV HON IDAHO ILL INC IND INT "
    "INTL JUD JUR JUV KAN KY LAB LT LTD MASS MD MFG MICH MINN MISC MO MONT MT NAT NATL NEB NEV OKLA "
    "OP OPN ORD ORE PA PARA PEN PROB PROC PT PUB REG REH REP RES REV SEC SER SGT SPEC ST STAT SUBD "
    "SUBDIV SUPER SUPP TENN TEX TIT TR TRANS TRANSP UNCONST UNIV US VA VEH VT WASH WIS WYO".split()
)
"""Told by a full stop behind them: "Const.", "Tex.", "Proc."; any other short word with one ends a sentence."""
_ACRONYMS = frozenset(
    "ABA ACLU ADA AG AI ACDV AIDS AOC ATF ATM BAC CAD CCTV CDL CDR CDS CEPA CI CIA CJRA CPS CSAAS CSL CSLI DCPP "
    "DEA DHS DMV DNA DOC DRE DUI DV DVR DWI DYFS EBT EMT ERPO FBI FCC FRO GPS HGN HIV ICE ID IP IRS ISP JOC LEO "
    "LPR LSD MDMA MDT MVC MVR NCIC NERA NGI NICU NJ NJSA NJSP NY NYPD OAG OPD PCP PCR PDVA PIN PSA PSR PTI RICO "
    "ROR SANE SORA SSN SUV SVPA SWAT SWGDRUG TERPO TRO TV UCR US USA USC UTT VIN VOP".split()
)
_ALWAYS_CAPITAL = frozenset(
    "ALCOTEST ALFORD AMERICA AMERICAN APPRENDI BATSON BRADY BRUTON CARTY CLAWANS CONGRESS CRAWFORD DAUBERT "
    "DUNAWAY ENGLISH FACEBOOK FARETTA FRANKS FRYE GARRITY GIDEON GOOGLE HENDERSON I INSTAGRAM JENCKS KYLLO LAFLER "
    "LEGISLATURE MAPP MASSIAH MIRANDA PADILLA SNAPCHAT SPANISH STRICKLAND TERRY WADE YARBOUGH ALABAMA ALASKA "
    "ARIZONA ARKANSAS CALIFORNIA COLORADO CONNECTICUT DELAWARE FLORIDA GEORGIA HAWAII IDAHO ILLINOIS INDIANA IOWA "
    "KANSAS KENTUCKY LOUISIANA MAINE MARYLAND MASSACHUSETTS MICHIGAN MINNESOTA MISSISSIPPI MISSOURI MONTANA "
    "NEBRASKA NEVADA OHIO OKLAHOMA OREGON PENNSYLVANIA TENNESSEE TEXAS UTAH VERMONT VIRGINIA WASHINGTON WISCONSIN "
    "WYOMING JANUARY FEBRUARY APRIL JUNE JULY AUGUST SEPTEMBER OCTOBER NOVEMBER DECEMBER MR MS MRS DR JR SR ESQ".split()
)
_PHRASES = (
    "the State", "the State’s", "New Jersey", "New York", "New Mexico", "New Hampshire", "North Carolina",
    "South Carolina", "North Dakota", "South Dakota", "Rhode Island", "West Virginia", "United States",
    "Supreme Court", "Appellate Division", "Law Division", "Superior Court", "Attorney General", "State Police",
    "State Constitution", "Federal Constitution", "Due Process Clause", "Equal Protection", "Ex Post Facto",
    "Double Jeopardy", "Confrontation Clause", "Commerce Clause", "Fourth of July", "Rape Shield Law", "Graves Act",
    "Megan’s Law", "Wiretap Act", "Court Rule", "Evidence Rule", "Rule of Evidence", "Rules of Evidence",
    "Criminal Code", "Code of Criminal Justice",
)  # fmt: skip
"""Phrases in which capitals are kept where the single word has none: "state action", but "the State"."""
_ORDINALS = "First Second Third Fourth Fifth Sixth Seventh Eighth Ninth Tenth Eleventh Twelfth Thirteenth Fourteenth"
_AMENDMENT = re.compile(
    rf"\b({'|'.join(_ORDINALS.split())})((?:,? (?:and |& )?(?:{'|'.join(_ORDINALS.split())}))*,?) (amendments?)\b",
    re.IGNORECASE,
)
_PHRASE = re.compile(
    r"\b(?:" + "|".join(re.escape(each).replace("’", "[’']") for each in _PHRASES) + r")\b", re.IGNORECASE
)
_COMMON = frozenset(
    "A ABOVE ACCEPTED ACTED ACTION ADMITTED AFFIRMED AFTER AGAINST ALL ALLOWED ALSO AN AND ANY APPEAL APPLIED "
    "APPLIES ARE AS AT BAD BARRED BARS BE BECAUSE BEEN BEFORE BEING BETWEEN BOTH BUT BY CAN CANNOT CASE "
    "CHALLENGES COMPELS CONTROLS CONVICTION COULD DECIDED DEFENDANT DENIED DICTATES DID DISCRETION DO DOES DUE "
    "DURING ENTITLED EQUAL ERRED ERROR EVEN FACTORS FAILED FOR FORBIDS FROM GOVERNS GRANTED HAD HAS HAVE HE "
    "HEARING HELD HER HIS HOLDS HOLDING HOW IF IN INTO IS IT ITS MANDATES MAY MOTION MUST NEITHER NO NOR NOT OF "
    "ON ONLY OR OTHER OUT OVER PROHIBITS PROVIDES REMAND REQUIRE REQUIRED REQUIREMENTS REQUIRES REVERSAL RULE "
    "RULES SHE SHOULD SINCE SO STANDARD STOP SUCH SUPPORTS TEST THAN THAT THE THEIR THEM THEN THERE THESE THEY "
    "THIS THOSE TO TOO UNDER UNTIL UPON VIOLATED VIOLATES WAS WERE WHEN WHERE WHETHER WHICH WHILE WHO WHOSE WILL "
    "WITH WITHIN WITHOUT WOULD".split()
)
"""What ends a name behind "v.", and is never taken for one."""
_NAME_WORDS = 2
"""""The most words behind "v." that are taken for the name of a party: "State v. Earls requires a warrant"."""


_CITED_BRIEF = re.compile(r"\b([SDPRACJ][ABC])(?=\s*\d)")
"""A brief or appendix as New Jersey cites it: "Sb 17", "Da 4"."""
_NAME, _SMALL_LETTERS = re.compile(r"(?<=[\w,;(] )[A-Z][a-z]{2,}\b"), re.compile(r"\b[a-z]{3,}\b")


def sentence_case(heading: str, text: str = "") -> str:
    """Return a heading as it is read without shouting; one that does not shout is only freed of needless space. What is
    a name is told by `text` below it too: words that have a capital there in the midst of a sentence, and never none.
    """
    names = {each.upper() for each in _NAME.findall(text)} - {each.upper() for each in _SMALL_LETTERS.findall(text)}
    heading = " ".join(heading.split())
    label = _LABEL.match(heading)
    at = label.end() if label and label.end() < len(heading) else 0
    return _label_case(heading[:at]) + _quiet(heading[at:], names)


def _label_case(label: str) -> str:
    """The words of a label with a capital each; its numeral or letter as filed."""
    return " ".join(
        word.capitalize()
        if word.isupper()
        and word.rstrip(":.").isalpha()
        and len(word.rstrip(":.")) > 2
        and not _is_roman(word.rstrip(":."))
        else word
        for word in label.split(" ")
    )


def _quiet(text: str, known: set[str]) -> str:
    letters = [each for each in text if each.isalpha()]
    shouted = sum(each.isupper() for each in letters)
    if len(letters) < 2 or shouted < _SHOUTED_SHARE * len(letters):
        return text
    text = _CITED_BRIEF.sub(lambda found: found[0].capitalize(), text)
    parts, last, begins = [], 0, True
    words = list(_WORD.finditer(text))
    names = _names(text, words)
    for number, word in enumerate(words):
        between = text[last : word.start()]
        begins = begins or bool(_SENTENCE_END.search(text[: word.start()]))
        shown = _word_case(
            word[0],
            is_name=number in names or word[0].removesuffix("’S").removesuffix("'S") in known,
            is_last=number == len(words) - 1,
        )
        parts += [between, shown[:1].upper() + shown[1:] if begins and word[0].isupper() else shown]
        last, begins = word.end(), False
    parts.append(text[last:])
    return _with_phrases("".join(parts))


def _names(text: str, words: list[re.Match[str]]) -> set[int]:
    """The numbers of the words that name people: those around a "v." and behind "Mr.", up to a word that is no name."""
    found: set[int] = set()
    for at, word in enumerate(words):
        most = 0
        if word[0].upper() in _VERSUS and at:
            found.add(at - 1)
            most = _NAME_WORDS
        elif word[0].upper() in _TITLES:
            most = 1
        for number in range(at + 1, min(at + 1 + most, len(words))):
            gap = text[words[number - 1].end() : words[number].start()]
            if words[number][0].upper() in _COMMON or (number > at + 1 and gap.strip()):
                break
            found.add(number)
    return found


def _word_case(word: str, *, is_name: bool, is_last: bool) -> str:
    if word.upper() in _VERSUS and word.endswith("."):
        return word.lower()
    if not word.isupper() or _is_kept(word):
        return word
    bare = word.rstrip(".").replace("'", "’")
    own = bare.removesuffix("’S")
    is_abbreviated = word.endswith(".") and not is_last and own in _ABBREVIATIONS
    if is_name or is_abbreviated or own in _ALWAYS_CAPITAL:
        return _capitalised(word)
    if own in _ACRONYMS and own != bare:
        return own + word[len(own) :].lower()
    return word.lower()


def _is_kept(word: str) -> bool:
    """Whether a word stays as filed: an acronym, initials with full stops, a number of a statute, a Roman numeral."""
    bare = word.rstrip(".")
    has_number = any(each.isdigit() for each in word)
    return bare in _ACRONYMS or "." in bare or has_number or (word not in ("I", "V", "L", "X") and _is_roman(bare))


def _is_roman(word: str) -> bool:
    """Whether a word is a Roman numeral that is no word of English; below 90, and never "I"."""
    return len(word) > 1 and word not in ("MIX", "LIX") and _ROMAN.fullmatch(word) is not None


def _capitalised(word: str) -> str:
    """Return "McCann" for MCCANN, "O’Neill" for O’NEILL, "Driver’s" for DRIVER’S."""
    for start in ("MC", "O’", "O'", "D’", "D'"):
        if word.startswith(start) and len(word) > len(start) + 1:
            return start.capitalize() + word[len(start) :].capitalize()
    return word.capitalize()


def _with_phrases(text: str) -> str:
    def proper(found: re.Match[str]) -> str:
        kept = _PROPER[_folded(found[0])]
        return found[0][0] + kept[1:] if kept.startswith("the ") else kept  # "The State" may begin a sentence

    text = _PHRASE.sub(proper, text)
    return _AMENDMENT.sub(lambda found: found[0].title().replace(" And ", " and "), text)


def _folded(phrase: str) -> str:
    return phrase.casefold().replace("'", "’")


_PROPER = {_folded(each): each for each in _PHRASES}
