"""What the check of a sentence against its source finds, and what it lets a writer say in other words."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from briefbank.law.grounding import DoubtKind, Source, dates
from briefbank.law.grounding.numbers import amounts

TEXT = """POINT II. THE STOP WAS PROLONGED. On March 3, 2019, at 2:40 a.m., Trooper Ellis Varga stopped Marguerite
Nuñez-Hale, who was seventeen, on Route 9 and kept her for thirty-one minutes. State v. Carty, 170 N.J. 632, 647-49,
modified, 174 N.J. 351 (2002); N.J.S.A. 2C:35-10(a)(1); N.J.R.E. 404(b); N.J. Const. art. I, ¶ 7. The trooper said that
he “had nothing in particular” and asked the two passengers about $2,500 and 3.5 grams of cocaine. Counsel objected
twice. Rule 11(a)(2) was not mentioned. The Fourth Amendment forbids it. Terry v. Ohio, 392 U.S. 1, 21 (1968). She
received five years in April 2020, with eighteen months of parole ineligibility, for second-degree possession."""
SOURCE = Source(TEXT)


def found(sentence: str) -> list[str]:
    return [str(doubt) for doubt in SOURCE.doubts(sentence)]


@pytest.mark.parametrize(
    "sentence",
    [
        "The issue is whether the stop of Nunez-Hale was prolonged under Carty, 170 N.J. at 647.",
        "State of New Jersey vs. Carty, 170 N. J. 632, 648 (2002), governs.",
        "On 3 March 2019 the 17-year-old was stopped.",
        "She was held for 31 minutes in March of 2019.",
        "She was stopped on 3/3/2019 at 2:40 A.M. by Tpr. Varga.",
        "The search violated N.J.S.A. 2C:35-10 and Rule 404(b).",
        "It violated article I, paragraph 7.",
        "Fed. R. Crim. P. 11(a)(2) was not mentioned.",
        "The Trooper “had nothing … particular” and asked 2 passengers about $2500.",
        "He 'had nothing in [any] particular' when he asked.",
        "She received a five-year term with 18 months of parole ineligibility.",
        "She received sixty months for possession in the second degree.",
        "Two objections were made in the Fourth Amendment argument of Point II.",
        "The Fourth Amendment's rule in Terry v. Ohio was argued; Defendant relies on Terry.",
        "She received 5 (5) years.",
        "The three factors favor Ms. Nuñez-Hale.",
        "Marguerite Nuñez-Hale's stop produced three and one-half grams.",
        "",
    ],
)
def test_what_the_source_says_may_be_said_in_other_words(sentence: str) -> None:
    assert found(sentence) == []


@pytest.mark.parametrize(
    ("sentence", "doubt"),
    [
        ("It follows from Carty, 170 N.J. 623 (2002).", "the citation 170 N.J. 623 (2002)"),
        ("It follows from Carty, 171 N.J. at 647.", "the citation 171 N.J. at 647"),
        ("It follows from Carty, 170 N.J. at 655.", "the citation 170 N.J. at 655"),
        ("It follows from Carty, 170 N.J. Super. 632 (2002).", "the citation 170 N.J. Super. 632 (2002)"),
        ("It follows from Carty, 170 N.J. 632 (1968).", "the citation 170 N.J. 632 (1968)"),
        ("It follows from Terry v. Ohio, 170 N.J. 632.", "the citation 170 N.J. 632"),
        ("The court follows State v. Marlowe.", "the case State v. Marlowe"),
        ("It is barred by N.J.S.A. 2C:35-10(a)(2).", "the rule or statute N.J.S.A. 2C:35-10(a)(2)"),
        ("It is barred by Fed. R. Evid. 404(b).", "the rule or statute Fed. R. Evid. 404(b)"),
        ("It is barred by § 1983 of the Code.", "the rule or statute § 1983"),
        ("The Fifth Amendment forbids it.", "the rule or statute Fifth Amendment"),
        ("As Point III says, it was prolonged.", "the rule or statute Point III"),
        ("She was held for 13 minutes.", "the number 13 minutes"),
        ("She was held for eighteen minutes.", "the number eighteen minutes"),
        ("She is an 18-year-old who was held for five hours.", "the number five hours"),
        ("They asked about $2,600.", "the number $2,600"),
        ("They found 35 grams.", "the number 35 grams"),
        ("It was third-degree possession.", "the number third-degree"),
        ("It happened at 2:45 a.m.", "the number 2:45"),
        ("It happened on March 5, 2019.", "the date March 5, 2019"),
        ("It happened on May 3.", "the date May 3"),
        ("It happened in 2017.", "the date 2017"),
        ("It happened on 3/4/19.", "the date 3/4/19"),
        ("He had “nothing at all in particular” to say.", 'the quotation "nothing at all in particular"'),
        ("Trooper Rourke stopped her.", "the name Rourke"),
        ("Delacroix stopped her.", "the name Delacroix"),
        ("The stop was in Toms River.", "the name Toms River"),
        ("J.D. was stopped by the DEA.", "the name J.D."),
    ],
)
def test_what_the_source_does_not_say_is_found_and_named(sentence: str, doubt: str) -> None:
    assert doubt in found(sentence)


OTHER = Source(
    """On June 14, 2017, at 6:00 p.m., officers of the Federal Bureau of Investigation went to the corner. A decade
    earlier, Hugh Myers waited half an hour. The Fifth and Sixth Amendments, N.J.S.A. 2C:11-3 and N.J. Const. art. I,
    ¶ 10, apply to Points I and II. He served a year of a five-year term. People v. Sanchez (2016) 63 Cal.4th 665. The
    2018-2019 term began at noon. Counts One and Three merged. It was mid-2019 and took an hour and a half."""
)


@pytest.mark.parametrize(
    "sentence",
    [
        "He arrived at six p.m. in New Jersey on the 14th of June.",
        "The FBI waited 30 minutes; he had served 10 years.",
        "Under People v. Sanchez's rule it fails.",
        "The Fifth Amendment and the 6th Amendment apply to Point II and Count 3.",
        "Between 2018 and 2019 it took 90 minutes, at 12:00 p.m.",
        "He served one year.",
        "Questioning took long. Troopers waited. Citing Sanchez, he appeals.",
    ],
)
def test_conversions_lists_and_abbreviations_are_known(sentence: str) -> None:
    assert OTHER.doubts(sentence) == ()


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("Rogers argues that it fails.", "Rogers"),
        ("Harding was stopped.", "Harding"),
        ("It rests on the Fourth and Fifth Amendments.", "Fourth and Fifth Amendments"),
        ("Counts One and Two merged.", "Counts One and Two"),
        ("He waited 45 minutes.", "45 minutes"),
        ("He came at 7:00 p.m.", "7:00"),
    ],
)
def test_what_only_looks_like_it_is_not(sentence: str, words: str) -> None:
    assert [doubt.words for doubt in OTHER.doubts(sentence)] == [words]


def test_doubts_stand_where_the_words_are_and_do_not_overlap() -> None:
    sentence = "On May 5, 2011, Mr. Rourke cited “State v. Marlowe, 12 N.J. 3” for 44 hours."
    doubts = SOURCE.doubts(sentence)
    assert [doubt.kind for doubt in doubts] == [
        DoubtKind.DATE,
        DoubtKind.NAME,
        DoubtKind.QUOTATION,
        DoubtKind.NUMBER,
    ]
    assert all(one.span.end <= other.span.start for one, other in pairwise(doubts))
    assert sentence[slice(*doubts[1].span)] == "Rourke"


def test_a_doubt_shows_no_words_in_its_repr() -> None:
    assert "Rourke" not in repr(SOURCE.doubts("Mr. Rourke ran."))


@given(st.text(max_size=300))
def test_any_sentence_can_be_checked(sentence: str) -> None:
    for doubt in SOURCE.doubts(sentence):
        assert 0 <= doubt.span.start < doubt.span.end <= len(sentence)


@given(st.text(max_size=300), st.text(max_size=80))
def test_any_text_can_be_a_source(text: str, sentence: str) -> None:
    Source(text).doubts(sentence)


@given(st.integers(min_value=2, max_value=999_999))
def test_a_number_in_words_is_the_number_in_digits(number: int) -> None:
    (amount,) = amounts(f"about {in_words(number)} of them")
    assert amount.value == number
    assert [each.value for each in amounts(f"about {number:,} of them")] == [number]


@given(st.dates())
def test_a_date_is_the_same_in_any_form(day) -> None:
    if not 1600 <= day.year < 2100:
        return
    for form in ("%B {d}, %Y", "{d} %B %Y", "{m}/{d}/%Y", "%b. {d}, %Y", "%Y-%m-%d"):
        written = day.strftime(form.replace("{d}", str(day.day)).replace("{m}", str(day.month)))
        (date,) = dates(f"It was on {written.replace('May.', 'May')} that it began.")
        assert date.parts == (day.year, day.month, day.day), written


def in_words(number: int) -> str:
    low = (
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen"
    ).split()
    tens = "_ _ twenty thirty forty fifty sixty seventy eighty ninety".split()
    if number < 20:
        return low[number]
    if number < 100:
        return tens[number // 10] + (f"-{low[number % 10]}" if number % 10 else "")
    if number < 1000:
        return f"{low[number // 100]} hundred" + (f" and {in_words(number % 100)}" if number % 100 else "")
    return f"{in_words(number // 1000)} thousand" + (f" {in_words(number % 1000)}" if number % 1000 else "")
