"""Is a bank what it was when it was written, and if not, what can be made again? Found by `check`, done by `mend`."""

from __future__ import annotations

from briefbank.office.repair.check import check
from briefbank.office.repair.mend import RepairReport, repair
from briefbank.office.repair.seals import seal

__all__ = ["RepairReport", "check", "repair", "seal"]
