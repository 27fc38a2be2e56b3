"""The JSON shapes of results; the field names are a promise to other programs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from briefbank.values.authorities import Addressed
from briefbank.values.bands import arranged, order_notice
from briefbank.values.cautions import cautions_of_hit
from briefbank.values.records import Document, Fact, Hit, Passage, SearchResult


def day_json(day: date | None) -> str | None:
    """Return a day as YYYY-MM-DD; None where it is not known."""
    return day.isoformat() if day else None


def brief_json(document: Document) -> dict[str, Any]:
    """Return what names a document beside something that was found in it."""
    return {"document_id": document.id, "title": document.metadata.title.value, "filed": day_json(document.filed)}


def document_json(document: Document) -> dict[str, Any]:
    """Return a document with its metadata and where each piece was found."""
    facts: dict[str, Fact | None] = {
        name: getattr(document.metadata, name)
        for name in ("title", "kind", "court", "docket", "filed", "author", "outcome")
    }
    return {
        "document_id": document.id,
        "source_path": document.source_path,
        "sha256": document.sha256,
        **{name: fact.value if fact else None for name, fact in facts.items()},
        "found_in": {name: fact.found_in for name, fact in facts.items() if fact},
        "pages": document.page_count,
        "ocr_pages": document.ocr_page_count,
        "ocr_confidence": document.ocr_confidence,
        "passages": document.passage_count,
        "note": document.note,
    }


def passage_json(passage: Passage, document: Document, cautions: Sequence[str]) -> dict[str, Any]:
    """Return a passage with its place in the document; no pages where the file has none that can be cited. `cautions`
    are lines that belong below its words wherever these go.
    """
    return {
        "passage_id": passage.id,
        "document_id": passage.document_id,
        "page_first": passage.page_first if document.has_pages else None,
        "page_last": passage.page_last if document.has_pages else None,
        "page_label": document.printed_pages(passage.page_first, passage.page_last),
        "section_path": list(passage.section_path),
        "section_kind": passage.section_kind.value,
        "is_footnotes": passage.is_footnotes,
        "ocr_confidence": passage.ocr_confidence,
        "span": list(passage.span),
        "text": passage.text,
        "cautions": list(cautions),
    }


def hit_json(hit: Hit) -> dict[str, Any]:
    """Return one hit of a search."""
    document = document_json(hit.document)
    taken = ("title", "kind", "filed", "court", "docket", "author", "outcome", "source_path")
    return {
        "rank": hit.rank,
        "score": round(hit.score, 6),
        "probability": None if hit.probability is None else round(hit.probability, 4),
        "band": hit.band.value if hit.band else None,
        **passage_json(hit.passage, hit.document, cautions_of_hit(hit)),
        **{name: document[name] for name in taken},
        "matches": [list(span) for span in hit.matches],
        "why": hit.why,
        "warnings": list(hit.warnings),
        "siblings": [
            {
                "passage_id": sibling.passage_id,
                "title": sibling.title,
                "filed": day_json(sibling.filed),
            }
            for sibling in hit.siblings
        ],
    }


def result_json(result: SearchResult, *, is_of_files: bool = False) -> dict[str, Any]:
    """Return a whole search result, hits in the order shown; `is_of_files`: their ids are those of no bank."""
    no_ids = {"passage_id": None, "document_id": None} if is_of_files else {}
    return {
        "query": result.query.text,
        "corrections": [{"typed": each.typed, "corrected": each.corrected} for each in result.corrections],
        "generation": result.generation,
        "took_ms": round(result.took_ms, 1),
        "sort": result.query.sort.value,
        "order_note": order_notice(result.hits, result.query.sort),
        "explanation": result.explanation,
        "notices": list(result.notices),
        "authority": None if is_of_files else result.authority or None,
        "has_exact": result.has_exact,
        "hidden": result.hidden_count,
        "lowered": result.lowered_count,
        "weak": result.weak_count,
        "found": result.found,
        "hints": [{"text": hint.text, "meaning": hint.meaning} for hint in result.hints],
        "hits": [hit_json(hit) | no_ids for hit in arranged(result.hits, result.query.sort)],
    }


def addressed_json(addressed: Addressed | None) -> dict[str, Any]:
    """Return which briefs answer a question for authorities alone, step by step; null for any other question."""
    if addressed is None:
        return {"steps": None, "briefs": None}
    steps = [
        {"text": each.text or None, "meaning": each.meaning, "briefs": each.brief_count} for each in addressed.steps
    ]
    briefs = [
        {**brief_json(each.document), "passages": each.passage_count, "passage_id": each.passage_id}
        for each in addressed.briefs
    ]
    return {"steps": steps, "briefs": briefs}
