"""Other packages are used by their public interfaces alone, so that an upgrade of one is no repair of ours.

Underscore names of other packages are told from our own by where they are defined: what no class or module of ours
defines is another's. Of what cannot be seen so, whoever reads a change has to take care.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from program import ROOT

OWN = ("briefbank", "ui", "installer")
DOCUMENTED = {"_replace", "_asdict", "_fields", "_make"}
"""Of named tuples: underscored so that they meet no field."""
ALLOWED = {
    "os._exit": "documented so",
    "torch.ops.mkldnn._is_mkldnn_bf16_supported": "oneDNN's products have no other name in Python; an encoder whose "
    "torch lacks them is run without (`fits`)",
    "torch.ops.mkldnn._reorder_linear_weight": "as above",
    "torch.ops.mkldnn._linear_pointwise": "as above",
}


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__") and name != "_"


def is_self(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


@cache
def modules() -> list[tuple[Path, ast.Module]]:
    paths = [path for package in OWN for path in sorted((ROOT / package).rglob("*.py"))]
    return [(path, ast.parse(path.read_text("utf-8"))) for path in paths]


def defined(tree: ast.AST) -> Iterator[str]:
    """Names that a module of ours gives something: functions, classes, variables, attributes of its own objects."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and is_self(node.value):
            yield node.attr


def private_uses(tree: ast.Module, ours: set[str]) -> Iterator[tuple[int, str]]:
    foreign = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names if alias.name.partition(".")[0] not in OWN]
            foreign |= {alias.asname or alias.name.partition(".")[0] for alias in node.names if alias.name in names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] not in OWN:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            foreign |= {alias.asname or alias.name for alias in node.names}
        else:
            continue
        yield from ((node.lineno, name) for name in names if any(map(is_private, name.split("."))))
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute) or not is_private(node.attr) or node.attr in DOCUMENTED:
            continue
        root = node.value
        while isinstance(root, ast.Attribute):
            root = root.value
        is_foreign = isinstance(root, ast.Name) and root.id in foreign
        if is_foreign or node.attr not in ours:
            yield node.lineno, ast.unparse(node)


def planted(tree: ast.Module) -> Iterator[int]:
    """Lines that change `sys.modules`."""
    for node in ast.walk(tree):
        is_change = (isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load)) or (
            isinstance(node, ast.Attribute) and node.attr in ("setdefault", "update", "pop", "clear")
        )
        if is_change and isinstance(node.value, ast.Attribute) and ast.unparse(node.value) == "sys.modules":
            yield node.lineno


def test_no_private_name_of_another_package_is_used() -> None:
    ours = {name for _, tree in modules() for name in defined(tree)}
    found = [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path, tree in modules()
        for line, name in private_uses(tree, ours)
        if name not in ALLOWED
    ]
    assert found == []


def test_nothing_is_planted_among_the_modules() -> None:
    assert [f"{path.relative_to(ROOT)}:{line}" for path, tree in modules() for line in planted(tree)] == []


@pytest.mark.parametrize(
    "text",
    ["from x import _y", "import x\nx._y()"],
)
def test_private_names_are_seen(text: str) -> None:
    assert list(private_uses(ast.parse(text), set()))
