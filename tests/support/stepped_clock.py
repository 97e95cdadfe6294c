"""A godaemon on a machine whose clock is wrong: `python -m tests.support.stepped_clock FILE serve`.

The file has the days by which it is wrong, as they are at each moment.
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from godaemon.cli import main as command_line
from godaemon.daemon import main
from godaemon.system.clock import Clock


def stepped(file: Path) -> Clock:
    """The clock of a machine that is wrong by what the file says."""

    def machine() -> datetime:
        return datetime.now(UTC) + timedelta(days=float(file.read_text(encoding="ascii")))  # noqa: TID251 - a machine's

    return Clock(machine)


if __name__ == "__main__":
    wrong = Path(sys.argv.pop(1))
    setattr(main, "Clock", partial(stepped, wrong))  # noqa: B010 - it is theirs
    command_line()
