"""A disk in memory that knows which writes were synced, and the states a power cut may leave it in. Knows no banks.

The model is that of ALICE (Pillai et al., "All File Systems Are Not Created Equal", OSDI 2014) at its weakest: what was
not synced may be lost or kept one by one and in any order, data and names apart; a name that a folder holds is on the
disk when that folder was synced, the data of a file when the file was; one rename is one step.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from tracing import Call

ROOT = 0
_OWN_PROCESS_OPENS = ("openat", "open", "creat")
Files = dict[str, bytes | None]
"""What lies below the folder, by relative path: a file's bytes, or None for a folder."""


@dataclass(frozen=True, slots=True)
class Step:
    """One change that a power cut may keep or lose; `syncs` is the inode whose sync keeps it."""

    what: str
    syncs: int
    name: str = ""
    inode: int = -1
    source: tuple[int, str] = (-1, "")
    offset: int = 0
    data: bytes = b""


@dataclass(slots=True)
class State:
    """Inodes: folders by the names in them, files by their bytes."""

    folders: dict[int, dict[str, int]] = field(default_factory=lambda: {ROOT: {}})
    files: dict[int, bytes] = field(default_factory=dict)

    def copy(self) -> State:
        """A copy that may be changed."""
        return State({key: dict(names) for key, names in self.folders.items()}, dict(self.files))

    def apply(self, step: Step) -> None:
        """Do one step."""
        match step.what:
            case "link":
                self.folders.setdefault(step.syncs, {})[step.name] = step.inode
            case "unlink":
                self.folders.setdefault(step.syncs, {}).pop(step.name, None)
            case "rename":
                folder, name = step.source
                self.folders.setdefault(folder, {}).pop(name, None)
                self.folders.setdefault(step.syncs, {})[step.name] = step.inode
            case "write":
                was = self.files.get(step.syncs, b"")
                was = was.ljust(step.offset, b"\0")
                self.files[step.syncs] = was[: step.offset] + step.data + was[step.offset + len(step.data) :]
            case "truncate":
                self.files[step.syncs] = self.files.get(step.syncs, b"")[: step.offset].ljust(step.offset, b"\0")

    def tree(self) -> Files:
        """What can be reached from the folder itself, by path."""
        found: Files = {}

        def walk(folder: int, start: str) -> None:
            for name, inode in self.folders.get(folder, {}).items():
                if inode in self.folders:
                    found[start + name] = None
                    walk(inode, f"{start}{name}/")
                else:
                    found[start + name] = self.files.get(inode, b"")

        walk(ROOT, "")
        return found


@dataclass(slots=True)
class _Open:
    inode: int
    offset: int
    is_appending: bool = False


