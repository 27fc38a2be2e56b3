"""The words with which directives speak against authorities, take that back, or name what to cite instead.

Patterns alone; how they are put together is told in `directive_entries`.
"""

from __future__ import annotations

import re

from briefbank.law.treatment import Severity
from briefbank.law.treatment_verbs import OF_HOLDINGS, VERBS, any_form_of, any_of
from briefbank.platform.regex import bounded

# Only lists of cases say these of a decision; beside a citation in a brief they mostly tell of something else.
_LISTED = ("replaced", "displaced", "supplemented", "rejected")
_RARER = (
    *("depublished", "invalidated", "undermined", "eroded", "called into question", "called into doubt", "struck down"),
    *(
        "rescinded",
        "revoked",
        "expired",
        "discredited",
        "confined",
        "recalled",
        "recodified",
        "renumbered",
        "rewritten",
    ),
    *("nullified", "undercut", "changed", "revised", "abolished", "supplanted", "curtailed", "weakened", "gutted"),
    *(
        "disagreed with",
        "not followed",
        "overtaken",
        "stricken",
        "deleted",
        "severed",
        "restyled",
        "reenacted",
        "reworded",
    ),
    *("laid to rest", "set aside", "confined to"),
)
_CAPITALS = (*(verb for verb, much in VERBS.items() if much is not Severity.NEUTRAL), *_LISTED)
_DONE = (*_CAPITALS, *_RARER)
_NEUTRAL = [verb for verb, much in VERBS.items() if much is Severity.NEUTRAL]
_HOLDINGS = [verb for verb, much in OF_HOLDINGS.items() if much is not Severity.NEUTRAL]
_HOW = (
    r"(?:(?:\w+ly|since|now|later|then|also|in\s+part|in\s+effect|long\s+since|once|ordered|held|declared|deemed|found)"
    r"\s+){0,2}"
)
_CITE = (
    r"(?:cit(?:e|ed|ing)|re(?:ly|lied|lying)(?:\s+(?:up)?on)?|us(?:e|ed)|quot(?:e|ed|ing)|invok(?:e|ed|ing)|followed)"
)
_OF_IT = (
    r"(?=\s*(?:[.;,|:)”\"]|\Z)|\s+(?:it|them|this|these|those|that|either|both|any\s+(?:of|longer|more)|for|as|without|in|unless|until|alone|"
    r"again|at\s+all|when|where|after|before|the\s+(?:old\s+|former\s+)?(?:case|decision|opinion|rule|text|wording))\b)"
)
"""Behind a verb of citing: that it is the authority itself which is not to be cited."""
_THING = r"(?i:opinion|judgment|decision|holding|rule|case|test|statute|section|paragraph|provision|text|standard)"
_STATE = (
    r"(?:dead(?:\s+letter)?|obsolete|no\s+more|of\s+(?:historical|little|no|limited)\s+(?:\w+\s+)?(?:interest|use|value|weight|help)|bad\s+law|void|invalid|unconstitutional|(?:unconstitutionally\s+)?vague|suspect|doubtful|in\s+doubt|questionable|unreliable|"
    r"in\s+(?:conflict|tension)|at\s+odds|inconsistent\s+with|irreconcilable|gone|unsafe|shaky|no\s+authority|not\s+(?:good\s+law|precedent(?:ial)?|citable)|uncitable|noncitable)"
)
SAID = bounded(
    rf"(?P<not>(?:\b(?:not|never|nor|neither)\s+(?:yet\s+|been\s+|be\s+)?{_HOW}|n['’]t\s+(?:yet\s+|been\s+)?))?(?:"
    rf"\b(?:{any_of(each.upper() for each in _CAPITALS)})\b"
    rf"|\b(?:(?:has|have|had)\s+)?(?:is|was|are|were|been|being|stands?)\s+{_HOW}(?P<passive>{any_of(_DONE)})\b"
    rf"|(?:(?<=[,;)”\"-]\s)|(?<=[(\[])){_HOW}(?i:{any_of(_DONE)})\b"
    r"(?=\s+(?:by|in|as|for|on|to|sub|effective|at|after)\b|[])},.;:|]|\s*\Z)"
    rf"|(?:(?<=[.:–—|]\s)|(?<=[;-]\s)(?={_THING})|\A)(?:status:\s*|(?:the\s+)?{_THING}\s+)?{_HOW}(?i:{any_of(_DONE)})\b"
    r"(?!\s+(?:our|its|his|her|their|the|a|an|this|that|these|those|convictions?|[A-Z][\w’'-]+\s+v\.)\b)"
    rf"|\b(?:is|are|was|were|as|now)\s+{_HOW}(?P<state>{_STATE})\b|(?<=[|:]\s)(?i:(?:held\s+|declared\s+)?(?:\w+ly\s+)?{_STATE})\b"
    r"|\b(?i:no\s+longer)\s+(?:good\s+law|to\s+be\s+(?:cited|used|followed)|controls?|controlling|valid|binding|citable|viable|applies|"
    r"authority|the\s+(?:law|test|rule|standard))"
    rf"|\b(?i:(?:do|does|should|must|may|can|need)\s*not|don['’]t|never|cannot|no\s+longer)\s+"
    rf"(?:any\s+longer\s+|ever\s+)?(?P<be>be\s+)?"
    rf"(?i:{_CITE})\b{_OF_IT}"
    rf"|\b(?i:(?P<to_be>(?:not|no\s+longer)\s+(?:to\s+)?be))\s+(?i:{_CITE})\b{_OF_IT}"
    rf"|\b(?i:(?:{_CITE}|handle)(?:\s+(?:it|them|this|these|either|both))?\s+(?:only\b|with\s+(?:caution|care)|sparingly|for\s+nothing))"
    r"|\b(?i:(?:cite|use|approach|treat|proceed|handle|rely)\w*(?:\s+\w+){0,3}\s+with\s+(?:\w+\s+)?(?:caution|care)\b)"
    r"|\b(?i:(?:persuasive|historical|background)\s+(?:\w+\s+)?only\b|(?:red|yellow)[\s-]+flag)"
    r"|(?<=[|:–—-]\s)(?i:only\s+(?:for|as|with|in)\b)"
    r"|\b(?i:(?:review|rehearing|reargument|certiorari|certification|cert\.|certif\.)\s+(?:en\s+banc\s+)?(?:was\s+|has\s+been\s+)?"
    r"granted)\b"
    r"|\b(?i:(?P<stands>did|does|do|has|have|could|can)\s*not\s+(?:survived?|stand|be\s+(?:reconciled|squared)))\b"
    r"|\b(?:has|have|had)\s+(?P<loses>lost\s+(?:its|their|all|any|much)\b|(?:only\s+)?persuasive\s+value\s+only)"
    r"|(?<=[\w).,]\s)(?P<changes>no\s+longer\s+(?=\w)|reads?\s+differently)"
    rf"|(?<=,\s)(?P<relative>which\s+(?:(?:the|our|a|two|this)\s+)?\w+(?:\s+\w+){{0,4}}?\s+{_HOW}(?:{any_of(_DONE)})\b(?!\s+(?:the|a|an|his|her|its)\b))"
    r"|\bbelongs?\s+(?:on|in)\s+(?:this|the|that|our)\s+(?:list|sheet|table|group)\b"
    r"|\bno\s+(?:continuing|remaining|further)\s+(?:force|vitality|value|weight)\b"
    rf"|\b(?P<object>(?i:{any_form_of([*_HOLDINGS, 'modified', 'replaced'])}))\s+(?:it|them|both|"
    r"that\s+(?:decision|case|rule|holding|section|statute|standard|test))\b"
    r"|(?<=[|.:–—-]\s)(?i:with\s+caution|caution\b|ask\s+(?:first|before)|check\s+(?:first|before)|never[.,;])"
    r"|\b(?:casts?\s+(?:\w+\s+)?doubt|calls?\s+(?:\w+\s+)?into\s+(?:question|doubt)|conflicts?\s+with\b|disagree[sd]?\s+with\s+(?:it|this)\b"
    r"|(?:declined|refused)\s+to\s+follow\s+(?:it|this|them)\b)"
    r")"
)
ANYTHING_ELSE_SAID = bounded(
    rf"\b(?:{any_of(_CAPITALS)}|(?:{any_of(_NEUTRAL)})\b(?=.{{0,200}}?\b(?:on\s+other|in\s+part|as\s+modified)\b)"
    rf"|(?:{any_form_of(VERBS)})\s+(?:in\s+part\s+)?(?:(?:its|our|the|earlier|prior|decision\s+in|holding\s+in)\s+){{0,3}}"
    r"(?=it\b|that\b|\W?(?-i:[A-Z\d]))"
    r"|(?:not|never|n['’]t|no\s+longer|stop|avoid|cease)\s+(?:to\s+)?(?:cit|rely|us|quot|invok|follow)(?:e|ing)?\b|not\s+(?-i:[A-Z])"
    r"|(?<=A\.\s)Not?\b|(?<=\?\s)(?:A[.:]\s*)?Not?\b|instead\s+of|in\s+place\s+of|retire|delete|remove|strike|(?:cite|use|quote)\s+.{0,160}?\b(?:only|sparingly|with)\b)",
    re.IGNORECASE | re.DOTALL,
)
"""What stands wherever anything is said against an authority that `SAID` does not find. Both are looked for first:
reading the citations of a paragraph takes 5 ms, and a directive is mostly about something else."""
CITE_IT = bounded(r"\b(?:cite|use|quote|follow|rely\s+on|invoke)\s+\Z", re.IGNORECASE)
ONLY_SO = bounded(
    r"[\s,]*(?:\([^()]{0,60}\)[\s,]*)?(?:only\b|sparingly\b|with\s+(?:\w+\s+)?(?:caution|care)\b)", re.IGNORECASE
)
"""Around an authority that may be cited, but not freely: "Use State v. Example with care"."""
HEARSAY = bounded(
    r"\b(?:Attorney\s+General|prosecut\w+|State|government|People|Commonwealth|opponents?|colleagues?|somebody|adversar\w+|other\s+side|listserv|rumou?rs?|"
    r"headnotes?|some|it\s+(?:has\s+been|is|was|is\s+often)|you\s+(?:may|will))\b[^;|]{0,60}\b"
    r"(?:says?|said|tell|tells|told|claim\w*|argu\w+|contend\w*|assert\w*|suggest\w*|think|thought|believe\w*|hear\w*|read)\b[^;|]{0,120}\Z",
    re.IGNORECASE,
)
"""What another says of it, in front of the words: "the prosecutor says it is dead"."""
DENIED = bounded(
    r"[^.;|]{0,80}[.;|]\s*(?:It|That|This|They|Neither)\s+(?:is|was|has|have|were|are|did)(?:\s+not|n['’]t)\b\s*[.,;:]"
)
OTHER_SUBJECT = bounded(
    r"\b(?:convictions?|sentences?|verdicts?|pleas?|motions?|appeals?|defendants?|indictments?|denials?|petitions?)(?:\s+(?:below|there))?\s+"
    r"(?:(?:has|have|had)\s+)?\Z",
    re.IGNORECASE,
)
OF_THE_CASE = bounded(
    r"\b(?:convictions?|sentences?|verdicts?|pleas?|indictments?|denials?)\b[^.;]{0,20}\Z", re.IGNORECASE
)
"""In front of a case: what befell the conviction in it."""
SUBJECT = bounded(
    r"(?:\A|[,)\]”\"—–-]|\d[\w().:-]*|\b(?:it|this|that|they|both|these|those|all|each|which|neither|either|one|ones|first|second|others?|"
    r"and|but|now)|\b(?:the|this|that|its|their|such|either|both|each|all)\s+(?:(?!that\b|which\b)[\w’'-]+\s+){0,3}?"
    r"(?:opinion|decision|holding|rule|ruling|case|test|statute|section|paragraph|provision|text|standard|line|act|order|reasoning|"
    r"presumption|directive|subsection|language|dict(?:um|a)|version|article|chapter|clause|instruction|footing)s?\b(?:\s+(?!that\b|which\b)[\w’'-]+){0,7})"
    r"\s*(?:(?:itself|also|since|is|are|was|were|\w+ly)\s+)?\Z",
    re.IGNORECASE,
)
"""Its authority as the subject of a sentence: the citation itself, a pronoun, "the decision", "its holding"."""
CLAUSE = bounded(r".*[.;|:]\s", re.DOTALL)
LABELLED = bounded(
    rf"\W*{_HOW}(?i:{any_of(_DONE)}|{_STATE}|(?:do\s+not|never)\s+(?:cite|use|rely\s+on)|no-?cite|no\s+longer\s+(?:\w+\s+)?\w+)\b"
    r"(?:[^.|:–—]{0,40}(?:\s[-–—]|[:|–—])|(?:\s+(?:in\s+part|(?:and|or)\s+\w+))?\.(?=\s+[A-Z\d§]))\s*"
)
"""What stands in front of the authorities that it is said of: "Overruled: State v. Example, …", "Limited. R. 3:9"."""
CLEARED = bounded(
    r"\b(?:(?<!longer\s)(?<!not\s)good\s+law|may\s+(?:still\s+)?be\s+(?:cited|used|relied)|still\s+(?:good|valid|binding|controls?|"
    r"controlling|citable|usable|the\s+law)|remains?\b(?!\s+(?:to\b|in\s+(?:doubt|question)|un\w+|doubtful|questionable|pending|under|open))|"
    r"safe|(?<!no\slonger\s)(?:controls|binds)\b|unaffected|untouched|undisturbed|intact|unchanged|"
    r"not\s+(?:overruled|affected|limited)|keep|fine\s+to|cleared?|reinstated)\b",
    re.IGNORECASE,
)
"""Words that keep an entry from what the heading above it says."""
JOINED = bounded(
    r"[\s,;]*(?:\([^()]{0,60}\)[\s,;]*)?(?:(?:and|or|&|as\s+well\s+as|together\s+with|along\s+with)\s+)?(?:its\s+companion(?:\s+case)?,?\s+)?"
    r"(?:(?:all|the|any)\s+cases\s+(?:that\s+)?(?:rest(?:ing)?|rely(?:ing)?|following|applying|depend(?:ing)?)(?:\s+(?:up)?on)?\s*(?:it|them)?"
    r"(?:,\s*(?:among\s+them|including|such\s+as|e\.g\.,?))?\s+)?"
)

