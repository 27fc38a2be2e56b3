"""LanceDB works without its remote client, which is left out."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import sys
from pathlib import Path
from briefbank.index.lance import import_lancedb

connection = import_lancedb().connect(Path(sys.argv[1]))
table = connection.create_table("rows", data=[{"id": n, "vector": [float(n), 1.0]} for n in range(8)])
table.optimize()
assert [row["id"] for row in table.search([7.0, 1.0]).limit(1).to_list()] == [7]
print("urllib3" in sys.modules, "lance_namespace_urllib3_client.api_client" in sys.modules)
"""


def test_lancedb_writes_and_searches_without_its_remote_client(tmp_path):
    ran = subprocess.run([sys.executable, "-c", PROGRAM, str(tmp_path)], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["False", "False"]
