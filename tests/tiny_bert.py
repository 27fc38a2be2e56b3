"""A sentence-transformers folder whose BERT is tiny and knows nothing: its weights are drawn at random, from a seed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

_UNUSED = 40
"""Words that are in no text, since an export is traced with some of the first forty."""


def write_tiny_bert(folder: Path, texts: Iterable[str], seed: int = 0) -> Path:
    """Write it with the words of the texts as its vocabulary."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Normalize, Pooling, Transformer
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

    marks = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    words = [*marks, *sorted({word for text in texts for word in re.findall(r"\w+", text.lower())})]
    plain = Tokenizer(models.WordLevel({word: number for number, word in enumerate(words)}, unk_token="[UNK]"))
    plain.normalizer, plain.pre_tokenizer = normalizers.Lowercase(), pre_tokenizers.Whitespace()
    plain.post_processor = processors.TemplateProcessing("[CLS] $0 [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=plain, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]"
    )
    torch.manual_seed(seed)
    config = BertConfig(
        vocab_size=len(words) + _UNUSED,
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
