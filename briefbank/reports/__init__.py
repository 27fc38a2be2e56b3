"""What the bank reports of itself, its documents and its work: values for the window and the command line to show.
Knows only the records.
"""

from briefbank.reports.authorities import (
    AlteredQuotation,
    AuthorityCard,
    CitedAuthority,
    CitingBrief,
    DeadReference,
    DraftPoint,
    DraftReport,
    MissingAuthority,
    ReportedSaying,
)
from briefbank.reports.feedback import FeedbackExported, FeedbackExportWish, NamesInExport
from briefbank.reports.pages import (
    AlertMark,
    DocumentPages,
    OutlineEntry,
    PageImage,
    PageLink,
    PageSize,
    PageText,
    PageWord,
    PassageMarks,
)
from briefbank.reports.reading import (
    Argument,
    ArgumentGroup,
    ArgumentOrder,
    ArgumentsFound,
    Extract,
    Facets,
    FoundWords,
    PassageInContext,
    WordsInDocument,
)
from briefbank.reports.state import BankFinding, BankStatus, Failure, IndexReport, Provenance
from briefbank.reports.summaries import SummariesReport, SummaryListener, SummaryModel, SummaryPart, SummarySource

__all__ = [
    "AlertMark",
    "AlteredQuotation",
    "Argument",
    "ArgumentGroup",
    "ArgumentOrder",
    "ArgumentsFound",
    "AuthorityCard",
    "BankFinding",
    "BankStatus",
    "CitedAuthority",
    "CitingBrief",
    "DeadReference",
    "DocumentPages",
    "DraftPoint",
    "DraftReport",
    "Extract",
    "Facets",
    "Failure",
    "FeedbackExportWish",
    "FeedbackExported",
    "FoundWords",
    "IndexReport",
    "MissingAuthority",
    "NamesInExport",
    "OutlineEntry",
    "PageImage",
    "PageLink",
    "PageSize",
    "PageText",
    "PageWord",
    "PassageInContext",
    "PassageMarks",
    "Provenance",
    "ReportedSaying",
    "SummariesReport",
    "SummaryListener",
    "SummaryModel",
    "SummaryPart",
    "SummarySource",
    "WordsInDocument",
]
