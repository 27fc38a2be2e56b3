"""The dialogs of the window: indexing, settings, help, about. Each is modeless, so that searching goes on behind it."""

from ui.dialogs.about import AboutDialog
from ui.dialogs.help import HelpDialog
from ui.dialogs.index import IndexDialog
from ui.dialogs.index_job import IndexJob, progress_line
from ui.dialogs.settings import SettingsDialog

__all__ = ["AboutDialog", "HelpDialog", "IndexDialog", "IndexJob", "SettingsDialog", "progress_line"]