class Disk:
    """Follows calls below one folder: what is there now, what of it a power cut would keep for sure, what between."""

    def __init__(self, folder: Path, mapped: Mapping[int, bytes] | None = None) -> None:
        """Begin with an empty folder, itself on the disk.

        What is written through a shared map leaves no call; `mapped` says what such files, by inode, held in the end.
        """
        self._mapped = dict(mapped or {})
        self._root = str(folder)
        self._inodes = count(1)
        self.now = State()
        self._open: dict[tuple[int, int], _Open] = {}
        self.kept = State()
        self.pending: list[tuple[int, Step]] = []

    def _find(self, path: str) -> tuple[int, str, int | None] | None:
        """The folder, the name in it, and the inode there, if any; None outside the folder that is followed."""
        if path == self._root:
            return ROOT, "", ROOT
        if not path.startswith(self._root + "/"):
            return None
        *parents, name = path[len(self._root) + 1 :].split("/")
        folder = ROOT
        for each in parents:
            folder = self.now.folders[folder][each]
        return folder, name, self.now.folders[folder].get(name)

    def follow(self, call: Call) -> bool:
        """Do what a call did; false where it changed nothing here."""
        before = len(self.pending), call.name in ("fsync", "fdatasync")
        handler: Callable[[Call], None] | None = getattr(self, f"_on_{_KINDS.get(call.name, call.name)}", None)
        if handler:
            handler(call)
        return before != (len(self.pending), False)

    def _do(self, line: int, *steps: Step) -> None:
        for step in steps:
            self.now.apply(step)
            self.pending.append((line, step))

    def _on_open(self, call: Call) -> None:
        key = call.process, call.result
        self._open.pop(key, None)
        found = self._find(call.result_path or call.paths()[0])
        if found is None:
            return
        folder, name, inode = found
        if inode is None:
            inode = next(self._inodes)
            self.now.files[inode] = b""
            self._do(call.began, Step("link", folder, name, inode))
        if "O_TRUNC" in call.arguments or call.name == "creat":
            self._do(call.began, Step("truncate", inode))
        self._open[key] = _Open(inode, 0, "O_APPEND" in call.arguments)

    def _on_fcntl(self, call: Call) -> None:
        if "F_DUPFD" in call.arguments:
            self._on_dup(call)

    def _on_dup(self, call: Call) -> None:
        self._open.pop((call.process, call.result), None)
        if opened := self._opened(call):
            self._open[call.process, call.result] = opened

    def _on_process(self, call: Call) -> None:
        if "CLONE_THREAD" not in call.arguments:
            for (process, number), opened in list(self._open.items()):
                if process == call.process:
                    self._open[call.result, number] = opened

    def _opened(self, call: Call) -> _Open | None:
        number, path = call.descriptor()
        if path.startswith(self._root):
            return self._open.get((call.process, number))
        self._open.pop((call.process, number), None)  # closed, and its number used again for something else
        return None

    def _on_lseek(self, call: Call) -> None:
        if opened := self._opened(call):
            opened.offset = call.result

    def _on_write(self, call: Call) -> None:
        if opened := self._opened(call):
            data = b"".join(call.strings())[: call.result]
            offset = len(self.now.files[opened.inode]) if opened.is_appending else opened.offset
            opened.offset = offset + len(data)
            self._do(call.began, Step("write", opened.inode, offset=offset, data=data))

    def _on_pwrite(self, call: Call) -> None:
        if opened := self._opened(call):
            data = b"".join(call.strings())[: call.result]
            self._do(call.began, Step("write", opened.inode, offset=call.numbers()[-1], data=data))

    def _on_ftruncate(self, call: Call) -> None:
        if opened := self._opened(call):
            self._do(call.began, Step("truncate", opened.inode, offset=call.numbers()[-1]))

    def _on_fallocate(self, call: Call) -> None:
        if opened := self._opened(call):
            size = max(len(self.now.files[opened.inode]), sum(call.numbers()[-2:]))
            self._do(call.began, Step("truncate", opened.inode, offset=size))

    def _on_mmap(self, call: Call) -> None:
        """What is written through the map is told as one write of the whole file, pending from the map's beginning."""
        number = re.search(r", (\d+)<[^>]*>, (?:0x)?[0-9a-f]+$", call.arguments)
        if number and "MAP_SHARED" in call.arguments and "PROT_WRITE" in call.arguments:
            opened = self._open.get((call.process, int(number[1])))
            if opened and call.paths_of_descriptors()[-1].startswith(self._root):
                data = self._mapped.setdefault(opened.inode, b"")
                self._do(call.began, Step("write", opened.inode, data=data))

    def mapped(self) -> dict[int, bytes]:
        """What the files that were written through a shared map hold on the real disk, now that all is done."""
        paths = dict(self._paths(ROOT, self._root + "/"))
        return {inode: Path(paths[inode]).read_bytes() for inode in self._mapped if inode in paths}

    def _paths(self, folder: int, start: str) -> Iterator[tuple[int, str]]:
        for name, inode in self.now.folders[folder].items():
            yield inode, start + name
            if inode in self.now.folders:
                yield from self._paths(inode, f"{start}{name}/")

    def _on_unfollowed(self, call: Call) -> None:
        assert self._opened(call) is None, f"{call.name} writes in a way that is not followed"

    def _on_mkdir(self, call: Call) -> None:
        if found := self._find(call.paths()[0]):
            folder, name, _ = found
            inode = next(self._inodes)
            self.now.folders[inode] = {}
            self.kept.folders[inode] = {}
            self._do(call.began, Step("link", folder, name, inode))

    def _on_link(self, call: Call) -> None:
        first, second = (self._find(path) for path in call.paths()[:2])
        if first and second and first[2] is not None:
            self._do(call.began, Step("link", second[0], second[1], first[2]))

    def _on_unlink(self, call: Call) -> None:
        if found := self._find(call.paths()[0]):
            self._do(call.began, Step("unlink", found[0], found[1]))

    def _on_rename(self, call: Call) -> None:
        first, second = (self._find(path) for path in call.paths()[:2])
        if first and second and first[2] is not None:
            self._do(call.began, Step("rename", second[0], second[1], first[2], source=(first[0], first[1])))

    def _on_sync(self, call: Call) -> None:
        if opened := self._opened(call):
            covered = [(line, step) for line, step in self.pending if step.syncs == opened.inode and line < call.began]
            for each in covered:
                self.kept.apply(each[1])
            done = {id(each[1]) for each in covered}
            self.pending = [each for each in self.pending if id(each[1]) not in done]

    def crashes(self, chance: random.Random, drawn: int = 2) -> Iterator[Files]:
        """States that a power cut may leave now: everything, nothing, without names, without data, without one group,
        with one group only, the last write torn, and some drawn at random.
        """
        steps = [step for _, step in self.pending]
        groups = _groups(steps)
        chosen: list[Iterable[Step]] = [steps, ()]
        chosen.append([step for step in steps if step.what in _DATA])
        chosen.append([step for step in steps if step.what not in _DATA])
        for group in groups:
            inside = {id(step) for step in group}
            chosen += [group, [step for step in steps if id(step) not in inside]]
        if steps and steps[-1].what == "write" and len(steps[-1].data) > 1:
            last = steps[-1]
            half = last.data[: len(last.data) // 2]
            chosen.append([*steps[:-1], Step("write", last.syncs, offset=last.offset, data=half)])
        chosen += [[step for step in steps if chance.random() < 0.5] for _ in range(drawn if len(steps) > 1 else 0)]
        for each in chosen:
            state = self.kept.copy()
            for step in each:
                state.apply(step)
            yield state.tree()


_DATA = ("write", "truncate")
_KINDS = {
    **dict.fromkeys(_OWN_PROCESS_OPENS, "open"),
    **dict.fromkeys(("dup", "dup2", "dup3"), "dup"),
    **dict.fromkeys(("clone", "clone3", "fork", "vfork"), "process"),
    **dict.fromkeys(("write", "writev"), "write"),
    **dict.fromkeys(("pwrite64", "pwritev", "pwritev2"), "pwrite"),
    **dict.fromkeys(("copy_file_range", "sendfile", "truncate", "symlink", "symlinkat"), "unfollowed"),
    **dict.fromkeys(("mkdir", "mkdirat"), "mkdir"),
    **dict.fromkeys(("link", "linkat"), "link"),
    **dict.fromkeys(("unlink", "unlinkat", "rmdir"), "unlink"),
    **dict.fromkeys(("rename", "renameat", "renameat2"), "rename"),
    **dict.fromkeys(("fsync", "fdatasync"), "sync"),
}


def _groups(steps: list[Step]) -> list[list[Step]]:
    """The data of one file together, each change of a name by itself."""
    by_file: dict[int, list[Step]] = {}
    names = []
    for step in steps:
        if step.what in _DATA:
            by_file.setdefault(step.syncs, []).append(step)
        else:
            names.append([step])
    return [*by_file.values(), *names]


def write_tree(files: Files, folder: Path) -> Path:
    """Make a state real."""
    folder.mkdir(parents=True)
    for path, data in files.items():
        if data is None:
            (folder / path).mkdir(parents=True, exist_ok=True, mode=0o700)
    for path, data in files.items():
        if data is not None:
            (folder / path).write_bytes(data)
    return folder


def read_tree(folder: Path) -> Files:
    """What is in a real folder."""
    found = ((path.relative_to(folder).as_posix(), path) for path in folder.rglob("*"))
    return {name: None if path.is_dir() else path.read_bytes() for name, path in found}
