"""The reader's deadlines as entries of a calendar (RFC 5545, RFC 5546 3.2.1). Cannot fail.

The icalendar package would bring two more, only for folding and escaping. A game has one entry for
each player: each email replaces it, and the email after the player's move cancels it.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from godaemon.games import events as ev
from godaemon.games.notices import Kind
from godaemon.texts.catalogue import say
from mailgate.letters.headers import thread_root
from mailgate.letters.letter_view import LetterView
from mailgate.letters.time_phrases import deadline

CALENDAR = 'text/calendar; method=PUBLISH; charset="utf-8"'
_TURN_KEEPING_EVENTS = (*ev.QUIET_EVENTS, ev.Said, ev.Started)
"""Events that do not end a turn."""
_ALARM = timedelta(days=1)
"""The time from the alarm to the deadline; at most half of the time left."""


def calendar(view: LetterView, address: str) -> bytes:
    """The entries for a letter's games, with `address` as organizer; empty if there are none."""
    games = [view] if view.maybe_game else []
    if view.notice.kind is Kind.GAMES:
        games = [view.with_game(*one) for one in view.data.waiting]
    entries = [line for one in games for line in _entry(one, address)]
    head = ("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//godaemon//godaemon//EN", "METHOD:PUBLISH")
    lines = (*head, *entries, "END:VCALENDAR") if entries else ()
    return "".join(map(_fold_line, lines)).encode()


def _entry(view: LetterView, address: str) -> Iterator[str]:
    """A game's deadline; or its cancellation, if the letter's events ended the turn."""
    game, now, until = view.game, view.data.queued_at, deadline(view)
    ended = any(not isinstance(event, _TURN_KEEPING_EVENTS) for event in view.data.events)
    if game.clock is None or view.color is None or view.data.paused or not (until or ended):
        return
    yield "BEGIN:VEVENT"
    yield f"UID:{view.color.word}.{thread_root(game, 'godaemon')[1:-1]}"  # for all our addresses
    yield f"SEQUENCE:{game.length}"
    yield f"DTSTAMP:{_utc(now)}"
    yield f"DTSTART:{_utc(until or now)}"
    yield "DURATION:PT15M"
    yield "TRANSP:TRANSPARENT"
    yield f"ORGANIZER:mailto:{address}"
    summary = _escape(say("calendar-entry", game=game.id, who=view.other))
    yield f"SUMMARY:{summary}"
    yield f"STATUS:{'CONFIRMED' if until else 'CANCELLED'}"
    if until:
        minutes = min(_ALARM, (until - now) / 2) // timedelta(minutes=1)
        yield from ("BEGIN:VALARM", "ACTION:DISPLAY", f"DESCRIPTION:{summary}")
        yield from (f"TRIGGER:-PT{minutes}M", "END:VALARM")
    yield "END:VEVENT"


def _utc(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _escape(words: str) -> str:
    """Words of one line as a value (3.3.11)."""
    return re.sub(r"([\\;,])", r"\\\1", words)


def _fold_line(line: str) -> str:
    """A line in pieces of at most 75 octets, none of which breaks a character (3.1)."""
    pieces = [""]
    for character in line:
        if len(f"{pieces[-1]}{character}".encode()) > 74:
            pieces.append("")
        pieces[-1] += character
    return "\r\n ".join(pieces) + "\r\n"
