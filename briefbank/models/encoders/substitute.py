"""An encoder that needs no model, put in through the environment: how tests index and search. The product has none.

`BRIEFBANK_TEST_ENCODER=NAME=FILE:CLASS` makes NAME an encoder that the setting `encoder` may name, in this process and
its children. A packed program takes none: the variable adds nothing for those who may run other Python code anyway.
"""

from __future__ import annotations

import os
import sys
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location

from briefbank.errors import ModelError
from briefbank.models.encoders.port import Encoder

VARIABLE = "BRIEFBANK_TEST_ENCODER"


def substitute_named(name: str) -> Encoder | None:
    """The encoder that the environment brings under this name; None where there is none."""
    known, encoder = _substitute()
    return encoder if name and name == known else None


def substitute_with(digest: str) -> Encoder | None:
    """The encoder that the environment brings, if it has this digest."""
    _, encoder = _substitute()
    return encoder if encoder and encoder.digest == digest else None


def _substitute() -> tuple[str, Encoder | None]:
    name, _, place = os.environ.get(VARIABLE, "").partition("=")
    if not place or getattr(sys, "frozen", False):
        return "", None
    return name, _loaded(place)


@cache
def _loaded(place: str) -> Encoder:
    file, _, kind = place.rpartition(":")
    spec = spec_from_file_location("substitute_encoder", file)
    if spec is None or spec.loader is None:
        raise ModelError(f"{file} is no Python file.", f"Mend the environment variable {VARIABLE}.")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    encoder: Encoder = getattr(module, kind)()
    return encoder
