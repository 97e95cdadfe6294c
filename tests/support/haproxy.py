"""A real HAProxy before two daemons, as config/haproxy has it, but for ports of its own."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.support import places

EXAMPLE = places.ROOT / "config" / "haproxy" / "haproxy.cfg"


@contextmanager
def haproxy(folder: Path, ports: Mapping[str, str]) -> Iterator[None]:
    """It runs, with other places in the place of the example's."""
    text = EXAMPLE.read_text(encoding="utf-8")
    for there, here in ports.items():
        assert text.count(there) >= 1
        text = text.replace(there, here)
    config = folder / "haproxy.cfg"
    config.write_text(text, encoding="utf-8")
    subprocess.run(["haproxy", "-c", "-q", "-f", config], check=True)
    with (folder / "haproxy.log").open("wb") as log:
        process = subprocess.Popen(["haproxy", "-db", "-f", config], stdout=log, stderr=log)
        try:
            yield
        finally:
            process.terminate()
            process.wait(15)
