"""Encoders: text to vectors. The port is in `port`, one module per implementation; these are the ways in.

Indexing loads with torch, a search with ONNX Runtime, from an export that has the digest of its source. Where an
encoder is there as an export alone, indexing uses that too.

Tests index and search with an encoder that needs no model, which they `offer`; nothing in the product does.
"""

from __future__ import annotations

from pathlib import Path

from briefbank.models.encoders.onnx import OnnxEncoder
from briefbank.models.encoders.port import Embeddings, Encoder
from briefbank.models.encoders.source import copy_export, export_digest, find_export, find_source, require_form
from briefbank.platform.settings import Settings, core_count

__all__ = [
    "Embeddings",
    "Encoder",
    "choose_precision",
    "encoder_digest",
    "export_encoder",
    "load_passage_encoder",
    "load_query_encoder",
    "offer",
    "substitute_with",
]

_offered: dict[str, Encoder] = {}


def offer(name: str, encoder: Encoder) -> None:
    """Have a name of the setting `encoder` mean this encoder from now on, in this process."""
    _offered[name] = encoder


def encoder_digest(settings: Settings) -> str:
    """The digest of the encoder that the settings name; loads nothing. Raises ModelError if it is missing or wrong."""
    if substitute := _offered.get(settings.encoder):
        return substitute.digest
    export = find_export(settings)
    return export_digest(export) if export else find_source(settings).digest


def choose_precision(settings: Settings) -> str:
    """Measure which precision is fastest on this machine and retrieves as fp32 does; takes a few seconds.

    The answer holds for one machine and one `encoder_digest`; callers keep it.
    """
    if substitute := _offered.get(settings.encoder):
        return substitute.precision
    if find_export(settings):
        return OnnxEncoder.precision
    from briefbank.models.encoders.sentence_transformer import measure_precision

    return measure_precision(find_source(settings))


def load_passage_encoder(settings: Settings, precision: str | None = None) -> Encoder:
    """Load the encoder that the settings name, for indexing; without a precision, `choose_precision` is asked.

    Raises:
        ModelError: the model is missing, not the one that its digest names, or an export that an earlier program made.
    """
    if substitute := _offered.get(settings.encoder):
        return substitute
    if export := find_export(settings):
        return OnnxEncoder(export, require_form(export), threads=core_count())
    from briefbank.models.encoders.sentence_transformer import SentenceTransformerEncoder, load_model

    source = find_source(settings)
    return SentenceTransformerEncoder(source, load_model(source), precision or choose_precision(settings))


def export_encoder(settings: Settings, folder: Path) -> None:
    """Write the ONNX form of the encoder that the settings name, for `load_query_encoder`; an intact one is kept.

    Raises:
        ModelError: the export does not retrieve as its source does.
    """
    if _offered.get(settings.encoder):
        return
    if export := find_export(settings):
        copy_export(export, folder)
        return
    from briefbank.models.encoders.export import export_source

    export_source(find_source(settings), folder)


def load_query_encoder(export_folder: Path, expected_digest: str) -> Encoder:
    """Load an export through ONNX Runtime, for searching; imports neither torch nor transformers.

    Raises:
        ModelError: the export is missing, damaged, or of another encoder than `expected_digest` names.
    """
    if substitute := substitute_with(expected_digest):
        return substitute
    return OnnxEncoder(export_folder, expected_digest)


def substitute_with(digest: str) -> Encoder | None:
    """The encoder that was offered, if it has this digest."""
    return next((each for each in _offered.values() if each.digest == digest), None)
