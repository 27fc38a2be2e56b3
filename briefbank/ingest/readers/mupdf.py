"""The one door to PyMuPDF, which imports more than itself where that is installed."""

from __future__ import annotations

from types import ModuleType

from briefbank.platform.left_out import leave_out

_UNUSED = ("pymupdf.layout", "pymupdf4llm")
"""Models for layout, with ONNX Runtime: a second of work, 500 MB, and system calls that readers are refused. PyMuPDF
does without them where they are not installed.
"""


def import_pymupdf() -> ModuleType:
    """Return the module `pymupdf` without its models; use this instead of the import statement."""
    leave_out(_UNUSED)
    import pymupdf

    return pymupdf
