"""`python -m ui`: the window."""

from __future__ import annotations

import sys

from ui.app import main

if __name__ == "__main__":
    sys.exit(main())
