"""Folders of models that are tiny and know nothing: their weights are drawn at random, from a seed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

_UNUSED = 40
"""Words that are in no text, since an export is traced with some of the first forty."""


def write_tiny_bert(folder: Path, texts: Iterable[str], seed: int = 0) -> Path:
    """Write a BERT as sentence-transformers does, with the words of the texts as its vocabulary."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Normalize, Pooling, Transformer
    from transformers import BertConfig, BertModel

    tokenizer, size = _tokenizer(texts, 128)
    torch.manual_seed(seed)
    config = BertConfig(
        vocab_size=size,
        hidden_size=32,
        num_hidden_layers=4,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=128,
        initializer_range=0.2,
    )
    parts = folder.with_name(f"{folder.name}-parts")
    BertModel(config).save_pretrained(parts)
    tokenizer.save_pretrained(parts)
    transformer = Transformer(str(parts), max_seq_length=128)
    SentenceTransformer(modules=[transformer, Pooling(32), Normalize()], device="cpu").save(str(folder))
    return folder


def write_tiny_cross_encoder(
    folder: Path, texts: Iterable[str], *, family: str = "bert", labels: int = 1, window: int = 128, seed: int = 0
) -> Path:
    """Write a cross-encoder of a family that transformers knows, or `ettin`: a ModernBERT whose score modules of
    sentence-transformers work out. The texts' words are its vocabulary.
    """
    import torch
    from sentence_transformers import CrossEncoder
    from sentence_transformers.cross_encoder.modules import Dense, Transformer
    from sentence_transformers.sentence_transformer.modules import LayerNorm, Pooling
    from transformers import AutoConfig, AutoModel, AutoModelForSequenceClassification

    tokenizer, size = _tokenizer(texts, window, has_types=family in ("bert", "electra", "deberta-v2"))
    torch.manual_seed(seed)
    config = AutoConfig.for_model(
        "modernbert" if family == "ettin" else family,
        vocab_size=size,
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=window + 2 * (family in ("xlm-roberta", "camembert", "mpnet")),
        num_labels=labels,
        **{f"{mark}_token_id": number for mark, number in {"pad": 0, "cls": 2, "bos": 2, "sep": 3, "eos": 3}.items()},
    )
    head = AutoModel if family == "ettin" else AutoModelForSequenceClassification
    model = head.from_config(config)
    for weights in model.parameters():
        if weights.ndim > 1:  # as they are drawn by themselves, all scores are nearly the same
            torch.nn.init.normal_(weights, std=0.3)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    if family == "ettin":
        score = Dense(32, labels, activation_function=torch.nn.Identity(), module_output_name="scores")
        parts = [Pooling(32, "cls"), Dense(32, 32, activation_function=torch.nn.GELU()), LayerNorm(32), score]
        CrossEncoder(modules=[Transformer(str(folder)), *parts], device="cpu").save(str(folder))
    return folder


def _tokenizer(texts: Iterable[str], window: int, *, has_types: bool = True) -> tuple[Any, int]:
    """A tokeniser of words, and for how many tokens there must be vectors."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    marks = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    words = [*marks, *sorted({word for text in texts for word in re.findall(r"\w+", text.lower())})]
    plain = Tokenizer(models.WordLevel({word: number for number, word in enumerate(words)}, unk_token="[UNK]"))
    plain.normalizer, plain.pre_tokenizer = normalizers.Lowercase(), pre_tokenizers.Whitespace()
    plain.post_processor = processors.TemplateProcessing(
        "[CLS] $0 [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=plain,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        model_max_length=window,
        model_input_names=["input_ids", "attention_mask", *(["token_type_ids"] if has_types else [])],
    )
    return tokenizer, len(words) + _UNUSED
