"""The answers of a brief to a checklist as the window shows them: each item with the brief's own words in their order,
or "Not found". Knows no widget.
"""

from __future__ import annotations

from collections.abc import Iterable

from briefbank.values import ChecklistExtract, ChecklistReport, ItemAnswer
from briefbank.values.records import Document
from ui.findings.marks import Finding, Source
from ui.headings import sentence_case
from ui.wording import count, day, particulars

NOT_FOUND = "Not found"


def findings_of(report: ChecklistReport) -> tuple[Finding, ...]:
    """Return the lines of a report, item by item in the order of the list."""
    notices = [Finding(f"⚠ {each}", tone="warning") for each in report.notices]
    items = (
        _item(answer, each.document, is_of_file=report.is_of_files)
        for each in report.documents
        for answer in each.answers
    )
    return (*notices, *items)


def summary_of(report: ChecklistReport) -> str:
    """Return to how many items there are words of the brief, for a reader to judge, and to which there are none."""
    answers = [answer for each in report.documents for answer in each.answers]
    missing = [each.item for each in answers if not each.extracts]
    found = f"Words proposed for {len(answers) - len(missing)} of {count(len(answers), 'item')}"
    by_model = f" · sentences chosen by a language model ({report.model})" if report.model else ""
    lacking = f"\n{NOT_FOUND} (no proof that there is nothing): {', '.join(missing)}" if missing else ""
    return f"{found}{by_model}{lacking}"


def brief_lines(documents: Iterable[Document]) -> tuple[Finding, ...]:
    """Return briefs to choose from."""
    return tuple(
        Finding(each.metadata.title.value, f"{day(each.filed)} · {particulars(each)}", document_id=each.id)
        for each in documents
    )


def _item(answer: ItemAnswer, document: Document, *, is_of_file: bool) -> Finding:
    lines = tuple(_extract(each, document, is_of_file=is_of_file) for each in answer.extracts)
    if not lines:
        return Finding(answer.item, " · ".join(filter(None, (NOT_FOUND, answer.note))), tone="muted")
    return Finding(answer.item, answer.note, children=lines)


def _extract(extract: ChecklistExtract, document: Document, *, is_of_file: bool) -> Finding:
    passage = extract.passage
    pages = document.cited_pages(passage.page_first, passage.page_last)
    headings = (sentence_case(each) for each in reversed(passage.section_path[-1:]))
    is_whole = extract.span == (0, len(passage.text))
    return Finding(
        _without_headings(extract),
        " · ".join(filter(None, (pages, *headings, *(f"⚠ {each}" for each in extract.cautions)))),
        passage_id="" if is_of_file else passage.id,
        places=() if is_whole else (extract.span,),
        source=Source(extract.text, document, passage.page_first, passage.page_last),
        cautions=extract.cautions,
    )


def _without_headings(extract: ChecklistExtract) -> str:
    """The words in a line, but for the headings that a passage begins with: these stand below."""
    words = " ".join(extract.text.split())
    for heading in extract.passage.section_path:
        above = " ".join(heading.split())
        if words.casefold().startswith(f"{above.casefold()} "):
            words = words[len(above) + 1 :]
    return words
