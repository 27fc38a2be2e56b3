"""The one door to PyMuPDF, which imports more than itself where that is installed."""

from __future__ import annotations

import sys
from types import ModuleType

_UNUSED = ("pymupdf.layout", "pymupdf4llm")
"""Models for layout, with ONNX Runtime: a second of work, 500 MB, and system calls that readers are refused."""


def import_pymupdf() -> ModuleType:
    """Return the module `pymupdf` without its models; use this instead of the import statement."""
    for name in _UNUSED:
        sys.modules.setdefault(name, None)  # type: ignore[arg-type]  # Python's way of saying: not to be imported
    import pymupdf

    return pymupdf
