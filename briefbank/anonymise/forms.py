"""Finds what has a form of its own: e-mail addresses, phone numbers, dockets, dates of birth, postal addresses.

Knows single texts only, and nothing of names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from briefbank.anonymise.values import Found, Kind
from briefbank.records import Span

_DASHES = {ord(each): "-" for each in "–‑‐−"}
_EMAIL = re.compile(r"[\w.+%-]+@[\w-]+(?:\.[\w-]+)+")
_EXTENSION = r"(?:,?\s*(?:ext\.?|extension|x)\s*\d{1,6})?"
_PHONE = re.compile(
    rf"(?<![\w-])(?:\+?1[\s.-]?)?(?:\(\d{{3}}\)\s*-?\s*"
    rf"|\d{{3}}\s?[\s./-]\s?)\d{{3}}\s?[\s./-]?\s?\d{{4}}(?!\d){_EXTENSION}"
    rf"|(?<![\w.-])\+\d[\d\s().-]{{7,16}}\d{_EXTENSION}"
    rf"|(?<![\w.:/-])(?:1-)?[2-9]\d{{9}}(?![\w-]){_EXTENSION}"
    r"|(?<!\w)(?:x|ext\.?\s?)\d{3,5}\b"
)
_CALLED = re.compile(
    r"\b(?:call|phone|tel|telephone|cell|fax|mobile|pager|dial|number"
    r"|reached)\b[^.\n]{0,20}?(?P<value>\d{3}[-.\s]\d{4})(?!\d)",
    re.IGNORECASE,
)
_DOCKET = re.compile(
    r"(?<![\w§.:-])[A-Z]{2}-\d{2,3},\d{3}(?:-\d{2})?(?![\w-])"
    r"|(?<![\w§.:-])AM?-\d{1,6}(?:/\d{1,6})*-\d{2}(?:T\d)?(?![\w-])|(?<![\w§.:-])A-\d{1,3}(?=,?\s+September\s+Term)"
    r"|(?<![\w§.:-])(?!AK-|AR-|SX-(?!\d\d-)|DX-)[A-Z]{1,6}(?:-[A-Z]{1,2})?(?:-\d{1,7}){1,4}(?:-?[A-Z]{1,3}\d?)?(?![\w-])"
    r"|(?<![\w§.:-])(?!AK-|AR-|RR\d|CR\d|SX-(?!\d\d-[A-Z])|DX-"
    r"|\d+T\d?-)(?=[\d-]*[A-Z])[A-Z]{0,4}\d{0,7}(?:-[A-Z]{0,4}\d{0,7}(?=[-\w]|\b)){1,5}(?:(?<=\d)[A-Z]{1,3})?(?![\w-])"
    r"|(?<![\w§.:-])(?:\d{2,4}[\s-]?C[RFM][S\d]?[\s-]?\d{3,7}(?:-\d\d)?|C[RF][\s-]\d{2,4}-\d{3,7})(?:-?[A-Z]{1,2})?(?![\w-])"
    r"|(?<![\w§.:-])\d{2}-\d{2}-\d{3,6}(?:-?[A-Z]{1,3})?(?![\w-])"
    r"|(?<![\w§.:-])\d{2}-\d-\d{5}-\d(?:\s(?:SEA|KNT))?(?![\w-])|(?<![\w§.:-])\d{1,5}\s[WEM](?:DA|AP)\s(?:19"
    r"|20)\d\d(?!\d)"
    r"|(?<![\w§.:-])\d{1,2}\s(?:Cr|Crim|Civ|Cv|Mag|Misc)\.?\s\d{2,6}(?:\s?\([A-Z]{2,4}\)){0,2}(?![\w-])"
    r"|(?<!\w)A(?:\#\s?|[ -])?\d{3}[- ]\d{3}[- ]\d{3}(?![\w-])"
    r"|(?:(?<=[A-Z]\#)|(?<=[A-Z]\s\#)|(?<=[A-Z]\#\s)|(?<=[A-Z]\s\#\s))\d{5,9}(?![\w-])"
    r"|(?<![\w§.:-])(?:19|20)\d\d[A-Z]{2}\d{4,7}(?:-?[A-Z]{2,4})?(?![\w-])"
    r"|(?<![\w§.:-])\d{1,2}[:-](?:\d{2}-)?(?:cr|cv|mj|mc|ap)-\d{2,6}(?:-(?:[A-Z]{2,4}|\d{1,2}))*(?:\s?\([A-Z]{2,4}\))?(?![\w-])"
    r"|(?<![\w§.:-])[A-Z]{2,3}\s\d{2}-\d{4,6}(?![\w-])"
    r"|(?<![\w§.:-])(?:(?:[AS]\.?C\.?\s|[EWS]D\s?|ACM\s|NMCCA\s|ARMY\s)\d{5,9}|[AS]\d\d[A-Z]\d{4}|\d{9}(?=\s[A-Z]{2}(?!\w))|(?:19|20)\d\d-\d{6})(?![\w-])"
    r"|(?<![\w§.:-])(?:\d{1,2}[A-Z]{1,3}\d{0,2}(?:-\d{2,4})?(?:-[A-Z][A-Z\d])?-\d{4,7}|CR\d\d-\d\d-\d{4,6}"
    r"|\d{1,2}:\d\d-?(?:cr|CR|mj|MJ|cv|CV)-?\d{3,6}(?:-[A-Z\d]{1,4})*|\d\d,\d{3}-[A-Z]{2}|(?:19|20)\d\d\sK[AHPWJ]\s\d{3,5}"
    r"|\d-\d\d-(?!19|20)\d{4}|(?!AA|JA|RA|PA|SA|ROA|APP|CP|RP|ER|RT|CT|TR)[A-Z]{1,3}(?!00)\d{6,8}[A-Z]?"
    r"|\d\d[A-Z]{2}\d{4,6}|\d{3,5}/(?:19|20)\d\d(?!/))(?![\w-])"
    r"|(?<![\w§.:-])(?!Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[A-Z][a-z]{2}-\d\d-\d{2,4}(?![\w-])|(?<=\#)[A-Z]\d{4,6}(?!\w)"
    r"|(?<=Cir\.\s)\d{2}-\d{3,5}(?![\w-])|(?<![\w§.:-])(?:20)?\d\d(?:CA|SC|SA|JV|DR)\d{2,5}(?![\w-])"
)
_DIGITS_LEAST = 5
_LABELLED = re.compile(
    r"\b(?i:(?:Docket|Dkt\.?|Indictment|Ind\.|Case|Cause|Crim\.|Criminal|Complaint|Accusation|Index|Appeal"
    r"|L\.T\.|File|"
    r"Warrant|Summons|SBI|(?:NY)?SID|SCI|Inmate|Booking|Report|Incident|Municipal|Petition|Superior\s+Court|DKT|IND)\s*"
    r"(?:Action\s+)?(?:Numbers?|Nos?\.?|Nbr\.?|\#)?\s*[:#]?\s*|(?:Nos?\.|Numbers?)\s*[:#]?\s*)"
    r"(?P<value>(?=[\w():/.-]*\d{3}|\d{1,3},\d{3}(?![\d,]))(?:(?i:[A-Z]{0,3})\d|[A-Z]{1,6}\d|[A-Z]{1,5}-)"
    r"[\w/:-]*(?:,\d{3}(?!\d)(?:-\d+)*)?(?:\s?\([A-Z]{2,4}\)|\s[A-Z][a-z]cr\b|(?<=\w))"
    r"(?![\w]|\.\d)|(?:\d\s)?[A-Z]{2,4}(?:-[A-Z]{2})?\s\d{2,5}-?\d{2,5}(?![\w-]))",
)
_FURTHER = re.compile(
    r"(?:\s*,|\s*;|\s+and|\s*&|,\s+and)\s+(?!\d{1,2}/\d{1,2}/\d)(?P<value>[A-Z]{0,3}-?\d[\w/-]*\d[\w/-]*)"
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec)\.?"
)
_DAY = (
    r"(?:\d{1,2}(?:st|nd|rd|th|d)?"
    r"|(?:twenty-|thirty-)?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)|tenth|eleventh|twelfth"
    r"|[a-z]+teenth|twentieth|thirtieth)"
)
_SPELT_YEAR = (
    r"(?:nineteen|two\s+thousand)(?:[\s-](?:and\s+)?(?:[a-z]+(?:ty|teen|one|two|six|ve|ght|ne|en|ee|ur))"
    r"(?:-[a-z]+)?)?"
)
_DATE = (
    rf"(?:{_MONTH}[\s-]+(?:the\s+)?{_DAY}(?:,?\s+(?:of\s+)?(?:in\s+)?(?:the\s+year\s+)?['’]?\d{{2,4}}|-\d{{2,4}}"
    rf"|,?\s+{_SPELT_YEAR})?"
    rf"|(?:the\s+)?{_DAY}(?:\s+day)?(?:\s+of)?[\s-]{_MONTH}(?:,?[\s-](?:(?:of|in)\s+)?(?:['’]?\d{{2,4}}"
    rf"|{_SPELT_YEAR}))?"
    rf"|\d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}|\d{{1,2}}\s?[-/.]\s?\d{{1,2}}\s?[-/.]\s?(?:\d{{4}}|\d{{2}})"
    rf"|\d{{4}},?\s+{_MONTH}\s+{_DAY}|\d{{1,2}}{_MONTH}\d{{2,4}}|\d{{1,2}}\s+de\s+[a-z]+\s+del?\s+\d{{4}}"
    rf"|{_MONTH},?\s+(?:of\s+)?\d{{4}}|\d{{1,2}}/\d{{4}}"
    r"|(?:St\.\s|New\s)?[A-Z][a-z]+(?:['’]s)?\s(?:Day|Eve),?\s+(?:(?:in|of)\s+)?(?:19|20)\d\d)(?!\d)"
)
_BORN_WORDS = (
    r"\b(?:born|nacid[oa]|fecha\s+de\s+nacimiento|y\.?o\.?b\.?|d\.?\s?/?o\.?\s?/?b\.?s?"
    r"|dates?[\s-]+of[\s-]+birth|b-?day|b/d|birth\s?-?da(?:ys?|tes?)|born:|year\s+of\s+birth|b\.(?=\s?(?:\d"
    r"|[JFMASOND][a-z]{2}))"
    r"|came\s+into\s+the\s+world|ga?ve\s+birth\s+to(?=(?:\s+[\w.'’-]+){1,4}\s+on\b)"
    r"|(?<!gave\s)(?<!give\s)(?<!gives\s)(?<!giving\s)birth)(?!\w)"
)
_SAME_SENTENCE = r"(?:(?!(?<!\bSt)(?<!\bDr)(?<!\bMt)(?<!\b[A-Z])\.\s+[A-Z]).)"
_BORN = re.compile(rf"{_BORN_WORDS}{_SAME_SENTENCE}{{0,90}}?(?<![\d/])(?P<value>{_DATE})", re.IGNORECASE | re.DOTALL)
_BORN_YEAR = re.compile(
    r"\b(?:born|year\s+of\s+birth|birth\s+year|[yd]\.?o\.?b\.?|b\.)\s*(?:in|is|:|was|of|sometime\s+in"
    r"|in\s+or\s+about|circa|c\."
    r"|around|about)?\s*(?P<value>(?:19|20)\d\d|(?<=\s)['’]\d\d)\b"
    r"|\byear\s+of\s+(?:his|her|their|\w+['’]s)\s+birth,?\s+(?:is|was|being)?\s*(?P<year>(?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_BORN_SOMEWHERE = re.compile(
    r"\bborn\b(?P<between>[^.;\d]{1,50}?)\bin\s+(?:(?:the\s+)?(?:early|late|spring|summer|fall|autumn"
    r"|winter)\s+(?:of\s+)?)?"
    r"(?P<value>(?:19|20)\d\d)\b"
)
_AGED = re.compile(
    rf"\b(?:(?:[Aa]ged?:?|is|was)\s+[\w-]{{1,15}}"
    rf"|[\w-]+\s+years\s+old),?\s*\(\s*(?P<value>{_DATE})\s*\)"
)
_BORN_ASKED = re.compile(
    rf"\b(?:born|birth|birthday)\b[^?\n]{{0,40}}\?[\"”]?\s+(?:A[.:]?\s+|[A-Z .]+[:.]\s*"
    rf"|[\"“])?[^\n.?]{{0,30}}?(?P<value>{_DATE})"
)
_BORN_DIGITS = re.compile(
    r"\b(?:d\.?o\.?b\.?|birth\s?da(?:y|te))[:\s]+(?:is\s+|was\s+"
    r"|on\s+)?(?P<value>\d{6}(?:\d\d)?|\d{1,2}/\d{1,2})(?![\d/])",
    re.IGNORECASE,
)
_KIN = re.compile(
    rf"\b(?i:sibs?|siblings|children|kids|sons?|daughters?|household"
    rf"|minors?)\b[^.;\n]{{0,60}}?[A-Z][\w'’-]+\s\((?P<value>{_DATE})\)"
)
_INITIALLED = re.compile(r"\b[A-Z]\.\s\((?P<value>\d{1,2}[/-]\d{1,2}[/-](?:\d{4}|\d{2}))\)")
"""`A.R.T. (3/3/2012)`: children in a caption."""
_BORN_BEHIND = re.compile(
    rf"(?<![\d/])(?P<value>{_DATE})(?:\s*\(?\s*(?:d\.?o\.?b|date\s+of\s+birth|birth\s?date)|,?\s+(?:is|was"
    rf"|being|as|which\s+is)?\s*"
    r"(?:his|her|their|the\s+\w+['’]s|[A-Z]\w+['’]s)\s+(?:[\w-]+\s+)?(?:date\s+of\s+birth|birth\s?da(?:y|te)))",
    re.IGNORECASE,
)
_TURNED = re.compile(rf"\bturn(?:ed|s|ing)\s+[\w-]+\s+(?:years\s+old\s+)?on\s+(?P<value>{_DATE})", re.IGNORECASE)
_BORN_TOO = re.compile(
    rf"{_SAME_SENTENCE}{{0,70}}?[;,]\s*(?:and\s+)?{_SAME_SENTENCE}{{0,50}}?\bon\s+(?P<value>{_DATE})"
    rf"|\s*(?:[;,]|,?\s+and|\))[,;]?\s+(?:and\s+)?(?:(?:the|his|her|another)\s+)?(?:[\w'’-]+\s+(?:has|had|says|gives"
    rf"|lists|shows)\s+"
    rf"|[A-Z][\w'’-]+\s\()?(?P<next>{_DATE})",
    re.DOTALL,
)
_EVENT = re.compile(
    r"\b(?:arrest|indict|convict|sentenc|plead|pled|charg|trial|filed|enter|came|moved|arriv|died|married"
    r"|offen[sc]e|incident)",
    re.IGNORECASE,
)
_STATES = (
    r"(?:Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Georgia|Hawaii"
    r"|Idaho|Illinois|"
    r"Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|Mississippi"
    r"|Missouri|Montana|"
    r"Nebraska|Nevada|(?:New|North|South|West)\s+[A-Z]\w+|Ohio|Oklahoma|Oregon|Pennsylvania"
    r"|Rhode\s+Island|District\s+of\s+Columbia|Tennessee|Texas|"
    r"Utah|Vermont|Virginia|Washington|Wisconsin|Wyoming|Tex\.|Pa\.|Fla\.|N\.\s?[JYCMHD]\.|[SW]\.\s?[CDV][a.]\.?|"
    r"(?:NEW|NORTH|SOUTH|WEST)\s+[A-Z]{4,}|TEXAS|FLORIDA|PENNSYLVANIA|GEORGIA|VIRGINIA|OHIO|MARYLAND"
    r"|DELAWARE|(?:Ala|Ariz|Ark|Cal|Calif|Colo|Conn|Del|Ga|Ill|Ind|Kans?|Ky|La|Md|Mass|Mich|Minn|Miss|Mo|Mont|Neb"
    r"|Nev|Okla|Ore"
    r"|Tenn|Vt|Va|Wash|Wis|Wyo)\.|R\.\s?I\.|D\.\s?C\.|A[LKZR]|C[AOT]|D[CE]|FL|GA|HI|I[DLNA]|K[SY]|LA|M[EDAINSOT]"
    r"|N[EVHJMYCD]|O[HKR]|P[AR]|RI"
    r"|S[CD]|T[NX]|UT|V[TA]|W[AVIY])"
)
_STREET = (
    r"(?:Street|St\.?|Avenue|Ave\.?|Av\.?|Road|Rd\.?|Lane|Ln\.?|Drive|Dr\.?|Court|Ct\.?|Place|Pl\.?"
    r"|Boulevard|Blvd\.?|Terrace|"
    r"Ter\.?|Way|Highway|Hwy\.?|Row|Circle|Cir\.?|Square|Sq\.?|Bend|Turnpike|Tpke\.?|Pike|Parkway|Pkwy\.?"
    r"|Path|Trail|Alley|"
    r"Plaza|Plz\.?|Walk|Crescent|Mews|Close|Loop|Run|Route\s+\d+|Heights|Hollow|Extension|Freeway|Expressway"
    r"|Broadway|Commons|"
    r"Gardens?|Homes|Manor|Village|Green|Glen|Grove|Hill|Ridge|View|Landing|Cove|Estates|Towers?|Arms"
    r"|Quay|Wharf|Park|Crossing|"
    r"Trace|Parade|Concourse|Knoll|Bluffs?|Meadows?|Overlook|Oval|Shores?|Vista|Terr\.?|Cres\.?|Trl\.?|Xing|Cv"
    r"|Pass|Spur|Boardwalk|Bowery|Mill|Farm|Bypass|Esplanade|Promenade|Causeway|Trailer\s+Park"
    r"|Mobile\s+Home\s+Park|COURT|WAY|CIRCLE|PARKWAY|"
    r"STREET|AVENUE|ROAD|LANE|DRIVE|PLACE|BOULEVARD|BLVD\.?|AVE\.?|RD\.?|TERRACE|HIGHWAY|SQUARE|PLAZA)"
)
_PART = (
    r"(?:,?\s+(?:(?:NE|NW|SE|SW|North|South|East|West)(?![A-Za-z])|[NSEW]\.))?(?:,?\s+\(?(?:\#\s?[\w-]+"
    r"|(?:Apt|Apartment|Unit|Suite|Ste|Bldg|Building|"
    r"Room|Rm|Floor|Fl|Extension|Box|Lot|Block|Ext|Tier|Building|Space|Trailer|Wing|Cottage|House|Door"
    r"|APT|UNIT)\b\.?\s*(?:\#|No\.?|Number)?\s?[\w-]+(?:\s+(?:Rear|Front|Left|Right|East|West|North|South))?"
    r"|(?:\d+(?:st|nd|rd|th|d)|(?i:first|second|third|fourth|fifth|sixth|top|ground|upper"
    r"|lower))[\s-]+(?i:floor|fl\.?)(?:[\s,]+(?i:front|rear|left|right))?"
    r"|(?i:rear|basement|upstairs|downstairs|penthouse)(?:\s+(?i:apartment|apt\.?|unit))?)\)?)*"
)
_CITY = r"[A-Z][a-zA-Z.'’]+(?:[ -][A-Z][a-zA-Z.'’]+){0,3}"
_TAIL = (
    rf"(?:(?:[,\s]|\s+in\s)\s*{_CITY},?\s+{_STATES}(?![A-Za-z])\.?(?:,?\s+\d{{5}}(?:-\d{{4}})?)?"
    rf"|,?\s+{_CITY}\s+\d{{5}}(?:-\d{{4}})?"
    rf"|,\s+{_CITY}(?:,\s+{_CITY})?,?\s+(?:[A-Z]{{1,2}}\d[A-Z\d]?\s\d[A-Z]{{2}}|[A-Z]\d[A-Z]\s\d[A-Z]\d"
    rf"|\d{{4,6}})(?!\d)"
    rf"|,\s+{_CITY}(?:,\s+{_CITY}\s+County)?(?:,?\s+{_STATES}(?![A-Za-z])\.?)?(?=[.,;)]|\s*\Z|\n))?"
)
_HOUSE = (
    r"(?:(?:(?:\#|No\.|Number|Apt\.?\s[\w-]+,|Apartment\s[\w-]+,|Unit\s[\w-]+,)\s?)?\d{1,5}(?:-?[A-Za-z](?![a-z])|½"
    r"|\s1/2)?"
    r"(?:-\d{1,5}[A-Za-z]?)?(?:,\s\d{1,5})*(?:(?:,?\s(?:and|&)\s)\d{1,5})?"
    r"|[NSEW]\d{3,5}(?:[NSEW]\d{3,5})?|One|Two|Three|Four|Five|Six|Seven|Eight|Nine|Ten|Eleven|Twelve|(?:Thir|Four|Fif|Six|Seven|Eigh|Nine)teen"
    r"|(?:Twen|Thir|For|Fif|Six|Seven|Eigh|Nine)ty(?:-[a-z]+)?|(?:One|Two"
    r"|Three)\s+[Hh]undred(?:\s+(?:and\s+)?[a-z-]+)?)"
)
_NAMED = (
    r"(?:(?:[^\S\n]+\n?|\n)[^\S\n]*(?:[NSEW]\.|(?!(?i:the|this|that|trial|superior|supreme|district|circuit|county(?!\s+(?:Road|Line))"
    r"|municipal"
    r"|judicial|appellate|point)\b)"
    r"(?:[A-Z][\w'’-]*(?:\.|,\sJr\.)?|\d+(?:st|nd|rd|th)))){1,6}?"
)
_LINE = (
    rf"(?<![\w.:$§/-])\d{{1,5}}(?:[ \t]+|\s+(?!\d))(?!(?i:the|this|that|trial)\b)[A-Z\d][^\n;:()]{{2,60}}?(?:,[ \t]+"
    rf"|[ \t]*\n[ \t]*|[ \t]+)"
    rf"{_CITY}(?:,|[ \t])[ \t]*{_STATES}(?![A-Za-z])\.?,?[ \t]+\d{{4,5}}(?:-\d{{4}})?(?!\d)"
)
"""A number, a name and then a town with its state and postal code, whatever the street is called."""
_ROOM = (
    rf"(?<![\w.:$§/-])\d{{1,5}}\s+(?:[NSEW]\.?\s+)?(?:[A-Z][\w'’-]*|\d+(?:st|nd|rd|th))(?:\s+[A-Z][\w'’-]*){{0,3}}\.?,?\s+"
    rf"(?:(?:Suite|Ste|SUITE|Apt|APT|Apartment|apartment|apt|unit|Unit|Rm|Room|Floor|\#)\.?\s*\#?\s?[\w-]+|(?:\d(?:st|nd|rd|th|d)|(?i:first"
    rf"|second|third|fourth|top|ground))\s(?i:floor|fl\.?)){_TAIL}"
)
_ADDRESS = re.compile(
    rf"{_LINE}|{_ROOM}|"
    rf"\b(?:P\.?\s?O\.?|Post\s+Office|Postal)\s+(?:Box|Drawer|BOX)\s+\w*\d\w*(?:-\w+)*(?:(?:,\s|\s?[-—]+\s?)Drawer\s[\w-]+)?{_TAIL}"
    rf"|\b(?:Rural\s+(?:Route|Delivery)|R\.?\s?R\.?|R\.?F\.?D\.?|R\.?D\.?|County\s+(?:Route|Road)|HC"
    rf"|Star\s+Route|(?:State|U\.S\.)?\s*(?:Route|Highway))"
    rf"\s*(?:\#|No\.?)?\s?\d+[A-Z]?,?\s+(?:P\.?O\.?\s+)?Box\s+[\w-]+{_TAIL}"
    rf"|\bBox\s+[\w-]*\d[\w-]*,\s+(?:(?:County|State|Rural|Star)\s+)?(?:Route|Road|Highway|R\.?R\.?"
    rf"|R\.?D\.?)(?:\s+(?:\#|No\.?)?\s?\d+)?{_TAIL}"
    rf"|(?<![\w.:$§/-])\d{{1,5}}\s+(?:(?:North|South|East|West|[NSEW]\.?)\s+)?(?:(?:County|State|U\.\s?S\."
    rf"|Farm[\s-]to[\s-]Market|Ranch|Old)\s+)?"
    rf"(?:Route|Rte\.?|Highway|Hwy\.?|Road|Rd\.?|FM|F\.M\.|Interstate)\s+(?:\d+|[A-Z]{{1,2}}(?!\w))(?:\s+(?:North|South|East|West"
    rf"|[NSEW]\.?)\b)?{_PART}{_TAIL}"
    rf"|(?<![\w.:$§/-])\d{{1,5}}\s+(?:Calle|Avenida|Camino|Via|Rue|Paseo|Avenue)\s+(?:(?:of|de|del|la|las"
    rf"|los|the)\s+){{0,2}}[A-Z][\w'’-]*(?:\s+[A-Z][\w'’-]*)?{_PART}{_TAIL}"
    rf"|\b(?:Apt|Apartment|Unit|Room|Lot)\.?\s*\#?\s?[\w-]*\d[\w-]*,?\s+(?:at|of"
    rf"|in)\s+\d{{1,5}}\s+[A-Z][\w'’-]*\s+{_STREET}(?!\w){_TAIL}"
    rf"|(?<![\w.:$§/-]){_HOUSE}(?:{_NAMED}\s+{_STREET}(?![\w])|\s+(?:Avenue\s+[A-Z]|Broadway)\b){_PART}{_TAIL}"
    rf"|\b(?:Lot|Space|Trailer|Site)\s+\#?\d+,\s+(?:[A-Z]\w+\s+){{1,3}}(?:Mobile\s+Home|Trailer)\s+Park{_TAIL}"
    rf"|(?<![\w.:$§/-])\d{{1,5}}\s[NSEW]\.?\s\d{{1,5}}\s(?:[NSEW]|North|South|East|West)\b\.?{_PART}{_TAIL}"
    rf"|\bGeneral\s+Delivery{_TAIL}"
    rf"|\b(?:Lock(?:ed)?\s?[Bb]ag\s+[\w-]+|PMB\s+\#?\d+|C\.?N\.?[\s-]\d{{2,5}}|(?:PSC|CMR|Unit)\s\d+,?\sBox\s\d+"
    rf"|Drawer\s\#?\d+|Box\s+\#?\d[\w-]*(?=,\s+{_CITY},?\s+{_STATES})){_TAIL}"
    rf"|\b(?:Calle|Carrera)\s+\d+\w?\s*(?:No\.?|\#)\s*\d+-\d+{_TAIL}"
    rf"|\b[A-ZÄÖÜ][a-zäöü]+(?:straße|strasse|weg|platz|gasse|allee)\s\d+[a-z]?(?:,\s\d{{4,5}}\s{_CITY})?"
    rf"|(?<![\w.:$§/-])\d{{1,5}},?\s+(?:rue|via|calle|avenida)\s+(?:(?:de|des|du|la|las|los"
    rf"|del)\s+){{0,2}}[A-Z][\w'’-]*{_PART}{_TAIL}"
    rf"|(?<![\w.:$§/-])\d{{1,5}}\s+(?:[nsew]\.?\s+)?(?!(?:lane|way|car|block|feet|men|in|on|of|off)\b)(?:[a-z]+"
    rf"|\d+(?:st|nd|rd|th))(?:\s(?!(?:the|a|in|on|of)\b)[a-z]+)?"
    rf"\s+(?:street|st|avenue|ave|road|rd|lane|ln|drive|place|pl|blvd|boulevard|terrace|parkway"
    rf"|pkwy)\b(?:,?\s+(?:apt|unit|floor|fl)\.?\s?\w+)?"
    rf"|\b(?:(?:State|County|U\.S\.|US)\s+)?(?:Route|Rte\.?|Highway|Hwy\.?|Road)\s+\d+(?:\s+(?:North|South|East|West"
    rf"|[NSEW]\.?)\b)?,"
    rf"(?:(?:\s+R\.?\s?[RD]\.?\s*(?:\#|No\.)?\s?\d+,)?\s+(?:Box|Lot|Suite|Ste\.?|Unit|Apt\.?)\s+\#?[\w-]+"
    rf"|\s+Fire\s+No\.\s\d+){_TAIL}"
    rf"|\b(?:Calle|Avenida|Carrera|Rua|Rue|Via|Paseo)\s+(?:(?:de|del|la|las|los|do|da|des"
    rf"|du)\s+){{0,2}}[A-Z][\w'’-]*(?:\s+[A-Z][\w'’-]*){{0,2}},?"
    rf"\s+(?:(?:\#|No\.|Núm\.)\s?)?\d{{1,5}}[A-Z]?{_PART}{_TAIL}"
    rf"|\b(?:Suite|Ste\.?|Apt\.?|Apartment|Unit|Flat|Room"
    rf"|Floor)\s+\#?[\w-]+,\s+\d{{1,5}}[A-Z]?\s+(?:[A-Z][\w'’-]*\.?\s?){{1,5}}{_TAIL}"
    rf"|\b(?:Bldg|Building)\.?\s+[A-Z\d]+,?\s+(?:Apt|Apartment|Unit)\.?\s+\#?[\w-]+,(?:\s+{_CITY},)?\s+{_CITY}"
    rf"|(?<![\w.:$§/-])(?<![yhletr]\s)\d{{1,5}}\s+[A-Z][a-z'’-]+(?:\s+[A-Z][\w'’-]*){{0,2}},\s+{_CITY},\s+{_STATES}(?![A-Za-z])"
)


_ROUTE = (
    r"(?:(?:County|State|U\.?S\.?|Interstate|Rural|Old)\s+)?(?:Highway|Hwy\.?|Route|Rte\.?|Road|Interstate|I-|US)\s?"
    r"(?:\d+[A-Z]?|[A-Z]{1,2})(?!\w)"
)
_ROAD = (
    rf"(?:{_ROUTE}|(?:[NS]?[NSEW]\.?\s)?(?:(?:[A-Z][\w'’-]*\.?|\d+(?:st|nd|rd|th))\s){{1,3}}?"
    r"(?:St(?:reet|\b\.?)|Ave(?:nue|\b\.?)|R(?:oad|d\b\.?)|B(?:oulevard|lvd\b\.?)|Lane|Ln\b\.?|Drive|Highway|Hwy\b\.?"
    r"|P(?:arkway|kwy\b\.?)|Turnpike|Pike|Terrace|Way)(?!\w)|Broadway\b)"
)
_NTH = r"\d+(?:st|nd|rd|th)(?!\sAm|\sCi|\sDe|\sDi|\w)"
_BARE = r"(?:[NSEW]\.\s)?[A-Z][\w'’-]+(?:\s[A-Z][\w'’-]+)?"
_CROSSING = re.compile(
    rf"(?<![\w.])(?=[A-Z\d])(?:(?:{_ROAD}|{_NTH})\s+(?:and|at|&|near)\s+{_ROAD}|{_ROAD}\s+(?:and|&)\s+{_NTH}"
    rf"|{_ROUTE},?\s+(?:(?:at|near|by)\s+)?(?:[Mm]ile(?:\s?(?:marker|post))?|MM|[Ee]xit)\s+[\d.]*\d"
    rf"|(?:(?<=\bcorner\sof\s)|(?<=\bintersection\sof\s)|(?<=\bat\s)(?=\d))"
    rf"(?:{_ROAD}|{_NTH})\s+(?:and|&)\s+(?:{_ROAD}|{_NTH}|{_BARE})(?!\s(?:Am|Ci|De|Di))"
    rf"|(?:(?<=\bcorner\sof\s)|(?<=\bintersection\sof\s)){_BARE}\s+(?:and|&)\s+(?:{_ROAD}|{_NTH})){_TAIL}"
)
"""Where two streets meet."""
_LIVES = re.compile(
    r"\b(?:(?:lives?|lived|living|resid(?:es?|ed|ing)|home|house|apartment|residence|stay(?:s|ed|ing)?|room|mail"
    r"|flat)\s+at"
    r"|address(?:\s+(?:is|was|of|as)|:)|[Ff]loor\s+of|moved\s+to|write\s+(?:to\s+)?(?:me|him|her|us)\s+at)"
    rf"\s+(?P<value>\d{{1,5}}\s+[A-Z][\w'’]+(?:\s[A-Z][\w'’]+)?{_PART}{_TAIL})"
)


def forms_in(text: str) -> Iterator[Found]:
    """Yield what is found, kind by kind; stretches may overlap, those yielded first count."""
    text = text.translate(_DASHES)
    yield from _all(_EMAIL, Kind.EMAIL, text)
    yield from _births(text)
    yield from _all(_ADDRESS, Kind.ADDRESS, text)
    yield from _all(_CROSSING, Kind.ADDRESS, text)
    yield from (Found(Span(*match.span("value")), Kind.ADDRESS) for match in _LIVES.finditer(text))
    for match in _DOCKET.finditer(text):
        is_appeal = match.group().startswith(("A-", "AM-")) and any(map(str.isdigit, match.group()))
        if (is_appeal or sum(each.isdigit() for each in match.group()) >= _DIGITS_LEAST) and not _is_date(
            match.group()
        ):
            yield Found(Span(*match.span()), Kind.DOCKET)
    yield from _labelled_dockets(text)
    yield from _all(_PHONE, Kind.PHONE, text)
    yield from (Found(Span(*match.span("value")), Kind.PHONE) for match in _CALLED.finditer(text))


def _all(pattern: re.Pattern[str], kind: Kind, text: str) -> Iterator[Found]:
    return (Found(Span(*match.span()), kind) for match in pattern.finditer(text))


def _is_date(text: str) -> bool:
    parts = text.split("-")
    return len(parts) == len("mdy") and text.replace("-", "").isdigit() and bool(_YEAR.fullmatch(parts[2]))


def _labelled_dockets(text: str) -> Iterator[Found]:
    for match in _LABELLED.finditer(text):
        if _YEAR.fullmatch(match["value"]):
            continue
        yield Found(Span(*match.span("value")), Kind.DOCKET)
        end = match.end("value")
        while further := _FURTHER.match(text, end):
            yield Found(Span(*further.span("value")), Kind.DOCKET)
            end = further.end("value")


def _births(text: str) -> Iterator[Found]:
    """Dates of birth, and those that the same sentence goes on to list: `…, B. on DATE; and C. on DATE`."""
    for pattern in (
        _BORN,
        _BORN_YEAR,
        _BORN_BEHIND,
        _TURNED,
        _BORN_SOMEWHERE,
        _BORN_ASKED,
        _BORN_DIGITS,
        _AGED,
        _KIN,
        _INITIALLED,
    ):
        for match in pattern.finditer(text):
            told = match.groupdict()
            if _EVENT.search(told.get("between") or ""):
                continue
            span = Span(*match.span("year" if told.get("year") else "value"))
            yield Found(span, Kind.BIRTH)
            end = span.end
            while (further := _BORN_TOO.match(text, end)) and not _EVENT.search(further.group()):
                yield Found(Span(*further.span(further.lastgroup or 0)), Kind.BIRTH)
                end = further.end()
