"""Nobody talks to a cluster without a certificate of its own authority, over TLS 1.3."""

from __future__ import annotations

import gc
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import office
import psutil
import pytest
from program import Briefbank

from briefbank.errors import ExitCode
from briefbank.ingest.cluster.certificates import Certificates, machine_certificates, make_certificates
from briefbank.ingest.cluster.machines import connection, local_cluster, security, workers

pytest.importorskip("distributed", reason="the extra 'cluster' is not installed")

HOST = "127.0.0.1"
WAIT_S = 120

Place = tuple[str, int]


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    """The certificates of the cluster."""
    return machine_certificates(make_certificates(tmp_path_factory.mktemp("own"), [HOST], days=1)[0])


@pytest.fixture(scope="module")
def foreign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Certificates for the same machine, of an authority of the same name that is another."""
    return make_certificates(tmp_path_factory.mktemp("foreign"), [HOST], days=1)[0]


@pytest.fixture(scope="module")
def places(own: Certificates, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Place]]:
    """Where a scheduler listens, a worker, and what keeps that running."""
    with local_cluster(tmp_path_factory.mktemp("place"), 1, security(own)) as local:
        with connection(local.scheduler_address, local.security) as client:
            [worker] = workers(client)
        addresses = {"scheduler": local.scheduler_address, "worker": worker, "nanny": local.workers[0].address}
        yield {name: (HOST, int(each.rpartition(":")[2])) for name, each in addresses.items()}


@pytest.fixture(params=["scheduler", "worker", "nanny"])
def place(places: dict[str, Place], request: pytest.FixtureRequest) -> Place:
    return places[request.param]


def test_nothing_else_listens(places: dict[str, Place]) -> None:
    here = psutil.Process()
    processes = [here, *here.children(recursive=True)]
    listening = {
        each.laddr.port
        for process in processes
        for each in process.net_connections("tcp")
        if each.status == psutil.CONN_LISTEN
    }
    assert listening == {port for _, port in places.values()}


def test_a_connection_that_ended_is_collected_while_the_next_one_begins(
    own: Certificates, places: dict[str, Place]
) -> None:
    from distributed.utils import LoopRunner

    gc.disable()
    try:
        with connection(f"tls://{HOST}:{places['scheduler'][1]}", security(own)) as client:
            client.itself = client  # what the collector alone finds
        del client
        with LoopRunner._lock:  # held by a client that starts
            collected = threading.Thread(target=gc.collect, daemon=True)
            collected.start()
            collected.join(20)
            assert not collected.is_alive()
    finally:
        gc.enable()


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
        connected = stack.enter_context(socket.create_connection(place, timeout=WAIT_S))
        if tls:
            connected = stack.enter_context(tls.wrap_socket(connected, server_hostname=HOST))
        else:
            connected.sendall(b"GET /info/main/workers.html HTTP/1.0\r\n\r\n" + bytes(64))
        return connected.recv(64)


def test_a_machine_of_the_cluster_is_heard(own: Certificates, place: Place) -> None:
    assert heard(place, context(own))


def test_whoever_has_no_certificate_of_this_authority_hears_nothing(
    own: Certificates, foreign: Path, place: Place
) -> None:
    """The foreign authority stands for a certificate that nobody else signed."""
    alone = replace(own, machine=foreign.parent / "authority.pem", key=foreign.parent / "authority.key")
    for certificates in (None, machine_certificates(foreign), alone):
        with pytest.raises(ssl.SSLError):
            heard(place, context(certificates))


def test_a_connection_by_an_older_tls_hears_nothing(own: Certificates, place: Place) -> None:
    older = context(own)
    older.maximum_version = ssl.TLSVersion.TLSv1_2
    with pytest.raises((ssl.SSLError, ConnectionError)):
        heard(place, older)


def test_a_connection_without_tls_hears_nothing(place: Place) -> None:
    try:
        said = heard(place, None)
    except ConnectionError:
        said = b""
    assert said == b""


def test_a_machine_with_foreign_certificates_says_so_and_ends(
    foreign: Path, places: dict[str, Place], tmp_path: Path, briefbank_process: Briefbank
) -> None:
    address = f"tls://{HOST}:{places['scheduler'][1]}"
    briefs = office.write_text(tmp_path / "briefs" / "memo.txt", "words").parent
    for words in (
        ["cluster", "status", address],
        ["cluster", "worker", address, "--folder", briefs, "--workers", 1],
        ["index", briefs, "--bank", office.write_bank(tmp_path / "bank"), "--cluster", address],
    ):
        refused = briefbank_process(*words, "--certificates", foreign)
        assert refused.code == ExitCode.USAGE
        assert f"The scheduler at {address} and this machine do not accept each other's certificates." in refused.err


def test_a_scheduler_that_cannot_listen_says_so_and_ends(own: Certificates, briefbank_process: Briefbank) -> None:
    with socket.create_server((HOST, 0)) as taken:
        port = taken.getsockname()[1]
        for host in (HOST, "192.0.2.1"):
            words = ("scheduler", "--listen", host, "--port", port, "--certificates", own.key.parent)
            refused = briefbank_process("cluster", *words)
            assert (refused.code, refused.out) == (ExitCode.USAGE, "")
            assert f"The scheduler cannot listen on port {port} of {host}" in refused.err


@pytest.mark.timeout(200)
def test_connections_that_show_no_certificate_keep_nobody_out_and_are_closed(own: Certificates, place: Place) -> None:
    """More than are borne at one time, all of them idle: the oldest are closed at once, the others in time."""
    with ExitStack() as stack:
        idle = [stack.enter_context(socket.create_connection(place, timeout=WAIT_S)) for _ in range(300)]
        assert heard(place, context(own))
        assert [each.recv(1) for each in idle] == [b""] * len(idle)
        assert heard(place, context(own))
