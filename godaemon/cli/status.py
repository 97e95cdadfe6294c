"""`godaemon status`: the state of the running daemon."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import typer

from godaemon.cli.common import Config, Json, ask_daemon, tell
from godaemon.cli.moments import local

STATUSES = {"warning": 1, "failure": 2}
"""As monitoring plugins have them."""


def status(json: Json = False, config: Config = None) -> None:
    """Tell how the running daemon is; exit 1 for a warning, 2 for a failure, 69 where none runs."""
    said = ask_daemon(config, "status")
    tell(said, as_json=json, lines=_lines)
    raise typer.Exit(max((STATUSES[one["severity"]] for one in said["troubles"]), default=0))


def _lines(said: dict[str, Any]) -> Iterator[str]:
    yield f"godaemon {said['version']}, process {said['pid']}, running since {local(said['since'])}"
    yield f"state:      {said['state']}"
    ways = [f" by {way.upper()} at {said[way]}" for way in ("smtp", "lmtp") if said.get(way)]
    yield f"letters in: {', '.join(said['addresses'])}{','.join(ways)}"
    if said["imap"]:
        yield f"mailbox:    {said['imap']['state']}; {said['imap']['letters']} letters taken"
    yield f"letters out: {said['outgoing']}"
    yield f"GTP socket: {said['gtp']}"
    if said["gtp_tcp"]:
        yield f"GTP by TCP: {said['gtp_tcp']}"
    if said["metrics"]:
        yield f"metrics:    {said['metrics']}"
    yield f"Go programs: {said['gtp_connections']} connected"
    yield f"engines:    {_contained(said['engines'])}"
    if said["games"] is not None:
        yield "games:      " + (_counts(said["games"]) or "none yet")
        yield "letters:    " + _counts(said["letters"])
    if said.get("forged"):
        yield f"forged:     letters in that failed DMARC since the start: {said['forged']}"
    if said["quarantine"]:
        yield f"quarantine: {said['quarantine']} (see: godaemon mail quarantine)"
    if said.get("suspended"):
        why = f", {said['complaints']} by complaints" if said.get("complaints") else ""
        yield f"suspended:  {said['suspended']} addresses{why} (see: godaemon mail bounces)"
    if (said["letters"] or {}).get("undeliverable"):
        yield "undeliverable letters: see godaemon mail queue"
    for trouble in said["troubles"]:
        yield f"{trouble['severity']}: {trouble['sentence']}"


def _contained(held: dict[str, Any]) -> str:
    """By what the engines are kept from doing harm; godaemon-operating(7) says what each keeps."""
    landlock = held["landlock"] and f"Landlock {held['landlock']}"
    means = [landlock, held["seccomp"] and "seccomp", held["control_groups"] and "control groups"]
    missing = [] if held["landlock"] else ["Landlock"]
    missing += [] if held["seccomp"] else ["seccomp"]
    said = "contained by " + ", ".join([*filter(None, means), "limits"])
    return said + (f"; this machine has no {' and no '.join(missing)}" if missing else "")


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} {what}" for what, count in counts.items())
