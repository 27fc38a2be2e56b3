"""The one door to another machine: what it does with a server that is away, slow, broken or sends elsewhere."""

from __future__ import annotations

import ipaddress
import socket
import ssl
import subprocess
import sys
import threading
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import office
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from scripted_server import Answer, always, page_of, serving

from briefbank.errors import OcrMissingError, SettingsError
from briefbank.ingest.ocr.olmocr.reader import choose_model
from briefbank.ingest.ocr.olmocr.server import Server, ServerError, resolve

FINE = Answer(b'{"fine": true}')


def ask(url: str, timeout_s: float = 20.0) -> bytes:
    return Server(resolve(url), timeout_s).exchange("POST", "/chat/completions", b"{}")


def test_an_answer_comes_back_as_it_was_sent() -> None:
    with serving(always(FINE)) as script:
        assert ask(script.url) == FINE.body
        assert script.paths == ["/v1/chat/completions"]


def test_an_address_without_a_path_is_that_of_version_one() -> None:
    with serving(always(FINE)) as script:
        ask(script.url.removesuffix("/v1"))
        assert script.paths == ["/v1/chat/completions"]


@pytest.mark.parametrize(
    ("answer", "reason", "is_lasting"),
    [
        (Answer(b"{}", status=500), "failed (500)", False),
        (Answer(b"{}", status=503), "failed (503)", False),
        (Answer(b"{}", status=429), "failed (429)", False),
        (Answer(b"{}", status=404), "refused (404)", True),
        (Answer(b"{}", content_type="text/html"), "no JSON", False),
        (Answer(b'{"fine": true}', cut=5), "broke off", False),
        (Answer(b" " * 4_000_001), "too large", False),
        (Answer(b"{}", wait_s=5), "too slow", False),
        (Answer(b" " * 200, trickle=True), "too slow", False),
    ],
)
def test_a_server_that_fails_is_named(answer: Answer, reason: str, is_lasting: bool) -> None:
    with serving(always(answer)) as script, pytest.raises(ServerError) as caught:
        ask(script.url, timeout_s=1.0 if reason == "too slow" else 60.0)
    assert reason in caught.value.reason
    assert caught.value.is_lasting is is_lasting


def test_a_redirect_to_another_host_is_not_followed() -> None:
    with serving(always(FINE)) as elsewhere:
        away = Answer(b"", status=307, headers=(("Location", f"{elsewhere.url}/chat/completions"),))
        with serving(always(away)) as script, pytest.raises(ServerError, match="elsewhere") as caught:
            ask(script.url)
        assert caught.value.is_lasting
        assert elsewhere.paths == []


def test_a_proxy_of_the_environment_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(always(FINE)) as proxy, serving(always(FINE)) as script:
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url)
        ask(script.url)
        assert (len(script.paths), proxy.paths) == (1, [])


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A certificate for this machine, with its key, that only who is told of it trusts."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "ocr.office")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = tmp_path / "server.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file.write_bytes(made.public_bytes(serialization.Encoding.PEM) + private)
    return file


def test_a_certificate_must_be_trusted(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    with serving(always(FINE), tls=context) as script:
        with pytest.raises(ServerError, match="not trusted") as caught:
            ask(script.url)
        assert caught.value.is_lasting
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        assert ask(script.url) == FINE.body


def test_a_server_that_is_away_is_told_from_one_that_fails() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        with pytest.raises(ServerError, match="not be reached"):
            ask(f"http://127.0.0.1:{unused.getsockname()[1]}")


def test_a_name_is_resolved_once_and_never_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def first_here_then_elsewhere(host: str, *_: object, **__: object) -> list[Any]:
        asked.append(host)
        address = "127.0.0.1" if len(asked) == 1 else "192.0.2.1"
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 0))]

    with serving(always(FINE)) as script:
        monkeypatch.setattr("briefbank.ingest.ocr.olmocr.server.socket.getaddrinfo", first_here_then_elsewhere)
        server = Server(resolve(script.url.replace("127.0.0.1", "ocr.office")), 20.0)
        monkeypatch.undo()
        for _ in range(2):
            server.exchange("POST", "/chat/completions", b"{}")
    assert asked == ["ocr.office"]


@pytest.mark.parametrize(
    "url", ["", "ocr.office", "ftp://127.0.0.1", "http://", "http://me@127.0.0.1", "http://[::1", "http://127.0.0.1:x/"]
)
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(SettingsError, match="ocr_server"):
        resolve(url)


