"""Cuts a structured document into the passages that are searched; must not know readers, banks or indexes."""

from briefbank.ingest.segment.by_model import ModelCutter, load_cutter
from briefbank.ingest.segment.passages import segment

__all__ = ["ModelCutter", "load_cutter", "segment"]
