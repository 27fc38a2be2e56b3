"""The sentences of a summary, taken out of the model's JSON while it is written. Knows no model."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

_LONGEST = 320
"""Characters of a sentence: a grammar needs a bound, or a model that loops never ends."""


class SentenceTopic(StrEnum):
    """What a sentence tells of; the names in the model's answer."""

    LEGAL_ISSUE = "legal_issue"
    FACTS = "facts"
    POSTURE = "posture"


_TOPICS = {str(topic): topic for topic in SentenceTopic}


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence as the model wrote it; it never shows in a `repr`."""

    topic: SentenceTopic
    text: str = field(repr=False)
    is_afterthought: bool = False
    """Whether the follow-up question brought it."""


def schema_of(counts: dict[SentenceTopic, int]) -> dict[str, object]:
    """The schema of an answer with at most so many sentences a topic."""
    sentence = {"type": "string", "maxLength": _LONGEST}
    properties = {
        str(topic): {"type": "array", "items": sentence, "maxItems": count} for topic, count in counts.items()
    }
    return {
        "type": "object",
        "properties": properties,
        "required": [str(topic) for topic in counts],
        "additionalProperties": False,
    }


class SentenceStream:
    """Is fed the answer piece by piece and yields each sentence when its closing quotation mark has come."""

    def __init__(self) -> None:
        self._raw = ""
        self._topic = ""
        self._is_in_string = self._is_in_list = self._is_escaped = False

    def feed(self, text: str) -> Iterator[tuple[SentenceTopic, str]]:
        """Take the next piece."""
        for character in text:
            if self._is_in_string:
                self._raw += character
                if character == '"' and not self._is_escaped:
                    self._is_in_string = False
                    yield from self._close()
                self._is_escaped = character == "\\" and not self._is_escaped
            elif character == '"':
                self._raw, self._is_in_string = character, True
            elif character in "[]":
                self._is_in_list = character == "["

    def _close(self) -> Iterator[tuple[SentenceTopic, str]]:
        """What is no JSON, or of no known topic, is passed over: the whole answer is refused for it later."""
        try:
            written = json.loads(self._raw, strict=False).encode("utf-8", "replace").decode("utf-8")
        except ValueError:
            return
        sentence = " ".join(written.split())
        if not self._is_in_list:
            self._topic = written
        elif sentence and self._topic in _TOPICS:
            yield _TOPICS[self._topic], sentence
