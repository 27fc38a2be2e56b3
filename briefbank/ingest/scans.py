"""Scanned pages through the engines: the cache first, then Tesseract, then the OCR server where there is one.

Must not know files' other pages, nor what becomes of what was read.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from briefbank.errors import BriefBankError, OcrMissingError
from briefbank.ingest.beneath import SourcePlace
from briefbank.ingest.cache import Cache, ocr_key
from briefbank.ingest.worker import ReadScan
from briefbank.platform.settings import Settings
from briefbank.values.records import Page, TextSource

if TYPE_CHECKING:
    from briefbank.ingest.ocr.olmocr.reader import OlmocrReader
    from briefbank.platform.processes.pool import GuardedPool

_RENDER_S = 10.0
"""What rendering and straightening a page may take on top of OCR itself."""

_DISAGREE = "the OCR engines disagree; compare the text with the page"
_BLIND = "only the OCR server could read it; nobody knows where on the page its words stand"

Then = Callable[[Page | None, str], None]
"""Takes the page, or None where OCR gave up on it, and a note for people, or nothing."""


class Scans:
    """Has pages read by the engines of the settings. `watch` calls back in the thread that owns the pool."""

    def __init__(
        self,
        pool: GuardedPool,
        cache: Cache,
        settings: Settings,
        watch: Callable[[Future[Any], Callable[[Future[Any]], None]], None],
    ) -> None:
        self._pool = pool
        self._cache = cache
        self._settings = settings
        self._watch = watch
        self._engine = ""
        self._missing: OcrMissingError | None = None
        self._server: OlmocrReader | None = None

    def require(self) -> None:
        """See that the engines are there, once.

        Raises:
            OcrMissingError: one is not.
            SettingsError: the address of the server is none.
        """
        if self._missing:
            raise self._missing
        if self._engine:
            return
        from briefbank.ingest.ocr.tesseract import probe

        try:
            engine = probe(self._settings.ocr_language)
            if self._settings.ocr_server:
                from briefbank.ingest.ocr.olmocr.reader import OlmocrReader

                self._server = OlmocrReader(self._pool, self._settings, self._watch)
        except OcrMissingError as error:
            self._missing = error
            raise
        self._engine = engine

    @property
    def readings(self) -> tuple[str, ...]:
        """Under what the cache holds the pages that these engines read, the best first; nothing before `require`."""
        if not self._engine:
            return ()
        return (self._server_reading, self._reading) if self._server else (self._reading,)

    def close(self) -> None:
        """Stop asking the OCR server."""
        if self._server:
            self._server.close()

    def read(self, place: SourcePlace, sha256: str, page: Page, then: Then) -> None:
        """Read a page that its reader left to OCR; `then` is called once, here or later."""
        if self._server:
            merged = self._cached(self._server_key(sha256, page.number), page.number)
            if merged is not None:
                self._report(merged, "", then)
                return
        own = self._cached(self._key(sha256, page.number), page.number)
        if own is not None:
            self._improve(place, sha256, own, then)
            return
        timeout_s = self._settings.ocr_page_timeout_s + _RENDER_S
        future = self._pool.submit(ReadScan(place, page.number, self._settings), timeout_s=timeout_s)
        self._watch(future, partial(self._recognised, place, sha256, page, then))

    def _cached(self, key: str, number: int) -> Page | None:
        """A page from the cache, if it is the one: a flipped bit in a key makes it the key of another page."""
        page = self._cache.get(key, Page)
        return page if page and page.number == number else None

    def _recognised(self, place: SourcePlace, sha256: str, page: Page, then: Then, future: Future[Page]) -> None:
        try:
            own = future.result()
        except BriefBankError:
            if self._server:
                bare = replace(page, lines=(), source=TextSource.NONE)
                self._server.read(place, bare, partial(self._rescued, then))
            else:
                then(None, "")
            return
        self._cache.put(self._key(sha256, page.number), own)
        self._improve(place, sha256, own, then)

    @staticmethod
    def _rescued(then: Then, page: Page, _reason: str) -> None:
        then(page, _BLIND) if page.lines else then(None, "")

    def _improve(self, place: SourcePlace, sha256: str, own: Page, then: Then) -> None:
        if self._server:
            self._server.read(place, own, partial(self._improved, sha256, then))
        else:
            then(own, "")

    def _improved(self, sha256: str, then: Then, page: Page, reason: str) -> None:
        if not reason:
            self._cache.put(self._server_key(sha256, page.number), page)
        self._report(page, reason, then)

    @staticmethod
    def _report(page: Page, reason: str, then: Then) -> None:
        from briefbank.ingest.ocr.olmocr.merge import disagrees

        if reason:
            then(page, f"read by Tesseract alone, as {reason}")
        else:
            then(page, _DISAGREE if disagrees(page) else "")

    @property
    def _reading(self) -> str:
        return f"{self._engine}:{self._settings.ocr_dpi}:{self._settings.ocr_language}"

    @property
    def _server_reading(self) -> str:
        return f"{self._reading}:{self._server.engine if self._server else ''}"

    def _key(self, sha256: str, number: int) -> str:
        return ocr_key(sha256, number, self._reading)

    def _server_key(self, sha256: str, number: int) -> str:
        return ocr_key(sha256, number, self._server_reading)
