"""Programs from outside Python that some tests play against, and where they are on this machine.

A newcomer has none of them, and the tests that need one are left out with a line that says so;
with GODAEMON_REQUIRE_PEERS=1 (.ci/run sets it) a missing one is an error instead.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from godaemon.diagrams.fonts import DIRECTION
from gtp.engines.keeper import landlock_version
from tests.support import dovecot, postfix, stores, systemd_box

FAKETIME = Path("/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1")
"""What sets the clock of one process, where it is preloaded."""


@dataclass(frozen=True)
class Peer:
    """A program: `missing` gives what it lacks here, or ""; `remedy` is how to get it."""

    missing: Callable[[], str]
    remedy: str


def find(program: str) -> str:
    """The path of a program, or "" (Debian keeps games out of root's PATH)."""
    return shutil.which(program, path=f"{os.environ.get('PATH', '')}:/usr/games") or ""


def sabaki() -> str:
    """The folder of npm's @sabaki/gtp, from $SABAKI_GTP, or ""."""
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


PEERS = {
    "chromium": Peer(lambda: "" if find("chromium") else "chromium", "apt-get install chromium"),
    "dovecot": Peer(
        lambda: "" if find("dovecot") else "dovecot", "apt-get install dovecot-imapd; run as root"
    ),
    "dovecot-lmtpd": Peer(dovecot.no_delivery, "apt-get install dovecot-lmtpd"),
    "espeak-ng": Peer(
        lambda: "" if find("espeak-ng") else "espeak-ng", "apt-get install espeak-ng"
    ),
    "faketime": Peer(
        lambda: "" if FAKETIME.exists() else "libfaketime", "apt-get install faketime"
    ),
    "fish": Peer(lambda: "" if find("fish") else "fish", "apt-get install fish"),
    "gnugo": Peer(lambda: "" if find("gnugo") else "gnugo", "apt-get install gnugo"),
    "haproxy": Peer(lambda: "" if find("haproxy") else "haproxy", "apt-get install haproxy"),
    "landlock": Peer(
        lambda: "" if landlock_version() else "Landlock",
        "a kernel since 5.13 that has it switched on",
    ),
    "libseccomp": Peer(_libseccomp_missing, "apt-get install libseccomp2"),
    "neomutt": Peer(lambda: "" if find("neomutt") else "neomutt", "apt-get install neomutt"),
    "node": Peer(lambda: "" if find("node") else "node", "apt-get install nodejs"),
    "sabaki": Peer(
        lambda: "" if sabaki() else "@sabaki/gtp",
        "npm install @sabaki/gtp, and set SABAKI_GTP to its folder in node_modules",
    ),
    "postgresql": Peer(
        stores.postgresql_missing,
        "apt-get install postgresql; pip install 'godaemon[postgresql]'",
    ),
    "raqm": Peer(lambda: "" if DIRECTION else "libraqm", "pip install pillow: a wheel has it"),
    "dpkg-deb": Peer(lambda: "" if find("dpkg-deb") else "dpkg-deb", "run it on Debian"),
    "environment": Peer(
        lambda: "an environment outside of home folders" if _at_home() else "",
        "make it elsewhere, as a service sees no home folder",
    ),
    "openssl": Peer(lambda: "" if find("openssl") else "openssl", "apt-get install openssl"),
    "postfix": Peer(postfix.missing, "run as root; apt-get install postfix"),
    "strace": Peer(lambda: "" if find("strace") else "strace", "apt-get install strace"),
    "systemd": Peer(systemd_box.missing, "run as root; apt-get install systemd-container"),
    "zsh": Peer(lambda: "" if find("zsh") else "zsh", "apt-get install zsh"),
}


def required() -> bool:
    """Whether every peer must be here and no test may be skipped."""
    return os.environ.get("GODAEMON_REQUIRE_PEERS", "") not in {"", "0"}
