"""Which checklists can be chosen on this computer, and whether a language model is there to read for them."""

from __future__ import annotations

import importlib.util

from briefbank.models.installed import Role, model_for
from briefbank.search.checklists.checklist import bundled
from briefbank.values import ChecklistsOffered, OfferedChecklist


def offered() -> ChecklistsOffered:
    """Return the lists that come with the program, and the model for the role "extract" where it can be run."""
    model = model_for(Role.EXTRACT, form="gguf") if importlib.util.find_spec("llama_cpp") else None
    lists = (OfferedChecklist(name, each.name, each.description, len(each.items)) for name, each in bundled().items())
    return ChecklistsOffered(tuple(lists), model.name if model else "")
