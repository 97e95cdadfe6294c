"""`godaemon mail`: letters in trouble, and another try for them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import typer

from godaemon.cli.common import Config, Json, ask_daemon, number_of, tell
from godaemon.cli.moments import relative

app = typer.Typer(
    help="Look after letters in trouble (the daemon must be running).",
    no_args_is_help=True,
    rich_markup_mode=None,
)


def _number(listed: str) -> Any:  # noqa: ANN401 - typer's
    help_ = "The letter's number in the list."
    return typer.Argument(metavar="ID", help=help_, parser=number_of("letter", f"mail {listed}"))


@app.command("quarantine")
def quarantine(json: Json = False, config: Config = None) -> None:
    """List the letters that a fault of ours kept from being handled."""
    tell(ask_daemon(config, "quarantine"), as_json=json, lines=_quarantined)


@app.command("queue")
def queue(json: Json = False, config: Config = None) -> None:
    """List the letters of ours that could not be delivered so far, and why."""
    tell(ask_daemon(config, "queue"), as_json=json, lines=_queued)


@app.command("retry")
def retry(number: Annotated[int, _number("quarantine")], config: Config = None) -> None:
    """Handle a letter from the quarantine again."""
    done = ask_daemon(config, "retry", number=number, what="letter")
    typer.echo(f"Letter {number}: {done['event']}.")


@app.command("resend")
def resend(number: Annotated[int, _number("queue")], config: Config = None) -> None:
    """Try to deliver a letter from the queue again, now."""
    ask_daemon(config, "retry", number=number, what="notice")
    typer.echo(f"Letter {number} will be tried again now.")


@app.command("bounces")
def bounces(json: Json = False, config: Config = None) -> None:
    """List the addresses from which letters came back, and those that are suspended for it."""
    tell(ask_daemon(config, "mailboxes"), as_json=json, lines=_bounced)


@app.command("revive")
def revive(
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="As the list has it.")],
    config: Config = None,
) -> None:
    """Let letters go to a suspended address again; those that were owed go out at once."""
    done = ask_daemon(config, "revive", address=address)
    state = "Letters go" if done["revived"] else "Nothing was stopped; what came back is forgotten"
    typer.echo(f"{state} to {address} again." if done["revived"] else f"{state}.")


def _quarantined(rows: list[dict[str, Any]]) -> Iterator[str]:
    if not rows:
        yield "No letter is in quarantine."
    for row in rows:
        yield f"{row['id']:>5}  {relative(row['at'])}, from {row['from'] or '<>'} to {row['to']}"
        yield "       " + row["fault"].strip().rpartition("\n")[2]


def _queued(rows: list[dict[str, Any]]) -> Iterator[str]:
    if not rows:
        yield "Every letter has gone out, or is about to."
    for row in rows:
        tries = "1 try" if row["attempts"] == 1 else f"{row['attempts']} tries"
        yield (
            f"{row['id']:>5}  {row['status']}  {row['kind']} to {row['recipient']},"
            f" {tries}, next {relative(row['due_at'])}"
        )
        yield f"       {row['last_error']}"


def _bounced(rows: list[dict[str, Any]]) -> Iterator[str]:
    if not rows:
        yield "No letter has come back."
    for row in rows:
        state = f"suspended {relative(row['suspended'])}" if row["suspended"] else "written to"
        yield f"{row['address']}  {state}  score {row['score']}, {relative(row['at'])}"
        yield f"       {row['error']}"
