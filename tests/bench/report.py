"""What the benchmark measured: figures with their goals, the machine, the file that the next run is compared with."""

from __future__ import annotations

import json
import os
import platform
import sys
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import psutil

_CPU_FEATURES = ("avx2", "avx512f", "avx512_bf16", "avx512_vnni", "avx_vnni", "amx_tile", "amx_bf16", "amx_int8")


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured number. `goal` is a least value, or with `is_cost` a greatest one."""

    name: str
    value: float
    unit: str
    goal: float | None = None
    is_cost: bool = False

    @property
    def meets_goal(self) -> bool | None:
        if self.goal is None:
            return None
        return self.value <= self.goal if self.is_cost else self.value >= self.goal


def machine() -> dict[str, Any]:
    """What the figures depend on: processor, memory, versions, and how busy the machine was."""
    try:
        cpuinfo = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        cpuinfo = ""
    found = dict(line.split(":", 1) for line in reversed(cpuinfo.splitlines()) if ":" in line)
    told = {key.strip(): value.strip() for key, value in found.items()}
    flags = set(told.get("flags", "").split())
    return {
        "processor": told.get("model name", platform.processor()),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "features": [name for name in _CPU_FEATURES if name in flags],
        "memory_gb": round(psutil.virtual_memory().total / 1e9, 1),
        "load": round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None,
        "python": sys.version.split()[0],
        "versions": {name: version(name) for name in ("torch", "onnxruntime", "lancedb", "bm25s", "pymupdf")},
    }


def read_results(path: Path) -> dict[str, Any]:
    """The results of an earlier run, empty where there is none."""
    try:
        results: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    return results


def merged(before: dict[str, Any], part: str, figures: list[Figure], facts: dict[str, Any], at: str) -> dict[str, Any]:
    """The results with one part measured anew; the other parts keep theirs, and the time and machine of theirs."""
    return before | {part: {"at": at, "machine": facts, "figures": [asdict(figure) for figure in figures]}}


def table(figures: list[Figure], before: list[dict[str, Any]]) -> str:
    """The figures line by line: value, goal, change against the earlier figures of the same names."""
    known = {each["name"]: each["value"] for each in before}
    lines = []
    for figure in figures:
        goal = "" if figure.goal is None else f"{'≤' if figure.is_cost else '≥'} {figure.goal:g}"
        verdict = {None: "", True: "met", False: "MISSED"}[figure.meets_goal]
        old = known.get(figure.name)
        change = f"{(figure.value / old - 1) * 100:+.0f} %" if old else ""
        row = f"  {figure.name:<58} {shown(figure.value):>9} {figure.unit:<11} {goal:<9} {verdict:<6} {change}"
        lines.append(row.rstrip())
    return "\n".join(lines)


def shown(value: float) -> str:
    """A number with about three significant digits."""
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.3g}"
