"""`briefbank evaluate BEIR_FOLDER`: how well the search finds what people judged relevant."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from briefbank.errors import ExitCode


def register(verbs: Any) -> None:  # noqa: ANN401  # argparse has no public type for it
    """Add the verb."""
    parser: argparse.ArgumentParser = verbs.add_parser("evaluate", help="measure the search on judged queries")
    parser.add_argument("folder", type=Path, metavar="BEIR_FOLDER")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> ExitCode:
    """Wait for evaluate/."""
    raise NotImplementedError
