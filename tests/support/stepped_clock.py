"""Run godaemon with a wrong clock: `python -m tests.support.stepped_clock FILE serve`.

FILE has the current error in days.
"""

import sys
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from godaemon.cli import main as command_line
from godaemon.daemon import main
from godaemon.system.clock import Clock


def stepped(file: Path) -> Clock:
    """A clock that is wrong by the days in a file."""

    def machine() -> datetime:
        return datetime.now(UTC) + timedelta(days=float(file.read_text(encoding="ascii")))  # noqa: TID251 - the real clock

    return Clock(machine)


if __name__ == "__main__":
    wrong = Path(sys.argv.pop(1))
    setattr(main, "Clock", partial(stepped, wrong))  # noqa: B010 - for mypy
    command_line()
