"""What of a summary may be shown: every sentence held against its source first. Knows no model and no cache."""

from __future__ import annotations

from briefbank.law.grounding import AUTHORITIES, Source
from briefbank.reports import SummaryPart
from briefbank.summaries.sentences import Sentence, SentenceTopic

WITHHELD = "[A sentence is withheld: it cites what the source does not contain.]"
_HEADINGS = {
    SentenceTopic.LEGAL_ISSUE: "Legal issue:",
    SentenceTopic.FACTS: "Facts:",
    SentenceTopic.POSTURE: "Posture:",
}
_AFTERTHOUGHT = "Also:"


class Presenter:
    """Turns sentences into parts, in order."""

    def __init__(self, source: str) -> None:
        self._source = Source(source)
        self._heading = ""
        self.withheld = self.doubted = 0

    def parts(self, sentence: Sentence) -> tuple[SummaryPart, ...]:
        """The sentence, under its heading where one is due; a note in its place where it cites what is not there."""
        doubts = self._source.doubts(sentence.text)
        heading = self._due(sentence)
        if any(doubt.kind in AUTHORITIES for doubt in doubts):
            self.withheld += 1
            return (*heading, SummaryPart(f" {WITHHELD}"))
        self.doubted += bool(doubts)
        return (*heading, SummaryPart(f" {sentence.text}", "; ".join(map(str, doubts))))

    def count(self, sentence: Sentence) -> None:
        """Check a sentence for its counts alone."""
        self.parts(sentence)

    def _due(self, sentence: Sentence) -> tuple[SummaryPart, ...]:
        heading = _AFTERTHOUGHT if sentence.is_afterthought else _HEADINGS[sentence.topic]
        if heading == self._heading:
            return ()
        before, self._heading = self._heading, heading
        return (SummaryPart(f"\n{heading}" if before else heading),)


def left_out_part(count: int) -> SummaryPart | None:
    """What to say of excerpts for which the model had no room."""
    if not count:
        return None
    told = "1 passage" if count == 1 else f"{count} passages"
    return SummaryPart(f"\n[Written without {told} of the same section, for which there was no room.]")
