"""Lets `python -m briefbank` be the same as `briefbank`."""

from __future__ import annotations

import sys

from briefbank.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
