"""The version of everything that BriefBank keeps on a disk or hands on, with what each number means, in one place.

A major number is raised where an older program must refuse: it would lose or misread something. A minor one is raised
where an older program may go on, and only misses something. Frozen samples of each are in `tests/formats`.

How text is read out of files has no format but a recipe (`PIPELINE_VERSION`, `ANALYSER_VERSION`, `CITATIONS_VERSION`,
each beside what it describes): raising one has the next index run do its part again.
"""

from __future__ import annotations

from typing import NamedTuple


class Format(NamedTuple):
    """A version as people write it: `2.0`."""

    major: int
    minor: int

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}"


BANK = Format(2, 0)
"""Of a bank's folder, told in `bank.toml`. 2: a generation that came as a pack has the office's lists beside it; a
program of format 1 would look for them at the bank's top, find none, and search without a warning.
"""
PACK = Format(4, 0)
"""Of a pack, told in its first bytes. 4: a head, a manifest, and one compressed tar archive. Earlier packs are
refused: making one anew takes the office a minute.
"""
GENERATION = 1
"""Of one built index, told in `generation.toml`."""
GENERATION_WITH_LEARNED = 2
"""Of one that holds what was learned from judgements: a program that cannot apply it would rank otherwise."""
GENERATION_LARGE = 3
"""Of one in the form for large banks: a program that does not know it would look for words where there are none."""
UNREADABLE = 1
"""Of a generation's table of files that could not be read. A program that does not know it only tells of none."""
LEDGER = 1
"""Of `ledger.sqlite`, its `user_version`. A newer ledger is refused, since what it says of files would be lost."""
MODELS = 1
"""Of the manifest of the models folder, told in `manifest.toml`."""
FEEDBACK = 2
"""Of the feedback log, its `user_version`: the number of steps of its schema. An older log is brought forward after a
copy, a newer one refused. 2 tells which model wrote a summary that was opened."""
MATTERS = 3
"""Of the log of matters, its `user_version`; as `FEEDBACK`. 2 tells the block quotations of passages, 3 what of them is
bold and underlined."""
FOLLOWS = 1
"""Of the log of what is followed, its `user_version`; as `FEEDBACK`."""
MATTER_FILE = 4
"""Of a matter as one file, told in it. A newer one is refused: what it says more would be lost. 2 says of each passage
what its writer's bank did not have, 3 what of it is a block quotation, 4 what is bold and underlined."""
CHECK_RECORD = 1
"""Of the record of a draft's check, told in it. A newer one is refused: decisions that it tells would be lost."""
PROFILE = 1
"""Of a profile's file, told in it. A newer one is refused: what it says more would be left out of the search."""
AUTHORITY_LIST = Format(1, 0)
"""Of a list of authorities, told in its first bytes; raised too where the words of names are told otherwise, for a list
keeps their digests alone. A newer one is refused; IT builds it anew from the same tables."""
