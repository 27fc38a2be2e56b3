"""Nobody talks to a cluster without a certificate of its own authority, over TLS 1.3."""

from __future__ import annotations

import gc
import ipaddress
import os
import signal
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path

import office
import psutil
import pytest
from program import Briefbank

from briefbank.errors import ExitCode
from briefbank.ingest.cluster import dispatch
from briefbank.ingest.cluster.certificates import Certificates, machine_certificates, make_certificates
from briefbank.ingest.cluster.dispatch import Dispatch, Ways
from briefbank.ingest.cluster.engine import DisconnectedError, Engine, configure
from briefbank.ingest.cluster.keep import Keeper, kept
from briefbank.ingest.cluster.programs import SchedulerOptions, WorkerOptions, read_port
from briefbank.ingest.cluster.share import JobFolder
from briefbank.platform.progress import CancelToken

pytest.importorskip("distributed", reason="the extra 'cluster' is not installed")

pytestmark = pytest.mark.allow_hosts(["127.0.0.0/8", "::1"])

HOST = "127.0.0.1"
WAIT_S = 120

Place = tuple[str, int]


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The certificates of the cluster."""
    return make_certificates(tmp_path_factory.mktemp("own"), [HOST], days=1)[0]


@pytest.fixture(scope="module")
def foreign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Certificates for the same machine, of an authority of the same name that is another."""
    return make_certificates(tmp_path_factory.mktemp("foreign"), [HOST], days=1)[0]


@pytest.fixture(scope="module")
def places(own: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Place]]:
    """Where a scheduler listens, and a worker."""
    told, place = tmp_path_factory.mktemp("scheduler") / "port", str(tmp_path_factory.mktemp("place"))
    configure()
    with kept(SchedulerOptions(str(own), HOST, 0, str(told))) as scheduler:
        port = wait_for_port(told, scheduler)
        address = f"tls://{HOST}:{port}"
        with kept(WorkerOptions(str(own), address, "pc-17 1", place, place)):
            with closing(Engine(address, machine_certificates(own), WAIT_S)) as engine:
                worker = wait_for_worker(engine)
            yield {"scheduler": (HOST, port), "worker": worker}


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


def test_a_connection_that_ended_is_collected_while_the_next_one_begins(own: Path, tmp_path: Path) -> None:
    from distributed.utils import LoopRunner

    gc.disable()
    try:
        with kept(SchedulerOptions(str(own), HOST, 0, str(tmp_path / "port"))) as scheduler:
            port = wait_for_port(tmp_path / "port", scheduler)
            engine = Engine(f"tls://{HOST}:{port}", machine_certificates(own), WAIT_S)
            engine.close()
        engine.itself = engine  # type: ignore[attr-defined]  # what the collector alone finds
        del engine
        with LoopRunner._lock:  # held by a client that starts
            collected = threading.Thread(target=gc.collect, daemon=True)
            collected.start()
            collected.join(20)
            assert not collected.is_alive()
    finally:
        gc.enable()


@pytest.fixture(params=["scheduler", "worker"])
def place(places: dict[str, Place], request: pytest.FixtureRequest) -> Place:
    return places[request.param]


def wait_for_port(told: Path, scheduler: Keeper) -> int:
    deadline = time.monotonic() + WAIT_S
    while not (port := read_port(told)) and time.monotonic() < deadline:
        scheduler.look()
        time.sleep(0.05)
    assert port
    return port


def wait_for_worker(engine: Engine) -> Place:
    deadline = time.monotonic() + WAIT_S
    while not (there := engine.workers()) and time.monotonic() < deadline:
        time.sleep(0.05)
    engine.close()
    [address] = there
    host, _, port = address.removeprefix("tls://").rpartition(":")
    return host, int(port)


def context(certificates: Certificates | None) -> ssl.SSLContext:
    """What a client that looks at nothing the scheduler shows would connect with."""
    made = ssl.create_default_context()
    made.check_hostname, made.verify_mode = False, ssl.CERT_NONE
    if certificates:
        made.load_cert_chain(certificates.machine, certificates.key)
    return made


def heard(place: Place, tls: ssl.SSLContext | None) -> bytes:
    """What who listens there says first to whoever connects so; nothing where it hangs up."""
    with ExitStack() as stack:
        connection = stack.enter_context(socket.create_connection(place, timeout=WAIT_S))
        if tls:
            connection = stack.enter_context(tls.wrap_socket(connection, server_hostname=HOST))
        else:
            connection.sendall(b"GET /info/main/workers.html HTTP/1.0\r\n\r\n" + bytes(64))
        return connection.recv(64)


