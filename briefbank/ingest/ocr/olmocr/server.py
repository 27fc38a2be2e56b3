"""The only door through which BriefBank ever speaks to another machine: the OCR server that IT names.

The name is resolved once; every connection goes to that address, by no proxy and no redirect. Knows HTTP, not pages.
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

from briefbank.errors import OcrMissingError, SettingsError

_CONNECT_S = 10.0
_MOST_BYTES = 4_000_000
"""Size above which an answer is not a page's text."""

_ADVICE = "Give ocr_server as http://ADDRESS:PORT/v1, or leave it empty for Tesseract alone."
_PASSING = frozenset({408, 425, 429})
"""Refusals that pass, as faults of the server (500 and above) do."""


class ServerError(Exception):
    """The server gave no answer; `reason` is in words for people. `is_lasting` says that asking again is no use."""

    def __init__(self, reason: str, *, is_lasting: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.is_lasting = is_lasting


@dataclass(frozen=True, slots=True)
class Address:
    """Where the server is: how it is called, and the resolved addresses, which alone are connected to."""

    host: str
    port: int
    path: str
    is_tls: bool
    resolved: tuple[str, ...]


def resolve(url: str) -> Address:
    """Find the addresses of the server once and for all.

    Raises:
        SettingsError: `url` is no such address, or a name that leads out of the office's network: pages are
            confidential, so a public address must be meant, that is, named in digits.
        OcrMissingError: the name leads nowhere.
    """
    try:
        parts = urlsplit(url.strip())
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise SettingsError(f"ocr_server = {url!r} is no address.", _ADVICE) from error
    if parts.scheme not in ("http", "https") or not host or parts.query or parts.fragment or parts.username:
        raise SettingsError(f"ocr_server = {url!r} is no address of a server.", _ADVICE)
    port = port or (443 if parts.scheme == "https" else 80)
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        advice = "Check the name, or give the server's address in digits."
        raise OcrMissingError(f"The name of the OCR server, {host}, leads to no address.", advice) from error
    resolved = tuple(dict.fromkeys(str(entry[4][0]).partition("%")[0] for entry in found))
    if not _is_literal(host) and any(ipaddress.ip_address(each).is_global for each in resolved):
        advice = "Pages would leave the office. If that address is the office's own, give it in digits."
        raise SettingsError(f"ocr_server: {host} is a name on the public internet.", advice)
    return Address(host, port, parts.path.rstrip("/") or "/v1", parts.scheme == "https", resolved)


def _is_literal(host: str) -> bool:
    with suppress(ValueError):
        ipaddress.ip_address(host)
        return True
    return False


class Server:
    """Asks the server; used by several threads. `stop` ends what is being asked at once."""

    def __init__(self, address: Address, timeout_s: float) -> None:
        self._address = address
        self._timeout_s = timeout_s
        self._stopped = threading.Event()
        self._open: set[_Connection] = set()
        self._lock = threading.Lock()

    @property
    def is_stopped(self) -> bool:
        return self._stopped.is_set()

    def wait(self, seconds: float) -> None:
        """Wait, but no longer than until `stop`."""
        self._stopped.wait(seconds)

    def stop(self) -> None:
        self._stopped.set()
        with self._lock:
            for connection in self._open:
                connection.abort()

    def exchange(self, method: str, path: str, body: bytes = b"") -> bytes:
        """Return the JSON that the server answers with.

        Raises:
            ServerError: it is away, slow, broken, sends elsewhere, or answers with something else.
        """
        connection = _Connection(self._address, self._timeout_s)
        try:
            with self._held(connection):
                headers = {"Content-Type": "application/json", "Connection": "close"}
                connection.request(method, self._address.path + path, body or None, headers)
                with connection.getresponse() as response:
                    return _json_of(response)
        except (OSError, http.client.HTTPException) as error:
            raise self._named(connection, error) from error

    @contextmanager
    def _held(self, connection: _Connection) -> Iterator[None]:
        """Keep the connection where `stop` finds it, and end it when its time is up, however slowly it trickles."""
        with self._lock:
            self._open.add(connection)
        clock = threading.Timer(self._timeout_s, connection.abort, kwargs={"is_late": True})
        clock.start()
        try:
            if self.is_stopped:
                raise ServerError("reading was stopped", is_lasting=True)
            yield
        finally:
            clock.cancel()
            clock.join()
            with self._lock:
                self._open.discard(connection)
            connection.close()

    def _named(self, connection: _Connection, error: Exception) -> ServerError:
        if self.is_stopped:
            return ServerError("reading was stopped", is_lasting=True)
        if connection.is_late or (isinstance(error, TimeoutError) and connection.is_connected):
            return ServerError("the server was too slow")
        if connection.is_connected:
            return ServerError("the server broke off its answer")
        if isinstance(error, ssl.SSLError):
            return ServerError("the server's certificate is not trusted here", is_lasting=True)
        return ServerError("the server could not be reached")


class _Connection(http.client.HTTPConnection):
    """A connection to the resolved address, whatever the name leads to meanwhile."""

    def __init__(self, address: Address, timeout_s: float) -> None:
        super().__init__(address.host, address.port, timeout=timeout_s)
        self._address = address
        self._wire: socket.socket | None = None  # http.client lets go of `sock` when it has read the headers
        self.is_late = False

    @property
    def is_connected(self) -> bool:
        return self._wire is not None

    def connect(self) -> None:
        failure: OSError | None = None
        for each in self._address.resolved:
            try:
                raw = socket.create_connection((each, self._address.port), timeout=min(_CONNECT_S, self.timeout or 0))
            except OSError as error:
                failure = error
                continue
            if self._address.is_tls:
                raw = ssl.create_default_context().wrap_socket(raw, server_hostname=self._address.host)
            raw.settimeout(self.timeout)
            self.sock = self._wire = raw
            return
        raise failure or OSError("no address")

    def abort(self, *, is_late: bool = False) -> None:
        """End the connection under whoever reads from it."""
        self.is_late = self.is_late or is_late
        if self._wire is not None:
            with suppress(OSError):
                self._wire.shutdown(socket.SHUT_RDWR)


def _json_of(response: http.client.HTTPResponse) -> bytes:
    status = response.status
    if 300 <= status < 400:
        raise ServerError("the server pointed elsewhere, which is not followed", is_lasting=True)
    if status != 200:
        is_lasting = status < 500 and status not in _PASSING
        raise ServerError(f"the server {'refused' if is_lasting else 'failed'} ({status})", is_lasting=is_lasting)
    if response.headers.get_content_type() != "application/json":
        raise ServerError("the server's answer is no JSON")
    body = response.read(_MOST_BYTES + 1)
    if len(body) > _MOST_BYTES:
        raise ServerError("the server's answer is too large")
    if response.length:
        raise http.client.IncompleteRead(body, response.length)
    return body
