"""A checklist's answers as lines: sentences out of passages, what could not be done, and what of them is kept."""

from __future__ import annotations

from dataclasses import replace

from hits import hit as made_hit

from briefbank.values.checklists import ChecklistExtract, ChecklistReport, DocumentAnswers, ItemAnswer
from briefbank.values.reading import PassageInContext
from briefbank.values.records import Span
from ui.checklists.space import findings_of, summary_of
from ui.findings.finding import Finding, collected_of, marked

TEXT = "The stop was short. Consent must be knowing.\nThe form was signed in the dark."
"""A passage, the second sentence of which a language model chose."""
CHOSEN = Span(TEXT.index("Consent"), TEXT.index("\n"))


def report(*, is_of_files: bool = False) -> ChecklistReport:
    hit = made_hit(1, text=TEXT)
    extract = ChecklistExtract(hit.passage, CHOSEN, ("cites a case that is overruled",))
    note = "Read without 2 of the best passages, for which there was no room."
    answers = (ItemAnswer("Consent", (extract,), 0.9, by_model=True, note=note), ItemAnswer("Money", (), 0.1))
    documents = (DocumentAnswers(hit.document, answers),)
    names = tuple(each.item for each in answers)
    return ChecklistReport("Roadside", names, documents, ("Odd.",), is_of_files=is_of_files, model="Quill")


def lines(*, is_of_files: bool = False) -> tuple[Finding, ...]:
    return findings_of(report(is_of_files=is_of_files))


def test_a_sentence_of_a_passage_is_shown_marked_and_kept_word_by_word() -> None:
    notice, consent, money = lines()
    (answer,) = consent.children
    assert answer.text == "Consent must be knowing."
    assert "⚠ cites a case that is overruled" in answer.below
    hit = made_hit(1, text=TEXT)
    assert [TEXT[slice(*each)] for each in marked(answer, hit.passage)] == ["Consent must be knowing."]
    kept = collected_of(answer, PassageInContext(hit.document, (), hit.passage, ()))
    assert kept
    assert (kept.excerpt, kept.cautions) == ("Consent must be knowing.", ("cites a case that is overruled",))
    assert notice.text == "⚠ Odd."
    assert money.below == "Not found"


def test_the_sentence_that_answers_is_shown_and_marked_in_its_passage() -> None:
    hit = made_hit(1, text=TEXT)
    extract = ChecklistExtract(hit.passage, Span(0, len(TEXT)), (), CHOSEN)
    told = DocumentAnswers(hit.document, (ItemAnswer("Consent", (extract,), 0.9),))
    ((answer,),) = (each.children for each in findings_of(ChecklistReport("Roadside", ("Consent",), (told,))))
    assert (answer.text, answer.tip) == ("Consent must be knowing.", TEXT)
    assert [TEXT[slice(*each)] for each in marked(answer, hit.passage)] == ["Consent must be knowing."]


def test_headings_stand_below_an_answer_and_not_in_its_words() -> None:
    hit = made_hit(1, text=f"ARGUMENT\nTHE STOP WAS\nLONG.\n{TEXT}")
    passage = replace(hit.passage, section_path=("ARGUMENT", "THE STOP WAS LONG."))
    extract = ChecklistExtract(passage, Span(0, len(passage.text)))
    told = DocumentAnswers(hit.document, (ItemAnswer("Stop", (extract,), 0.9),))
    ((answer,),) = (each.children for each in findings_of(ChecklistReport("Roadside", ("Stop",), (told,))))
    assert answer.text == " ".join(TEXT.split())
    assert "The stop was long." in answer.below
    assert answer.source
    assert answer.source.words == passage.text


def test_words_that_their_passage_holds_no_more_are_not_kept() -> None:
    (answer,) = lines()[1].children
    hit = made_hit(1, text=TEXT)
    renewed = replace(hit.passage, text="Another passage stands here since the index was renewed.")
    assert collected_of(answer, PassageInContext(hit.document, (), renewed, ())) is None
    other = replace(hit.document, id="another")
    assert collected_of(answer, PassageInContext(other, (), hit.passage, ())) is None


def test_what_the_model_could_not_do_and_which_it_was_is_told() -> None:
    assert lines()[1].below.startswith("Read without 2 of the best passages")
    said = summary_of(report())
    assert said.startswith("1 of 2 answered · sentences chosen by a language model (Quill)")
    assert said.endswith("Not found (no proof that there is nothing): Money")


def test_answers_of_a_file_in_no_bank_open_nothing() -> None:
    (answer,) = lines(is_of_files=True)[1].children
    assert answer.passage_id == ""
    assert answer.source
