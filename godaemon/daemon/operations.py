"""The operator's requests about games, emails and keys; the answers are JSON.

Each query is a function of one transaction; without a daemon the command line calls it directly.
`Operations` answers the requests at a running daemon's control socket (`godaemon.control`). The
operator reads the sentences of errors from other rooms.
"""

import asyncio
import base64
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import partial
from typing import Any

import structlog

from godaemon.daemon.core import Core
from godaemon.daemon.health import examine
from godaemon.errors import NotAllowed, Unknown
from godaemon.games import bouncing_addresses, events
from godaemon.games.events import LogEntry
from godaemon.games.forgetting import begin_forgetting
from godaemon.games.running_clocks import give_back_pause
from godaemon.games.service import GameService
from godaemon.games.service_calls import Caller
from godaemon.games.state import game_at_move, replay
from godaemon.games.stored_values import HELD_BY_OPERATOR, Unit
from godaemon.games.views import game_record, iso, snapshot, summary_values
from godaemon.records.sgf import format_sgf
from godaemon.storage.identity import sign_with
from godaemon.storage.several_daemons import require_only_daemon
from mailgate.address import clean_quote, parse_address
from mailgate.delivery.outbox_worker import OutboxWorker
from mailgate.handling.intake import Intake, rehearse
from mailgate.letters.compose import Composer
from mailgate.reading.inbound_letter import InboundLetter
from mailgate.receiving.envelopes import is_postmaster, normalize_line_ends, read_envelope
from mailgate.tokens import is_ours

PAGE = 200
"""The number of games listed in one transaction, which blocks all writers."""

_log = structlog.get_logger("godaemon")


def games(unit: Unit, before: int | None = None, limit: int | None = None) -> list[dict[str, Any]]:
    """The newest games below number `before`, at most `limit`."""
    return [summary_values(summary) for summary in unit.games.page(before, limit)]


def show(unit: Unit, number: int, move: int | None = None) -> dict[str, Any]:
    """One game, now or after a move; raises `Unknown`."""
    log = _log_of(unit, number)
    game = replay(number, log)
    if move is None:
        return snapshot(game)
    GameService.check_move(game, move)
    return snapshot(game_at_move(number, [entry.event for entry in log], move))


def _log_of(unit: Unit, number: int) -> Sequence[LogEntry]:
    if not (log := unit.games.log(number)):
        raise Unknown(f"There is no game {number} any more.")
    return log


def sgf(unit: Unit, number: int) -> str:
    """One game's record as SGF; raises `Unknown`."""
    log = _log_of(unit, number)
    days = dict.fromkeys(entry.at.date().isoformat() for entry in (log[0], log[-1]))
    return format_sgf(game_record(replay(number, log), date=",".join(days)))


def boards(unit: Unit) -> list[dict[str, Any]]:
    """The free boards, the most recently used first."""
    return [_json_values(row._asdict()) for row in unit.boards.all()]


def board(unit: Unit, number: int) -> str:
    """One free board as SGF; raises `Unknown`."""
    return unit.boards.sgf(number)


def quarantine(unit: Unit) -> list[dict[str, Any]]:
    """All emails in quarantine, the oldest first."""
    return [
        {
            "id": kept.id,
            "at": iso(kept.at),
            "from": kept.letter.sender,
            "to": kept.letter.recipient,
            "fault": kept.fault,
        }
        for kept in unit.inbox.quarantined_letters()
    ]


def queue(unit: Unit, *, every: bool = False) -> list[dict[str, Any]]:
    """The unsent emails with an error, or all unsent ones (`every`)."""
    rows = []
    for troubled in unit.outbox.troubled_notices(every=every):
        aside = troubled.status == "undeliverable" and troubled.last_error == HELD_BY_OPERATOR
        status = "held" if aside else troubled.status
        rows.append({**_json_values(troubled._asdict()), "status": status})
    return rows


def letter(unit: Unit, number: int, what: str | None = None) -> dict[str, Any]:
    """A quarantined or queued email; its text is None before it is composed."""
    if _find_place(unit, number, what) == "letter":
        (kept,) = (one for one in unit.inbox.quarantined_letters() if one.id == number)
        (row,) = (one for one in quarantine(unit) if one["id"] == number)
        return {**row, "letter": kept.letter.raw.decode("utf-8", "replace")}
    (row,) = (one for one in queue(unit, every=True) if one["id"] == number)
    raw = unit.outbox.letter(number)
    return {**row, "letter": None if raw is None else raw.decode("utf-8", "replace")}


def _find_place(unit: Unit, number: int, what: str | None) -> str:
    """Return "letter" for the quarantine or "notice" for the queue; raises a `Refusal`."""
    kept = any(one.id == number for one in unit.inbox.quarantined_letters())
    if what is None and kept:
        with suppress(Unknown):
            unit.outbox.letter(number)
            raise NotAllowed(
                f"There is an email {number} in quarantine, and another in the queue: say which, by"
                " --quarantine or --queue."
            )
    if (what or "letter") == "letter" and kept:
        return "letter"
    if what == "letter":
        raise Unknown(f"There is no email {number} in quarantine.")
    unit.outbox.letter(number)
    return "notice"


