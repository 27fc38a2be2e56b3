"""Encoders: text to vectors. The port is in `port`, one module per implementation; these are the ways in.

Indexing loads with torch, a search with ONNX Runtime, from an export that has the digest of its source. Where an
encoder is there as an export alone, indexing uses that too. A search imports nothing of where encoders come from.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from briefbank.models.encoders.port import Embeddings, Encoder
from briefbank.models.encoders.substitute import substitute_named, substitute_with
from briefbank.platform.settings import Settings, core_count

__all__ = [
    "Embeddings",
    "Encoder",
    "choose_precision",
    "cross_encoder_converter",
    "encoder_digest",
    "export_encoder",
    "load_passage_encoder",
    "load_query_encoder",
]


def encoder_digest(settings: Settings) -> str:
    """The digest of the encoder that the settings name; loads nothing. Raises ModelError if it is missing or wrong."""
    if substitute := substitute_named(settings.encoder):
        return substitute.digest
    from briefbank.models.encoders.source import export_digest, find_export, find_source

    export = find_export(settings)
    return export_digest(export) if export else find_source(settings).digest


def choose_precision(settings: Settings) -> str:
    """Measure which precision is fastest on this machine and retrieves as fp32 does; takes a few seconds.

    The answer holds for one machine and one `encoder_digest`; callers keep it.
    """
    if substitute := substitute_named(settings.encoder):
        return substitute.precision
    from briefbank.models.encoders.source import find_export, find_source

    if find_export(settings):
        from briefbank.models.encoders.onnx import OnnxEncoder

        return OnnxEncoder.precision
    from briefbank.models.encoders.sentence_transformer import measure_precision

    return measure_precision(find_source(settings))


def load_passage_encoder(settings: Settings, precision: str | None = None) -> Encoder:
    """Load the encoder that the settings name, for indexing; without a precision, `choose_precision` is asked.

    Raises:
        ModelError: the model is missing, not the one that its digest names, or an export that an earlier program made.
    """
    if substitute := substitute_named(settings.encoder):
        return substitute
    from briefbank.models.encoders.source import find_export, find_source, require_form

    if export := find_export(settings):
        from briefbank.models.encoders.onnx import OnnxEncoder

        return OnnxEncoder(export, require_form(export), threads=core_count())
    from briefbank.models.encoders.sentence_transformer import SentenceTransformerEncoder, load_model

    source = find_source(settings)
    return SentenceTransformerEncoder(source, load_model(source), precision or choose_precision(settings))


def export_encoder(settings: Settings, folder: Path) -> None:
    """Write the ONNX form of the encoder that the settings name, for `load_query_encoder`; an intact one is kept.

    Raises:
        ModelError: the export does not retrieve as its source does.
    """
    if substitute_named(settings.encoder):
        return
    from briefbank.models.encoders.source import copy_export, find_export, find_source

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
    from briefbank.models.encoders.onnx import OnnxEncoder

    return OnnxEncoder(export_folder, expected_digest)


def cross_encoder_converter() -> Callable[[Path, Path], None] | None:
    """What writes the ONNX form of a cross-encoder's folder into an empty one; None where torch is not installed."""
    if not find_spec("sentence_transformers"):
        return None

    def convert(source: Path, folder: Path) -> None:
        from briefbank.models.encoders.cross_encoder_torch import write_cross_encoder

        write_cross_encoder(source, folder)

    return convert
