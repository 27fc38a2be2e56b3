"""The table of keys: each has one meaning where it is pressed, and one that records has no other anywhere."""

from __future__ import annotations

from ui.shortcuts import GROUPS

RECORDING = {
    *("undo", "redo", "relevant", "irrelevant", "add", "stars-1", "stars-2", "stars-3", "stars-4", "stars-5"),
    *("note", "heading", "remove", "move-up", "move-down"),
}


def test_no_key_that_records_means_anything_else_elsewhere():
    keys = [key for _, group in GROUPS for key in group]
    recording = {sequence: key.name for key in keys if key.is_recording for sequence in key.sequences}
    assert set(recording.values()) == RECORDING & {key.name for key in keys}
    others = [
        f"{sequence}: {recording[sequence]}, and {key.does} ({title})"
        for title, group in GROUPS
        for key in group
        for sequence in key.sequences
        if sequence in recording and key.name != recording[sequence]
    ]
    assert others == []