PARALLEL = bounded(r"[\s,;(]*(?:\d+(?:[-–]\d+)?,\s*)?")
"""Between the reporters of one case."""
_AIMED_WORDS = (
    r"(?:in\s+part|expressly|by\s+name|both|at\s+least|what\s+used\s+to\s+be|of|in|from|with|on|the|its|our|their|his|her|any|"
    r"contrary|earlier|prior|old|former|language|statements?|decisions?|holdings?|rules?|reasoning|standards?|tests?|instructions?|dict(?:um|a)|"
    r"cases?|opinions?|court[’']s|panel[’']s|further)"
)
AIMED_AT = bounded(
    rf"(?:\b(?P<verb>{any_form_of(each for each in (*_DONE, 'displaced') if ' ' not in each)}|disagree[sd]?|"
    r"displac(?:es?|ing)|confin(?:es?|ing)|"
    r"reced(?:es?|ed|ing)|depart(?:s|ed|ing)?|retreat(?:s|ed|ing)?|did\s+away|does\s+away),?"
    r"|\b(?:not|never|n['’]t|no\s+longer|stop|avoid|instead\s+of|in\s+place\s+of|rather\s+than|cease)\s*"
    r"(?:to\s+)?(?:(?:be\s+)?(?:cit|rely|us|quot|follow|invok|mak)(?:e|ing|ed)?(?:\s+(?:up)?on\b|\s+use\b)?|to\b)?"
    r"|\b(?:retire|delete|remove|strike|beware|forget)|\b(?:care|careful|caution|cautious|wary)(?=\s+(?:with|of|about|in)\b))"
    rf"(?:\s+{_AIMED_WORDS}){{0,8}}\s+[“\"(]?\Z",
    re.IGNORECASE,
)
"""In front of what is spoken against: "the Court abrogated ", "do not cite ", "instead of ", "disapproves of the
contrary language in "."""
BE = bounded(
    r"(?:\b(?:is|are|was|were|be|been|being|stands?)\s+(?:\w+ly\s+|since\s+|later\s+|now\s+|in\s+part\s+|then\s+)*|[,;:(|–—.\d)]\s*(?:\w+ly\s+|since\s+|later\s+)*|\A\s*)\Z",
    re.IGNORECASE,
)
"""In front of a participle that is said of what stands before it."""
NOT_AIMED = bounded(
    r"(?:\bno\s+(?:reason|need|cause)\s+(?:to|for)|\b(?:need|do|does|did)\s*(?:not|n['’]t)|\b(?:never|nothing|nobody|without|whether|some\s+of\s+(?:you|us))"
    r"|\basked\s+to|\bwhether\s+to|\bpetitions?\s+to)(?:\s+\w+){0,3}\s*\Z",
    re.IGNORECASE,
)
SUBJECT_IN = bounded(
    rf"(?:\A|[.;:,|–—-]\s*|(?<!\bsee)(?<!\bby)(?<!\bunder)(?<!\bwith)(?<!\bto)(?<!\bcite)(?<!\buse)(?<!\bof)(?<!\bin)(?<!\bfrom)\s)"
    rf"(?:(?:the|that|this|its|their|a)\s+)?(?:\w+(?:[’']s?)?\s+){{0,2}}?(?:{_THING}|judgment|instruction|language|reasoning|presumption|cases?)\s+"
    r"(?:announced\s+|stated\s+|set\s+out\s+)?(?:of|in|from)\s+\Z"
    r"|\b(?:as\s+(?:to|for)|regarding|concerning|re:|about|a\s+word\s+on|(?<=\A)on|above\s+all|notably|such\s+as|including|among\s+them|namely|for\s+(?:example|instance),?)\s+\Z"
    r"|\b(?:ditto|likewise|(?:the\s+)?same(?:\s+goes)?|so)\s+(?:for|with)\s+\Z",
    re.IGNORECASE,
)
"""In front of an authority that is spoken of: "the holding of ", "as for "."""
RECOMMENDED = bounded(
    r"\b(?:instead|now|with|by|under|in|of|from|to|(?<=[\w,)]\s)and|than|as|after|for|at|(?<!rely\s)(?<!relies\s)(?<!relied\s)(?<!relying\s)on|per|via|citing|quoting|following|applying|distinguish(?:es|ing|ed)?)\b"
    r"[\s,:(“\"]*\Z"
    r"|(?:\A|[.;:,|(–—-]\s*|\b(?:please|should|must|can|may|then|and|or|but|instead|now|to|always|we|you)\s+)"
    r"(?:cite|use|see(?:\s+now|\s+also)?|quote|follow|prefer|substitute|rely\s+on)\b[\s,:(“\"]*\Z",
    re.IGNORECASE,
)
"""In front of an authority that is not spoken of, or that is to be cited in the place of another."""
ASKS_WHETHER_GOOD = bounded(
    r"(?P<bad>\b(?:bad\s+law|dead|gone|overruled|superseded|changed|amended|limited|repealed)\b)"
    r"|\b(?:can|may|should|could|do|must)\s+(?:\w+\s+){0,3}?(?:I|we|you)\b|\b(?:still|good|safe|valid|binding|current)\b",
    re.IGNORECASE,
)
"""A question that "no" answers against the authority it asks about, "Can I still use …", or, `bad`, that "yes" does."""
ANSWER = bounded(
    r"\s*(?:A(?:nswer)?[.:]\s*)?(?:(?P<yes>Yes|It\s+is(?=[.,])|Still)|No|Not\s+(?:since|any|after|now)|It\s+(?:is|was)\s*(?:not|n['’]t))\b",
    re.IGNORECASE,
)
ANSWER_MARK = bounded(r"\s*(?:A|Answer)[.:]\s*")
INSTANCE = bounded(
    r"\b(?:above\s+all|notably|such\s+as|including|among\s+them|namely|e\.g\.,?|for\s+(?:example|instance),?)\s+\Z",
    re.IGNORECASE,
)
"""In front of an authority that stands for those spoken of before: "any case that ... was superseded, notably "."""
LEADS_IN = bounded(r"\b(?:following|these)\b[^.]{0,40}[.:]\s*\Z", re.IGNORECASE)
LISTED_IN_PROSE = bounded(
    r"\s*(?:(?:and\s+)?(?:first|second|third|fourth|fifth|sixth|next|also|finally|last)(?:ly)?,|\(\w{1,3}\))\s*",
    re.IGNORECASE,
)
"""The sentences of a list that is written out: "make no use of the following. First, ... Second, ..."."""
TELLS_WHAT_TO_DO = bounded(r"(?:do\s+not|don['’]t|never|cite|use|rely|must|should|only)\b", re.IGNORECASE)
