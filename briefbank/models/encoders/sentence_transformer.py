"""Encoding with sentence-transformers and torch, for indexing and learning; never used on the query side.

Where a model is a BERT of the usual kind it runs without padding (`PackedBert`): the tokens of many texts stand in one
matrix, attention runs over texts of one length at a time. Weights are laid out once for oneDNN, which uses the CPU's
matrix units (AMX, AVX512-BF16) where it has them; the projections for query, key and value are one product, GELU and
residual sums are part of theirs (GELU in bf16 alone). Local files only: nothing here may reach a network.
"""

from __future__ import annotations

import copy
import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from pathlib import Path
from threading import Semaphore
from typing import TYPE_CHECKING, cast

import numpy as np
import numpy.typing as npt

from briefbank.errors import ModelError
from briefbank.models.encoders.calibration import agrees, calibration_passages, calibration_sentences
from briefbank.models.encoders.onnx import TOKENIZER_NAME, WORDS_NAME, length_batches
from briefbank.models.encoders.port import Embeddings, WordMeans
from briefbank.models.encoders.source import EncoderSource
from briefbank.models.encoders.words import WordTable, means_of
from briefbank.platform.processes.this_process import keep_freed_memory

if TYPE_CHECKING:
    import torch
    from sentence_transformers import SentenceTransformer
    from tokenizers import Tokenizer
    from transformers.models.bert.modeling_bert import BertLayer, BertModel

PRECISIONS = ("fp32", "bf16")
_BATCH_TOKENS = 2048
"""Fewer make the products small, more leave the cache; 2048 was the best of the sizes tried with AMX."""
_WORTH_IT = 1.2
"""A lower precision must be this much faster than fp32 to be taken; less may be noise."""


class SentenceTransformerEncoder:
    """An encoder over a loaded sentence-transformers model; texts longer than the model's window are cut there.

    Several threads may encode at once: they share the cores.
    """

    def __init__(self, source: EncoderSource, model: SentenceTransformer, precision: str) -> None:
        """Take over a model loaded in fp32; `precision` is `fp32`, or `bf16`, which is `fp32` without `has_bf16`."""
        import torch

        keep_freed_memory()
        self._cores = torch.get_num_threads()  # of the thread that loads: others are told 1 once a batch ran
        self._free_core = Semaphore(self._cores)
        self._source = source
        self._tokenizer = _plain_tokenizer(model)
        self._window = window(model)
        self.digest = source.digest
        self.precision = precision if has_bf16() else "fp32"
        self.dimension = int(model.get_embedding_dimension() or 0)
        self._words = word_embeddings(model)
        self._embed = _forward_pass(model, self.precision)

    def encode_passages(self, texts: Sequence[str]) -> Embeddings:
        return self._encode([self._source.passage_prefix + text for text in texts])

    def encode_queries(self, texts: Sequence[str]) -> Embeddings:
        return self._encode([self._source.query_prefix + text for text in texts])

    def word_means(self, texts: Sequence[str]) -> WordMeans:
        if self._words is None:
            return self.encode_passages(texts)
        return means_of(self._words, self._tokenizer, texts)

    def word_table(self, folder: Path) -> WordTable:
        if self._words is None:
            return WordTable()
        words, tokenizer = folder / WORDS_NAME, folder / TOKENIZER_NAME
        self._words.tofile(words)
        self._tokenizer.save(str(tokenizer))
        return WordTable(str(words), str(tokenizer), self._words.shape[1], self._window)

    def _encode(self, texts: list[str]) -> Embeddings:
        import torch

        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        token_ids = [encoding.ids for encoding in self._tokenizer.encode_batch_fast(texts)]

        def embed(batch: list[int]) -> None:
            with self._free_core, torch.inference_mode():
                vectors[batch] = self._embed([token_ids[index] for index in batch]).numpy()

        # A batch on each core is quicker than each batch over all cores: many of its steps are too small to share.
        with ThreadPoolExecutor(self._cores, initializer=torch.set_num_threads, initargs=(1,)) as threads:
            list(threads.map(embed, length_batches(token_ids, _BATCH_TOKENS)))
        return vectors


def _plain_tokenizer(model: SentenceTransformer) -> Tokenizer:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_str(model.tokenizer.backend_tokenizer.to_str())
    tokenizer.no_padding()
    tokenizer.enable_truncation(window(model))
    return tokenizer


def word_embeddings(model: SentenceTransformer) -> npt.NDArray[np.float32] | None:
    """The embeddings of the model's vocabulary, shape (words, dimension); None for a model that is built otherwise."""
    bare = getattr(model[0], "auto_model", None)
    if bare is None:
        return None
    words: npt.NDArray[np.float32] = bare.get_input_embeddings().weight.detach().float().numpy()
    return words


