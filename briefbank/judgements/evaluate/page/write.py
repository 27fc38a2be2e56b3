"""The page that an evaluation is shown on: one file of HTML that needs nothing else, neither network nor script."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from briefbank.errors import UsageError
from briefbank.judgements.evaluate.compare import Interval
from briefbank.judgements.evaluate.page.content import FEWEST_FOR_INTERVAL, METRIC, Content
from briefbank.judgements.evaluate.page.plots import (
    Plot,
    plot_curves,
    plot_gains,
    plot_kinds,
    plot_reliability,
    plot_stages,
)
from briefbank.platform.disk import require_writable
from briefbank.platform.files import require_new, write_new
from briefbank.platform.visible import visible

_TEMPLATE = "page.html"
_NEEDED = ("jinja2", "matplotlib")
_CHANGED_MOST = 10
"""Queries that are told above the list of all of them, on either side."""


def require_page(file: Path) -> None:
    """Check that a page can be made and written, before the work that it is to show is done.

    Raises:
        UsageError: there is something under that name, or a package that it is made with is not installed.
        AccessError: its folder is missing or may not be written.
        DiskError, NoSpaceError: its disk fails, or is full.
    """
    if missing := [name for name in _NEEDED if find_spec(name) is None]:
        message = f"A report needs the Python package {' and '.join(missing)}, which is not installed here."
        raise UsageError(message, "Run: pip install 'briefbank[report]'")
    require_new(file)
    require_writable(file)


def write_page(content: Content, file: Path) -> None:
    """Write the page, readable by its owner alone.

    Raises:
        UsageError: something has come under that name.
        OSError: the disk or the system refuses it.
    """
    page = render(content).encode()
    while not write_new(file, page):
        require_new(file)


def render(content: Content) -> str:
    """Return the page. What comes out of files is escaped, its control and direction characters shown as codes."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: visible(value) if type(value) is str else value,  # not of markup, which is a str too
    )
    environment.filters |= {
        "decimal": "{:.3f}".format,
        "signed": _signed,
        "interval": _interval,
        "percent": "{:.1%}".format,
    }
    return environment.get_template(_TEMPLATE).render(
        content=content,
        report=content.report,
        setting=content.setting,
        metric=METRIC,
        plots=_plots(content),
        changed_most=_CHANGED_MOST,
        fewest_for_interval=FEWEST_FOR_INTERVAL,
    )


def _plots(content: Content) -> dict[str, Plot | list[Plot] | None]:
    reliability = content.report.reliability
    return {
        "stages": plot_stages(content),
        "gains": plot_gains(content),
        "kinds": [plot_kinds(kinds, f"kinds-{place}") for place, kinds in enumerate(content.kinds)],
        "reliability": plot_reliability(reliability) if reliability else None,
        "curves": plot_curves(content.curves) if content.curves else None,
    }


def _signed(value: float) -> str:
    return f"{value:+.3f}".replace("-", "−")


def _interval(bounds: Interval | None, *, is_signed: bool = False) -> str:
    """Bounds as told; nothing where there are none."""
    return f"[{', '.join(map(_signed if is_signed else '{:.3f}'.format, bounds))}]" if bounds else ""
