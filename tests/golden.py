"""What is read out of the sample documents, as digests kept for each version: `python tests/golden.py` records them.

A bank holds what the program read when it was made. Where the same file would be read otherwise today, the version of
that step must be raised, or old banks keep what they have and new files beside it are read differently.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from hashing_encoder import HashingEncoder

from briefbank.errors import BriefBankError
from briefbank.index.tokens import ANALYSER_VERSION, index_terms
from briefbank.ingest.annotate import annotate
from briefbank.ingest.process import PIPELINE_VERSION
from briefbank.ingest.readers import read_file
from briefbank.ingest.segment import segment
from briefbank.ingest.structure import structure
from briefbank.law.citations import CITATIONS_VERSION, load_patterns
from briefbank.platform.settings import Settings
from briefbank.values.records import StructuredDocument

SAMPLES = Path(__file__).parent / "data" / "samples" / "office"
RECORDED = Path(__file__).parent / "data" / "golden"
VERSIONS = {
    "pipeline": ("PIPELINE_VERSION in briefbank/ingest/process.py", str(PIPELINE_VERSION)),
    "citations": ("CITATIONS_VERSION in briefbank/law/citations/__init__.py", str(CITATIONS_VERSION)),
    "analyser": ("ANALYSER_VERSION in briefbank/index/tokens.py", ANALYSER_VERSION),
}
"""Where the version of each step stands, and what it is."""
Digests = dict[str, dict[str, str]]
"""By the file's path below the samples, by the step (`sections`), the start of a SHA-256."""


def recorded(step: str) -> Path:
    """Where the digests of the version that a step has now are kept."""
    return RECORDED / f"{step}-{VERSIONS[step][1]}.json"


def read_samples() -> dict[str, Digests]:
    """The digests of every sample that needs no OCR, by what must be raised when they change."""
    found: dict[str, Digests] = {step: {} for step in VERSIONS}
    for path in sorted(path for path in SAMPLES.rglob("*") if path.is_file()):
        try:
            reading = read_file(path, Settings())
            digested = {} if reading.pages_to_ocr else _digests(structure(reading))
        except BriefBankError:
            continue
        for step, digests in digested.items():
            found[step][path.relative_to(SAMPLES).as_posix()] = digests
    return found


def _digests(document: StructuredDocument) -> Digests:
    passages = segment(document, HashingEncoder(), "golden")
    notes = annotate(passages, load_patterns())
    return {
        "pipeline": {
            "text": _digest(document.text),
            "blocks": _digest(document.blocks),
            "sections": _digest(document.sections),
            "metadata": _digest(document.metadata),
            "page numbers": _digest(document.page_runs),
            "passages": _digest([(each.span, each.section_path, each.page_first, each.page_last) for each in passages]),
        },
        "citations": {"sentences": _digest(notes.sentence_starts), "citations": _digest(notes.citations)},
        "analyser": {"terms": _digest([index_terms(each.text) for each in passages])},
    }


def _digest(value: object) -> str:
    return hashlib.sha256(msgspec.json.encode(value)).hexdigest()[:12]


def differences(step: str, found: Digests) -> Iterator[str]:
    """What of each sample differs from what was recorded, for people."""
    kept: Digests = json.loads(recorded(step).read_text(encoding="utf-8"))
    for name in sorted(kept.keys() | found.keys()):
        was, now = kept.get(name, {}), found.get(name, {})
        changed = sorted(part for part in was.keys() | now.keys() if was.get(part) != now.get(part))
        if changed:
            yield f"{name}: {', '.join(changed)}"


def _record(found: dict[str, Any], *, is_unreleased: bool) -> int:
    RECORDED.mkdir(exist_ok=True)
    for step, digests in found.items():
        path, (where, _) = recorded(step), VERSIONS[step]
        if path.is_file() and not is_unreleased and list(differences(step, digests)):
            print(f"{step}: the samples are read otherwise than this version recorded. Raise {where}, then run again.")
            return 1
        path.write_text(json.dumps(digests, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--unreleased", action="store_true", help="record again a version that no office has yet")
    sys.exit(_record(read_samples(), is_unreleased=parser.parse_args().unreleased))