def _forward_pass(model: SentenceTransformer, precision: str) -> Callable[[list[list[int]]], torch.Tensor]:
    import torch

    dtype = {"fp32": torch.float32, "bf16": torch.bfloat16}[precision]
    if fits(model):
        return PackedBert(model, dtype).embed
    own = copy.deepcopy(model).to(dtype)
    pad_id = int(model.tokenizer.pad_token_id or 0)

    def embed(token_ids: list[list[int]]) -> torch.Tensor:
        rows = [torch.tensor(ids) for ids in token_ids]
        ids = torch.nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=pad_id)
        mask = torch.nn.utils.rnn.pad_sequence([torch.ones_like(row) for row in rows], batch_first=True)
        vectors = own({"input_ids": ids, "attention_mask": mask})["sentence_embedding"].float()
        return torch.nn.functional.normalize(vectors, dim=1)

    return embed


def window(model: SentenceTransformer) -> int:
    """Tokens that the model reads of a text."""
    return int(model.max_seq_length or 512)


def load_model(source: EncoderSource) -> SentenceTransformer:
    """Load the model in fp32 on the CPU, from its folder alone.

    Raises:
        ModelError: what runs models of this form is not installed.
    """
    os.environ["HF_HUB_OFFLINE"] = "1"
    os.environ["TRANSFORMERS_OFFLINE"] = "1"
    try:
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging as transformers_logging
    except ModuleNotFoundError as error:
        raise ModelError(
            f"Encoding with {source.folder} needs the Python package {error.name}, which is not installed here.",
            "Index on a machine that has BriefBank with its extra 'index', and carry the bank over as a pack.",
        ) from error

    transformers_logging.disable_progress_bar()
    return SentenceTransformer(str(source.folder), device="cpu", local_files_only=True).eval()


def has_bf16() -> bool:
    """Whether oneDNN computes in bf16 on this processor; with AVX2 alone it refuses to, and torch by itself crawls."""
    import torch

    return not torch.backends.mkldnn.is_available() or bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())  # noqa: SLF001


def measure_precision(source: EncoderSource) -> str:
    """The fastest precision on this machine that retrieves as fp32 does; takes a few seconds."""
    if not has_bf16():
        return "fp32"
    model = load_model(source)
    candidates = {name: SentenceTransformerEncoder(source, model, name) for name in PRECISIONS}
    sentences = calibration_sentences()
    exact = candidates["fp32"].encode_passages(sentences)
    seconds = _best_seconds(candidates)
    usable = [
        name
        for name, encoder in candidates.items()
        if seconds[name] * _WORTH_IT < seconds["fp32"] and agrees(exact, encoder.encode_passages(sentences))
    ]
    return min(usable, key=lambda name: seconds[name], default="fp32")


def _best_seconds(encoders: dict[str, SentenceTransformerEncoder]) -> dict[str, float]:
    """Best of two alternating rounds each, after one to warm up.

    Processor time, since a machine that is busy with other things disturbs the clock, and the answer is kept.
    """
    passages = calibration_passages()
    seconds: dict[str, list[float]] = {name: [] for name in encoders}
    for _round in range(3):
        for name, encoder in encoders.items():
            start = time.process_time()
            encoder.encode_passages(passages)
            seconds[name].append(time.process_time() - start)
    return {name: min(timed[1:]) for name, timed in seconds.items()}


