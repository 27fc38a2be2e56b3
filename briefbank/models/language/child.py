"""The inside of a language model's child process: loads the model and answers one request after the other, until nobody
listens any more; so its memory is given back. The only module that drives llama.cpp.

Run as `python -m briefbank.models.language.child FILE SHA256 CONTEXT_TOKENS`. Writes neither log nor terminal; must not
know who asks or why.
"""

from __future__ import annotations

import codecs
import ctypes
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil

from briefbank.errors import (
    CancelledError,
    ContextOverflowError,
    InvalidAnswerError,
    LanguageModelError,
    TimeLimitError,
    missing_package,
)
from briefbank.models.installed import read_gguf, verify_file
from briefbank.models.language.port import Answer, LanguageModel, Message, Priority, Request, Speaker, StopReason
from briefbank.models.language.schema import check_answer, grammar_of
from briefbank.platform.processes.calls import ParentLink, ReceivedCall, table
from briefbank.platform.progress import CancelToken
from briefbank.platform.settings import core_count

if TYPE_CHECKING:
    from llama_cpp import Llama

_TODAY = datetime(2024, 7, 26)  # noqa: DTZ001 - a day, not a moment
"""The day that templates are told: some print it, and the same request has to get the same answer on every day."""

_BATCH = 64
"""Tokens of a prompt that a processor reads at once: so few that it can be stopped soon in a large model too, and no
slower than with more. What two prompts share is kept in whole batches, because the same batches give the same numbers,
and so the same answer."""
_GPU_BATCH = 512
_MOST_COMPLAINTS = 100
_SEED = 1
_PIECE_BYTES = 512
_LOG_ERROR = 4
_NICE = 10
"""The priority number ("niceness") of work in the background. A lowered priority cannot be raised again."""
_SMALLER = "Close other programs, lower the setting llm_context_tokens, or install a smaller model."


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
            message = f"The model's chat template cannot be used ({type(fault).__name__})."
            raise LanguageModelError(message, advice) from None  # the error may quote the text

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


class LoadedModel:
    """One model, one request at a time."""

    def __init__(self, file: Path, sha256: str, context_tokens: int) -> None:
        """Verify the file and load it.

        Raises:
            ModelError: the file is missing, or is not the one that its digest names.
            LanguageModelError: it cannot be loaded, or memory is short.
        """
        verify_file(file, sha256)
        _require_memory(file, context_tokens)
        import llama_cpp

        self._api: Any = llama_cpp
        has_gpu = llama_cpp.llama_supports_gpu_offload()
        self._batch = _GPU_BATCH if has_gpu else _BATCH
        complaints = self._listen_to_complaints()
        try:
            self._llama = llama_cpp.Llama(
                str(file),
                n_ctx=context_tokens,
                n_batch=self._batch,
                n_ubatch=self._batch,
                n_threads=thread_count(),
                n_threads_batch=thread_count(),
                n_gpu_layers=-1 if has_gpu else 0,
                seed=_SEED,
                verbose=False,
            )
        except (ValueError, RuntimeError, MemoryError, OSError, AssertionError) as error:
            why = complaints[0].rpartition("error loading model: ")[-1] if complaints else type(error).__name__
            advice = "Install the model again (briefbank models add); if that does not help, another one."
            raise LanguageModelError(f"The model cannot be loaded: {why}.", advice) from None
        self._chat = Chat(self._llama)
        self._vocabulary: Any = llama_cpp.llama_model_get_vocab(self._llama.model)
        self._context_tokens = context_tokens
        self._prompt: list[int] = []
        self._must_stop: Callable[[], bool] = lambda: False
        self._abort = llama_cpp.ggml_abort_callback(lambda _data: self._must_stop())
        llama_cpp.llama_set_abort_callback(self._llama.ctx, self._abort, ctypes.c_void_p(0))

    def _listen_to_complaints(self) -> list[str]:
        """Have llama.cpp's log go nowhere but for errors, which are kept: while loading it has seen no text yet."""
        complaints: list[str] = []

        def on_log(level: int, text: bytes, _data: object) -> None:
            if level == _LOG_ERROR and len(complaints) < _MOST_COMPLAINTS:
                complaints.append(text.decode("utf-8", "replace").strip().rstrip("."))

        self._on_log = self._api.llama_log_callback(on_log)  # kept, for llama.cpp holds no reference
        self._api.llama_log_set(self._on_log, ctypes.c_void_p(0))
        return complaints

    def count_tokens(self, messages: tuple[Message, ...]) -> int:
        """How many tokens the messages take, template included."""
        return len(self._chat.tokens(messages))

    def answer(self, request: Request, *, on_text: Callable[[str], None], cancel: CancelToken) -> Answer:
        """Write the answer; raises as `port.LanguageModel.answer`."""
        if request.priority is Priority.BACKGROUND:
            _make_way()
        began = time.monotonic()
        prompt = self._chat.tokens(request.messages)
        self._require_room(len(prompt), request.max_tokens)

        def check() -> None:
            if cancel.is_cancelled:
                raise CancelledError("Stopped as asked.")
            if time.monotonic() - began > request.time_limit_s:
                advice = "Allow more time (setting llm_time_limit_s), or install a smaller model."
                raise TimeLimitError(f"The language model took longer than {request.time_limit_s:g} s.", advice)

        self._must_stop = lambda: cancel.is_cancelled or time.monotonic() - began > request.time_limit_s
        try:
            answer = self._write(prompt, request, check, on_text)
        except RuntimeError as error:  # llama_decode was aborted, or failed
            check()
            raise LanguageModelError("The language model failed over this request.", "Try again.") from error
        finally:
            self._must_stop = lambda: False
        if request.schema is not None:
            if answer.stopped is StopReason.LENGTH:
                raise InvalidAnswerError("The language model's answer was cut off.", "Try again with a shorter text.")
            check_answer(answer.text, request.schema)
        return answer

    def _write(
        self, prompt: list[int], request: Request, check: Callable[[], None], on_text: Callable[[str], None]
    ) -> Answer:
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        parts: list[str] = []
        written, stopped = 0, StopReason.LENGTH
        for token in self._tokens(prompt, request, check):
            check()
            if self._api.llama_vocab_is_eog(self._vocabulary, token):
                stopped = StopReason.END
                break
            written += 1
            if text := decoder.decode(self._piece(token)):
                parts.append(text)
                on_text(text)
            if written == request.max_tokens:
                break
        if rest := decoder.decode(b"", final=True):
            parts.append(rest)
            on_text(rest)
        return Answer("".join(parts), len(prompt), written, stopped)

    def _tokens(self, prompt: list[int], request: Request, check: Callable[[], None]) -> Iterator[int]:
        """Read the prompt, then yield what the model says to it, the most likely token each time."""
        grammar = self._grammar(grammar_of(request.schema)) if request.schema is not None else None
        start = self._keep_shared(prompt)
        self._prompt = prompt
        while len(prompt) - start > self._batch:
            check()
            self._llama.eval(prompt[start : start + self._batch])
            start += self._batch
        yield from self._llama.generate(prompt[start:], temp=0.0, reset=False, grammar=grammar)

    def _keep_shared(self, prompt: list[int]) -> int:
        """Forget all that was read but for whole batches that the prompt begins with too; returns how long they are."""
        read = self._prompt[: self._llama.n_tokens]
        shared = next((i for i, (old, new) in enumerate(zip(read, prompt, strict=False)) if old != new), None)
        shared = min(len(read), len(prompt) - 1) if shared is None else shared
        kept = shared // self._batch * self._batch
        memory = self._api.llama_get_memory(self._llama.ctx)
        if kept and self._api.llama_memory_seq_rm(memory, 0, kept, -1):
            self._llama.n_tokens = kept
            return kept
        self._llama.reset()
        return 0

    def _grammar(self, text: str) -> Any:
        """The grammar, if llama.cpp understands it: one that it does not, it would leave out without a word."""
        sampler = self._api.llama_sampler_init_grammar(self._vocabulary, text.encode(), b"root")
        if not sampler:
            raise InvalidAnswerError("llama.cpp does not understand the form that was asked for.", "Tell IT staff.")
        self._api.llama_sampler_free(sampler)
        return self._api.LlamaGrammar.from_string(text, verbose=False)

    def _piece(self, token: int) -> bytes:
        buffer = ctypes.create_string_buffer(_PIECE_BYTES)
        length = self._api.llama_token_to_piece(self._vocabulary, token, buffer, _PIECE_BYTES, 0, False)  # noqa: FBT003
        return bytes(buffer.raw[: max(length, 0)])

    def _require_room(self, prompt_tokens: int, answer_tokens: int) -> None:
        if prompt_tokens + answer_tokens > self._context_tokens:
            message = (
                f"The text is too long for the language model: {prompt_tokens} tokens and {answer_tokens} for the "
                f"answer, of {self._context_tokens}."
            )
            advice = "Raise the setting llm_context_tokens, if the model was made for more, or ask about less text."
            raise ContextOverflowError(message, advice)


