"""`godaemon mail`, for emails in the queue or in quarantine; `godaemon send`."""

import base64
from collections.abc import Iterator
from functools import partial
from typing import Any

from godaemon.cli.common import Row, ask_daemon, load_settings, print_rows, print_value, read_whole
from godaemon.cli.games import next_time, relative_time
from godaemon.config.config_file import File


def quarantine(json: bool, config: File | None) -> None:
    rows = ask_daemon(config, "quarantine")
    print_rows(rows, _quarantine_line, json=json, none="No email is in quarantine.")


def queue(every: bool, json: bool, config: File | None) -> None:
    rows = ask_daemon(config, "queue", every=every)
    print_rows(rows, _queue_line, json=json, none="Every email was sent, or soon will be.")


def show(number: int, what: str | None, json: bool, config: File | None) -> None:
    print_value(ask_daemon(config, "letter", number=number, what=what), _email_lines, json=json)


def explain(
    *, file: str, sender: str | None, to: str | None, json: bool, config: File | None
) -> None:
    raw = base64.b64encode(read_whole(file)).decode()
    info = ask_daemon(config, "explain", raw=raw, sender=sender, to=to)
    print_value(info, _explanation_lines, json=json)


def bounces(json: bool, config: File | None) -> None:
    rows = ask_daemon(config, "mailboxes")
    print_rows(rows, _bounce_line, json=json, none="No email has bounced.")


def send(
    address: str, lines: list[str], reply: bool, attach: str | None, json: bool, config: File | None
) -> None:
    from godaemon.cli.maildir_client import MaildirClient, letter_values
    from mailgate.address import parse_address

    ask_daemon(config, "status")  # raises `NotRunning` without a daemon
    settings = load_settings(config)
    player = parse_address(address).address
    text = "\n".join(lines)
    client, record = MaildirClient(settings), read_whole(attach) if attach else b""
    if settings.mail.outgoing.maildir is None and not reply:
        answer: dict[str, Any] = {"to": client.send(address, text, record=record), "answers": None}
    else:
        answered = client.newest(player) if reply else None
        count = len(client.paths(player))
        to = client.send(address, text, answer=answered, record=record)
        client.wait_until_answered()
        answer = {"to": to, "answers": [*map(letter_values, client.paths(player)[count:])]}
    print_value(answer, partial(_answer_lines, player), json=json)


def _answer_lines(player: str, answer: Row) -> Iterator[str]:
    if answer["answers"] is None:
        yield f"Sent to {answer['to']}; the answer goes to {player}."
        return
    yield f"Sent to {answer['to']}."
    for letter in answer["answers"]:
        yield f"{player} reads: {letter['text']}"
    if not answer["answers"]:
        yield f"{player} got no answer."


def _quarantine_line(row: Row) -> str:
    origin = f"{relative_time(row['at'])}, from {row['from'] or '<>'} to {row['to']}"
    fault = row["fault"].strip().rpartition("\n")[2]
    return f"{row['id']:>5}  {origin}\n       {fault}"


def _queue_line(row: Row) -> str:
    tries = "1 try" if row["attempts"] == 1 else f"{row['attempts']} tries"
    next_try = "being tried now" if row["lease"] else f"next {next_time(row['due_at'])}"
    next_text = f", {next_try}" if row["status"] == "waiting" else ""
    route = f"{row['kind']} to {row['recipient']}"
    error = f"\n       {row['last_error']}" if row["last_error"] else ""
    return f"{row['id']:>5}  {row['status']}  {route}, {tries}{next_text}{error}"


def _email_lines(row: Row) -> Iterator[str]:
    letter = row.pop("letter")
    yield from (f"{name}: {value}" for name, value in row.items() if value is not None)
    yield ""
    yield letter.replace("\r\n", "\n") if letter is not None else "It is not composed yet."


def _explanation_lines(info: Row) -> Iterator[str]:
    note = " (assumed: its headers have no address of ours)" if info["assumed"] else ""
    yield f"From {info['from'] or '<>'} to {info['to']}{note}"
    yield from (f"> {line}" for line in info["read"])
    yield "Understood: " + ("; ".join(info["commands"]) or "no command")
    details = f", game {info['game']}" if info["game"] else ""
    details += f", {info['seat']}" if info["seat"] else ""
    yield f"Result: {info['result']}{details}"
    if info["why"]:
        yield f"Why: {info['why'].strip()}"
    for one in info["emails"]:
        yield f"Sends to {one['to']}: {one['kind']}"
    if info["repeated"]:
        yield "But it was handled before, so nothing would happen now."


def _bounce_line(row: Row) -> str:
    status = f"suspended {relative_time(row['suspended'])}" if row["suspended"] else "written to"
    score = f"score {row['score']}, {relative_time(row['at'])}"
    return f"{row['address']}  {status}  {score}\n       {row['error']}"
