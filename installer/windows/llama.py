"""llama.cpp for Windows, out of the source package of llama-cpp-python: fetched by pip, checked, compiled by MinGW-w64.

It runs on every processor with AVX2, as the rest of the folder does. Must not know what else is in the folder.
"""

from __future__ import annotations

import shutil
import subprocess
import tarfile
from pathlib import Path

from source_package import SourcePackage

VERSION = "0.3.36"
PACKAGE = SourcePackage(
    "llama-cpp-python",
    VERSION,
    "832db0699007f1be95a7e41ef12e88926b02ba836461e36a36372db2760c1a2e",
    backend="scikit_build_core.build",
)
"""Holds llama.cpp's own sources too."""

_NAME = f"llama_cpp_python-{VERSION}"

_COMPILERS = {
    "C": "x86_64-w64-mingw32-gcc-posix",  # llama.cpp wants the threads of POSIX, which Debian's other MinGW lacks
    "CXX": "x86_64-w64-mingw32-g++-posix",
    "RC": "x86_64-w64-mingw32-windres",
}
_STRIP = "x86_64-w64-mingw32-strip"
_INSTRUCTIONS = ("SSE42", "AVX", "AVX2", "FMA", "F16C", "BMI2")
_LEFT_OUT = ("NATIVE", "OPENMP", "CCACHE")
"""Of ggml: code for this very processor, another library for threads, and what only speeds up compiling."""

# GCC takes the stack for aligned to 32 bytes, which on Windows it is not (GCC's bug 54412): the assembler then writes
# moves that need no alignment. Windows 7's interface, because MinGW-w64 10 lacks what llama.cpp wants of a later one.
_COMPILING = ("-Wa,-muse-unaligned-vector-move", "-D_WIN32_WINNT=0x0601")
_LINKING = "-s -Wl,--no-insert-timestamp -Wl,--dynamicbase,--nxcompat,--high-entropy-va"
_RUNTIME = ("libstdc++-6.dll", "libgcc_s_seh-1.dll", "libwinpthread-1.dll")
"""The compiler's own libraries, one for all of llama.cpp's: errors are thrown from one of these into another."""


def fetch(folder: Path) -> Path:
    """Download the source package into `folder`, or take the one that is there; return its archive."""
    return PACKAGE.fetch(folder)


def compile_libraries(archive: Path, work: Path) -> Path:
    """Unpack the sources into `work` and compile them there, which takes minutes; return the unpacked package.

    What an earlier build compiled from the same sources is not compiled again.

    Raises:
        UntrustedPackageError: the archive has another digest.
    """
    PACKAGE.check(archive)
    package = work.resolve() / _NAME
    if not package.exists():
        unpacked = work / "unpacked"
        with tarfile.open(archive) as packed:
            packed.extractall(unpacked, filter="data")
        (unpacked / _NAME).rename(package)
    sources, built = package / "vendor" / "llama.cpp", package.with_name(f"{_NAME}-built")
    subprocess.run(["cmake", *_configured(sources, built)], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", str(built), "--target", "llama"], check=True, stdout=subprocess.DEVNULL)
    return package


def add(package: Path, folder: Path) -> None:
    """Put the Python package with its libraries, its metadata and its licences into `folder`."""
    bindings = folder / "llama_cpp"
    shutil.copytree(package / "llama_cpp", bindings, ignore=shutil.ignore_patterns("server"))
    (bindings / "lib").mkdir()
    for library in (*(package.with_name(f"{_NAME}-built") / "bin").glob("*.dll"), *compiler_libraries()):
        subprocess.run([_STRIP, "-p", "-o", str(bindings / "lib" / library.name), str(library)], check=True)
    told = folder / f"{package.name}.dist-info"
    told.mkdir()
    shutil.copy(package / "PKG-INFO", told / "METADATA")
    shutil.copy(package / "LICENSE.md", told / "LICENSE.md")
    shutil.copy(package / "vendor" / "llama.cpp" / "LICENSE", told / "LICENSE-llama.cpp")
    licences = ("LICENSE.md", "LICENSE-llama.cpp")
    (told / "RECORD").write_text("".join(f"{told.name}/{name},,\n" for name in licences), encoding="utf-8")


def compiler_libraries() -> list[Path]:
    """Where the compiler has the libraries that llama.cpp's link to."""
    paths = []
    for name in _RUNTIME:
        asked = [_COMPILERS["CXX"], f"-print-file-name={name}"]
        told = subprocess.run(asked, capture_output=True, encoding="utf-8", check=True).stdout
        paths.append(Path(told.strip()))
    return paths


def _configured(sources: Path, built: Path) -> list[str]:
    # Neither this machine's folders nor the time get into the libraries.
    flags = " ".join([f'"-ffile-prefix-map={sources}=llama.cpp"', *_COMPILING])
    options = {
        "CMAKE_SYSTEM_NAME": "Windows",
        "CMAKE_SYSTEM_PROCESSOR": "x86_64",
        "CMAKE_BUILD_TYPE": "Release",
        "CMAKE_SHARED_LINKER_FLAGS": _LINKING,
        "BUILD_SHARED_LIBS": "ON",
        **{f"CMAKE_{language}_COMPILER": program for language, program in _COMPILERS.items()},
        **{f"CMAKE_{language}_FLAGS": flags for language in ("C", "CXX")},
        **{f"GGML_{name}": "ON" for name in _INSTRUCTIONS},
        **{f"GGML_{name}": "OFF" for name in _LEFT_OUT},
        **{f"LLAMA_BUILD_{name}": "OFF" for name in ("COMMON", "TESTS", "TOOLS", "EXAMPLES", "SERVER")},
    }
    named = [f"-D{key}={value}" for key, value in options.items()]
    return ["-G", "Ninja", "-S", str(sources), "-B", str(built), *named]
