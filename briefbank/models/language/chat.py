"""From messages to the tokens that a model was trained to see around them. Runs in the model's child process."""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING, Any

from briefbank.errors import LanguageModelError
from briefbank.models.language.port import Message, Speaker

if TYPE_CHECKING:
    from llama_cpp import Llama

_TODAY = datetime(2024, 7, 26)  # noqa: DTZ001 - a day, not a moment
"""The day that templates are told: some print it, and the same request has to get the same answer on every day."""


class Chat:
    """The chat template of one model."""

    def __init__(self, llama: Llama) -> None:
        """Take the template out of the model.

        Raises:
            LanguageModelError: it has none.
        """
        from llama_cpp.llama_chat_format import Jinja2ChatFormatter

        template = llama.metadata.get("tokenizer.chat_template")
        if not template:
            advice = "Install a model that was made to follow instructions ('instruct' or 'chat' in its name)."
            raise LanguageModelError("The model has no chat template.", advice)
        self._llama = llama
        words = _Vocabulary(llama)
        self._format: Any = Jinja2ChatFormatter(template, words.text(llama.token_eos()), words.text(llama.token_bos()))
        self._format.strftime_now = _TODAY.strftime
        self._special = re.compile("|".join(re.escape(text) for text in words.special_texts()) or r"(?!)")

    def tokens(self, messages: tuple[Message, ...]) -> list[int]:
        """The whole prompt, up to where the answer begins.

        Raises:
            LanguageModelError: the template cannot be used.
        """
        turns = [{"role": str(each.speaker), "content": self._defused(each.text)} for each in messages]
        try:
            prompt = self._prompt(turns)
        except Exception:  # noqa: BLE001 - a template is a program of the model's, and may raise anything
            prompt = self._prompt_without_system(turns)
        return list(self._llama.tokenize(prompt.encode(), add_bos=False, special=True))

    def _prompt(self, turns: list[dict[str, str]]) -> str:
        return str(self._format(messages=turns).prompt)

    def _prompt_without_system(self, turns: list[dict[str, str]]) -> str:
        """Some templates know no system: then what it says stands before what the user says."""
        system = [turn["content"] for turn in turns if turn["role"] == Speaker.SYSTEM]
        others = [turn for turn in turns if turn["role"] != Speaker.SYSTEM]
        try:
            if system and others:
                first = {**others[0], "content": "\n\n".join([*system, others[0]["content"]])}
                return self._prompt([first, *others[1:]])
            return self._prompt(turns)
        except Exception as fault:  # noqa: BLE001 - as above
            advice = "Install another model, or another version of this one."
            told = f"The model's chat template cannot be used ({type(fault).__name__})."
            raise LanguageModelError(told, advice) from None  # the error may quote the text

    def _defused(self, text: str) -> str:
        """The text with the model's special tokens taken apart, so that no document can speak as system or user."""
        return self._special.sub(lambda found: f"{found[0][:1]} {found[0][1:]}", text)


class _Vocabulary:
    """The texts of a model's tokens."""

    def __init__(self, llama: Llama) -> None:
        import llama_cpp

        self._api: Any = llama_cpp
        self._vocabulary: Any = llama_cpp.llama_model_get_vocab(llama.model)
        self._size = llama.n_vocab()

    def text(self, token: int) -> str:
        return (
            "" if token < 0 else str(self._api.llama_vocab_get_text(self._vocabulary, token).decode("utf-8", "replace"))
        )

    def special_texts(self) -> list[str]:
        """Control tokens and user-defined ones, longest first."""
        special = self._api.LLAMA_TOKEN_ATTR_CONTROL | self._api.LLAMA_TOKEN_ATTR_USER_DEFINED
        texts = {
            self.text(token)
            for token in range(self._size)
            if self._api.llama_vocab_get_attr(self._vocabulary, token) & special
        }
        return sorted(
            (text for text in texts if len(text) > 1 and not text.isspace()), key=lambda text: (-len(text), text)
        )
