"""A reranker made of an encoder's own weights, with torch, for learning; writes the ONNX form that a search uses.

The lower layers read question and passage apart, as the encoder does, the upper ones both together (after DeFormer, Cao
et al. 2020), so that what the lower ones make of a text serves every question. Must not know how it is trained.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, cast

import msgspec
import numpy as np

from briefbank.errors import ModelError
from briefbank.models.encoders.calibration import calibration_passages, calibration_sentences
from briefbank.models.encoders.export import halve_weights, write_graph
from briefbank.models.encoders.onnx import MODEL_NAME, TOKENIZER_NAME, length_batches, padded
from briefbank.models.encoders.port import RerankerScores
from briefbank.models.encoders.reranker import CARD_NAME, OnnxReranker, PairTokenizer, RerankerCard, digest_of
from briefbank.models.encoders.source import EncoderSource
from briefbank.platform.files import file_sha256

if TYPE_CHECKING:
    import torch
    from sentence_transformers import SentenceTransformer
    from transformers.models.bert.modeling_bert import BertModel

_JOINT_LAYERS = 3
"""The upper ones, which read both together and may be trained."""
_QUESTION_TOKENS, _PASSAGE_TOKENS = 34, 94
_SHARPNESS = 10.0
"""What the cosine that a score starts as is multiplied with."""
_BATCH_TOKENS = 1_536
_LEAST_CORRELATION = 0.999


def can_rerank(model: SentenceTransformer) -> bool:
    """Whether a reranker can be made of this model: it is a BERT, and deeper than what reads jointly."""
    config = getattr(getattr(model[0], "auto_model", None), "config", None)
    return getattr(config, "model_type", "") == "bert" and int(getattr(config, "num_hidden_layers", 0)) > _JOINT_LAYERS


class TorchReranker:
    """A reranker over a copy of an encoder's weights.

    A score is the product, weighted by dimension, of the mean vectors of both parts, and a weighted sum of the
    passage's alone; the weights start so that it is their cosine. Only `joint` and `head` are meant to be trained.
    """

    def __init__(self, source: EncoderSource, model: SentenceTransformer, *, is_bf16: bool = False) -> None:
        """Copy the weights; `can_rerank` must be true of the model. A GPU is used where there is one."""
        import torch

        self._device = "cuda" if torch.cuda.is_available() else "cpu"
        bert = cast("BertModel", copy.deepcopy(model[0].auto_model)).eval().requires_grad_(requires_grad=False)
        self._bert = bert.to(self._device)
        self.joint = self._bert.encoder.layer[-_JOINT_LAYERS:]
        self.is_bf16 = is_bf16
        self._definition = model.tokenizer.backend_tokenizer.to_str()
        self._card = RerankerCard(_QUESTION_TOKENS, _PASSAGE_TOKENS, source.query_prefix, source.passage_prefix, {})
        self._tokenizer = PairTokenizer(self._definition, self._card)
        dimension = int(bert.config.hidden_size)
        head = torch.nn.ParameterList([torch.ones(dimension), torch.zeros(dimension)])
        self.head = head.to(self._device).requires_grad_(requires_grad=False)

    def copy(self) -> TorchReranker:
        """A reranker of the same weights, to be trained apart."""
        other = copy.copy(self)
        other.joint, other.head = copy.deepcopy(self.joint), copy.deepcopy(self.head)
        return other

    @property
    def digest(self) -> str:
        """SHA-256 over all that its scores follow from."""
        weights = [*self._bert.parameters(), *self.joint.parameters(), *self.head]
        return digest_of(self._card, (weight.detach().cpu().numpy().tobytes() for weight in weights))

    def question_state(self, text: str) -> torch.Tensor:
        """What the lower layers make of a question; shape (tokens, dimension)."""
        return self._states([self._tokenizer.question(text)])[0]

    def passage_states(self, texts: Sequence[str]) -> list[torch.Tensor]:
        """What the lower layers make of passages; shapes (tokens, dimension)."""
        return self._states(self._tokenizer.passages(texts))

    def joint_scores(self, question: torch.Tensor, passages: Sequence[torch.Tensor]) -> torch.Tensor:
        """Score passages by their states and the question's; shape (passages,), float32, with a gradient."""
        import torch

        mask = torch.nn.utils.rnn.pad_sequence([each.new_ones(len(each)) for each in passages], batch_first=True)
        states = torch.nn.utils.rnn.pad_sequence(list(passages), batch_first=True)
        with self._precision():
            hidden = self._upper(question[None], states, mask)
        return self._score(hidden, mask)

    def scores(self, question: str, passages: Sequence[str]) -> RerankerScores:
        import torch

        if not passages:
            return np.zeros(0, dtype=np.float32)
        with torch.inference_mode():
            found = self.joint_scores(self.question_state(question), self.passage_states(passages))
        return cast("RerankerScores", found.cpu().numpy())

    def write(self, folder: Path) -> None:
        """Write the ONNX form into an empty folder.

        Raises:
            ModelError: what was written scores otherwise on the calibration texts.
        """
        self._write_graph(folder / MODEL_NAME)
        halve_weights(folder / MODEL_NAME)
        (folder / TOKENIZER_NAME).write_text(self._definition, encoding="utf-8")
        files = {name: file_sha256(folder / name) for name in (MODEL_NAME, TOKENIZER_NAME)}
        card = msgspec.structs.replace(self._card, digest=self.digest, files=files)
        (folder / CARD_NAME).write_bytes(msgspec.json.format(msgspec.json.encode(card)))
        self._verify(OnnxReranker(folder))

    def _verify(self, written: OnnxReranker) -> None:
        exact = copy.copy(self)
        exact.is_bf16 = False
        question, passages = calibration_sentences()[0], calibration_passages()
        correlation = float(np.corrcoef(exact.scores(question, passages), written.scores(question, passages))[0, 1])
        if not correlation >= _LEAST_CORRELATION:
            message = f"The ONNX form of the reranker scores differently: correlation {correlation:.4f}."
            raise ModelError(message, "Learn again; the ranking is as it was.")

    def _precision(self) -> AbstractContextManager[object]:
        import torch

        return torch.autocast(self._device, dtype=torch.bfloat16) if self.is_bf16 else nullcontext()

    def _states(self, token_ids: Sequence[Sequence[int]]) -> list[torch.Tensor]:
        import torch

        states: dict[int, torch.Tensor] = {}
        for batch in length_batches(token_ids, _BATCH_TOKENS):
            ids, mask = padded(token_ids, batch)
            with torch.inference_mode(), self._precision():
                found = self._lower(torch.tensor(ids, device=self._device), torch.tensor(mask, device=self._device))
            states |= {place: row[:length] for place, row, length in zip(batch, found, mask.sum(axis=1), strict=True)}
        return [states[place].clone() for place in range(len(token_ids))]

    def _lower(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        hidden = self._bert.embeddings(input_ids=ids)
        for layer in self._bert.encoder.layer[:-_JOINT_LAYERS]:
            hidden = layer(hidden, attention_mask=mask.bool()[:, None, None, :])
        return cast("torch.Tensor", hidden)

    def _upper(self, question: torch.Tensor, passages: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        import torch

        asked = question.expand(passages.shape[0], -1, -1)
        hidden = torch.cat([asked, passages], dim=1)
        seen = torch.cat([torch.ones_like(asked[:, :, 0]), mask], dim=1).bool()[:, None, None, :]
        for layer in self.joint:
            hidden = layer(hidden, attention_mask=seen)
        return hidden

    def _score(self, hidden: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        import torch

        hidden, length = hidden.float(), hidden.shape[1] - mask.shape[1]
        unit = torch.nn.functional.normalize
        weighed = mask.float()[:, :, None]
        told = unit((hidden[:, length:] * weighed).sum(dim=1) / weighed.sum(dim=1), dim=1)
        agreement = _SHARPNESS * unit(hidden[:, :length].mean(dim=1), dim=1) * told
        scores: torch.Tensor = agreement @ self.head[0] + told @ self.head[1]
        return scores

    def _write_graph(self, path: Path) -> None:
        import torch

        # What is not known as a part is written as a constant, once for each use.
        parts = (self._bert, self.joint, self.head)
        lower, upper, score = self._lower, self._upper, self._score

        class Whole(torch.nn.Module):
            def __init__(self) -> None:
                super().__init__()
                self.parts = torch.nn.ModuleList(parts)

            def forward(self, question: torch.Tensor, passages: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
                asked = lower(question, torch.ones_like(question))
                return score(upper(asked, lower(passages, mask), mask), mask)

        ids = torch.ones((2, 17), dtype=torch.int64, device=self._device)
        mask = torch.ones_like(ids)
        mask[1, 9:] = 0
        several = {0: "passage", 1: "token"}
        axes = {
            "question_ids": {1: "question token"},
            "passage_ids": several,
            "passage_mask": several,
            "scores": {0: "passage"},
        }
        write_graph(Whole().eval(), (ids[:1, :7], ids, mask), path, axes)
