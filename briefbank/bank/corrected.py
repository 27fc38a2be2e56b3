"""The bank as its user has it: what leaves it for the window names documents by the metadata that the user corrected,
and it runs the issue profiles of the user beside its own.

Filters, hints and the ranking go by what the bank itself says until IT has taken the corrections in; the command line
and exports do so always.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from briefbank.bank.local import Bank
from briefbank.errors import UsageError
from briefbank.judgements.corrections import Corrections, default_corrections
from briefbank.platform.layout import Layout
from briefbank.platform.progress import CancelToken, Reporter, silent
from briefbank.platform.settings import Settings
from briefbank.values import (
    ArgumentOrder,
    ArgumentsFound,
    AuthorityCard,
    ChecklistReport,
    DraftReport,
    Facets,
    OfferedProfile,
    PassageInContext,
    ProfilesOffered,
)
from briefbank.values.bands import arranged
from briefbank.values.defaults import ARGUMENTS_SHOWN
from briefbank.values.records import Document, Hit, Passage, Query, SearchResult

if TYPE_CHECKING:
    from briefbank.search.checklists.checklist import Checklist
    from briefbank.search.profiles.profile import Profile
    from briefbank.search.unindexed import UnindexedFiles


class CorrectedBank(Bank):
    """A bank that answers with the corrections that hold; everything else is as in `Bank`."""

    def __init__(self, layout: Layout, settings: Settings, *, is_pinned: bool = False) -> None:
        super().__init__(layout, settings, is_pinned=is_pinned)
        self._corrections = Corrections(default_corrections())

    def correct(self, document_id: str, name: str, value: str) -> Document:
        """Correct a field of a document for good, and return the document as it is shown from now on.

        Raises:
            UsageError: there is no such document or field, or the value makes no sense.
            NoSpaceError, DiskError, BriefBankError: it could not be kept.
        """
        document = self._documents().get(document_id)
        if document is None:
            advice = "It left the index meanwhile: look for it in the table again."
            raise UsageError(f"There is no document {document_id} in the live index.", advice)
        self._corrections.add(document, name, value)
        return self._corrections.of(document)

    def search(self, query: Query) -> SearchResult:
        """See `Bank.search`; the newest come first by their corrected dates. Damaged corrections are told of."""
        result = super().search(query)
        result = replace(result, notices=result.notices + self._corrections.notices)
        if self._corrections.is_empty:
            return result
        documents = self._documents()
        hits = [self._corrected(hit, documents) for hit in result.hits]
        return replace(result, hits=arranged(hits, query.sort))

    def passage(self, passage_id: str, *, context: int = 1) -> PassageInContext:
        """See `Bank.passage`."""
        found = super().passage(passage_id, context=context)
        return replace(found, document=self._corrections.of(found.document))

    def facets(self) -> Facets:
        """See `Bank.facets`; the newest briefs are those of the bank's own dates."""
        found = super().facets()
        return replace(found, newest=tuple(map(self._corrections.of, found.newest)))

    def documents(self) -> tuple[Document, ...]:
        """See `Bank.documents`."""
        return tuple(map(self._corrections.of, super().documents()))

    def arguments(
        self, text: str = "", *, order: ArgumentOrder | None = None, top_k: int = ARGUMENTS_SHOWN
    ) -> ArgumentsFound:
        """See `Bank.arguments`; groups stand where the bank's own dates put them."""
        found = super().arguments(text, order=order, top_k=top_k)
        groups = []
        for group in found.groups:
            corrected = tuple(replace(each, document=self._corrections.of(each.document)) for each in group.arguments)
            groups.append(replace(group, arguments=corrected))
        return replace(found, groups=tuple(groups))

    def card(self, text: str) -> AuthorityCard:
        """See `Bank.card`; briefs stand where the bank's own dates put them."""
        card: AuthorityCard = self._with_corrections(super().card(text))
        return card

    def check_draft(self, path: Path, *, reporter: Reporter = silent, cancel: CancelToken | None = None) -> DraftReport:
        """See `Bank.check_draft`."""
        report: DraftReport = self._with_corrections(super().check_draft(path, reporter=reporter, cancel=cancel))
        return report

    def run_checklist(
        self,
        checklist: Checklist,
        documents: Sequence[str] | UnindexedFiles | None = None,
        *,
        with_model: bool = False,
        reporter: Reporter = silent,
        cancel: CancelToken | None = None,
    ) -> ChecklistReport:
        """See `Bank.run_checklist`."""
        run = super().run_checklist
        found = run(checklist, documents, with_model=with_model, reporter=reporter, cancel=cancel)
        report: ChecklistReport = self._with_corrections(found)
        return report

    def profile(self, name: str) -> Profile:
        """See `Bank.profile`; one of the user's own where the bank has none of that name."""
        return self.own_profiles().named(name)

    def offered_profiles(self) -> ProfilesOffered:
        """Return the profiles that can be run: those of the bank and the user's own."""
        return self.own_profiles().offered()

    def keep_relevant(self, name: str, question: str, log: Path) -> OfferedProfile:
        """Keep what is marked relevant to a question as a profile of the user's own; see `Bank.profile_from_relevant`.

        Raises:
            UsageError: there is one of that name; and as there.
            NoSpaceError, DiskError, AccessError: it could not be kept.
        """
        return self.own_profiles().keep(self.profile_from_relevant(name, question, log))

    def remove_own_profile(self, name: str) -> None:
        """Remove a profile of the user's own. Raises UsageError where there is none of that name."""
        self.own_profiles().remove(name)

    def export_corrections(self, out: Path) -> int:
        """Write the corrections that hold as a `briefbank.csv` for IT; see `Corrections.write_table`.

        Raises:
            NoSpaceError, DiskError, OSError: it could not be written.
        """
        return self._corrections.write_table(super().documents(), out)

    def _with_corrections(self, value: Any) -> Any:
        """A report with every document in it as it was corrected."""
        if self._corrections.is_empty or isinstance(value, Passage):
            return value
        if isinstance(value, Document):
            return self._corrections.of(value)
        if type(value) is tuple:
            return tuple(map(self._with_corrections, value))
        if not is_dataclass(value) or isinstance(value, type):
            return value
        held = {field.name: getattr(value, field.name) for field in fields(value)}
        return replace(value, **{name: self._with_corrections(each) for name, each in held.items()})

    def _documents(self) -> dict[str, Document]:
        return {document.id: document for document in self._opened.generation().documents}

    def _corrected(self, hit: Hit, documents: Mapping[str, Document]) -> Hit:
        siblings = []
        for each in hit.siblings:
            document = self._corrections.of(documents[each.passage_id.rpartition("-")[0]])
            siblings.append(replace(each, title=document.metadata.title.value, filed=document.filed))
        return replace(hit, document=self._corrections.of(hit.document), siblings=tuple(siblings))
