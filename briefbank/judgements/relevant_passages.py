"""The passages that people marked relevant to a question, out of a log of feedback, as the bank holds them now."""

from __future__ import annotations

from pathlib import Path

from briefbank.errors import UsageError
from briefbank.index.generation import Generation
from briefbank.judgements.evaluate.feedback_collection import collect, grades_of
from briefbank.judgements.feedback.merge import log_of
from briefbank.judgements.feedback.opinions import passages_as_shown, query_id
from briefbank.judgements.feedback.sources import read_source
from briefbank.values.records import Passage


def relevant_passages(log: Path, question: str, generation: Generation) -> tuple[Passage, ...]:
    """Return the passages that most people who judged them for these very words found relevant, in the order of ids.

    Raises:
        UsageError: there are none, or the index has none of them any more.
        SourceError, BankDamagedError, BankNewerError: the log cannot be read.
    """
    with log_of(read_source(log).events) as database:
        collection = collect(database)
    asked = query_id(question)
    shown = {(each.passage_id, each.text_sha256) for each in collection.opinions if each.query_id == asked}
    passages = passages_as_shown(generation, shown)
    grades = grades_of(collection, passages, by_stars=False).get(asked, {})
    relevant = {each.id: each for each in passages.values() if grades.get(each.id)}
    if not relevant:
        advice = "Mark passages with R in the window, or give the question as it was typed."
        raise UsageError("No passage of the bank is marked relevant to that question.", advice)
    return tuple(relevant[each] for each in sorted(relevant))
