"""The words with which directives speak against authorities, take that back, or name what to cite instead.

Patterns alone, most of them over the plain form of a sentence that `sentences` makes, in which an authority
is one character for private use. How what they find is put together is told in `entries`.
"""

from __future__ import annotations

import re

from briefbank.law.treatment import Severity
from briefbank.law.treatment_verbs import OF_HOLDINGS, VERBS, any_form_of, any_of
from briefbank.platform.regex import bounded

_HOLDINGS = [verb for verb, much in OF_HOLDINGS.items() if much is not Severity.NEUTRAL]
_LISTED = (
    *(verb for verb, much in VERBS.items() if much is not Severity.NEUTRAL),
    *("replaced", "displaced", "supplemented", "rejected"),
)
# Beside a citation in a brief these mostly tell of something else; a directive lists what befell authorities.
_VERBS = (
    "depublished|invalidated|undermined|eroded|weakened|discredited|condemned|abandoned|eliminated|discarded|"
    "jettisoned|renounced|retired|excised|voided|annulled|rescinded|revoked|nullified|ended|buried|"
    "dismantled|eclipsed|confined|cabined|restricted|curbed|trimmed|tightened|qualified|consolidated|"
    "recodified|renumbered|redesignated|relettered|relocated|transferred|changed|revised|reworded|restyled|"
    "redrafted|abolished|supplanted|curtailed|gutted|recalled|severed|deleted|disturbed|unsettled|doubted|"
    "faulted|preempted|scrapped|terminated|displaced|reenacted|expired|disagreed with|foreclosed|"
    "departed from|retreated from|moved away from|dispensed with"
).split("|")
_IRREGULAR = (
    r"struck(?:\s+down)?|done\s+away\s+with|rewritten|overridden|undone|undercut|overtaken|stricken|"
    r"cut\s+back(?:\s+on)?|pared\s+back|thrown\s+out|swept\s+away|set\s+aside|"
    r"called\s+into\s+(?:question|doubt)|laid\s+to\s+rest|taken\s+back|not\s+followed|moved\s+to|"
    r"codified\s+(?:differently|elsewhere|as|at)|walked\s+back|reined\s+in|granted\s+review"
)
_IRREGULAR_ACTIVE = (
    r"str(?:uck|ikes|iking)\s+down|d(?:id|oes|oing)\s+away\s+with|withdrew|rewrote|overrode|undid|"
    r"undercuts?|overtook|cuts?\s+back(?:\s+on)?|threw\s+out|swept\s+away|"
    r"call(?:s|ed|ing)?\s+into\s+(?:question|doubt)|lays?\s+to\s+rest|laid\s+to\s+rest|cast(?:s|"
    r"ing)?\s+(?:\w+\s+)?doubt\s+(?:up)?on|broke\s+with|(?:walk|back|pull)(?:ed|"
    r"s)\s+(?:back(?:\s+from)?|away\s+from)|moved\s+on\s+from|(?:knock|wip|tak)e?(?:s|d|ed)\s+out|"
    r"took\s+out|kill(?:s|ed)|sinks?|sank|doom(?:s|ed)|(?:is|was|mark(?:s|ed)|means|meant|spell(?:s|"
    r"ed))\s+the\s+end\s+(?:of|for)|clos(?:ed|es)\s+the\s+(?:book|door)\s+on|put\s+an\s+end\s+to|"
    r"rein(?:ed|s)\s+in|pared\s+down|t(?:ook|akes|aken)\s+the\s+place\s+of|(?:refus|declin)(?:ed|es|"
    r"ing)\s+to\s+follow|casts?\s+doubt"
)
DONE = rf"(?:{any_of((*_LISTED, *_VERBS))}|{_IRREGULAR}|held\s+inapplicable)"
"""What befell an authority, as a participle."""
_DONE_BY_LAW = ("replaced", "displaced", "rejected", "supplanted", "modified")
_DONE_BY_OTHERS = [verb for verb in dict.fromkeys((*_HOLDINGS, *_VERBS, *_DONE_BY_LAW)) if verb != "expired"]
_DOES = rf"(?:{any_form_of(_DONE_BY_OTHERS)}|{_IRREGULAR_ACTIVE})"
_HOW = (
    r"(?:(?:\w+ly|since|now|later|then|also|both|all|in part|in effect|in terms|in turn|by name|long "
    r"since|once|itself|themselves|already|again|just|therefore|accordingly|thus|thereby|hence|in fact|"
    r"indeed|nevertheless|"
    r"as of \w+|to that extent|effectively|ordered|to be),? ){0,3}"
)
_BAD = (
    r"(?:(?:a )?dead(?: letter)?|an? relic|relics|obsolete|outdated|out of date|no more|off limits|"
    r"moot|a nullity|(?:no longer|not) (?:(?:good|settled|sound|current|the) law|safe|reliable|sound|"
    r"valid|"
    r"binding|viable|citable|controlling|current|precedent\w*|authority|available)|of (?:historical|"
    r"little|no|limited|doubtful) (?:\w+ )?(?:interest|use|value|weight|help|force)|bad law|void|"
    r"invalid|inapplicable|"
    r"(?:partly |facially )?unconstitutional|(?:unconstitutionally )?vague|suspect|shaky|doubtful|in "
    r"(?:\w+ )?(?:doubt|question)|under (?:a cloud|attack|review)|open to (?:question|doubt|attack)|"
    r"questionable|unreliable|unsafe|in (?:conflict|tension)|at odds|inconsistent with|"
    r"irreconcilable|no (?:authority|precedent)|uncitable|noncitable|unpublished|unenforceable|"
    r"inoperative|superfluous|a plurality|under review|on appeal|stale|"
    r"of no (?:further )?(?:use|force|effect)|not (?:good law|citable|precedent\w*|to be trusted)|"
    r"persuasive (?:authority )?only)"
)
_GONE = (
    r"(?:finished|over|history|gone|out|wrong|wrongly decided|on borrowed time|on thin ice|on shaky "
    r"ground|in jeopardy|in trouble|pending|under reconsideration|an outlier|a minority (?:view|"
    r"position|rule)|contrary to|incompatible with|different now|a thing of the past|behind us)"
)
_CITED = (
    r"(?:cit(?:e[ds]?|ing)|re(?:ly|lies|lied|lying)(?: (?:up)?on)?|us(?:e[ds]?|ing)|quot(?:e[ds]?|ing)|"
    r"invok(?:e[ds]?|ing)|follow(?:s|ed|ing)?|argu(?:e[ds]?|ing)(?: from)?|lean(?:s|ed|ing)?(?: on)?|"
    r"offer(?:s|ed|ing)?|treat(?:s|ed|ing)?|present(?:s|ed|ing)?|past(?:e[ds]?|ing)|copy(?:ing)?|"
    r"copied|build(?:ing)?(?: on)?|rest(?:ing)?(?: on)?|tak(?:e|en|ing)|lead(?:ing)? with|make (?:\w+ "
    r")?use of|point(?:ing)? to|trust(?:ed)?|plead(?:ed|ing)?|assert(?:ed)?)"
)
_REMOVE = (
    r"(?:strike|delete|remove|drop|scrap|discard|retire|purge|replace|forget|confine|excise|swap out|"
    r"beware(?: of)?|avoid|stop using|stay away from|steer clear of|watch out for|think twice before|"
    r"limit)"
)
_AUTHORITY = r"[\ue000-\uefff]"
_JOINED = (
    r"(?:, |; |,? (?:and|or|nor|&) |,? (?:and |or )?(?:as well as|together with|along with) |,? (?:and|"
    r"or|nor) (?:by|in|with|under|of|on|from) |,? (?:and )?(?:also )?(?:(?:its|their|the) "
    r")(?:companion|refinement|progeny|sequel|sister)s?(?: case| decision)?s?(?: in)?,? |,? (?:and "
    r")?(?:all|the|any|every|other) (?:cases?|decisions?|opinions?) (?:that )?(?:rest|rel(?:y|ies)|"
    r"follow|appl(?:y|ies)|built|depend)(?:ing|s)?(?: (?:up)?on)?(?: it| them)?,? (?:among them|"
    r"including|such as|e\.g\.,?|notably),? ){1,2}"
)
_GROUP = rf"{_AUTHORITY}(?:{_JOINED}{_AUTHORITY}){{0,20}}"
GROUP = bounded(_GROUP)
_OBJECT = rf"{_GROUP}(?! (?!(?:as|its|his|this|unless|always|thus|across|towards|besides|versus)\b)[a-z]+(?:s|ed)\b)"
"""An authority, or several, that something is done to: not "rewrote CPL 30.30, and Lamont draws the consequence"."""
_THING = (
    r"(?:case|decision|opinion|holding|ruling|rule|test|statute|section|subsection|paragraph|provision|"
    r"text|standard|doctrine|language|reasoning|article|chapter|clause|instruction|presumption|"
    r"authority|dictum|dicta|"
    r"requirement|exception|formula|formulation|wording|definition|approach|remedy|procedure)s?"
)
_ITS = (
    rf"(?:(?:its|their) (?:[\w’'-]+ ){{0,3}}?[\w’'-]+|(?:the|that|this|these|those|either|both|each|"
    rf"our) (?:(?:old|older|former|earlier|first|second|two|latter|same|whole|entire|(?:[\w-]+)(?= "
    rf"[a-z]*[^s\W]\b)) )?{_THING}(?! (?:of|in|from|under) {_AUTHORITY}))"
)
_IT = rf"(?:it|they|both|either|these|those(?: two)?|all of (?:them|these)|each|this|that|{_ITS})"
_THEM = (
    rf"(?:(?:its|their) (?:[\w’'-]+ ){{0,2}}?{_THING}|it|them|both|either|these|those(?: two)?|that|"
    rf"(?:that|this|the|these|those|both|either) (?:(?:old|older|former|earlier) )?{_THING})(?! (?:of|"
    rf"from|under) |[\w’'-])"
)
_OPENS = (
    r"(?:\b(?=those two|these two|both)|\A\W{0,3}|[.;:,|–—)] |- |\b(?:and|but|so|because|since|while|"
    r"now|however,|therefore,|accordingly,|though|as) )"
)
_ASIDE = (
    r"(?: (?:that|which) [^,;:.|\ue000-\uefff]{1,100}?,?|(?:(?:, (?:(?!\b(?:was|were|is|are|has|had|"
    r"have)\b)[^,;:.|\ue000-\uefff]){1,60},)|(?:,? (?:which|who|that|whose|where|(?:up)?on which|in "
    r"which|under which|as|although|though|once|like|decided|a|an|our|long|even|to the contrary|for "
    r"all|insofar)\b[^;:|]{1,160}?,)"
    r"| \([^()]{1,120}\),?|,|,? (?:on|in|as to|as|to|for|insofar as|so far as|to the extent)(?: "
    r"(?!that\b|which\b|whether\b|who\b)[\w’'-]+){1,8}?,?){0,2})"
)
_OF_IT = (
    r"(?:[’']s?(?: [\w’'-]+){1,4}| (?:itself|alone|too|also)"
    r"| (?:rule|test|standard|line|framework|doctrine|holding|decision|factor|analysis|presumption|"
    r"exception|formula|approach|instruction|regime|remedy|requirement)s?(?: of (?:cases|"
    r"authority))?)?"
)
_MODAL = r"(?:may|can|could|should|must|will|would|need|ought|is|are|shall|has|have)"
_NOT = r"(?:(?:\s?not|n[’']t)|not| no longer| never| hardly| not any longer)"
_PREDICATE = (
    rf"(?:(?:is|are|was|were|stands?|remains?|has(?: now| since)? been|have(?: now| since)? been|had(?: "
    rf"since)? been|being|got|gets|has become|must be (?:considered|regarded as|treated as)) "
    rf"{_HOW}(?:(?:held|declared|found|ruled|deemed) (?:to be )?(?:\w+ly )?)?(?:{DONE}|{_BAD}|"
    rf"{_GONE})\b(?! (?:of (?:the|a) (?:mandate|opinion)|that))"
    rf"|(?:has|have|had) (?:(?!not\b|never\b|nothing\b|hardly\b)\w+ )?(?:died|ended|expired|lapsed|"
    rf"gone\b(?! the \w+ way\b)|fallen|changed|moved|lost\b(?! nothing\b)|no "
    rf"(?:\w+ )?(?:force|value|weight|vitality|life|effect|standing|application|precedential))"
    rf"|(?:{_MODAL}|do|does|did) ?{_NOT} (?:(?!only\b)\w+ly |now |yet |also |any longer |ever )?(?:to )?(?:be "
    rf")?(?:{_CITED}\b|surviv\w+|hold\b|stand\b|control\b|apply\b|bind\b|govern\b|extend\b|help\b|"
    rf"reflect\b|represent\b|state\b|appear\b|do\b|reconciled\b|squared\b|good law)"
    r"|(?:(?:is|are|was|were) )?no longer (?!(?:disputed|questioned|contested|challenged|open|doubt\w*|"
    r"in doubt|matters?|need\w*)\b)\w+"
    r"|(?:is|are|was|were) not any ?(?:more|longer)|(?:suffer|meet|met|share)\w* the same fate|"
    r"carr(?:y|ies) (?:no|little)\b|com(?:es|ing) (?:off|out\b(?! the \w+ way\b))|"
    r"(?:has|have) (?:had (?:its|their) day|run (?:its|their) course)"
    r"|(?:must|should|has to|have to|had to|will) (?:yield|give way|stop\b|bow)|(?:gave|gives|has "
    r"given) way|yield(?:s|ed) to|lost (?:its|their) (?:force|footing|authority)"
    r"|(?:surviv|remain|stand|live)\w* (?:\w+ )?only\b|(?:is|are|remains?) (?:[\w-]+ ){0,3}?only "
    r"(?:for|as to|as|on|when|where|if|until|in)\b"
    rf"|(?:is|are) now (?:numbered |known as |designated |called |found in |in |at )?{_AUTHORITY}"
    r"|(?:fell|falls?|fallen|went|goes|go) (?:with|down|out\b(?! of its way\b)|too\b|away|by the board|"
    r"the same way|the way of|in(?:to)? the same|under the same|along)|died\b|dies\b|belongs? (?:on|in) (?:this|the|"
    r"that|our)"
    rf"|(?:must|should|has to|have to|needs? to|is to|are to|ought to|can|may|will|cannot) (?:\w+ly |"
    rf"now |also |only |therefore ){{0,2}}(?:be )?(?:come out|go\b|removed|deleted|replaced|scrapped|"
    rf"dropped|struck|stricken|updated|revised|rewritten|retired|pulled|taken out|taken off|left out|"
    rf"read (?:subject to|in light|in the light|against)|flagged|avoided|confined|limited|checked|"
    rf"treated (?:with|as)|handled with|left in only|(?:only be )?{_CITED} (?:only|with\b|together|along|"
    rf"sparingly|subject|for nothing|[^,;.|]{{0,60}}?\bonly\b))"
    rf"|(?:may|can|must|should|is to|are to) only be {_CITED}"
    r"|(?:expanded|changed|expired|lapsed|moved|shifted)(?= (?:in|on|effective|as of|eff\.|by|"
    r"after)\b)|reads? differently|now (?:appears?|stands?|is found|located) (?:at|in|under)|became |"
    r"(?:now )?(?:says|reads) something else)"
)
_STATUS = (
    rf"(?:(?:(?:the|its) )?(?:{_THING} )?{_HOW}{DONE}(?=,? (?:by|in|as|for|on|to|sub|eff|effective|at|"
    rf"after|when|and|or|since|from|until|but|without|\(?\d{{4}}|(?-i:[A-Z][a-z]+) \d+)\b|, {_AUTHORITY}|"
    rf"\s?[])}},.;:|]|\s*\Z| [-–—])|{_HOW}{_BAD}(?=[ ,.;:|)]|\Z)"
    r"|(?:only|solely) (?:for|as|with|in)\b|(?:use|cite|handle|treat)?\s?with (?:caution|care)\b|"
    r"caution\b|(?:ask|check) (?:first|before)|never\b(?=[.,;]|\Z)|"
    r"(?:delete|remove|revise|retire)\b(?=\s?[.,;:|–—-]|\s?\Z| (?:it|this)\b)|"
    r"(?:do not|don[’']t|never) (?:cite|use|rely)|no-?cite|red flag|yellow flag|"
    r"(?:no longer|not) (?:good law|citable|valid|to be (?:cited|used|relied|followed)|controls?|"
    r"controlling|binding|applies|authority|has)|cite[- ]only|(?:review|certiorari|cert(?:if)?\.|"
    r"certification|rehearing|leave to appeal|allocatur) (?:has been |was |is )?granted|held "
    r"(?:facially |partly )?(?:invalid|unconstitutional|void)|"
    r"affirmed by an equally divided|aff[’']d by an equally divided)"
)
AGAINST = tuple(
    bounded(pattern, re.IGNORECASE)
    for pattern in (
        # The authority is what the words are said of.
        (
            rf"(?P<who>{_GROUP}){_OF_IT}{_ASIDE} ?(?:which |who |that |(?:, )?whose (?:[\w’'-]+ "
            rf"){{1,3}}?)?(?P<also>and |but )?{_HOW}(?P<said>{_PREDICATE})"
        ),
        rf"{_OPENS}(?P<who>{_IT}){_ASIDE} ?(?:which |who |that )?{_HOW}(?P<said>{_PREDICATE})",
        rf"(?P<who>{_GROUP})(?: ?[-–—:,(;|]+| ?\.) ?(?P<said>{_STATUS})",
        (
            rf"(?P<who>{_GROUP})(?: ?[-–—:,(;]+| ?\.) ?(?P<said>(?:see|use|cite|quote) (?:now )?{_AUTHORITY},? "
            rf"instead|see now {_AUTHORITY}|now {_AUTHORITY})"
        ),
        (
            rf"(?P<who>{_GROUP}),? [\w’'-]+ [^.;:|\ue000-\uefff]{{1,120}}?,? (?:and|but) (?:therefore |so |thus "
            rf"|now |hence )?(?P<said>{_PREDICATE})"
        ),
        (
            rf"(?P<who>)\A\W{{0,3}}(?:(?:current |present )?(?:status|history|treatment|disposition|effect|"
            rf"action|what happened|outcome): ?)?(?P<said>{_STATUS})"
        ),
        rf"(?P<who>)(?<=[:.|–—] )(?P<said>{_STATUS})",
        rf"(?P<who>)(?P<said>\b(?-i:{any_of(each.upper() for each in _LISTED)})\b)",
        # They are aimed at it.
        (
            rf"(?<!\bbe )(?<!\bbeen )(?P<said>\b(?!(?:re|dis)placed with\b){_DOES}),? "
            rf"(?:(?:in part|expressly|by name|both|at least|outright) )?"
            rf"(?:(?:of|from|with) )?"
            rf"(?:(?:the|its|our|their|earlier|prior|old|former|contrary|what used to be) ){{0,3}}"
            rf"(?:(?:decisions?|opinions?|holdings?|judgments?|rules?|language|statements?|dict(?:um|a)|case) "
            rf"(?:of|in|from) )?(?P<who>{_OBJECT})"
        ),
        (
            rf"(?<!\bbe )(?<!\bbeen )(?P<said>\b{_DOES}) (?:(?!that\b|this\b|it\b|by\b|in\b|because\b|"
            rf"as\b)[\w’'-]+ ){{1,6}}?(?:of|from|under|announced in|stated in|adopted in|set out in) "
            rf"(?P<who>{_OBJECT})"
        ),
        rf"(?P<said>\b{_DOES}) (?:in part )?(?P<who>{_THEM})",
        (
            rf"(?P<who>{_OBJECT}),? (?:which|that|whom) (?:[\w’'.-]+ ){{1,6}}?(?:has |had |have "
            rf")?{_HOW}(?P<said>{_DOES}|{DONE})(?! (?:the|an?|his|her|its|\w+ v\.)\b|,? {_AUTHORITY})\b"
        ),
        (
            rf"(?P<said>\b(?:ditto|likewise|(?:the )?same(?: goes| is true| applies| holds)?|so too)) (?:for|"
            rf"with|of|to) (?P<who>{_OBJECT})"
        ),
        (
            rf"\b{_THING} (?:that |which )?(?:it|they|(?:the|that) (?:\w+ )?[Cc]ourt|\w+) (?:has |had |have "
            rf")?(?P<said>{_DOES}|reversed|vacated),? (?P<who>{_OBJECT})"
        ),
        (
            rf"(?P<said>\b(?:do not|don[’']t|never|not to|must not|should not|shall not|may not|cannot|can[’']t|"
            rf"stop|cease|avoid|refrain from|quit|instead of|rather than|in place of|no further|no longer|no) "
            rf"(?:\w+ly )?"
            rf"(?:{_CITED}|use of|reliance on|citations? (?:of|to)|mak\w+ (?:\w+ )?use of)) (?:(?!\b(?:but|that|"
            rf"which|because|when|without|unless|until|after|since)\b)[\w’'-]+,? ){{0,6}}?(?P<who>{_OBJECT}|(?:it|them|"
            rf"either|both)\b)"
        ),
        (
            rf"(?P<said>\b(?:instead of|rather than|in place of|in lieu of|not|never|and not|replacing|no "
            rf"longer)) (?P<who>{_OBJECT})"
        ),
        (
            rf"(?P<said>\bneither) (?P<who>{_OBJECT}) (?:(?:should|may|can|is to|must|will)\b[^.;|"
            rf"]{{0,20}}{_CITED}|(?:is|was|are|remains) (?:good|safe|valid|binding|the law)|survives?|controls?|"
            rf"holds)"
        ),
        (
            rf"(?:\A|[.;:,|–—(-] ?|\b(?:please|then|and|should|must|to|also|or|can) )(?P<said>{_REMOVE}) "
            rf"(?:(?:any |all |every |the |each )?(?:string |remaining |stray )?(?:references?|citations?|"
            rf"cites?|mentions?|discussions?|quotations?|use|reliance) (?:to|of|on) |(?:(?!\b(?:of course|up|"
            rf"care|a|to|from|with|that|which|because|when|if|under|by|and)\b)[\w’'-]+ "
            rf"){{0,5}}?)(?P<who>{_OBJECT}|(?:it|them)\b)"
        ),
        rf"(?P<said>\b(?:tak(?:e|en|ing)|took|pull(?:ed)?|cut|leave)) (?P<who>{_OBJECT}|(?:it|them)\b) (?:out|off)\b",
        (
            rf"(?P<said>\b(?:treat|consider|regard)) (?P<who>{_GROUP}|(?:it|them)\b) (?:as |to be "
            rf")?{_HOW}(?:{DONE}|{_BAD}|{_GONE})\b"
        ),
        (
            rf"(?P<said>\bgrant(?:ed|s) (?:further |discretionary )?(?:review|certiorari|cert\.?|leave(?: to "
            rf"appeal)?|certification|allocatur|rehearing|transfer)) (?:in|of|from|for) (?P<who>{_OBJECT})"
        ),
        (
            rf"(?P<said>\b(?:nothing|little|not much|what little) (?:is |remains |remained |was )?(?:left |"
            rf"remains )?of) (?P<who>{_OBJECT}|it\b)"
        ),
        (
            rf"(?:\A|[.;:,|–—(-] ?|\b(?:please|should|must|may|can|only|d) |[’']d )(?P<said>\b{_CITED}) (?:only "
            rf")?(?P<who>{_OBJECT}|(?:it|them|either|both)\b)[^.;|\ue000-\uefff]{{0,60}}?\b(?:only\b|sparingly|"
            rf"with (?:\w+ )?(?:caution|care)|for nothing|subject to|with (?:(?:an?|the|its) )?(?:[\w-]+ "
            rf"){{0,2}}?(?:but see|history|parenthetical|note|caveat|warning|signal)|never\b)"
        ),
        (
            rf"(?P<who>)(?:\A\W{{0,3}}|[.;:|–—] )(?P<said>(?:{_CITED} (?:only|sparingly|with (?:\w+ "
            rf")?(?:caution|care))|(?:never|do not|don[’']t) (?:\w+ly )?{_CITED}(?! \w* ?{_OBJECT})|approach "
            rf"with care|handle with care))\b"
        ),
        (
            rf"(?P<said>\b(?:held|declared|found|ruled|deemed|struck)\b) (?:[\w’'-]+,? "
            rf"){{0,6}}?(?P<who>{_GROUP}),? (?:to be )?(?:\w+ly )?(?:{DONE}|{_BAD}|down)\b"
        ),
        (
            rf"(?P<said>\b(?:makes?|made|renders?|rendered|leaves|left)) (?P<who>{_GROUP}) (?:\w+ly )?(?:{_BAD}|"
            rf"{_GONE}|irrelevant|meaningless|without (?:force|effect|support)|academic)\b"
        ),
        (
            rf"(?P<said>\b(?:briefs?|forms?|templates?|motions?|memos?|memoranda|drafts?|points?|some of you|"
            rf"many of you|several of you|people|anyone|anybody|lawyers|attorneys|several|some|who|you are|we "
            rf"are)\b[^.;|]{{0,30}}? still {_CITED}) (?P<who>{_OBJECT})"
        ),
        (
            rf"(?P<said>\b(?:no one|nobody|no (?:\w+ )?(?:attorney|lawyer|brief|motion)|none of (?:us|you)) "
            rf"(?:should|may|is to|can|must|ought)\b[^.;|]{{0,20}}? {_CITED}) (?:[\w’'-]+ "
            rf"){{0,4}}?(?P<who>{_OBJECT})"
        ),
        rf"(?P<said>\b(?:so|as) (?:is|was|are|were|does|did|has|have|goes|went)) (?P<who>{_OBJECT})(?=[,.;:]|\Z)",
        rf"(?P<said>\band) (?P<who>{_OBJECT}) (?:with it|too|as well|likewise|along with it)\b",
        (
            rf"(?P<said>\bdoubts? (?:has been |have been |was |were |is )?(?:cast |thrown )?(?:up)?(?:on|"
            rf"about)) (?P<who>{_OBJECT})"
        ),
        (
            rf"(?P<said>\b(?:unwise|unsafe|dangerous|wary|careful|cautious|caution|care|careful)) (?:to "
            rf"(?:{_CITED}) |(?:of|with|about|in) (?:{_CITED} )?)(?P<who>{_OBJECT})"
        ),
        (
            rf"(?P<said>\b(?:no part|nothing|little|not much) (?:of|in)) (?P<who>{_OBJECT}|it\b)[^.;|"
            rf"]{{0,20}}(?:is left|remains|survives?|stands)"
        ),
        (
            r"(?P<said>\b(?:certiorari|cert\.|review|rehearing|reargument|allocatur|certification|transfer|"
            r"discretionary review) (?:en banc )?(?:was |has been |had been |is )?(?:granted|"
            r"allowed))(?P<who>)"
        ),
    )
)
"""What is said against authorities, over the plain form of a sentence: `who` are these, or a word that stands for those
spoken of before, or nothing; `said` is where the words against them begin."""
GENERIC = bounded(
    rf"\b(?:cases?|decisions?|opinions?|authorit(?:y|ies)|precedents?)\b[^.;|]{{0,160}}?\b{_PREDICATE}", re.IGNORECASE
)
"""What is said of all cases of a kind, some of which may be named."""
ANY_AGAINST = bounded(
    rf"\b(?:{_DOES}|{DONE}|{_BAD}|{_GONE}|not|never|no|none|neither|nothing|little|cannot|only|"
    rf"sparingly|instead|stop|cease|avoid|quit|rather|{_REMOVE}|cautio\w+|care(?:ful)?|wary|but|"
    r"granted|allowed|review|now|doubts?|comes|coming|end|makes?|made|renders?|rendered|still|so|too|"
    r"met|meets?|suffer\w*|shares?|carr(?:y|ies)|day|ditto|likewise|same|must|should|died|dies|fell|"
    r"falls?|fallen|went|goes|lost|gave|gives?|given|yield\w*|differently|out|off|as (?:dead|"
    r"overruled)|flag|revise|conflicts?)\b|n[’']t\b",
    re.IGNORECASE,
)
"""What stands wherever anything is said against an authority."""
DENIED = bounded(
    r"\s*(?:It|That|This|They|Neither)\s+(?:is|was|has|have|were|are|did|does)(?:\s+not|"
    r"n['’]t)\b\s*(?:[.;:]|\Z)"
)
"""A sentence that denies the one before it."""
LABELLED = bounded(
    rf"\W*(?i:(?:status|treatment|history|action):\s*)?{_HOW}(?i:{DONE}|{_BAD}|removed|cite[- "
    rf"]only(?:[- ]\w+)?|(?:do\s+not|never)\s+(?:cite|use|rely\s+on)|no-?cite|"
    rf"no\s+longer\s+(?:\w+\s+)?\w+)\b"
    r"(?:[^.|:–—]{0,40}(?:\s[-–—]|[:|–—])|(?:\s+(?:in\s+part|(?:and|or)\s+\w+))?\.(?=\s+[A-Z\d§]))\s*"
)
"""What stands in front of the authorities that it is said of: "Overruled: State v. Example, …", "Limited. R. 3:9"."""
CLEARED = bounded(
    r"\b(?:(?<!longer\s)(?<!not\s)good\s+law|may\s+(?:still\s+)?be\s+(?:cited|used|relied)|"
    r"still\s+(?:good|valid|binding|controls?|"
    r"controlling|citable|usable|the\s+law)|remains?\b(?!\s+(?:to\b|in\s+(?:doubt|question)|un\w+|"
    r"doubtful|questionable|pending|under|open))|"
    r"safe|(?<!no\slonger\s)(?:controls|binds)\b|unaffected|untouched|undisturbed|intact|unchanged|"
    r"not\s+(?:overruled|affected|limited)|keep|fine\b|cleared?|reinstated|sound|settled|no\s+change|"
    r"as\s+(?:it\s+)?(?:always|before))\b",
    re.IGNORECASE,
)
"""Words that keep an entry from what the heading above it says."""
PARALLEL = bounded(r"[\s,;(]*(?:\d+(?:[-–]\d+)?,\s*)?")
"""Between the reporters of one case."""
ASKS_WHETHER_GOOD = bounded(
    r"(?P<bad>\b(?:bad\s+law|true|is\s+that\s+(?:right|so)|dead|gone|overruled|superseded|changed|"
    r"amended|limited|repealed)\b)"
    r"|\b(?:can|may|should|could|do|must)\s+(?:\w+\s+){0,3}?(?:I|we|you)\b|\b(?:still|good|safe|valid|"
    r"binding|current)\b",
    re.IGNORECASE,
)
"""A question that "no" answers against the authority it asks about, "Can I still use …", or, `bad`, that "yes" does."""
ANSWER = bounded(
    r"\s*(?:A(?:nswer)?[.:]\s*)?(?:(?:sadly|unfortunately|alas|absolutely|certainly|afraid|"
    r"i['’]m\s+afraid|short\s+answer),?:?\s+)?(?:(?P<yes>Yes|It\s+is(?=[.,])|Still)|Nope|No|"
    r"Not(?=[.,;])|Not\s+(?:since|any|after|now)|It\s+(?:is|was)\s*(?:not|n['’]t))\b",
    re.IGNORECASE,
)
ANSWER_MARK = bounded(r"\s*(?:A|Answer)[.:]\s*")
LEADS_IN = bounded(r"\b(?:following|these)\b[^.]{0,40}[.:]\s*\Z", re.IGNORECASE)
LISTED_IN_PROSE = bounded(
    r"\s*(?:(?:and\s+)?(?:first|second|third|fourth|fifth|sixth|next|also|finally|last)(?:ly)?,|\(\w{1,3}\))\s*",
    re.IGNORECASE,
)
"""The sentences of a list that is written out: "make no use of the following. First, ... Second, ..."."""
