"""`godaemon mail`: letters in trouble, and another try for them."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from godaemon.cli.common import Config, Json, Row, ask_daemon, number_of, tell, tell_rows, whole
from godaemon.cli.moments import relative

app = typer.Typer(
    help="Look after letters in trouble (the daemon must be running).",
    no_args_is_help=True,
    rich_markup_mode=None,
)


def _number(listed: str) -> Any:  # noqa: ANN401 - typer's
    help_ = "The letter's number in the list."
    return typer.Argument(metavar="ID", help=help_, parser=number_of("letter", f"mail {listed}"))


_PLACES = {"letter": "quarantine", "notice": "queue"}
Every = Annotated[bool, typer.Option("--all", help="Also those that were not tried yet.")]
Quarantine = Annotated[bool, typer.Option("--quarantine", help="The one in quarantine.")]
Queue = Annotated[bool, typer.Option("--queue", help="The one in the queue.")]


def _what(*, quarantine: bool, queue: bool) -> str | None:
    """Which of two letters with one number is meant; None where it does not matter."""
    if quarantine and queue:
        raise typer.BadParameter("--quarantine and --queue do not go together")
    return "letter" if quarantine else "notice" if queue else None


@app.command("quarantine")
def quarantine(json: Json = False, config: Config = None) -> None:
    """List the letters that a fault of ours kept from being handled."""
    rows = ask_daemon(config, "quarantine")
    tell_rows(rows, as_json=json, shown=_quarantined, none="No letter is in quarantine.")


@app.command("queue")
def queue(every: Every = False, json: Json = False, config: Config = None) -> None:
    """List the letters of ours that could not be delivered so far, and why; or all that wait."""
    rows = ask_daemon(config, "queue", every=every)
    none = "Every letter has gone out, or is about to."
    tell_rows(rows, as_json=json, shown=_queued, none=none)


@app.command("show")
def show(
    number: Annotated[int, _number("queue")],
    quarantine: Quarantine = False,
    queue: Queue = False,
    json: Json = False,
    config: Config = None,
) -> None:
    """Show a letter of the queue or of the quarantine, with its text."""
    what = _what(quarantine=quarantine, queue=queue)
    tell(ask_daemon(config, "letter", number=number, what=what), as_json=json, lines=_shown)


@app.command("retry")
def retry(
    number: Annotated[int, _number("quarantine")],
    quarantine: Quarantine = False,
    queue: Queue = False,
    config: Config = None,
) -> None:
    """Handle a letter from the quarantine again; else try one of the queue again, held ones too."""
    what = _what(quarantine=quarantine, queue=queue)
    done = ask_daemon(config, "retry", number=number, what=what)
    typer.echo(f"Letter {number}: {done['event']}.")


@app.command("hold")
def hold(number: Annotated[int, _number("queue --all")], config: Config = None) -> None:
    """Keep a letter of the queue back, until it is tried again by `mail retry`."""
    ask_daemon(config, "hold", number=number)
    typer.echo(f"Letter {number} waits for: godaemon mail retry --queue {number}")


@app.command("drop")
def drop(
    number: Annotated[int, _number("queue")],
    quarantine: Quarantine = False,
    queue: Queue = False,
    config: Config = None,
) -> None:
    """Delete a letter of the queue or of the quarantine; nobody is told."""
    what = _what(quarantine=quarantine, queue=queue)
    done = ask_daemon(config, "drop", number=number, what=what)
    typer.echo(f"Letter {number} of the {_PLACES[done['dropped']]} is gone.")


@app.command("explain")
def explain(
    file: Annotated[
        typer.FileBinaryRead,
        typer.Argument(metavar="FILE", help="The letter; - is standard input."),
    ],
    sender: Annotated[
        str | None, typer.Option("--from", metavar="ADDRESS", help="Its envelope's sender.")
    ] = None,
    to: Annotated[
        str | None, typer.Option("--to", metavar="ADDRESS", help="Its envelope's recipient.")
    ] = None,
    json: Json = False,
    config: Config = None,
) -> None:
    """Tell what a letter would do if it came now, and why; nothing is changed."""
    raw = base64.b64encode(whole(file)).decode()
    said = ask_daemon(config, "explain", raw=raw, sender=sender, to=to)
    tell(said, as_json=json, lines=_explained)


@app.command("bounces")
def bounces(json: Json = False, config: Config = None) -> None:
    """List the addresses from which letters came back, and those that are suspended for it."""
    rows = ask_daemon(config, "mailboxes")
    tell_rows(rows, as_json=json, shown=_bounced, none="No letter has come back.")


@app.command("revive")
def revive(
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="As the list has it.")],
    config: Config = None,
) -> None:
    """Let letters go to a suspended address again; those that were owed go out at once."""
    done = ask_daemon(config, "revive", address=address)
    state = "Letters go" if done["revived"] else "Nothing was stopped; what came back is forgotten"
    typer.echo(f"{state} to {address} again." if done["revived"] else f"{state}.")


def _quarantined(row: Row) -> str:
    came = f"{relative(row['at'])}, from {row['from'] or '<>'} to {row['to']}"
    fault = row["fault"].strip().rpartition("\n")[2]
    return f"{row['id']:>5}  {came}\n       {fault}"


def _queued(row: Row) -> str:
    tries = "1 try" if row["attempts"] == 1 else f"{row['attempts']} tries"
    when = "being tried now" if row["lease"] else f"next {relative(row['due_at'])}"
    again = f", {when}" if row["status"] == "waiting" else ""
    where = f"{row['kind']} to {row['recipient']}"
    why = f"\n       {row['last_error']}" if row["last_error"] else ""
    return f"{row['id']:>5}  {row['status']}  {where}, {tries}{again}{why}"


def _shown(row: Row) -> Iterator[str]:
    letter = row.pop("letter")
    yield from (f"{name}: {value}" for name, value in row.items() if value is not None)
    yield ""
    yield letter.replace("\r\n", "\n") if letter is not None else "It is not written yet."


def _explained(said: Row) -> Iterator[str]:
    assumed = " (its fields name no address of ours)" if said["assumed"] else ""
    yield f"From {said['from'] or '<>'} to {said['to']}{assumed}"
    yield from (f"> {line}" for line in said["read"])
    yield "Understood: " + ("; ".join(said["commands"]) or "no command")
    about = f", game {said['game']}" if said["game"] else ""
    about += f", {said['seat']}" if said["seat"] else ""
    yield f"It would be: {said['result']}{about}"
    if said["why"] and said["result"] != "accepted":
        yield f"Why: {said['why'].strip()}"
    for one in said["emails"]:
        yield f"An email would go to {one['to']}: {one['kind']}"
    if said["repeated"]:
        yield "But it was here before: nothing would happen now."


def _bounced(row: Row) -> str:
    state = f"suspended {relative(row['suspended'])}" if row["suspended"] else "written to"
    score = f"score {row['score']}, {relative(row['at'])}"
    return f"{row['address']}  {state}  {score}\n       {row['error']}"
