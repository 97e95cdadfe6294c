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
    answer = ask_daemon(config, "adjudicate", number=number, result=result)
    tell(answer, lambda _: [f"Game {number} is over: {answer['result']}."], json=json)


def unrate(number: int, json: bool, config: File | None) -> None:
    answer = ask_daemon(config, "unrate", number=number)
    tell(answer, lambda _: [f"Game {number} counts for no rating."], json=json)


def forget(address: str, config: File | None) -> None:
    from mailgate.address import parse_address

    address = parse_address(address).address
    answer = ask_daemon(config, "forget", address=address)
    ended = format_count(answer["ended"], "open game")
    if not answer["played"]:
        print(
            f"{address} has no game here: look for a slip. Whatever else is kept is deleted soon."
        )
        return
    print(
        f"{address} is being forgotten; {ended} ended. It is done"
        " once the emails that tell of it have gone out, within a day. Backups still hold them."
    )


def status(json: bool, config: File | None) -> int:
    info = ask_daemon(config, "status")
    tell(info, _status_lines, json=json)
    return max((STATUSES[one["severity"]] for one in info["troubles"]), default=0)


def _status_lines(info: dict[str, Any]) -> Iterator[str]:
    since = local_time(info["since"])
    yield f"godaemon {info['version']}, process {info['pid']}, running since {since}"
    yield from (f"{name + ':':<15} {value}" for name, value in _facts(info).items() if value)
    yield from (f"{trouble['severity']}: {trouble['sentence']}" for trouble in info["troubles"])


def _facts(info: dict[str, Any]) -> dict[str, str | None]:
    ways = [f" by {way.upper()} at {info[way]}" for way in ("smtp", "lmtp") if info.get(way)]
    imap, emails, suspended = info["imap"], info["letters"], info.get("suspended")
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


def _containment(held: dict[str, Any]) -> str:
    """How engines are contained; godaemon-operating(7) explains each kind."""
    landlock, seccomp, groups = held["landlock"], held["seccomp"], held["control_groups"]
    means = {f"Landlock {landlock}": landlock, "seccomp": seccomp, "control groups": groups}
    found = ", ".join([*(name for name, there in means.items() if there), "limits"])
    missing = ["Landlock"] * (not landlock) + ["seccomp"] * (not seccomp)
    lacks = f"; this machine has no {' and no '.join(missing)}" if missing else ""
    return f"contained by {found}{lacks}"


def _counts_text(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} {state}" for state, count in counts.items())
