"""LanceDB works without its remote client, and is read by its compiled part alone."""

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


READING = """
import sys
from pathlib import Path
from briefbank.index.lance import LanceTable, import_lancedb

table = LanceTable.open(Path(sys.argv[1]), "rows")
print(table.count(), table.take([5, 2], ["id"])["id"].to_pylist(), "pydantic" in sys.modules)
import_lancedb().connect(Path(sys.argv[1])).create_table("more", data=[{"id": 1}])
print(LanceTable.open(Path(sys.argv[1]), "more").count())
"""


def test_a_table_is_read_without_the_library_around_it_which_can_still_write(tmp_path):
    for program in (PROGRAM, READING):
        ran = subprocess.run([sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines() == ["8 [2, 5] False", "1"]
