"""Leaves out packages that a library imports of its own accord and this program never uses, by Python's import hooks.

Must not know the libraries.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType


def leave_out(packages: Sequence[str], *, is_required: bool = False) -> None:
    """From now on have packages appear not to be installed, with what is in them; where a library requires one to be
    there, as an empty one whose every name is an empty class. Packages that were imported before stay.
    """
    hook = _LeftOut(tuple(packages), is_required)
    if hook not in sys.meta_path:
        sys.meta_path.insert(0, hook)


class _LeftOut(MetaPathFinder, Loader):
    def __init__(self, packages: tuple[str, ...], is_required: bool) -> None:  # noqa: FBT001
        self._said = packages, is_required

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _LeftOut) and self._said == other._said

    def __hash__(self) -> int:
        return hash(self._said)

    def find_spec(self, fullname: str, path: object, target: object = None) -> ModuleSpec | None:  # noqa: ARG002
        packages, is_required = self._said
        if not any(fullname == each or fullname.startswith(f"{each}.") for each in packages):
            return None
        if not is_required:
            raise ModuleNotFoundError(f"{fullname} is left out.", name=fullname)
        return ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _Empty(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Nothing to run."""


class _Empty(ModuleType):
    def __getattr__(self, name: str) -> type:
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {})