class PackedBert:
    """The forward pass of a loaded BERT with mean or first-token pooling, in one floating-point type."""

    def __init__(self, model: SentenceTransformer, dtype: torch.dtype) -> None:
        """Copy the weights; `fits` must be true of the model."""
        import torch

        bert = cast("BertModel", model[0].auto_model)
        config = bert.config
        self._heads = int(config.num_attention_heads)
        self._epsilon = float(config.layer_norm_eps)
        self._is_mean = _pooling(model) == "mean"
        self._fuses_gelu = dtype != torch.float32
        embeddings = bert.embeddings
        self._words = embeddings.word_embeddings.weight.detach().to(dtype)
        positions = embeddings.position_embeddings.weight + embeddings.token_type_embeddings.weight[0]
        self._positions = positions.detach().to(dtype)
        self._norm = _Norm(embeddings.LayerNorm, dtype)
        self._layers = [_Layer(cast("BertLayer", layer), dtype) for layer in bert.encoder.layer]

    def embed(self, token_ids: Sequence[Sequence[int]]) -> torch.Tensor:
        """Encode token sequences (with their special tokens); shape (sequences, dimension), float32, length 1."""
        import torch
        from torch.nn import functional

        lengths = [len(ids) for ids in token_ids]
        flat = torch.tensor([token for ids in token_ids for token in ids])
        places = torch.cat([torch.arange(length) for length in lengths])
        hidden = self._norm(self._words[flat] + self._positions[places], self._epsilon)
        for layer in self._layers:
            attended = self._attend(layer.query_key_value(hidden), lengths)
            hidden = layer.norm_1(layer.attended(attended, add=hidden), self._epsilon)
            # In fp32 the same GELU by torch, behind the product, takes a quarter of the two together less.
            fused = self._fuses_gelu
            widened = layer.widened(hidden, "gelu") if fused else torch.ops.aten.gelu_(layer.widened(hidden))
            hidden = layer.norm_2(layer.narrowed(widened, add=hidden), self._epsilon)
        texts = hidden.float().split(lengths)
        pooled = [text.mean(0) for text in texts] if self._is_mean else [text[0] for text in texts]
        return functional.normalize(torch.stack(pooled), dim=1)

    def _attend(self, query_key_value: torch.Tensor, lengths: list[int]) -> torch.Tensor:
        import torch
        from torch.nn import functional

        size = query_key_value.shape[1] // 3
        parts, begin = [], 0
        for length, texts in groupby(lengths):  # a batch holds texts of about one length, many of the very same
            end = begin + length * len(list(texts))
            by_text = query_key_value[begin:end].view(-1, length, 3, self._heads, size // self._heads)
            query, key, value = by_text.permute(2, 0, 3, 1, 4)
            attended = functional.scaled_dot_product_attention(query, key, value)
            parts.append(attended.transpose(1, 2).reshape(end - begin, size))
            begin = end
        return torch.cat(parts)


def fits(model: SentenceTransformer) -> bool:
    """Whether `PackedBert` computes what this model computes, and this build of torch has the oneDNN products."""
    import torch

    config = getattr(getattr(model[0], "auto_model", None), "config", None)
    return (
        torch.backends.mkldnn.is_available()
        and [type(module).__name__ for module in model] == ["Transformer", "Pooling", "Normalize"]
        and getattr(config, "model_type", "") == "bert"
        and getattr(config, "hidden_act", "") == "gelu"
        and getattr(config, "position_embedding_type", "absolute") == "absolute"
        and _pooling(model) in {"mean", "cls"}
    )


def _pooling(model: SentenceTransformer) -> str:
    mode = cast("str | Sequence[str]", model[1].pooling_mode)
    return mode if isinstance(mode, str) else "+".join(mode)


class _Linear:
    """A product with weights in oneDNN's own layout, made for thousands of rows."""

    def __init__(self, modules: Sequence[torch.nn.Linear], dtype: torch.dtype) -> None:
        import torch

        weight = torch.cat([module.weight.detach() for module in modules]).to(dtype)
        self._weight = torch.ops.mkldnn._reorder_linear_weight(weight, None)  # noqa: SLF001 - the only way to pack once
        self._bias = torch.cat([module.bias.detach() for module in modules]).to(dtype)

    def __call__(self, x: torch.Tensor, activation: str = "none", add: torch.Tensor | None = None) -> torch.Tensor:
        import torch

        linear = torch.ops.mkldnn._linear_pointwise  # noqa: SLF001
        if add is not None:
            return linear.binary(x, add, self._weight, self._bias, "add")  # type: ignore[no-any-return]
        algorithm = "none" if activation == "gelu" else ""
        return linear(x, self._weight, self._bias, activation, [], algorithm)  # type: ignore[no-any-return]


class _Norm:
    def __init__(self, module: torch.nn.LayerNorm, dtype: torch.dtype) -> None:
        self._weight, self._bias = module.weight.detach().to(dtype), module.bias.detach().to(dtype)

    def __call__(self, x: torch.Tensor, epsilon: float) -> torch.Tensor:
        from torch.nn import functional

        return functional.layer_norm(x, self._weight.shape, self._weight, self._bias, epsilon)


class _Layer:
    def __init__(self, layer: BertLayer, dtype: torch.dtype) -> None:
        attention, projection = layer.attention.self, layer.attention.output
        self.query_key_value = _Linear([attention.query, attention.key, attention.value], dtype)
        self.attended = _Linear([projection.dense], dtype)
        self.norm_1 = _Norm(projection.LayerNorm, dtype)
        self.widened = _Linear([layer.intermediate.dense], dtype)
        self.narrowed = _Linear([layer.output.dense], dtype)
        self.norm_2 = _Norm(layer.output.LayerNorm, dtype)
