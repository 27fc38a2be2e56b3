"""Tiny language models in real GGUF files: random weights, a byte-level BPE tokeniser, a chat template, metadata.

Real llama.cpp loads them and cannot tell them from others; what they write is noise, the same for the same seed. They
write printable characters only, and end no answer of their own accord unless `ends` says so.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path

import gguf
import numpy as np

CHAT_TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{{ message['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
SPECIAL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
HEAD_WIDTH = 32
_LEARNED_FROM = (
    "the officer stopped the motorist and asked for consent to search the car. the court held that the state bears "
    "the burden of proving that the consent was knowing and voluntary, and that the stop had not been prolonged. "
    "defendant argued that the statement was taken after he had asked for counsel; the judge denied the motion to "
    "suppress. on appeal we reverse, for the trial court erred when it admitted the evidence over an objection. "
)


def write_tiny_gguf(
    path: Path,
    *,
    layers: int = 2,
    width: int = 64,
    vocab: int = 512,
    context: int = 2048,
    seed: int = 0,
    name: str = "Tiny Random",
    licence: str = "CC0-1.0",
    chat_template: str | None = CHAT_TEMPLATE,
    ends: bool = False,
) -> Path:
    """Write a model of the llama architecture and return its path.

    `width` is a multiple of 32, `vocab` at least 300. An `ends` model ends every answer at once.
    """
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_name(name)
    writer.add_license(licence)
    writer.add_context_length(context)
    writer.add_embedding_length(width)
    writer.add_block_count(layers)
    writer.add_feed_forward_length(_hidden(width))
    writer.add_head_count(width // HEAD_WIDTH)
    writer.add_head_count_kv(width // HEAD_WIDTH)
    writer.add_rope_dimension_count(HEAD_WIDTH)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_vocab_size(vocab)
    writer.add_file_type(gguf.LlamaFileType.MOSTLY_F16)
    tokens = _write_tokeniser(writer, vocab)
    if chat_template is not None:
        writer.add_chat_template(chat_template)
    _write_weights(writer, np.random.default_rng(seed), layers, width, tokens, ends=ends)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _hidden(width: int) -> int:
    return width * 11 // 4 // 32 * 32


def _write_tokeniser(writer: gguf.GGUFWriter, vocab: int) -> list[str]:
    """Bytes, pairs learned from a few sentences, special tokens, and unused ones up to the size; returns all."""
    letters = _byte_letters()
    merges = _learn_merges(_LEARNED_FROM, letters, vocab - 256 - len(SPECIAL))
    tokens = [*letters.values(), *("".join(pair) for pair in merges)]
    unused = [f"<|unused_{number}|>" for number in range(vocab - len(tokens) - len(SPECIAL))]
    kinds = [gguf.TokenType.NORMAL] * len(tokens)
    kinds += [gguf.TokenType.UNUSED] * len(unused) + [gguf.TokenType.CONTROL] * len(SPECIAL)
    tokens += [*unused, *SPECIAL]
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(tokens)
    writer.add_token_types(kinds)
    writer.add_token_merges([f"{left} {right}" for left, right in merges])
    writer.add_bos_token_id(tokens.index("<|endoftext|>"))
    writer.add_eos_token_id(tokens.index("<|im_end|>"))
    writer.add_add_bos_token(False)
    return tokens


def _byte_letters() -> dict[int, str]:
    """The letter that stands for each byte in byte-level BPE: itself where it prints, else one from U+0100 on."""
    printing = [*range(ord("!"), ord("~") + 1), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printing]
    return {byte: chr(byte) if byte in printing else chr(0x100 + others.index(byte)) for byte in range(256)}


def _learn_merges(text: str, letters: dict[int, str], wanted: int) -> list[tuple[str, str]]:
    """Byte-pair encoding: join the most frequent pair, again and again."""
    words = [[letters[byte] for byte in f" {word}".encode()] for word in text.split()]
    merges: list[tuple[str, str]] = []
    while len(merges) < wanted:
        pairs = Counter(pair for word in words for pair in pairwise(word))
        if not pairs:
            break
        best = min(pairs, key=lambda pair: (-pairs[pair], pair))
        merges.append(best)
        words = [_joined(word, best) for word in words]
    return merges


def _joined(word: list[str], pair: tuple[str, str]) -> list[str]:
    joined: list[str] = []
    for letter in word:
        if joined and (joined[-1], letter) == pair:
            joined[-1] += letter
        else:
            joined.append(letter)
    return joined


def _write_weights(
    writer: gguf.GGUFWriter, random: np.random.Generator, layers: int, width: int, tokens: list[str], *, ends: bool
) -> None:
    hidden = _hidden(width)

    def matrix(rows: int, columns: int) -> np.ndarray:
        return (random.standard_normal((rows, columns), dtype=np.float32) / np.sqrt(columns)).astype(np.float16)

    ones = np.ones(width, dtype=np.float32)
    writer.add_tensor("token_embd.weight", matrix(len(tokens), width))
    for layer in range(layers):
        block = f"blk.{layer}"
        writer.add_tensor(f"{block}.attn_norm.weight", ones)
        writer.add_tensor(f"{block}.ffn_norm.weight", ones)
        for part in ("attn_q", "attn_k", "attn_v", "attn_output"):
            writer.add_tensor(f"{block}.{part}.weight", matrix(width, width))
        writer.add_tensor(f"{block}.ffn_gate.weight", matrix(hidden, width))
        writer.add_tensor(f"{block}.ffn_up.weight", matrix(hidden, width))
        writer.add_tensor(f"{block}.ffn_down.weight", matrix(width, hidden))
    writer.add_tensor("output_norm.weight", ones)
    output = matrix(len(tokens), width)
    said = {"<|im_end|>"} if ends else {token for token in tokens if token.isascii() and token not in SPECIAL}
    said = {token for token in said if not token.startswith("<|unused_")}
    for number, token in enumerate(tokens):
        if token.replace("Ġ", "") not in said and token not in said:
            output[number] = 0  # its logit is 0: below the best of the others, all but certainly
    writer.add_tensor("output.weight", output)
