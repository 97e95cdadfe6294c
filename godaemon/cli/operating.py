"""The command that runs a daemon, and commands that need a running one."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from typing import Any

from godaemon.cli.common import ask_daemon, format_count, print_value
from godaemon.cli.games import local_time
from godaemon.config.config_file import File

STATUSES = {"warning": 1, "failure": 2}
"""The exit statuses of monitoring plugins."""


def serve(config: File | None) -> None:
    """Run the daemon; the garbage collector skips objects of the loaded modules."""
    sys.modules.setdefault("rich", None)  # type: ignore[arg-type] # structlog would load it
    gc.disable()
    from godaemon.daemon import main

    gc.freeze()
    gc.enable()
    main.serve(config)


def reload(config: File | None) -> None:
    options = ask_daemon(config, "reload")["later"]
    print("The daemon has read its configuration again.")
    if options:
        print("These options need a restart: " + ", ".join(options))


def pause(reason: str, config: File | None) -> None:
    end = local_time(ask_daemon(config, "pause", reason=reason)["until"])
    print(
        "The clocks of all games are stopped. Emails say so, and nobody gets reminders or loses on"
        f" time. The clocks start again by `godaemon resume`, or at {end}."
    )


def resume(config: File | None) -> None:
    start = local_time(ask_daemon(config, "resume")["since"])
    print(f"The clocks of all games run again. The time since {start} does not count.")


def adjudicate(number: int, result: str, json: bool, config: File | None) -> None:
    answer = ask_daemon(config, "adjudicate", number=number, result=result)
    print_value(answer, lambda _: [f"Game {number} is over: {answer['result']}."], json=json)


def unrate(number: int, json: bool, config: File | None) -> None:
    answer = ask_daemon(config, "unrate", number=number)
    print_value(answer, lambda _: [f"Game {number} counts for no rating."], json=json)


def forget(address: str, config: File | None) -> None:
    from mailgate.address import parse_address

    address = parse_address(address).address
    answer = ask_daemon(config, "forget", address=address)
    ended = format_count(answer["ended"], "open game")
    if not answer["played"]:
        print(
            f"{address} has no game here; is it misspelt? Other data of this address are deleted"
            " soon."
        )
        return
    print(
        f"{address} is being forgotten; {ended} ended. Their data are deleted once the last emails"
        " are sent, within a day. Backups still have them."
    )


def status(json: bool, config: File | None) -> int:
    info = ask_daemon(config, "status")
    print_value(info, _status_lines, json=json)
    return max((STATUSES[trouble["severity"]] for trouble in info["troubles"]), default=0)


def _status_lines(info: dict[str, Any]) -> Iterator[str]:
    start = local_time(info["since"])
    yield f"godaemon {info['version']}, process {info['pid']}, running since {start}"
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