def _make_way() -> None:
    """Let whatever else runs go first. On Linux each thread has a priority of its own."""
    if sys.platform == "win32":
        psutil.Process().nice(psutil.BELOW_NORMAL_PRIORITY_CLASS)
        return
    nice = max(os.getpriority(os.PRIO_PROCESS, 0), _NICE)
    for thread in psutil.Process().threads() if sys.platform == "linux" else ():
        os.setpriority(os.PRIO_PROCESS, thread.id, nice)
    os.setpriority(os.PRIO_PROCESS, 0, nice)


def thread_count() -> int:
    """One thread a physical core that this process may use; more only get in each other's way."""
    return max(1, min(psutil.cpu_count(logical=False) or 1, core_count()))


def _require_memory(file: Path, context_tokens: int) -> None:
    """Refuse what would make the system swap or end some program.

    Raises:
        ModelError: the file is no model.
        LanguageModelError: memory is short.
    """
    needed = file.stat().st_size + read_gguf(file).memory_bytes(context_tokens)
    free = psutil.virtual_memory().available
    if needed > free:
        message = f"The model needs about {needed / 1e9:.1f} GB of memory, and {free / 1e9:.1f} GB are free."
        raise LanguageModelError(message, _SMALLER)


def main() -> None:
    """Serve until nobody asks."""
    # Read when llama.cpp is loaded. Threads that spin while they wait stall one another on a machine with other work.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    file, sha256, context_tokens = sys.argv[1:]
    parent = ParentLink(table(LanguageModel.answer, LanguageModel.count_tokens))
    model: LoadedModel | None = None

    def result(call: ReceivedCall) -> object:
        nonlocal model
        model = model or LoadedModel(Path(file), sha256, int(context_tokens))
        call.cancel.check()
        parent.tell(call.number)  # loaded, and begun with it: from now on the time of the call counts
        return call.run(model)

    while call := parent.next():
        call.answer(result, _named)


def _named(fault: Exception) -> LanguageModelError:
    if missing := missing_package(fault):
        return LanguageModelError(missing.message, missing.advice)
    return LanguageModelError(f"The language model met a fault ({type(fault).__name__}).", "Try again.")


if __name__ == "__main__":
    main()
