"""External programs that some tests need, and whether this machine has them.

Tests with a missing peer are deselected and reported. With GODAEMON_REQUIRE_PEERS=1, as in .ci/run,
a missing peer is an error.
"""

import ctypes
import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from godaemon.diagrams.fonts import DIRECTION
from gtp.engines.sandbox import landlock_version
from tests.support import dovecot, postfix, stores, systemd_box

FAKETIME = Path("/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1")
"""A library that, preloaded, fakes the clock of a process."""


@dataclass(frozen=True)
class Peer:
    """A program: `missing` returns the missing part, or ""; `remedy` says how to get it."""

    missing: Callable[[], str]
    remedy: str


def find(program: str) -> str:
    """The path of a program, or ""; also searches /usr/games, which root's PATH lacks."""
    return shutil.which(program, path=f"{os.environ.get('PATH', '')}:/usr/games") or ""


def sabaki() -> str:
    """The folder of npm's @sabaki/gtp from $SABAKI_GTP, or ""."""
    folder = os.environ.get("SABAKI_GTP", "")
    return folder if folder and Path(folder, "package.json").exists() else ""


def _libseccomp_missing() -> str:
    try:
        ctypes.CDLL("libseccomp.so.2")
    except OSError:
        return "libseccomp"
    return ""


def _at_home() -> bool:
    return any(Path(sys.prefix).is_relative_to(home) for home in ("/home", "/root"))


def _lacks(program: str) -> str:
    return "" if find(program) else program


_NAMED = (
    "chromium",
    "espeak-ng",
    "fish",
    "gnugo",
    "haproxy",
    "neomutt",
    "openssl",
    "strace",
    "zsh",
)
"""Programs in Debian packages of the same name."""
PEERS = {name: Peer(partial(_lacks, name), f"apt-get install {name}") for name in _NAMED} | {
    "dovecot": Peer(partial(_lacks, "dovecot"), "apt-get install dovecot-imapd; run as root"),
    "dovecot-lmtpd": Peer(dovecot.no_delivery, "apt-get install dovecot-lmtpd"),
    "dpkg-deb": Peer(partial(_lacks, "dpkg-deb"), "run it on Debian"),
    "environment": Peer(
        lambda: "an environment outside of home folders" if _at_home() else "",
        "make it elsewhere, as a service sees no home folder",
    ),
    "faketime": Peer(
        lambda: "" if FAKETIME.exists() else "libfaketime", "apt-get install faketime"
    ),
    "landlock": Peer(
        lambda: "" if landlock_version() else "Landlock",
        "a kernel since 5.13 that has it switched on",
    ),
    "libseccomp": Peer(_libseccomp_missing, "apt-get install libseccomp2"),
    "node": Peer(partial(_lacks, "node"), "apt-get install nodejs"),
    "postfix": Peer(postfix.missing, "run as root; apt-get install postfix"),
    "postgresql": Peer(
        stores.postgresql_missing, "apt-get install postgresql; pip install 'godaemon[postgresql]'"
    ),
    "raqm": Peer(lambda: "" if DIRECTION else "libraqm", "pip install pillow: a wheel has it"),
    "sabaki": Peer(
        lambda: "" if sabaki() else "@sabaki/gtp",
        "npm install @sabaki/gtp, and set SABAKI_GTP to its folder in node_modules",
    ),
    "systemd": Peer(systemd_box.missing, "run as root; apt-get install systemd-container"),
}
