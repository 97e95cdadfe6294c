"""The command that runs a daemon, and the one that shows its state."""

import gc
import os
import shutil
import sys
from collections.abc import Iterator
from typing import Any

from godaemon.cli.common import ask_daemon, format_count, print_value
from godaemon.cli.games import local_time
from godaemon.config.config_file import File, find_config

STATUSES = {"warning": 1, "failure": 2}
"""The exit statuses of monitoring plugins."""


def serve(config: File | None) -> None:
    """Run the daemon, and print its status; at a terminal without a configuration also a hint.

    The garbage collector skips objects of the loaded modules.
    """
    beginner = find_config(config, os.environ) is None and sys.stdout and sys.stdout.isatty()
    sys.modules.setdefault("rich", None)  # type: ignore[arg-type] # structlog would load it
    gc.disable()
    from godaemon.daemon import main

    gc.freeze()
    gc.enable()
    main.serve(config, _beginner_lines if beginner else _status_lines)


def status(json: bool, config: File | None) -> int:
    info = ask_daemon(config, "status")
    print_value(info, _status_lines, json=json)
    return max((STATUSES[trouble["severity"]] for trouble in info["troubles"]), default=0)


def _status_lines(info: dict[str, Any]) -> Iterator[str]:
    start = local_time(info["since"])
    yield f"godaemon {info['version']}, process {info['pid']}, running since {start}"
    yield from (f"{name + ':':<15} {value}" for name, value in _facts(info).items() if value)
    yield from (f"{trouble['severity']}: {trouble['sentence']}" for trouble in info["troubles"])


def _beginner_lines(info: dict[str, Any]) -> Iterator[str]:
    yield from _status_lines(info)
    command = "godaemon" if shutil.which("godaemon") else f"{sys.executable} -m godaemon"
    domain = info["address"].partition("@")[2]
    yield f"To begin: {command} send alice@{domain} 'new 9x9 vs bob@{domain}'; to stop: Ctrl-C"


def _facts(info: dict[str, Any]) -> dict[str, str | None]:
    ways = [f" by {way.upper()} at {info[way]}" for way in ("smtp", "lmtp") if info.get(way)]
    imap = info["imap"]
    emails = info["letters"]
    suspended = info.get("suspended")
    complaints = f", {info['complaints']} by complaints" if info.get("complaints") else ""
    undeliverable = (emails or {}).get("undeliverable")
    return {
        "state": info["state"],
        "emails in": f"{', '.join(info['addresses'])}{','.join(ways)}",
        "mailbox": imap and f"{imap['state']}; {format_count(imap['letters'], 'email')} taken",
        "emails out": info["outgoing"],
        "GTP socket": info["gtp"],
        "GTP by TCP": info["gtp_tcp"],
        "metrics": info["metrics"],
        "Go programs": f"{info['gtp_connections']} connected",
        "engines": _containment(info["engines"]),
        "games": None if info["games"] is None else _counts_text(info["games"]) or "none yet",
        "emails": emails and _counts_text(emails),
        "forged": info.get("forged") and f"{info['forged']} emails in failed DMARC since the start",
        "quarantine": info["quarantine"] and f"{info['quarantine']}; see: godaemon mail quarantine",
        "suspended": suspended and f"{suspended} addresses{complaints}; see: godaemon mail bounces",
        "undeliverable": undeliverable and f"{undeliverable} emails; see: godaemon mail queue",
    }


def _containment(containment: dict[str, Any]) -> str:
    """The containment of engines; godaemon-operating(7) explains each kind."""
    landlock, seccomp, groups = map(containment.get, ("landlock", "seccomp", "control_groups"))
    means = {f"Landlock {landlock}": landlock, "seccomp": seccomp, "control groups": groups}
    active = ", ".join([*(name for name, is_active in means.items() if is_active), "limits"])
    lacking = ["Landlock"] * (not landlock) + ["seccomp"] * (not seccomp)
    shortfall = f"; this machine has no {' and no '.join(lacking)}" if lacking else ""
    return f"contained by {active}{shortfall}"


def _counts_text(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} {state}" for state, count in counts.items())
