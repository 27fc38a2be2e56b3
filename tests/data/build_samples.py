"""Builds the sample documents: `python tests/data/build_samples.py OUT_FOLDER`."""

from __future__ import annotations

import argparse
from pathlib import Path

from samplebuilder.office import build

SOURCES = Path(__file__).parent / "samples" / "sources"


def main() -> None:
    """Read the arguments and build."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the documents go; files of the same name are replaced")
    parser.add_argument("--no-scans", action="store_true", help="leave out the scans, which take most of the time")
    arguments = parser.parse_args()
    build(SOURCES, arguments.folder, with_scans=not arguments.no_scans)


if __name__ == "__main__":
    main()