def log(unit: Unit, number: int) -> list[dict[str, Any]]:
    """The log of a game, without private values; raises `Unknown`."""
    return [
        {
            "number": at,
            "at": iso(entry.at),
            "event": events.name(entry.event),
            "cause": entry.cause,
            "values": None
            if isinstance(entry.event, events.PRIVATE_EVENTS)
            else json.loads(events.encode(entry.event)),
        }
        for at, entry in enumerate(_log_of(unit, number))
    ]


def players(unit: Unit, after: str = "") -> list[dict[str, Any]]:
    """A page of players, by address, after address `after`."""
    found = []
    for address, games_, going, last in unit.games.owners(after, PAGE):
        box = unit.players.bouncing_address(address)
        row: dict[str, Any] = {"address": address, "name": unit.players.profile(address).name}
        row |= {"games": games_, "going": going, "suspended": bool(box and box.suspended)}
        found.append({**row, "last": iso(last)})
    return found


def mailboxes(unit: Unit) -> list[dict[str, Any]]:
    """The addresses with bounces, and their scores at the last bounce."""
    return [
        {**_json_values(asdict(box)), "score": round(box.score, 2)}
        for box in unit.players.bouncing_addresses()
    ]


def _json_values(row: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a row, with moments as text."""
    return {name: iso(one) if isinstance(one, datetime) else one for name, one in row.items()}


def counts(unit: Unit) -> dict[str, Any]:
    """The numbers of games, emails and addresses, by state."""
    return {
        "games": unit.games.phase_counts(),
        "letters": unit.outbox.status_counts(),
        "quarantine": unit.inbox.count_quarantined(),
        "suspended": unit.players.count_suspended(),
        "complaints": unit.players.count_suspended(bouncing_addresses.COMPLAINT),
    }


UNCOUNTED = dict.fromkeys(("games", "letters", "quarantine", "suspended", "complaints"))
"""The counts while the store cannot be read."""

QUERIES: Mapping[str, Callable[..., Any]] = {
    question.__name__: question
    for question in (
        *(games, show, sgf, log, players, boards, board, examine),
        *(quarantine, queue, letter, mailboxes),
    )
}
"""The queries of the store, by the names of the requests."""


@dataclass(frozen=True, slots=True)
class Operations:
    """The operator's requests to a running daemon."""

    core: Core
    intake: Intake
    outbox: OutboxWorker
    composer: Composer

    def requests(self) -> Mapping[str, Callable[..., Awaitable[Any]]]:
        """The functions that answer requests, by the names of these."""
        return {
            **{name: partial(self._ask, question) for name, question in QUERIES.items()},
            "games": partial(self._ask, partial(games, limit=PAGE)),
            "retry": self._retry,
            "hold": self._hold,
            "drop": self._drop,
            "explain": self._explain,
            "revive": self._revive,
            "rotate-key": self._rotate_key,
            "adjudicate": self._adjudicate,
            "unrate": self._unrate,
            "forget": self._forget,
            "pause": self._pause,
            "resume": self._resume,
        }

    async def _ask(self, question: Callable[..., Any], **arguments: Any) -> Any:  # noqa: ANN401 - JSON
        return await self.core.writer.run(lambda unit: question(unit, **arguments))

    async def _hold(self, number: int) -> dict[str, str]:
        await self._ask(lambda unit: unit.outbox.hold(number, self.core.clock.now()))
        send = f"godaemon mail retry --queue {number}"
        return {"sentence": f"Email {number} is held; to send it: {send}"}

    async def _drop(self, number: int, what: str | None = None) -> dict[str, str]:
        def _work(unit: Unit) -> str:
            if _find_place(unit, number, what) == "letter":
                unit.inbox.release_letter(number)
                return "quarantine"
            unit.outbox.drop(number)
            return "queue"

        return {"sentence": f"Email {number} was deleted from the {await self._ask(_work)}."}

    async def _explain(self, raw: str, sender: str | None, to: str | None) -> dict[str, Any]:
        """Dry run: what an email would do, and why."""
        content, addresses = base64.b64decode(raw), self.intake.dispatcher.addresses()
        if to is not None and is_postmaster(to, *addresses):
            raise Unknown(f"An email to {to} is only kept for the operator (250).")
        if to is not None and not is_ours(to, *addresses):
            raise Unknown(f"An email to {to} is rejected: it is not an address of ours (550).")
        # An email without an address of ours is handled as if it were addressed to us.
        to_us, envelope = f"To: {addresses[0]}\r\n".encode(), read_envelope(content, *addresses)
        found = envelope or read_envelope(to_us + content, *addresses)
        author, recipient = (found.sender, found.recipient) if found else ("", addresses[0])
        by = author if sender is None else sender
        inbound = InboundLetter(to or recipient, by, normalize_line_ends(content), trusted=True)
        done = await rehearse(
            self.core.writer, self.intake.dispatcher, inbound, self.core.clock.now()
        )
        outcome = done.outcome
        return {
            "from": inbound.sender,
            "to": inbound.recipient,
            "read": list(done.parsed.lines) if done.parsed else [],
            "commands": done.commands,
            "result": outcome.event,
            "game": outcome.game,
            "seat": outcome.seat,
            "why": done.reason,
            "emails": [{"kind": one.kind.value, "to": one.to} for one in done.notices],
            "repeated": done.repeated,
            "assumed": to is None and envelope is None,
        }

    async def _retry(self, number: int, what: str | None = None) -> dict[str, str]:
        """Handle a quarantined email again, or send a queued one, even if it is held."""
        if what is None:
            kept = await self._ask(lambda unit: unit.inbox.quarantined_letters())
            what = "letter" if any(one.id == number for one in kept) else "notice"
        if what == "letter":
            outcome = await self.intake.retry(number)
            return {"sentence": f"Email {number}: {outcome.event}."}
        now = self.core.clock.now()
        await self._ask(lambda unit: unit.outbox.revive(number, now))
        self.outbox.notify()
        return {"sentence": f"Email {number}: queued."}

    async def _adjudicate(self, number: int, result: str) -> dict[str, Any]:
        done = await self._ask(lambda unit: self.core.games(unit).adjudicate(number, result))
        _log.info("game.adjudicated", game=number, result=done.after.result)
        result = done.after.result
        return {"result": result, "sentence": f"Game {number} is over: {result}."}

    async def _unrate(self, number: int) -> dict[str, Any]:
        done = await self._ask(lambda unit: self.core.games(unit).unrate(number))
        _log.info("game.unrated", game=number)
        sentence = f"Game {number} no longer counts for ratings."
        return {"rated": done.after.spec.rated, "sentence": sentence}

    async def _forget(self, address: str) -> dict[str, str]:
        address = parse_address(address).address

        def _work(unit: Unit) -> tuple[int, bool]:
            games = self.core.games(unit)
            players, nonce = unit.players, games.randomness.nonce()
            played = bool(unit.games.summaries(address, limit=1))
            number = players.begin_transfer(None, address, "", nonce, games.now)
            waiting = players.transfer(number)
            return begin_forgetting(games, waiting, Caller("operator")) if waiting else 0, played

        ended, played = await self._ask(_work)
        self.outbox.notify()
        _log.info("player.leaving", count=ended)
        sentence = (
            f"{address} has no game here; is it misspelt? Other data of this address are deleted"
            " soon."
        )
        if played:
            open_games = f"{ended} open game{'' if ended == 1 else 's'}"
            sentence = (
                f"{address} is being forgotten; {open_games} ended. Their data are deleted once the"
                " last emails are sent, within a day. Backups still have them."
            )
        return {"sentence": sentence}

    async def _pause(self, reason: str) -> dict[str, str]:
        pause = self.core.seen.pause(
            self.core.clock.now(), clean_quote(reason, 200).replace("`", "'")
        )
        _log.info("clock.paused", until=iso(pause.end))
        return {
            "sentence": "The clocks of all games are stopped. Emails say so, and nobody gets"
            " reminders or loses on time. The clocks start again by `godaemon resume`, or at"
            f" {_local_time(pause.end)}."
        }

    async def _resume(self) -> dict[str, str]:

        def _work(unit: Unit, before: int | None) -> int | None:
            return give_back_pause(self.core.games(unit), before)

        pause, place = self.core.seen.resume(self.core.clock.now()), None
        while place := await self._ask(_work, before=place):
            pass
        _log.info("clock.resumed", since=iso(pause.begin))
        begin = _local_time(pause.begin)
        return {
            "sentence": f"The clocks of all games run again. The time since {begin} does not count."
        }

    async def _revive(self, address: str) -> dict[str, str]:

        def _work(unit: Unit) -> bool:
            if unit.players.bouncing_address(address) is None:
                raise Unknown(
                    f"No email to {address} has bounced, or its bounces are already forgotten."
                )
            return bouncing_addresses.clear_address(self.core.games(unit), address)

        revived = await self._ask(_work)
        self.outbox.notify()
        forgotten = "The address was not suspended; its bounces are forgotten."
        return {"sentence": f"Emails go to {address} again." if revived else forgotten}

    async def _rotate_key(self) -> dict[str, Any]:
        before = self.core.keys.signing
        await self._ask(lambda unit: require_only_daemon(unit.connection))
        await asyncio.to_thread(self.core.keys.rotate)
        await self._ask(lambda unit: sign_with(unit.connection, before, self.core.keys.signing))
        self.composer.key = self.core.keys.signing
        days = self.core.keys.grace().days
        _log.info("key.rotated", grace_days=days)
        return {"days": days}


def _local_time(moment: datetime) -> str:
    """A moment in the time zone of this machine: `2026-11-22 20:15 CET`."""
    return f"{moment.astimezone():%Y-%m-%d %H:%M %Z}"
