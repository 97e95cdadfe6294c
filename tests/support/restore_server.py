"""Restores the backup of each line on its standard input, over the state folder beside it."""

from __future__ import annotations

import os
from pathlib import Path

from godaemon.storage.restore import restore
from tests.support.stores import NOW
from tests.support.traced import serve


def work(line: str) -> None:
    source, state = map(Path, line.split())
    restore(source, state, NOW, move_aside=True)
    os.write(1, b"ACK\n")


if __name__ == "__main__":
    serve(work)
