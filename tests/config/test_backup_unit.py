"""The nightly backup, as systemd runs it."""

from __future__ import annotations

from pathlib import Path

UNIT = Path(__file__).parents[2] / "config" / "systemd" / "godaemon-backup.service"


def test_a_backup_of_a_store_that_is_gone_fails_and_is_not_skipped() -> None:
    """Any one trace of a daemon is enough, and none of them is the store itself."""
    lines = UNIT.read_text("utf-8").splitlines()
    conditions = [line.partition("=")[2] for line in lines if line.startswith("Condition")]
    assert conditions == ["|/var/lib/private/godaemon", "|/var/backups/godaemon"]
