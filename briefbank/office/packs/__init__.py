"""Packs: one verified archive that carries a bank's index to a laptop. Written by `write`, installed by `install`."""

from __future__ import annotations

from briefbank.office.packs.install import InstallReport, install_pack
from briefbank.office.packs.write import PackReport, write_pack

__all__ = ["InstallReport", "PackReport", "install_pack", "write_pack"]
