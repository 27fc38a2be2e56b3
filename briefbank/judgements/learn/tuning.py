"""The encoder tuned to judged questions, for questions alone: the passages' vectors stay as the bank holds them.

So a bank takes it on without encoding anything again. Must not know folds, rankings or banks.
"""

from __future__ import annotations

import copy
import hashlib
import importlib.util
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from briefbank.index.learned import Tuned
from briefbank.judgements.learn.collection import Topic, listwise_targets
from briefbank.models.encoders.export import write_export
from briefbank.models.encoders.onnx import length_batches
from briefbank.models.encoders.port import Embeddings
from briefbank.models.encoders.sentence_transformer import load_model, window
from briefbank.models.encoders.source import EncoderSource, find_export, find_source
from briefbank.models.encoders.substitute import substitute_named
from briefbank.platform.progress import CancelToken
from briefbank.platform.settings import Settings

if TYPE_CHECKING:
    import torch
    from sentence_transformers import SentenceTransformer

_LAYERS = 2
"""How many of the upper ones are tuned; those below know the language, of which a few dozen questions teach nothing."""
_STEPS = 40
_WARM_UP = 5
_STEP = 3e-4
_SHARPNESS = 10.0
"""What cosines are multiplied with before they compete."""
_SHARE = 0.5
"""Of the tuned weights in their mean with the original ones."""
_HARD = 20
"""Passages near a question, judged by nobody, from which its relevant ones are to be told."""
_QUESTIONS = 64
"""Most that one step looks at: so many take as long however many were judged."""
_BATCH_TOKENS = 256
"""Questions are short; batches of like length leave little padding."""


class Tuner:
    """Tunes an encoder to judged questions, as often as it is asked to; the weights it starts from stay as they are."""

    def __init__(self, source: EncoderSource, model: SentenceTransformer, cancel: CancelToken) -> None:
        self._source = source
        self._model = model
        self._cancel = cancel

    def fit(self, topics: Sequence[Topic], seed: int) -> Tuned:
        """Bring questions nearer to what was judged relevant to them, and to the better of it nearest.

        For each question the passages of `listwise_targets` compete (softmax of their cosines), and the grades say what
        share each should have (ListNet; Cao et al. 2007). AdamW, then the mean of the tuned and the original weights,
        which keeps what the questions said nothing of (Wortsman et al. 2022). The same topics and seed give the same
        weights.
        """
        tuned = copy.deepcopy(self._model)
        self._descend(tuned, topics, seed)
        for weight, original in zip(tuned.parameters(), self._model.parameters(), strict=True):
            weight.data.lerp_(original.data, 1 - _SHARE)
        return Tuned(TunedEncoder(self._source, tuned), np.stack([topic.vector for topic in topics]))

    def _descend(self, model: SentenceTransformer, topics: Sequence[Topic], seed: int) -> None:
        import torch

        device = "cuda" if torch.cuda.is_available() else "cpu"
        model.to(device).requires_grad_(requires_grad=False)
        upper = _layers(model)[-_LAYERS:].requires_grad_(requires_grad=True)
        targets = listwise_targets(topics, _HARD)
        parts = (targets.passages, targets.shares, targets.competes)
        passages, shares, competes = (torch.from_numpy(part).to(device) for part in parts)
        token_ids = _token_ids(model, [self._source.query_prefix + topic.understanding.meaning for topic in topics])
        optimiser = torch.optim.AdamW(upper.parameters(), weight_decay=0.0)
        chance = np.random.default_rng(seed)
        for step in range(1, _STEPS + 1):
            self._cancel.check()
            picked = np.sort(chance.permutation(len(topics))[:_QUESTIONS])
            asked = _embed(model, [token_ids[each] for each in picked])
            odds = (_SHARPNESS * asked @ passages.T).masked_fill(~competes[picked], -1e9).log_softmax(dim=1)
            loss = -(shares[picked] * odds).sum(dim=1).mean()
            optimiser.param_groups[0]["lr"] = _STEP * min(1.0, step / _WARM_UP)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
        model.to("cpu").requires_grad_(requires_grad=False)


def load_tuner(settings: Settings, cancel: CancelToken) -> Tuner | None:
    """Load the encoder that the settings name; None where it has no weights to tune here, or no torch to do it with.

    Raises:
        ModelError: the model is missing, or not the one that its digest names.
    """
    is_without_weights = substitute_named(settings.encoder) or find_export(settings)
    if is_without_weights or not importlib.util.find_spec("sentence_transformers"):
        return None
    source = find_source(settings)
    model = load_model(source)
    return Tuner(source, model, cancel) if _layers(model) else None


class TunedEncoder:
    """A tuned encoder as it comes from tuning, with torch."""

    def __init__(self, source: EncoderSource, model: SentenceTransformer) -> None:
        self._source = source
        self._model = model
        digest = hashlib.sha256(source.digest.encode())
        for weight in _layers(model).parameters():
            digest.update(weight.numpy().tobytes())
        self.digest = digest.hexdigest()

    def encode_queries(self, texts: Sequence[str]) -> Embeddings:
        import torch

        with torch.inference_mode():
            token_ids = _token_ids(self._model, [self._source.query_prefix + text for text in texts])
            vectors: Embeddings = _embed(self._model, token_ids).numpy()
            return vectors

    def write(self, folder: Path) -> None:
        """Write its ONNX form. Raises ModelError if that does not encode as it does itself."""
        write_export(replace(self._source, digest=self.digest), self._model, folder, is_halved=True)


def _layers(model: SentenceTransformer) -> torch.nn.ModuleList:
    """The transformer's layers: the longest list of modules in it; empty where there is none."""
    import torch

    lists = [module for module in model.modules() if isinstance(module, torch.nn.ModuleList)]
    return max(lists, key=len, default=torch.nn.ModuleList())


def _token_ids(model: SentenceTransformer, texts: list[str]) -> list[list[int]]:
    ids: list[list[int]] = model.tokenizer(texts, truncation=True, max_length=window(model))["input_ids"]
    return ids


def _embed(model: SentenceTransformer, token_ids: Sequence[Sequence[int]]) -> torch.Tensor:
    """Unit vectors of texts in their order, shape (texts, dimension); gradients flow back where weights want them."""
    import torch

    pad_id = int(model.tokenizer.pad_token_id or 0)
    order: list[int] = []
    vectors = []
    for batch in length_batches(token_ids, _BATCH_TOKENS):
        rows = [torch.tensor(token_ids[index], device=model.device) for index in batch]
        ids = torch.nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=pad_id)
        mask = torch.nn.utils.rnn.pad_sequence([torch.ones_like(row) for row in rows], batch_first=True)
        embedded = model({"input_ids": ids, "attention_mask": mask})["sentence_embedding"]
        vectors.append(torch.nn.functional.normalize(embedded, dim=1))
        order += batch
    return torch.cat(vectors)[np.argsort(order)]
