"""Nobody talks to a cluster without a certificate of its own authority, over TLS 1.3."""

from __future__ import annotations

import os
import signal
import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from briefbank.errors import EngineDiedError
from briefbank.ingest.cluster.certificates import Certificates, machine_certificates, make_certificates
from briefbank.ingest.cluster.engine import DisconnectedError, Engine, configure, state
from briefbank.ingest.cluster.keep import Keeper, kept
from briefbank.ingest.cluster.programs import SchedulerOptions, WorkerOptions, read_port

pytest.importorskip("distributed", reason="the extra 'cluster' is not installed")

HOST = "127.0.0.1"
WAIT_S = 120


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The certificates of the cluster."""
    return make_certificates(tmp_path_factory.mktemp("own"), [HOST], days=1)[0]


@pytest.fixture(scope="module")
def foreign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Certificates for the same machine, of an authority of the same name that is another."""
    return make_certificates(tmp_path_factory.mktemp("foreign"), [HOST], days=1)[0]


@pytest.fixture(scope="module")
def ports(own: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, int]]:
    """Where a scheduler listens, and a worker."""
    told, place = tmp_path_factory.mktemp("scheduler") / "port", str(tmp_path_factory.mktemp("place"))
    configure()
    with kept(SchedulerOptions(str(own), HOST, 0, str(told))) as scheduler:
        port = wait_for_port(told, scheduler)
        address = f"tls://{HOST}:{port}"
        with kept(WorkerOptions(str(own), address, "pc-17 1", place, place, host=HOST)):
            yield {"scheduler": port, "worker": wait_for_worker(Engine(address, machine_certificates(own), WAIT_S))}


def test_of_workers_is_never_said_that_nobody_is_there_when_the_scheduler_died(own: Path, tmp_path: Path) -> None:
    with ExitStack() as stack:
        scheduler = stack.enter_context(kept(SchedulerOptions(str(own), HOST, 0, str(tmp_path / "port"))))
        port = wait_for_port(tmp_path / "port", scheduler)
        engine = Engine(f"tls://{HOST}:{port}", machine_certificates(own), WAIT_S)
        stack.callback(engine.close)
        assert engine.workers() == {}
        os.kill(scheduler.pids[0], signal.SIGKILL)
        with pytest.raises(DisconnectedError):
            engine.workers()


@pytest.fixture(params=["scheduler", "worker"])
def port(ports: dict[str, int], request: pytest.FixtureRequest) -> int:
    return ports[request.param]


def wait_for_port(told: Path, scheduler: Keeper) -> int:
    deadline = time.monotonic() + WAIT_S
    while not (port := read_port(told)) and time.monotonic() < deadline:
        scheduler.look()
        time.sleep(0.05)
    assert port
    return port


def wait_for_worker(engine: Engine) -> int:
    deadline = time.monotonic() + WAIT_S
    while not (there := engine.workers()) and time.monotonic() < deadline:
        time.sleep(0.05)
    engine.close()
    [address] = there
    return int(address.rpartition(":")[2])


def context(certificates: Certificates | None) -> ssl.SSLContext:
    """What a client that looks at nothing the scheduler shows would connect with."""
    made = ssl.create_default_context()
    made.check_hostname, made.verify_mode = False, ssl.CERT_NONE
    if certificates:
        made.load_cert_chain(certificates.machine, certificates.key)
    return made


def heard(port: int, tls: ssl.SSLContext | None) -> bytes:
    """What the scheduler says first to whoever connects so; nothing where it hangs up."""
    with ExitStack() as stack:
        connection = stack.enter_context(socket.create_connection((HOST, port), timeout=WAIT_S))
        if tls:
            connection = stack.enter_context(tls.wrap_socket(connection, server_hostname=HOST))
        else:
            connection.sendall(b"GET /info/main/workers.html HTTP/1.0\r\n\r\n" + bytes(64))
        return connection.recv(64)


def test_a_machine_of_the_cluster_is_heard(own: Path, port: int) -> None:
    assert heard(port, context(machine_certificates(own)))


def test_a_connection_without_a_certificate_hears_nothing(port: int) -> None:
    with pytest.raises(ssl.SSLError):
        heard(port, context(None))


def test_a_connection_with_a_foreign_certificate_hears_nothing(foreign: Path, port: int) -> None:
    with pytest.raises(ssl.SSLError):
        heard(port, context(machine_certificates(foreign)))


def test_a_connection_with_a_certificate_that_signed_itself_hears_nothing(own: Path, foreign: Path, port: int) -> None:
    """The foreign authority stands for a certificate that nobody else signed."""
    alone = replace(
        machine_certificates(own), machine=foreign.parent / "authority.pem", key=foreign.parent / "authority.key"
    )
    with pytest.raises(ssl.SSLError):
        heard(port, context(alone))


def test_a_connection_by_an_older_tls_hears_nothing(own: Path, port: int) -> None:
    older = context(machine_certificates(own))
    older.maximum_version = ssl.TLSVersion.TLSv1_2
    with pytest.raises((ssl.SSLError, ConnectionError)):
        heard(port, older)


def test_a_connection_without_tls_hears_nothing(port: int) -> None:
    try:
        said = heard(port, None)
    except ConnectionError:
        said = b""
    assert said == b""


def test_a_machine_does_not_talk_to_a_scheduler_of_another_authority(
    own: Path, foreign: Path, ports: dict[str, int]
) -> None:
    address = f"tls://{HOST}:{ports['scheduler']}"
    assert [each.machine for each in state(address, machine_certificates(own))] == ["pc-17"]
    with pytest.raises(EngineDiedError, match="does not answer"):
        state(address, machine_certificates(foreign))
