"""Cross-encoders that the office brings: taken in, brought into the form of searches, and what they do for a search."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import office
import pytest
from judged import collection
from program import Briefbank
from test_imports import commands, modules_after
from test_models_folder import encoder_folder
from tiny_bert import write_tiny_cross_encoder

from briefbank.bank.local import Bank
from briefbank.errors import ModelError
from briefbank.judgements.evaluate.beir import read_corpus, read_queries, read_trec_run
from briefbank.models.encoders.calibration import calibration_sentences
from briefbank.models.encoders.cross_encoder import OnnxCrossEncoder, cross_encoder_converter, load_cross_encoder
from briefbank.models.installed import (
    InstalledModel,
    Role,
    add_model,
    installed_models,
    model_for,
    remove_model,
    verify_models,
)
from briefbank.office.packs.signing_keys import make_key
from briefbank.platform.files import file_sha256
from briefbank.search.parse import understand
from briefbank.values.records import Query, SearchResult, SortOrder

pytestmark = pytest.mark.skipif(
    find_spec("sentence_transformers") is None, reason="adding a cross-encoder needs the extra 'index'"
)

QUESTION = "consent to search after an unlawful stop"
TEXTS = [*calibration_sentences(), office.STOP, office.HEARSAY, QUESTION]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_tiny_cross_encoder(tmp_path_factory.mktemp("source") / "tiny-cross", TEXTS)
    (folder / "LICENSE").write_text("Do as you like.", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def added(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A models folder that holds it; shared, so never changed."""
    models = tmp_path_factory.mktemp("added") / "models"
    add_model(source, [Role.RERANK], folder=models, convert=cross_encoder_converter())
    return models


