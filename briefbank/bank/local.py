"""All that can be asked of a bank on a local disk: by the command line, and by the processes that work for the window.

Each method calls the room that does the work, and opens what that needs when it is first asked for. All of them raise
BankMissingError, BankDamagedError or BankNewerError where the bank or its live generation cannot be used; those that
search also ModelError.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Self

from briefbank.bank.opened import each_of_one_state
from briefbank.bank.reader import BankReader
from briefbank.errors import SettingsError, UsageError
from briefbank.platform.disk import disk_guard
from briefbank.platform.files import new_file
from briefbank.platform.layout import Layout
from briefbank.platform.progress import CancelToken, Reporter, silent

if TYPE_CHECKING:
    from briefbank.ingest.process import Elsewhere
    from briefbank.judgements.learn.judgements import BeirFolder, LogOfFeedback
    from briefbank.judgements.learn.run import LearnReport
    from briefbank.judgements.pooling.pool import Pooler
    from briefbank.judgements.synthesize import SynthesisReport
    from briefbank.law.authority_list import ListHead
    from briefbank.office.packs.install import InstallReport
    from briefbank.office.packs.write import PackReport
    from briefbank.office.repair.mend import RepairReport
    from briefbank.search.alerts import Alert
    from briefbank.search.directives import DirectiveSentence
    from briefbank.search.profiles.profile import Profile
    from briefbank.values.state import BankFinding, IndexReport
    from briefbank.values.summaries import SummariesReport


@each_of_one_state
class Bank(BankReader):
    """One bank, with all that can be asked of it: what defenders do, see `BankReader`; then what IT does where the bank
    is indexed, what IT does everywhere, and what measuring the search needs. Indexing writes a new generation and
    publishes it last.
    """

    @classmethod
    def create(cls, root: Path, source: Path | None = None) -> Self:
        """Open a bank, making an empty one where there is none; nothing is made if `source` cannot be indexed into it.

        Raises:
            NoSpaceError: the disk is full; and as `open` and `ingest.discover.require_source`.
        """
        from briefbank.ingest.discover import require_source

        if source is not None:
            require_source(source, root)
        with disk_guard(root, "making the bank"):
            Layout(root).create()
        return cls.open(root)

    # What IT does on the machine that indexes.

    def index(
        self,
        folder: Path,
        *,
        retry_failed: bool = False,
        remove_missing: bool = False,
        elsewhere: Elsewhere | None = None,
        reporter: Reporter = silent,
        cancel: CancelToken | None = None,
    ) -> IndexReport:
        """Bring the bank up to date with a folder; see `ingest.pipeline.index_folder`.

        Raises:
            UsageError: the bank was installed from a pack; and as there.
        """
        from briefbank.ingest.pipeline import index_folder
        from briefbank.office.provenance import require_not_installed

        require_not_installed(self._layout)
        report = index_folder(
            self._layout,
            self._settings,
            folder,
            retry_failed=retry_failed,
            remove_missing=remove_missing,
            elsewhere=elsewhere,
            reporter=reporter,
            cancel=cancel or CancelToken(),
        )
        if self._layout.summaries_file.is_file():
            self._opened.summarizer().cache.keep_only({document.id for document in self._opened.generation().documents})
        if report.published:
            from briefbank.office.repair.seals import seal

            seal(self._layout)
        return report

    def break_lock(self) -> str:
        """Take the writer's lock from a program that left it; returns who that was. See `lock.break_lock`."""
        from briefbank.platform.lock import break_lock

        return break_lock(self._layout.lock_file)

    def summarize(
        self, document_id: str = "", *, reporter: Reporter = silent, cancel: CancelToken | None = None
    ) -> SummariesReport:
        """Write the summaries of one document, or of all (""), ahead of time; see `search.summaries.summarizer`.

        Raises:
            UsageError: there is no such document.
            LanguageModelError, CancelledError: as their names say; what was written is kept.
        """
        from briefbank.search.summaries.summarizer import precompute

        with closing(self._opened.summarizer()) as summarizer:
            return precompute(summarizer, self._opened.generation(), document_id, reporter, cancel or CancelToken())

    def alerts(self) -> dict[Alert, int]:
        """Return what warns, the office's list and behind it what directives say of other authorities, each with how
        many passages cite the authority; raises as `search`.
        """
        return self._opened.alerted_rows().counts

    def directive_sentences(self) -> tuple[DirectiveSentence, ...]:
        """Return what directives name and the office's list lacks, see `search.directives`; raises as `search`."""
        from briefbank.search.directives import directive_sentences

        generation = self._opened.generation()
        return directive_sentences(generation, self.listed_alerts())

    def alert_problems(self) -> tuple[SettingsError, ...]:
        """Return what is wrong with the office's list: rows that do not serve, or all of it; raises as `search`."""
        return self._opened.alert_list(self._opened.folder()).problems

    def set_authority_list(self, file: Path) -> ListHead:
        """Take a copy of a list of all authorities, in the place of one that is there; returns what it says of itself.

        Raises:
            UsageError: the bank was installed from a pack, which brings its own.
            SourceError, BankNewerError, BankDamagedError: the file is no sound list.
            NoSpaceError: as its name says.
        """
        from briefbank.law.authority_list import AuthorityList
        from briefbank.office.provenance import require_not_installed

        require_not_installed(self._layout)
        head = AuthorityList.open(file).head
        target = self._layout.authority_list
        with disk_guard(target.parent, "taking the list"), new_file(target, may_replace=True) as copy:
            shutil.copyfile(file, copy)
        return head

    def authority_list(self) -> ListHead | None:
        """Return what the bank's list of all authorities says of itself; None where there is none. Raises as above."""
        from briefbank.law.authority_list import AuthorityList

        file = self._layout.authority_list
        return AuthorityList.open(file).head if file.exists() else None

    def save_profile(self, profile: Profile, *, may_replace: bool = False) -> Path:
        """Keep an issue profile in the bank, in force at once; returns its file. See `search.profiles.profile`.

        Raises:
            UsageError, NoSpaceError: as there.
        """
        return self._opened.profiles().save(profile, may_replace=may_replace)

    def with_mined_keywords(self, profile: Profile) -> Profile:
        """Return a profile with keywords mined from its samples in the place of its own.

        Raises:
            UsageError: there are no pairs of words that two samples share and the bank seldom holds.
        """
        from briefbank.search.profiles.keywords import mined_keywords
        from briefbank.search.profiles.ranking import texts_of

        generation = self._opened.generation()
        keywords = mined_keywords(texts_of(profile.samples, generation)[0], generation.lexical)
        if not keywords:
            message = f"The samples of “{profile.name}” have no pairs of words of their own in common."
            raise UsageError(message, "Add samples: keywords are mined from two or more.")
        return replace(profile, keywords=keywords)

    def remove_profile(self, name: str) -> None:
        """Remove an issue profile that is kept in the bank; raises as `save_profile`."""
        self._opened.profiles().remove(name)

    def pack(
        self,
        out: Path,
        key: Path | None = None,
        passphrase: bytes | None = None,
        *,
        with_models: bool = False,
        with_summaries: bool = True,
        reporter: Reporter = silent,
        cancel: CancelToken | None = None,
    ) -> PackReport:
        """Write a pack of the live generation, signed with the office's key or that of the file `key`.

        Raises:
            UsageError: `out` is there already, its disk takes no file of that size, or there is no such key.
            SettingsError: a list of the office that the bank had is gone, or no file: laptops would lose it.
            NoSpaceError, DiskError, CancelledError: as their names say; nothing is left behind.
        """
        from briefbank.models.installed import models_folder
        from briefbank.office.packs.signing_keys import load_private_key
        from briefbank.office.packs.write import write_pack
        from briefbank.office.repair.seals import require_lists

        require_lists(self._layout)
        return write_pack(
            self._layout,
            out,
            load_private_key(key, passphrase),
            models=models_folder() if with_models else None,
            with_summaries=with_summaries,
            reporter=reporter,
            cancel=cancel,
        )

    # What IT does on every machine.

    @staticmethod
    def install(
        root: Path,
        pack: Path,
        *,
        trust: Path | None = None,
        allow_older: bool = False,
        reporter: Reporter = silent,
        cancel: CancelToken | None = None,
    ) -> InstallReport:
        """Install a pack into the bank at `root`, made where there is none; `trust` is a key to believe for this pack.

        Raises:
            PackError, UsageError, BankInUseError, NoSpaceError, DiskError, CancelledError: see
                `office.packs.install.install_pack`. In every case the bank searches as before.
        """
        from briefbank.office.packs.install import install_pack
        from briefbank.office.repair.seals import seal, seals_file
        from briefbank.platform.files import remove_unfinished

        report = install_pack(root, pack, trust=trust, allow_older=allow_older, reporter=reporter, cancel=cancel)
        if report.is_new:
            seal(Layout(root))
        else:  # an install of the same pack may have been killed while it sealed
            remove_unfinished(seals_file(Layout(root)))
        return report

    def check(self) -> list[BankFinding]:
        """Verify digests, counts and cross-references of the whole bank; empty where it is sound."""
        from briefbank.office.repair.check import check, not_in_force

        found = check(self._layout)
        if any(finding.is_damage for finding in found) or not self._layout.current():
            return found
        return [*found, *not_in_force(self._layout, self.alert_problems())]

    @staticmethod
    def repair(root: Path, *, reporter: Reporter = silent, cancel: CancelToken | None = None) -> RepairReport:
        """Mend the bank at `root` as far as that is possible without the source files, and check it again.

        Raises:
            BankInUseError, NoSpaceError, CancelledError: as their names say; what was mended is kept.
        """
        from briefbank.office.repair.mend import repair

        return repair(Layout(root), reporter=reporter, cancel=cancel)

    def rollback(self) -> str:
        """Make the generation before the live one live, and return its name; see `index.publish.roll_back`."""
        from briefbank.index.publish import roll_back

        return roll_back(self._layout)

    # What is done to measure the search, and to improve it.

    def pooler(self, runs: Sequence[Path] = ()) -> Pooler:
        """Return what gathers passages to be graded; `runs` are further rankings of them, in TREC format.

        Raises:
            SourceError: a run cannot be read; and as `search`.
        """
        from briefbank.judgements.pooling.pool import open_pooler

        return open_pooler(self._opened.generation(), self._opened.engine(), self._layout.encoders, runs)

    def synthesize(
        self, out: Path, *, count: int, seed: int, reporter: Reporter = silent, cancel: CancelToken | None = None
    ) -> SynthesisReport:
        """Have a language model make up `count` questions for passages, and write them as a BEIR folder.

        Raises:
            UsageError, SourceError, LanguageModelError, NoSpaceError, CancelledError: see `judgements.synthesize`.
        """
        from briefbank.judgements.synthesize import require_possible, synthesize, tools_for

        require_possible(out, count)
        with tools_for(self._opened.generation(), self._opened.engine(), self._settings) as tools:
            return synthesize(tools, out, count=count, seed=seed, reporter=reporter, cancel=cancel or CancelToken())

    def learn(
        self,
        source: LogOfFeedback | BeirFolder,
        *,
        seed: int = 0,
        dry_run: bool = False,
        reporter: Reporter = silent,
        cancel: CancelToken | None = None,
    ) -> LearnReport:
        """Let judgements change the ranking where cross-validation shows that it helps; with `dry_run` only say so.

        Raises:
            UsageError: the bank was installed from a pack; and as `judgements.learn.run.learn`.
        """
        from briefbank.judgements.learn.run import learn
        from briefbank.office.provenance import require_not_installed

        if not dry_run:
            require_not_installed(self._layout)
        cancel = cancel or CancelToken()
        return learn(self._layout, self._settings, source, seed=seed, dry_run=dry_run, reporter=reporter, cancel=cancel)
