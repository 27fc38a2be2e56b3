"""Models for the tests: a tiny one that answers at once, and one large enough to be caught at work."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from llm.running import Open
from llm.tiny import write_tiny_gguf

from briefbank.models.installed import Role, add_model
from briefbank.models.language import LanguageModel, load_language_model
from briefbank.platform.settings import Settings


@pytest.fixture(scope="session")
def tiny_models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A models folder with a model that answers at once; shared, so never changed."""
    made = tmp_path_factory.mktemp("tiny")
    add_model(write_tiny_gguf(made / "tiny.gguf"), [Role.SUMMARY], folder=made / "models")
    return made / "models"


@pytest.fixture(scope="session")
def large_models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A models folder with a model that takes seconds to read a long text; shared, so never changed."""
    made = tmp_path_factory.mktemp("large")
    add_model(
        write_tiny_gguf(made / "large.gguf", layers=8, width=512, context=8192), [Role.SUMMARY], folder=made / "models"
    )
    return made / "models"


@pytest.fixture
def open_model() -> Iterator[Open]:
    """Open the model of a folder, with settings; closed at the end."""
    opened: list[LanguageModel] = []

    def open_(folder: Path, **settings: float) -> LanguageModel:
        opened.append(load_language_model(Role.SUMMARY, Settings(**settings), folder))
        return opened[-1]

    yield open_
    for model in opened:
        model.close()


@pytest.fixture
def tiny(tiny_models: Path, open_model: Open) -> LanguageModel:
    return open_model(tiny_models)


@pytest.fixture
def large(large_models: Path, open_model: Open) -> LanguageModel:
    return open_model(large_models)
