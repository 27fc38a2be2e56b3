"""Cuts a structured document into the passages that are searched; must not know readers, banks or indexes."""

from briefbank.ingest.segment.by_model import ModelCutter, load_cutter
from briefbank.ingest.segment.passages import PASSAGE_SIZE, segment

__all__ = ["PASSAGE_SIZE", "ModelCutter", "load_cutter", "segment"]
