"""The commands that run a daemon, and those that only a running one can do."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from typing import Any

from godaemon.cli.common import ask_daemon, format_count, tell
from godaemon.cli.games import local_time
from godaemon.config.config_file import File

STATUSES = {"warning": 1, "failure": 2}
"""The exit statuses of monitoring plugins."""


def serve(config: File | None) -> None:
    """Run the daemon; loaded modules are never searched for garbage."""
    sys.modules.setdefault("rich", None)  # type: ignore[arg-type] # structlog would load it
    gc.disable()
    from godaemon.daemon import main

    gc.freeze()
    gc.enable()
    main.serve(config)


def reload(config: File | None) -> None:
    later = ask_daemon(config, "reload")["later"]
    print("The configuration has been read again.")
    if later:
        print("These wait for a restart: " + ", ".join(later))


def pause(reason: str, config: File | None) -> None:
    until = local_time(ask_daemon(config, "pause", reason=reason)["until"])
    print(
        "The clocks of all games are stopped. Emails say so, and nobody is reminded or loses on"
        f" time. They start again at {until} at the latest, or by `godaemon resume`."
    )


def resume(config: File | None) -> None:
    since = local_time(ask_daemon(config, "resume")["since"])
    print(f"The clocks of all games run again. The time since {since} counts for nobody.")


def adjudicate(number: int, result: str, json: bool, config: File | None) -> None:
    done = ask_daemon(config, "adjudicate", number=number, result=result)
    tell(done, lambda _: [f"Game {number} is over: {done['result']}."], json=json)


def unrate(number: int, json: bool, config: File | None) -> None:
    done = ask_daemon(config, "unrate", number=number)
    tell(done, lambda _: [f"Game {number} counts for no rating."], json=json)


def forget(address: str, config: File | None) -> None:
    from mailgate.address import parse_address

    address = parse_address(address).address
    done = ask_daemon(config, "forget", address=address)
    ended = format_count(done["ended"], "open game")
    if not done["played"]:
        print(f"{address} has no game here. Everything else about it is deleted soon.")
        return
    print(
        f"{address} is being forgotten; {ended} ended. It is done"
        " once the emails that tell of it have gone out, within a day. Backups still hold them."
    )


def status(json: bool, config: File | None) -> int:
    said = ask_daemon(config, "status")
    tell(said, _status_lines, json=json)
    return max((STATUSES[one["severity"]] for one in said["troubles"]), default=0)


def _status_lines(said: dict[str, Any]) -> Iterator[str]:
    since = local_time(said["since"])
    yield f"godaemon {said['version']}, process {said['pid']}, running since {since}"
    yield from (f"{name + ':':<15} {value}" for name, value in _facts(said).items() if value)
    yield from (f"{trouble['severity']}: {trouble['sentence']}" for trouble in said["troubles"])


def _facts(said: dict[str, Any]) -> dict[str, str | None]:
    ways = [f" by {way.upper()} at {said[way]}" for way in ("smtp", "lmtp") if said.get(way)]
    imap, emails, suspended = said["imap"], said["letters"], said.get("suspended")
    complaints = f", {said['complaints']} by complaints" if said.get("complaints") else ""
    undeliverable = (emails or {}).get("undeliverable")
    return {
        "state": said["state"],
        "emails in": f"{', '.join(said['addresses'])}{','.join(ways)}",
        "mailbox": imap and f"{imap['state']}; {format_count(imap['letters'], 'email')} taken",
        "emails out": said["outgoing"],
        "GTP socket": said["gtp"],
        "GTP by TCP": said["gtp_tcp"],
        "metrics": said["metrics"],
        "Go programs": f"{said['gtp_connections']} connected",
        "engines": _containment(said["engines"]),
        "games": None if said["games"] is None else _counts_text(said["games"]) or "none yet",
        "emails": emails and _counts_text(emails),
        "forged": said.get("forged") and f"{said['forged']} emails in failed DMARC since the start",
        "quarantine": said["quarantine"] and f"{said['quarantine']}; see: godaemon mail quarantine",
        "suspended": suspended and f"{suspended} addresses{complaints}; see: godaemon mail bounces",
        "undeliverable": undeliverable and f"{undeliverable} emails; see: godaemon mail queue",
    }


def _containment(held: dict[str, Any]) -> str:
    """How engines are contained; godaemon-operating(7) says what each means prevents."""
    landlock, seccomp, groups = held["landlock"], held["seccomp"], held["control_groups"]
    means = {f"Landlock {landlock}": landlock, "seccomp": seccomp, "control groups": groups}
    found = ", ".join([*(name for name, there in means.items() if there), "limits"])
    missing = ["Landlock"] * (not landlock) + ["seccomp"] * (not seccomp)
    lacks = f"; this machine has no {' and no '.join(missing)}" if missing else ""
    return f"contained by {found}{lacks}"


def _counts_text(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} {what}" for what, count in counts.items())