@pytest.fixture
def models(added: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's models folder, with the cross-encoder in it."""
    monkeypatch.setenv("BRIEFBANK_MODELS", str(tmp_path / "models"))
    return Path(shutil.copytree(added, tmp_path / "models"))


@pytest.fixture
def model(models: Path) -> InstalledModel:
    return installed_models(models)[0]


def predicted(source: Path, question: str, passages: Sequence[str]) -> list[float]:
    """What sentence-transformers itself makes of the folder, as logits."""
    import torch
    from sentence_transformers import CrossEncoder

    loaded = CrossEncoder(str(source), device="cpu", local_files_only=True)
    pairs = [(question, passage) for passage in passages]
    return [float(each) for each in loaded.predict(pairs, activation_fn=torch.nn.Identity(), show_progress_bar=False)]


def best_first(scores: Sequence[float]) -> list[int]:
    return sorted(range(len(scores)), key=lambda place: -scores[place])


def search(bank: Path, text: str = QUESTION, **settings: float) -> SearchResult:
    office.change_settings(bank, **settings)
    with Bank.open(bank) as opened:
        return opened.search(Query(text, sort=SortOrder.RELEVANCE))


def texts(result: SearchResult) -> list[str]:
    return [hit.passage.text for hit in result.hits]


def test_the_command_line_takes_a_folder_in_and_keeps_the_form_of_searches(
    briefbank: Briefbank, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRIEFBANK_MODELS", str(tmp_path / "models"))
    digest = file_sha256(source / "model.safetensors")
    refused = briefbank("models", "add", source, "--role", "rerank", "--sha256", "0" * 64, "--quiet")
    assert (refused.code, installed_models()) == (9, ())
    done = briefbank("models", "add", source, "--role", "rerank", "--sha256", digest, "--licence", "MIT", "--quiet")
    assert (done.code, "now used for: rerank" in done.out) == (0, True), done.err
    (model,) = installed_models()
    assert (model.name, model.format, model.architecture) == ("tiny-cross", "onnx", "BertForSequenceClassification")
    assert (model.context_tokens, model.weights, model.licence) == (128, "model.onnx", "MIT")
    kept = {file.path for file in model.files}
    assert kept == {"LICENSE", "cross_encoder.json", "model.onnx", "tokenizer.json"}
    assert json.loads(Path(model.folder, "cross_encoder.json").read_text())["source"]["model.safetensors"] == digest
    assert briefbank("models", "verify").code == 0
    assert not list((tmp_path / "models" / "store").glob(".*"))


FAMILIES = "bert camembert deberta-v2 distilbert electra ettin modernbert mpnet xlm-roberta".split()


@pytest.mark.parametrize("family", FAMILIES)
def test_it_ranks_as_sentence_transformers_does(family: str, tmp_path: Path) -> None:
    source = write_tiny_cross_encoder(tmp_path / "source", TEXTS, family=family, window=300, seed=3)
    if family == "ettin":  # its module folders count, and so does what it was taught to read before a question
        configured("config_sentence_transformers.json", prompts={"asked": "stop: "}, default_prompt_name="asked")(
            source
        )
    model = add_model(source, [Role.RERANK], folder=tmp_path / "models", convert=cross_encoder_converter())
    passages = [*calibration_sentences()[:12], office.STOP, office.HEARSAY, "", " ".join(TEXTS)]
    exact = predicted(source, QUESTION, passages)
    scores = OnnxCrossEncoder(Path(model.folder)).scores(QUESTION, passages)
    assert np.allclose(scores, exact, atol=0.03 * np.std(exact))
    assert best_first(scores.tolist())[:3] == best_first(exact)[:3]


def test_a_score_depends_on_question_and_passage_alone_and_on_nothing_beyond_the_window(model: InstalledModel) -> None:
    scorer = OnnxCrossEncoder(Path(model.folder))
    passages = [office.STOP, office.HEARSAY, ""]
    together = scorer.scores(QUESTION, passages)
    assert together.dtype == np.float32
    assert np.allclose(together[::-1], scorer.scores(QUESTION, passages[::-1]), atol=0.05)
    assert np.allclose(together, [scorer.scores(QUESTION, [each])[0] for each in passages], atol=0.05)
    assert scorer.scores(QUESTION, []).shape == (0,)
    one, other = scorer.scores(QUESTION, ["stop " * 130 + end for end in ("ticket", "fruit driver")])
    assert one == pytest.approx(other, abs=0.05)


def configured(name: str = "config.json", **changes: object) -> Callable[[Path], object]:
    def change(folder: Path) -> None:
        config = json.loads((folder / name).read_text())
        (folder / name).write_text(json.dumps({**config, **changes}))

    return change


def of_other_module(folder: Path) -> None:
    modules = (folder / "modules.json").read_text()
    (folder / "modules.json").write_text(modules.replace("sentence_transformers.base.modules.dense", "ours"))


@pytest.mark.parametrize(
    ("family", "spoil", "said", "advised"),
    [
        ("bert", lambda folder: (folder / "tokenizer.json").unlink(), "no model that ranks", "tokenizer.json"),
        ("bert", configured(id2label={"0": "no", "1": "yes"}), "no model that ranks", "one label"),
        ("bert", configured(architectures=["BertForTokenClassification"]), "no model that ranks: BertFor", "GGUF"),
        ("bert", configured(auto_map={"AutoModel": "modeling.Ours"}), "auto_map in config.json", "trust_remote"),
        ("bert", lambda folder: (folder / "modeling.py").write_text(""), "modeling.py is a program", "without it"),
        ("bert", lambda folder: (folder / "pytorch_model.bin").write_text(""), "_model.bin is a pickle", "safetensors"),
        ("ettin", lambda folder: (folder / "4_Dense" / "own.bin").write_text(""), "own.bin is a pickle", "safetensors"),
        ("ettin", configured("tokenizer_config.json", auto_map={"a": "b"}), "auto_map in tok", "trust_remote"),
        ("ettin", configured("2_Dense/config.json", activation_function="our.Gate"), "our.Gate in c", "trust_remote"),
        ("ettin", of_other_module, "ours.Dense in modules.json", "trust_remote"),
        ("ettin", configured(architectures=["Qwen3ForCausalLM"]), "no model that ranks: Qwen3For", "GGUF"),
        ("ettin", lambda _folder: None, "gives 2 scores", "another"),
    ],
)
def test_own_code_pickles_and_what_gives_no_single_score_are_refused_by_name(
    family: str, spoil: Callable[[Path], object], said: str, advised: str, tmp_path: Path
) -> None:
    folder = write_tiny_cross_encoder(tmp_path / "spoilt", TEXTS, family=family, labels=1 + (family == "ettin"))
    spoil(folder)
    with pytest.raises(ModelError, match=said) as caught:
        add_model(folder, [Role.RERANK], folder=tmp_path / "models", convert=cross_encoder_converter())
    assert advised in caught.value.advice
    assert installed_models(tmp_path / "models") == ()


def test_an_encoder_does_not_rank_and_a_cross_encoder_does_nothing_else(
    source: Path, model: InstalledModel, tmp_path: Path
) -> None:
    with pytest.raises(ModelError, match="no model that ranks: BertModel"):
        add_model(encoder_folder(tmp_path / "ours"), [Role.RERANK], folder=tmp_path / "new")
    for folder in (source, Path(model.folder)):
        with pytest.raises(ModelError, match="nothing else"):
            add_model(folder, [Role.RERANK, Role.OCR], folder=tmp_path / "new")
    with pytest.raises(ModelError, match="nothing else"):
        add_model(Path(model.folder), [Role.OCR], folder=tmp_path / "new")


def test_weights_that_lack_a_part_are_refused_and_nothing_is_left(source: Path, tmp_path: Path) -> None:
    from safetensors.numpy import load_file, save_file

    folder = Path(shutil.copytree(source, tmp_path / "headless"))
    weights = load_file(folder / "model.safetensors")
    kept = {name: weight for name, weight in weights.items() if not name.startswith("classifier")}
    save_file(kept, folder / "model.safetensors", {"format": "pt"})
    with pytest.raises(ModelError, match="do not hold all"):
        add_model(folder, [Role.RERANK], folder=tmp_path / "models", convert=cross_encoder_converter())
    assert installed_models(tmp_path / "models") == ()
    assert not list((tmp_path / "models" / "store").iterdir())


@pytest.mark.parametrize("fault", [ModelError("It scores differently."), KeyboardInterrupt()])
def test_a_conversion_that_fails_leaves_nothing(fault: BaseException, source: Path, tmp_path: Path) -> None:
    def convert(_source: Path, folder: Path) -> None:
        (folder / "model.onnx").write_bytes(b"half of")
        raise fault

    with pytest.raises(type(fault)):
        add_model(source, [Role.RERANK], folder=tmp_path / "models", convert=convert)
    assert installed_models(tmp_path / "models") == ()
    assert not list((tmp_path / "models" / "store").iterdir())


def test_without_torch_only_the_converted_form_is_taken(
    source: Path, model: InstalledModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("briefbank.models.encoders.cross_encoder.find_spec", lambda _name: None)
    assert cross_encoder_converter() is None
    with pytest.raises(ModelError, match="torch") as caught:
        add_model(source, [Role.RERANK], folder=tmp_path / "laptop")
    assert "pack --models" in caught.value.advice
    taken = add_model(Path(model.folder), [Role.RERANK], name="carried", folder=tmp_path / "laptop")
    assert (taken.id, taken.architecture, taken.context_tokens) == (model.id, model.architecture, 128)


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "cross_encoder.json"])
def test_a_converted_form_that_was_changed_is_not_taken(name: str, model: InstalledModel, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(model.folder, tmp_path / "changed"))
    content = bytearray((folder / name).read_bytes())
    content[len(content) // 2 if name != "cross_encoder.json" else 0] ^= 1
    (folder / name).write_bytes(content)
    with pytest.raises(ModelError, match=r"SHA-256|no JSON"):
        add_model(folder, [Role.RERANK], folder=tmp_path / "laptop")


def test_the_best_results_come_in_its_order_the_same_every_time(own_bank: Path, models: Path, source: Path) -> None:
    plain = search(own_bank)
    assert plain.notices == ()
    order = best_first(predicted(source, QUESTION, texts(plain)[:4]))
    assert order != sorted(order)
    ranked = search(own_bank, graded_results=4)
    assert texts(ranked) == [*(texts(plain)[place] for place in order), *texts(plain)[4:]]
    assert [hit.score for hit in ranked.hits] == [hit.score for hit in plain.hits]
    assert ranked.notices == ("A cross-encoder chose the order of the best 4.",)
    assert texts(search(own_bank)) == texts(ranked)


@pytest.mark.parametrize("text", ["stop & (consent or suspicion)", "170 N.J. 632", "consent N.J.R.E. 404(b)"])
def test_what_is_asked_for_to_the_letter_stays_as_found(own_bank: Path, models: Path, text: str) -> None:
    plain = search(own_bank, text)
    ranked = search(own_bank, text, graded_results=5)
    assert (texts(ranked), ranked.notices) == (texts(plain), ())


def test_a_search_goes_on_without_one_that_is_damaged_or_gone_and_says_so(own_bank: Path, models: Path) -> None:
    plain = search(own_bank)
    (model,) = installed_models()
    content = bytearray(model.weights_path.read_bytes())
    content[len(content) // 2] ^= 1
    model.weights_path.write_bytes(content)
    damaged = search(own_bank, graded_results=5)
    model.weights_path.unlink()
    gone = search(own_bank)
    remove_model(model.name)
    for found, kind in ((damaged, "cross-encoder"), (gone, "cross-encoder"), (search(own_bank), "language model")):
        assert texts(found) == texts(plain)
        (notice,) = found.notices
        assert notice.startswith(f"Ranked without the {kind}: ")


def test_one_that_is_removed_before_it_was_needed_is_missed_and_no_more(model: InstalledModel) -> None:
    loaded = load_cross_encoder(model)
    remove_model(model.name)
    with pytest.raises(ModelError, match="missing"):
        loaded.scores(QUESTION, ["a stop"])


def test_a_pack_carries_it_to_a_laptop(own_bank: Path, models: Path, model: InstalledModel, tmp_path: Path,
                                       monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    monkeypatch.setenv("BRIEFBANK_KEYS", str(tmp_path / "keys"))
    make_key("Office of the Example")
    ranked = search(own_bank, graded_results=4)
    Bank.open(own_bank).pack(tmp_path / "office.bbpack", with_models=True)
    monkeypatch.setenv("BRIEFBANK_MODELS", str(tmp_path / "laptop-models"))
    Bank.install(tmp_path / "laptop", tmp_path / "office.bbpack")
    (carried,) = installed_models()
    assert (carried.id, carried.files, carried.roles) == (model.id, model.files, (Role.RERANK,))
    assert not list(verify_models())
    there = search(tmp_path / "laptop")
    assert (texts(there), there.notices) == (texts(ranked), ranked.notices)


def test_a_search_with_it_imports_no_torch(own_bank: Path, models: Path) -> None:
    office.change_settings(own_bank, graded_results=3)
    loaded = modules_after(commands(("search", QUESTION, "--bank", own_bank)))
    assert {"onnxruntime", "tokenizers"} <= loaded
    assert not loaded & {"torch", "transformers", "sentence_transformers", "onnx"}


def test_evaluation_measures_with_it(briefbank: Briefbank, models: Path, source: Path, tmp_path: Path) -> None:
    settings, judged = tmp_path / "bank.toml", collection(tmp_path)
    settings.write_text('[settings]\nencoder = "hashing"\n', encoding="utf-8")
    runs = []
    for options in ((), ("--reranker", "3", "--json")):
        done = briefbank("evaluate", judged, "--settings", settings, "--run", tmp_path / "a.run", *options)
        assert done.code == 0, done.err
        runs.append(read_trec_run(tmp_path / "a.run"))
    compared = json.loads(done.out)["NDCG@10"]
    assert compared["difference"] == pytest.approx(compared["b"] - compared["a"]) != 0
    of = {entry.id: entry.text for entry in (*read_corpus(judged), *read_queries(judged))}
    for query, hits in runs[0].items():
        plain = [passage for passage, _ in hits]
        exact = predicted(source, understand(of[query]).meaning, [of[passage] for passage in plain[:3]])
        expected = [*(plain[place] for place in best_first(exact)), *plain[3:]]
        assert [passage for passage, _ in runs[1][query]] == expected
    assert runs[0] != runs[1]
    assert "B with the best 3" in briefbank("evaluate", judged, "--settings", settings, "--reranker", "3").out
    for options in (("--reranker", "51"), ("--reranker", "3", "--report", tmp_path / "a.html")):
        assert briefbank("evaluate", judged, *options).code == 2
    remove_model(installed_models()[0].name)
    assert briefbank("evaluate", judged, "--settings", settings, "--reranker", "3").code == 9


def test_a_language_model_for_ranking_is_still_found_beside_it(models: Path, tmp_path: Path) -> None:
    from llm.tiny import write_tiny_gguf

    judge = add_model(write_tiny_gguf(tmp_path / "tiny.gguf"), [Role.RERANK])
    assert model_for(Role.RERANK) == judge
    add_model(Path(model_for(Role.RERANK, form="onnx").folder), [Role.RERANK])  # type: ignore[union-attr]
    assert model_for(Role.RERANK).format == "onnx"  # type: ignore[union-attr]
    assert model_for(Role.RERANK, form="gguf") == judge
