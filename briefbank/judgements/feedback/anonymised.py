"""The texts that people wrote into a log, and a log with those texts rewritten. Must not know what is rewritten."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from msgspec.structs import replace

from briefbank.judgements.feedback.exchange import LoggedEvent

_NAMING_FILTERS = ("authors", "dockets")


def texts_in(events: Iterable[LoggedEvent]) -> Iterator[str]:
    """Yield every text that a person wrote: queries, remarks, names of saved searches."""
    for event in events:
        told = (event.search, event.comment, event.saved)
        yield from (each.text for each in told if each and each.text)
        if event.saved:
            yield event.saved.name
        for each in (event.search, event.saved):
            if each and each.parameters:
                yield from each.parameters.get("refused_hints", ())


def rewritten(events: Iterable[LoggedEvent], rewrite: Callable[[str], str]) -> list[LoggedEvent]:
    """Return the events with each of those texts rewritten, and without the authors and dockets searched for."""
    return [_rewritten(event, lambda text: rewrite(text) if text else text) for event in events]


def _rewritten(event: LoggedEvent, rewrite: Callable[[str], str]) -> LoggedEvent:
    if event.search:
        search = replace(
            event.search, text=rewrite(event.search.text), parameters=_parameters(event.search.parameters, rewrite)
        )
        return replace(event, search=search)
    if event.comment:
        return replace(event, comment=replace(event.comment, text=rewrite(event.comment.text)))
    if event.saved:
        saved = event.saved
        text = saved.text and rewrite(saved.text)
        parameters = _parameters(saved.parameters, rewrite) if saved.parameters else saved.parameters
        return replace(event, saved=replace(saved, name=rewrite(saved.name), text=text, parameters=parameters))
    return event


def _parameters(parameters: dict[str, Any], rewrite: Callable[[str], str]) -> dict[str, Any]:
    filters = {name: [] if name in _NAMING_FILTERS else value for name, value in parameters.get("filters", {}).items()}
    hints = [rewrite(hint) for hint in parameters.get("refused_hints", ())]
    return {**parameters, "filters": filters, "refused_hints": hints}