def test_a_machine_of_the_cluster_is_heard(own: Path, place: Place) -> None:
    assert heard(place, context(machine_certificates(own)))


def test_a_connection_without_a_certificate_hears_nothing(place: Place) -> None:
    with pytest.raises(ssl.SSLError):
        heard(place, context(None))


def test_a_connection_with_a_foreign_certificate_hears_nothing(foreign: Path, place: Place) -> None:
    with pytest.raises(ssl.SSLError):
        heard(place, context(machine_certificates(foreign)))


def test_a_connection_with_a_certificate_that_signed_itself_hears_nothing(
    own: Path, foreign: Path, place: Place
) -> None:
    """The foreign authority stands for a certificate that nobody else signed."""
    alone = replace(
        machine_certificates(own), machine=foreign.parent / "authority.pem", key=foreign.parent / "authority.key"
    )
    with pytest.raises(ssl.SSLError):
        heard(place, context(alone))


def test_a_connection_by_an_older_tls_hears_nothing(own: Path, place: Place) -> None:
    older = context(machine_certificates(own))
    older.maximum_version = ssl.TLSVersion.TLSv1_2
    with pytest.raises((ssl.SSLError, ConnectionError)):
        heard(place, older)


def test_a_connection_without_tls_hears_nothing(place: Place) -> None:
    try:
        said = heard(place, None)
    except ConnectionError:
        said = b""
    assert said == b""


def test_a_worker_listens_where_no_other_machine_reaches_it(places: dict[str, Place]) -> None:
    """Of all addresses of this machine at the loopback interface alone."""
    _, port = places["worker"]
    listening = {each.laddr for each in psutil.net_connections("tcp") if each.status == psutil.CONN_LISTEN}
    hosts = [ipaddress.ip_address(each.ip) for each in listening if each.port == port]
    assert hosts
    assert all(each.is_loopback for each in hosts)


def test_a_machine_with_foreign_certificates_says_so_and_ends(
    foreign: Path, places: dict[str, Place], tmp_path: Path, briefbank_process: Briefbank
) -> None:
    address = f"tls://{HOST}:{places['scheduler'][1]}"
    briefs = office.write_text(tmp_path / "briefs" / "memo.txt", "words").parent
    share = tmp_path / "share"
    share.mkdir()
    bank = office.write_bank(tmp_path / "bank")
    for words in (
        ["cluster", "status", address],
        ["cluster", "worker", address, "--folder", briefs, "--share", share, "--workers", 1],
        ["index", briefs, "--bank", bank, "--cluster", address, "--share", share],
    ):
        refused = briefbank_process(*words, "--certificates", foreign)
        assert refused.code == ExitCode.USAGE
        assert f"The scheduler at {address} and this machine do not accept each other's certificates." in refused.err


def test_a_scheduler_whose_port_is_taken_says_so_and_ends(own: Path, briefbank_process: Briefbank) -> None:
    with socket.create_server((HOST, 0)) as taken:
        port = taken.getsockname()[1]
        words = ("cluster", "scheduler", "--listen", HOST, "--port", port, "--certificates", own)
        refused = briefbank_process(*words)
    assert (refused.code, refused.out) == (ExitCode.USAGE, "")
    assert f"The scheduler cannot listen on port {port} of {HOST}" in refused.err


def test_a_scheduler_that_is_told_another_machines_address_says_so(own: Path, briefbank_process: Briefbank) -> None:
    refused = briefbank_process("cluster", "scheduler", "--listen", "192.0.2.1", "--certificates", own)
    assert (refused.code, refused.out) == (ExitCode.USAGE, "")


def test_a_scheduler_that_answers_late_is_waited_for_longer_and_longer(
    own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float] = []

    class Late:
        def __init__(self, address: str, certificates: Certificates, wait_s: float) -> None:
            waited.append(wait_s)
            raise DisconnectedError(address)

    monkeypatch.setattr(dispatch, "Engine", Late)
    ways = Ways("tls://127.0.0.1:9", machine_certificates(own), keep=lambda: None, warn=lambda _: None)
    run = Dispatch(ways, JobFolder(tmp_path, "job"), CancelToken())
    for _ in range(4):
        assert run.step() == ([], [])
    assert waited == [5.0, 10.0, 20.0, 20.0]
