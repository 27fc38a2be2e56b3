"""A BERT encoder run without padding: the tokens of many texts stand in one matrix, attention runs text by text.

Weights are laid out once for oneDNN, which uses the CPU's matrix units (AMX, AVX512-BF16) where it has them; the
projections for query, key and value are one product, GELU and residual sums are part of theirs. Must not know texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    import torch
    from sentence_transformers import SentenceTransformer
    from transformers.models.bert.modeling_bert import BertLayer, BertModel


class PackedBert:
    """The forward pass of a loaded BERT with mean or first-token pooling, in one floating-point type."""

    def __init__(self, model: SentenceTransformer, dtype: torch.dtype) -> None:
        """Copy the weights; `fits` must be true of the model."""
        bert = cast("BertModel", model[0].auto_model)
        config = bert.config
        self._heads = int(config.num_attention_heads)
        self._epsilon = float(config.layer_norm_eps)
        self._is_mean = _pooling(model) == "mean"
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
            widened = layer.widened(hidden, activation="gelu")
            hidden = layer.norm_2(layer.narrowed(widened, add=hidden), self._epsilon)
        texts = hidden.float().split(lengths)
        pooled = [text.mean(0) for text in texts] if self._is_mean else [text[0] for text in texts]
        return functional.normalize(torch.stack(pooled), dim=1)

    def _attend(self, query_key_value: torch.Tensor, lengths: list[int]) -> torch.Tensor:
        import torch
        from torch.nn import functional

        size = query_key_value.shape[1] // 3
        parts = []
        for text in query_key_value.split(lengths):
            query, key, value = text.view(len(text), 3, self._heads, -1).permute(1, 2, 0, 3).unsqueeze(1)
            attended = functional.scaled_dot_product_attention(query, key, value)
            parts.append(attended[0].transpose(0, 1).reshape(len(text), size))
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
