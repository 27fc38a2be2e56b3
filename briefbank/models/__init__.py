"""Encoders, rerankers and language models, and what of them is installed."""
