"""A cluster as IT runs it: each command in a process of its own, and the index over TLS."""

from __future__ import annotations

import platform
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import office
import pytest
from clusters import content, index_here
from program import ROOT, Briefbank, command

HOST = "127.0.0.1"
WAIT_S = 120


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


@contextmanager
def running(*words: object) -> Iterator[str]:
    """Have a command run until the block ends; yields the line that it says once it is at work. Ctrl-C ends it."""
    process = subprocess.Popen(
        command("cluster", *words), cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8", start_new_session=True
    )
    try:
        assert process.stdout
        yield process.stdout.readline()
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(WAIT_S) == 0
        process.stdout.close()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no Ctrl-C to one process")
def test_a_cluster_by_the_command_line_makes_the_bank_of_one_machine(
    tmp_path: Path, folder: Path, briefbank_process: Briefbank
) -> None:
    keys, share = tmp_path / "keys", tmp_path / "share"
    share.mkdir()
    told = briefbank_process("cluster", "certificates", keys, HOST)
    assert (told.code, f"copy {keys / HOST} to that machine" in told.out) == (0, True)
    here = ("--certificates", keys / HOST)
    address = f"tls://{HOST}:{(port := free_port())}"
    bank, alone = office.write_bank(tmp_path / "bank"), office.write_bank(tmp_path / "alone")

    def machines() -> dict[str, tuple[int, int]]:
        told = briefbank_process("cluster", "status", address, *here, "--json").json
        return {each["name"]: (each["workers"], each["at_work"]) for each in told["machines"]}

    assert briefbank_process("cluster", "status", address, *here).code != 0
    with running("scheduler", "--listen", HOST, "--port", port, *here) as said:
        assert address in said
        with running("worker", address, "--folder", folder, "--share", share, "--workers", 2, *here) as says:
            assert says == f"2 processes for {address}. Stop with Ctrl-C.\n"
            deadline = time.monotonic() + WAIT_S
            while (there := machines()) != {platform.node(): (2, 0)} and time.monotonic() < deadline:
                time.sleep(0.2)
            assert there == {platform.node(): (2, 0)}
            words = ("index", folder, "--bank", bank, "--cluster", address, "--share", share, *here, "--quiet")
            assert briefbank_process(*words).code == 0
        gone = briefbank_process("cluster", "status", address, *here)
        assert gone.out.startswith("No machine works for")
    index_here(folder, alone)
    assert content(bank) == content(alone)
    assert not any(share.iterdir())
