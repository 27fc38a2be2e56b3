"""A client of the accessibility bus (AT-SPI), as a screen reader is one: it knows of the window what that tells.

Run by the system's own Python, which has the bindings (Debian: python3-gi, gir1.2-atspi-2.0). Reads a request in JSON a
line and answers each with a line. Must not import anything of BriefBank.
"""

from __future__ import annotations

import contextlib
import json
import sys

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

_PROGRAM = "briefbank"
_MODIFIERS = {"Ctrl": 37, "Shift": 50, "Alt": 64}
"""Key codes of a PC's keyboard, which a virtual screen has."""
_SYMBOLS = {
    "Return": 0xFF0D, "Escape": 0xFF1B, "Tab": 0xFF09, "Space": 0x20, "Comma": 0x2C, "Up": 0xFF52, "Down": 0xFF54,
    "Left": 0xFF51, "Right": 0xFF53, "F1": 0xFFBE, "F2": 0xFFBF, "F8": 0xFFC5,
}  # fmt: skip
_EVENTS = "object:announcement", "object:state-changed:focused", "object:state-changed:checked"
_heard: list[dict[str, object]] = []


def _node(accessible: Atspi.Accessible, depth: int) -> dict[str, object]:
    labels = [
        relation.get_target(number).get_name()
        for relation in accessible.get_relation_set()
        if relation.get_relation_type() == Atspi.RelationType.LABELLED_BY
        for number in range(relation.get_n_targets())
    ]
    return {
        "depth": depth,
        "role": accessible.get_role_name(),
        "name": accessible.get_name(),
        "label": " ".join(labels),
        "description": accessible.get_description(),
        "states": sorted(state.value_nick for state in accessible.get_state_set().get_states()),
    }


def _program() -> Atspi.Accessible | None:
    desktop = Atspi.get_desktop(0)
    for number in range(desktop.get_child_count()):
        found = desktop.get_child_at_index(number)
        if found and found.get_name() == _PROGRAM:
            found.set_cache_mask(Atspi.Cache.NONE)  # told anew each time, not as it was a moment ago
            return found
    return None


def _list(accessible: Atspi.Accessible, depth: int, nodes: list[dict[str, object]]) -> None:
    """List what is on the screen, in the order of a screen reader; what goes away meanwhile is left out."""
    for number in range(accessible.get_child_count()):
        try:
            child = accessible.get_child_at_index(number)
            node = child and _node(child, depth)
            if node and "showing" in node["states"]:
                nodes.append(node)
                _list(child, depth + 1, nodes)
        except GLib.Error:
            continue


def _tree() -> list[dict[str, object]]:
    nodes: list[dict[str, object]] = []
    if program := _program():
        _list(program, 0, nodes)
    return nodes


def _press(keys: str) -> None:
    *modifiers, key = keys.split("+")
    for each in modifiers:
        Atspi.generate_keyboard_event(_MODIFIERS[each], None, Atspi.KeySynthType.PRESS)
    Atspi.generate_keyboard_event(_SYMBOLS.get(key) or ord(key.lower()), None, Atspi.KeySynthType.SYM)
    for each in reversed(modifiers):
        Atspi.generate_keyboard_event(_MODIFIERS[each], None, Atspi.KeySynthType.RELEASE)


def _on_event(event: Atspi.Event) -> None:
    with contextlib.suppress(GLib.Error):  # what told it may be gone by now
        _heard.append({
            "type": event.type.rpartition(":")[2], "said": event.any_data if isinstance(event.any_data, str) else "",
            "name": event.source.get_name(), "role": event.source.get_role_name(), "is_on": bool(event.detail1),
        })  # fmt: skip


def _answer(request: dict[str, str]) -> object:
    match request["do"]:
        case "tree":
            return _tree()
        case "press":
            _press(request["keys"])
        case "heard":
            told = list(_heard)
            _heard.clear()
            return told
    return None


def _on_request(_file: int, _condition: GLib.IOCondition, loop: GLib.MainLoop) -> bool:
    line = sys.stdin.readline()
    if not line:
        loop.quit()
        return False
    print(json.dumps(_answer(json.loads(line))), flush=True)
    return True


def main() -> None:
    Atspi.init()
    listener = Atspi.EventListener.new(_on_event)
    for each in _EVENTS:
        listener.register(each)
    loop = GLib.MainLoop()
    GLib.io_add_watch(sys.stdin.fileno(), GLib.IO_IN | GLib.IO_HUP, _on_request, loop)
    loop.run()


if __name__ == "__main__":
    main()
