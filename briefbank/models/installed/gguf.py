"""What a GGUF file says of itself, read without llama.cpp: a file that comes on a stick is looked at before a program
in C is let loose on it. Layout: github.com/ggml-org/ggml, docs/gguf.md (versions 2 and 3).
"""

from __future__ import annotations

import os
import struct
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import IO

from briefbank.errors import ModelError

Value = str | int | float | bool | None

_MAGIC = b"GGUF"
_VERSIONS = (2, 3)
# Kinds of values, as the specification of GGUF numbers them.
_STRING, _ARRAY = 8, 9
_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_MOST_STRING_BYTES = 1 << 24
# As many as a tensor of ggml can have.
_MOST_DIMENSIONS = 4
_KV_VALUE_BYTES = 2
"""llama.cpp keeps keys and values of the context in 16 bits."""
_COMPUTE_BYTES = 300_000_000
"""What llama.cpp takes besides: work space, vocabulary, the libraries themselves."""

_BLOCKS = {
    0: (1, 4), 1: (1, 2), 2: (32, 18), 3: (32, 20), 6: (32, 22), 7: (32, 24), 8: (32, 34), 10: (256, 84),
    11: (256, 110), 12: (256, 144), 13: (256, 176), 14: (256, 210), 20: (32, 18), 23: (256, 136), 30: (1, 2),
    39: (32, 17),
}  # fmt: skip
"""Weights to a block, and its bytes, by ggml's number of the type; of rarer types only the start is checked."""


@dataclass(frozen=True, slots=True)
class GgufHeader:
    """The metadata that are single values (those that are lists, as the vocabulary, are None)."""

    values: dict[str, Value]

    def text(self, key: str) -> str:
        value = self.values.get(key)
        return value if isinstance(value, str) else ""

    def number(self, key: str) -> int:
        """A whole number under `key`, or 0; a "*" in it stands for the architecture's own name."""
        value = self.values.get(key.replace("*", self.architecture, 1))
        return value if isinstance(value, int) else 0

    @property
    def architecture(self) -> str:
        return self.text("general.architecture")

    @property
    def name(self) -> str:
        return self.text("general.name")

    @property
    def licence(self) -> str:
        return self.text("general.license")

    @property
    def context_tokens(self) -> int:
        """How long a text the model was made for."""
        return self.number("*.context_length")

    @property
    def has_chat_template(self) -> bool:
        return bool(self.text("tokenizer.chat_template"))

    def memory_bytes(self, context_tokens: int) -> int:
        """About what running it takes besides its weights."""
        heads = max(self.number("*.attention.head_count"), 1)
        width = self.number("*.embedding_length") // heads
        kept_heads = self.number("*.attention.head_count_kv") or heads
        key = self.number("*.attention.key_length") or width
        value = self.number("*.attention.value_length") or width
        per_token = self.number("*.block_count") * kept_heads * (key + value) * _KV_VALUE_BYTES
        return context_tokens * per_token + _COMPUTE_BYTES


def read_gguf(path: Path) -> GgufHeader:
    """Read the header, and see that all the weights it names are there.

    Raises:
        ModelError: this is no GGUF file, or it is damaged or cut off.
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        reader = _Reader(file, size)
        try:
            return _header(reader, size)
        except (struct.error, ValueError, OverflowError, RecursionError) as error:
            raise ModelError(
                f"{path.name} is damaged or cut off: {error}.", "Copy it again from where it came."
            ) from None


def _header(reader: _Reader, size: int) -> GgufHeader:
    if reader.bytes(4) != _MAGIC:
        raise ValueError("it is no GGUF file")
    version = reader.number("I")
    if version not in _VERSIONS:
        raise ValueError(f"it has version {version} of the format")
    tensors, pairs = reader.number("Q"), reader.number("Q")
    values: dict[str, Value] = {}
    for _ in range(pairs):
        key = reader.text()
        values[key] = reader.value(reader.number("I"))
    ends = [_tensor_end(reader) for _ in range(tensors)]
    alignment = values.get("general.alignment", 32)
    if not isinstance(alignment, int) or alignment < 1:
        raise ValueError("its alignment makes no sense")
    start = -(-reader.position // alignment) * alignment
    if ends and start + max(ends) > size:
        raise ValueError("its end is missing")
    return GgufHeader(values)


def _tensor_end(reader: _Reader) -> int:
    """Where one tensor's weights end, counted from the first tensor's start."""
    reader.text()
    dimensions = reader.number("I")
    if dimensions > _MOST_DIMENSIONS:
        raise ValueError("it names a tensor of too many dimensions")
    weights = prod(reader.number("Q") for _ in range(dimensions))
    kind, offset = reader.number("I"), reader.number("Q")
    per_block, block_bytes = _BLOCKS.get(kind, (1, 0))
    return offset + weights // per_block * block_bytes


class _Reader:
    """Little-endian values in sequence. Every length is held against what is left of the file before it is believed."""

    def __init__(self, file: IO[bytes], size: int) -> None:
        self._file = file
        self._left = size
        self.position = 0

    def bytes(self, count: int) -> bytes:
        self._take(count)
        return self._file.read(count)

    def number(self, form: str) -> int:
        return int(struct.unpack(f"<{form}", self.bytes(struct.calcsize(form)))[0])

    def text(self) -> str:
        length = self.number("Q")
        if length > _MOST_STRING_BYTES:
            raise ValueError("it holds a text without end")
        return self.bytes(length).decode("utf-8", "replace")

    def value(self, kind: int) -> Value:
        """One value; a list is passed over."""
        if kind == _STRING:
            return self.text()
        if kind == _ARRAY:
            self._pass_over_list()
            return None
        form = _SCALARS.get(kind)
        if form is None:
            raise ValueError(f"it holds a value of the unknown type {kind}")
        value: Value = struct.unpack(f"<{form}", self.bytes(struct.calcsize(form)))[0]
        return value

    def _pass_over_list(self) -> None:
        kind, count = self.number("I"), self.number("Q")
        if kind in _SCALARS:
            length = count * struct.calcsize(_SCALARS[kind])
            self._take(length)
            self._file.seek(length, os.SEEK_CUR)
            return
        for _ in range(count):
            self.value(kind)

    def _take(self, count: int) -> None:
        if count > self._left:
            raise ValueError("it ends too soon")
        self._left -= count
        self.position += count
