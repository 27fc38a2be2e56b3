"""BriefBank: offline search over the briefs that a public defender office has written."""

import os

__version__ = "0.1.0"

# ONNX Runtime 1.31 reports to its maker unless told otherwise before it loads; child processes inherit the word.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