@pytest.mark.parametrize("address", ["10.1.2.3", "192.168.4.5", "127.0.0.1", "8.8.8.8"])
def test_a_public_address_is_taken_in_digits_alone_and_one_of_the_office_by_name(
    monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    assert resolve(f"http://{address}:8000").resolved == (address,)
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 443))]
    monkeypatch.setattr("briefbank.ingest.ocr.olmocr.server.socket.getaddrinfo", lambda *_, **__: found)
    if address != "8.8.8.8":
        assert resolve("https://ocr.office/v1").resolved == (address,)
        return
    with pytest.raises(SettingsError, match="public internet") as caught:
        resolve("https://ocr.example.com/v1")
    assert "digits" in caught.value.advice


def test_a_name_that_leads_nowhere_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere(*_: object, **__: object) -> list[Any]:
        raise socket.gaierror(-2, "unknown")

    monkeypatch.setattr("briefbank.ingest.ocr.olmocr.server.socket.getaddrinfo", nowhere)
    with pytest.raises(OcrMissingError, match=r"ocr\.office"):
        resolve("http://ocr.office")


def test_stopping_ends_a_question_at_once() -> None:
    with serving(always(Answer(b"{}", wait_s=30))) as script:
        server = Server(resolve(script.url), 60.0)
        told: list[ServerError] = []

        def question() -> None:
            with pytest.raises(ServerError) as caught:
                server.exchange("POST", "/chat/completions", b"{}")
            told.append(caught.value)

        thread = threading.Thread(target=question)
        thread.start()
        while not script.paths:
            time.sleep(0.01)
        began = time.monotonic()
        server.stop()
        thread.join()
        assert time.monotonic() - began < 1.0
        assert told[0].is_lasting
        with pytest.raises(ServerError, match="stopped"):
            server.exchange("POST", "/chat/completions", b"{}")


def test_the_model_is_the_one_named_or_the_servers_first() -> None:
    with serving(always(FINE), models=()) as script, pytest.raises(OcrMissingError, match="none"):
        choose_model(Server(resolve(script.url), 20.0), "")
    with serving(always(FINE), models=("one", "two")) as script:
        server = Server(resolve(script.url), 20.0)
        assert choose_model(server, "") == "one"
        assert choose_model(server, "two") == "two"
        with pytest.raises(OcrMissingError, match="one, two") as caught:
            choose_model(server, "three")
        assert "ocr_server_model" in caught.value.advice


AUDITED = """
import sys
from pathlib import Path

tried = []
names = {"socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"}
sys.addaudithook(lambda name, values: tried.append((name, values)) if name in names else None)
from briefbank.cli.main import main

if __name__ == "__main__":
    code = main(["index", sys.argv[1], "--bank", sys.argv[2], "--quiet"])
    print(code, [each for each in tried if not str(each[1][-1]).startswith(("/", "b'"))])
"""


def connections_tried(tmp_path: Path, bank: Path) -> str:
    folder = tmp_path / "briefs"
    folder.mkdir()
    office.write_scan(folder / "scan.pdf", office.memo("Consent", office.CONSENT))
    script = tmp_path / "audited.py"
    script.write_text(AUDITED, encoding="utf-8")
    words = [sys.executable, str(script), str(folder), str(bank)]
    done = subprocess.run(words, capture_output=True, encoding="utf-8", timeout=200, check=True)
    return done.stdout.splitlines()[-1]


def test_no_connection_is_ever_tried_where_no_server_is_set(tmp_path: Path) -> None:
    assert connections_tried(tmp_path, office.write_bank(tmp_path / "bank")) == "0 []"


@pytest.mark.olmocr
def test_only_the_server_that_is_set_is_ever_connected_to(tmp_path: Path) -> None:
    with serving(always(page_of(office.CONSENT))) as script:
        bank = office.write_bank(tmp_path / "bank", ocr_server=script.url)
        told = connections_tried(tmp_path, bank)
    port = int(script.url.rpartition(":")[2].removesuffix("/v1"))
    assert told.startswith("0 [")
    tried = told.count("socket.connect")
    assert tried >= 2
    assert told.count(f"('127.0.0.1', {port})") == tried
    assert "getaddrinfo" not in told.replace(f"'socket.getaddrinfo', ('127.0.0.1', {port}", "")
