"""Every key of the window, once: the widgets take their keys from here, and the help its table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from briefbank.values.defaults import RESULTS_SHOWN


class Key(NamedTuple):
    """What one or several key sequences do; `sequences` are in Qt's portable form, the first is the one shown."""

    name: str
    sequences: tuple[str, ...]
    does: str
    is_recording: bool = False
    """Whether it writes down what a person says. Such a key means nothing else anywhere, and does nothing while other
    results are awaited in place of those shown."""

    @property
    def tip(self) -> str:
        """What a button that does the same says of itself."""
        return f"{self.does} ({self.sequences[0]})"

    def menu_text(self, text: str) -> str:
        """A menu's text with the key in the column at its right."""
        return f"{text}\t{self.sequences[0]}"


SPACES = (
    Key("search", ("Ctrl+1",), "Search"),
    Key("briefs", ("Ctrl+2",), "Briefs: all of them in a table"),
    Key("arguments", ("Ctrl+3",), "Arguments: the point headings of all briefs"),
    Key("matters", ("Ctrl+4",), "Matters: what you collect to write from"),
    Key("draft", ("Ctrl+5",), "Draft: one checked against what your office wrote"),
    Key("authorities", ("Ctrl+6",), "Authorities: what is known of a case, rule or statute"),
    Key("checklists", ("Ctrl+7",), "Checklists: one brief, gone through with a list of questions"),
)
"""Keys of the spaces, by their names, in the order of the rail."""
ANYWHERE = (
    Key("search", ("Ctrl+L",), "Go to the search field"),
    Key("list", ("Ctrl+J",), "Go to the results, or to the list"),
    Key("page", ("Ctrl+G",), "Go to the page; again: to the brief beside it"),
    Key("next-pane", ("F6",), "Go on to the next part of the window: rail, field, list, page"),
    Key("pane-before", ("Shift+F6",), "Back to the part before"),
    Key("home", ("Alt+Home",), "Home: earlier searches, matters, newest briefs"),
    Key("fold", ("F9",), "Fold the list away, or unfold it again"),
    Key("index", ("Ctrl+I",), "Index a folder"),
    Key("unreadable", ("F8",), "List the files that could not be read"),
    Key("settings", ("Ctrl+,",), "Settings"),
    Key("help", ("F1",), "Help"),
    Key("keys", ("?",), "Show the keys of where one is"),
    Key("new-window", ("Ctrl+Shift+N",), "Open another window"),
    Key("close", ("Ctrl+W",), "Close this window"),
    Key("quit", ("Ctrl+Q",), "Quit: close all windows"),
)
IN_A_SEARCH = (
    Key("order", ("Ctrl+B",), "Newest first or best match first"),
    Key("more", ("Ctrl+M",), f"Show {RESULTS_SHOWN} more results"),
    Key("as-typed", ("Ctrl+E",), "Search for what was typed, without the correction, or correct it again"),
    Key("tables", ("Ctrl+T",), "Show tables, rank facts alike, or leave them out and lower again"),
    Key("weak", ("Ctrl+K",), "Show weaker passages, or leave them out again"),
    Key("clear", ("Ctrl+Shift+F",), "Clear all filters"),
    Key("save", ("Ctrl+D",), "Save this search under a name"),
    Key("card", ("F7",), "Show the card of the authority that the question names"),
    Key(
        "undo",
        ("Ctrl+Z",),
        "Undo the last judgement, comment or step in a matter; again: one more",
        is_recording=True,
    ),
    Key("redo", ("Ctrl+Shift+Z", "Ctrl+Y"), "Do again what was undone last; again: one more", is_recording=True),
)
IN_THE_FIELD = (
    Key("ask", ("Return",), "Search; a second time: go to the results"),
    Key("earlier", ("Up",), "An earlier search"),
    Key("later", ("Down",), "A later search; behind the last: go to the results"),
)
STARS = tuple(
    Key(f"stars-{count}", (str(count),), f"{count} of 5 stars as a precedent; again: withdraw", is_recording=True)
    for count in range(1, 6)
)
"""A key for each rating, the lowest first."""
IN_THE_RESULTS = (
    Key("next", ("Down", "J"), "Next result"),
    Key("previous", ("Up", "K"), "Previous result"),
    Key("first", ("Home",), "First result"),
    Key("last", ("End",), "Last result"),
    Key("open", ("Return", "O", "Enter"), "Go to the passage on its page"),
    Key("beside", ("Shift+Return", "Shift+Enter"), "Open the passage beside the page, and stay in the results"),
    Key("copy", ("C", "Ctrl+C"), "Copy the passage, or what is selected, with its source"),
    Key("context", ("X",), "Show or hide the passages before and after"),
    Key("others", ("U",), "Show the other passages of this brief, or hide them again"),
    Key("whole", ("W",), "Show the whole passage, or shorten it again"),
    Key("relevant", ("R",), "Relevant; again: withdraw", is_recording=True),
    Key("irrelevant", ("N",), "Not relevant; again: withdraw", is_recording=True),
    *STARS,
    Key("add", ("A",), "Add the passage to the current matter", is_recording=True),
    Key("similar", ("M",), "More passages like this one"),
    Key("summary", ("S",), "Open or close the summary"),
)
READING = (
    Key("find", ("Ctrl+F",), "Find words, or what is meant, in this brief"),
    Key("next-hit", ("F3",), "Next marked words"),
    Key("previous-hit", ("Shift+F3",), "Previous marked words"),
    Key("outline", ("Ctrl+Shift+O",), "Open or close the outline: the headings of this brief"),
    Key("beside", ("Ctrl+\\",), "Keep this brief beside, while others are read here; again: close it"),
    Key("checklist", ("Ctrl+Shift+G",), "Go through this brief with a checklist"),
    Key("cited", ("F4",), "List the authorities cited on this page, and show the card of one"),
    Key("print", ("Ctrl+P",), "Print pages of this brief"),
    Key("back", ("Alt+Left",), "Back to what was shown before"),
    Key("forward", ("Alt+Right",), "Forward again"),
)
"""What works wherever the keyboard is while a brief can be seen; on the brief beside while the keyboard is there."""
ON_THE_PAGE = (
    Key("scroll", ("PgDown", "PgUp", "Home", "End"), "Down, up, to the first page, to the last"),
    Key("next-page", ("Right", "Ctrl+PgDown"), "Next page"),
    Key("previous-page", ("Left", "Ctrl+PgUp"), "Previous page"),
    Key("zoom-in", ("Ctrl++", "Ctrl+="), "Larger"),
    Key("zoom-out", ("Ctrl+-",), "Smaller"),
    Key("zoom-fit", ("Ctrl+0",), "Fit the width"),
    Key("two-pages", ("D",), "Two pages side by side; again: one"),
    Key("reference", ("L",), "Next reference to another place of this brief, of those in view"),
    Key("reference-before", ("Shift+L",), "The reference before it"),
    Key("follow", ("Return", "Enter"), "Follow the reference"),
    Key("select-page", ("Ctrl+A",), "Select all words of the page"),
    Key("copy", ("Ctrl+C",), "Copy what is selected"),
    Key("copy-source", ("Ctrl+Shift+C",), "Copy what is selected, or the passage, with its source"),
    Key("add", ("A",), "Add what is selected, or the passage, to the current matter", is_recording=True),
)
ABOVE_A_LIST = (
    Key("narrow", ("Escape",), "Take away what was typed"),
    Key("into-list", ("Down", "Return"), "Go into the list"),
)
IN_A_LIST = (
    Key("read", ("Return", "Enter"), "Show it, and go to its page"),
    Key("beside", ("Shift+Return", "Shift+Enter"), "Open it beside the page, and stay in the list"),
    Key("unfold", ("Right",), "Unfold an argument or a heading"),
    Key("fold", ("Left",), "Fold it again"),
    Key("correct", ("F2",), "Correct what is known of a brief; a click on a selected cell does too"),
)
IN_FINDINGS = (
    Key("copy", ("Ctrl+C",), "Copy the line selected, words of a brief with their source and warnings"),
    Key("add", ("A",), "Add the words of a brief to the current matter", is_recording=True),
)
WITH_A_DRAFT = (
    Key("choose", ("Ctrl+O",), "Choose a draft to check"),
    Key("stop", ("Escape",), "Stop checking"),
    Key("export", ("Ctrl+Shift+E",), "Save what was found as a Word document"),
    Key("close", ("Ctrl+Shift+W",), "Close the draft; nothing of it is kept"),
)
IN_A_DRAFT = (
    Key("next", ("J",), "Next finding of a draft; Down too"),
    Key("previous", ("K",), "Previous finding; Up too"),
    Key("mended", ("M",), "Mended: the draft was changed; on to the next"),
    Key("reviewed", ("V",), "Reviewed: it stays as it is; on to the next"),
    Key("reopen", ("O",), "Open again: nothing is decided"),
    Key("note", ("T",), "Write a note on the finding"),
    Key("filter", ("F",), "Show other findings: to mend, to review, done, what the office wrote"),
    Key("record", ("Ctrl+R",), "Hold its cites of the record against a folder of transcripts and appendices"),
    Key("earlier", ("Ctrl+Shift+R",), "Take the decisions of an earlier record over"),
    Key("save", ("Ctrl+S",), "Save the record of the check"),
)
WITH_A_CHECKLIST = (
    Key("choose", ("Ctrl+O",), "Choose a file that is in no bank, to go through it"),
    Key("stop", ("Escape",), "Stop going through it"),
    Key("export", ("Ctrl+Shift+E",), "Save the answers as a Word document or a table"),
    Key("close", ("Ctrl+Shift+W",), "Close the answers, and list the briefs again"),
)
IN_A_MATTER = (
    Key("change", ("Return", "F2", "Enter"), "Write a note or heading anew; go to the page of a passage"),
    Key("move-up", ("Alt+Up",), "Move up", is_recording=True),
    Key("move-down", ("Alt+Down",), "Move down", is_recording=True),
    Key("remove", ("Delete",), "Remove", is_recording=True),
    Key("note", ("Ctrl+Return",), "Add a note below", is_recording=True),
    Key("heading", ("Ctrl+Shift+Return",), "Add a heading below", is_recording=True),
    Key("export", ("Ctrl+Shift+E",), "Export to Word"),
)
IN_DIRECTIVES = (
    Key("accept", ("Y",), "Put the sentence on the office’s list"),
    Key("silence", ("S",), "Warn nobody by this sentence"),
    Key("undo", ("U",), "Leave the authority to what directives say again"),
    Key("card", ("Return", "Enter"), "Show the card of the authority"),
)
OF_SPACES = {
    "search": (IN_THE_RESULTS, IN_A_SEARCH),
    "home": (IN_THE_FIELD, IN_A_SEARCH),
    "briefs": (IN_A_LIST,),
    "arguments": (IN_A_LIST,),
    "matters": (IN_A_MATTER,),
    "draft": (WITH_A_DRAFT, IN_FINDINGS),
    "authorities": (IN_FINDINGS,),
    "checklists": (WITH_A_CHECKLIST, IN_FINDINGS),
}
"""The keys of each space, by its name."""
GROUPS = (
    ("Spaces", SPACES),
    ("Anywhere", ANYWHERE),
    ("In a search", IN_A_SEARCH),
    ("In the search field", IN_THE_FIELD),
    ("In the results", IN_THE_RESULTS),
    ("While a brief is shown", READING),
    ("In the field above a list", ABOVE_A_LIST),
    ("In a list beside the page", IN_A_LIST),
    ("On the page", ON_THE_PAGE),
    ("In a matter", IN_A_MATTER),
    ("On a card, in what a draft's check found, and in a checklist's answers", IN_FINDINGS),
    ("In the space of drafts", (*WITH_A_DRAFT, *IN_A_DRAFT)),
    ("In the space of checklists", WITH_A_CHECKLIST),
    ("In the table of what directives say", IN_DIRECTIVES),
)


def key(name: str, group: tuple[Key, ...] = ANYWHERE) -> Key:
    """Return the key of that name in a group."""
    return next(each for each in group if each.name == name)


def bind(
    keys: Sequence[Key],
    actions: Mapping[str, Callable[[], object]],
    owner: QWidget,
    context: Qt.ShortcutContext = Qt.ShortcutContext.WindowShortcut,
) -> list[QShortcut]:
    """Let keys do what `actions` has under their names; those without an action there are bound elsewhere."""
    made = []
    for each in keys:
        for sequence in each.sequences if each.name in actions else ():
            made.append(QShortcut(QKeySequence(sequence), owner, context=context))
            made[-1].activated.connect(actions[each.name])
    return made
