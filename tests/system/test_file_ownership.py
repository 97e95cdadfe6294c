"""What root writes in a state folder belongs to the folder's owner."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from godaemon.system.durable_files import hand_over


@pytest.mark.parametrize(("user", "asked"), [(0, [(123, 45)]), (1000, [])])
def test_hand_over(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, user: int, asked: list[tuple[int, int]]
) -> None:
    """Root gives a file to the owner of the folder; anybody else has nothing to give."""
    given: list[tuple[int, int]] = []
    state = os.stat_result((0o40700, 1, 1, 1, 123, 45, 0, 0, 0, 0))
    monkeypatch.setattr(os, "geteuid", lambda: user)
    monkeypatch.setattr(os, "chown", lambda _, uid, gid: given.append((uid, gid)))
    monkeypatch.setattr(Path, "stat", lambda _: state)
    hand_over(tmp_path / "godaemon.db", tmp_path)
    assert given == asked
