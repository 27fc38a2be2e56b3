"""Imports lancedb without its client for remote catalogues, which a bank on a local disk never asks.

That client builds hundreds of validators as it is imported, half of the time that lancedb takes, and brings an HTTP
library with it. Whatever lancedb names of it is an empty class here.
"""

from __future__ import annotations

import sys
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

_CLIENT = "lance_namespace_urllib3_client"


class _Absent(ModuleType):
    def __getattr__(self, name: str) -> type:
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {})


class _ClientLeftOut(MetaPathFinder, Loader):
    def find_spec(self, fullname: str, path: object, target: object = None) -> ModuleSpec | None:  # noqa: ARG002
        is_client = fullname.partition(".")[0] == _CLIENT
        return ModuleSpec(fullname, self, is_package=True) if is_client else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _Absent(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Nothing to run."""


def import_lancedb() -> ModuleType:
    """Return the module `lancedb`; use this instead of the import statement."""
    if "lancedb" not in sys.modules and _CLIENT not in sys.modules:
        sys.meta_path.insert(0, _ClientLeftOut())
    import lancedb

    return lancedb
