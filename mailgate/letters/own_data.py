"""The letter with all that its reader has here: games as SGF and as JSON, and settings. Pure.

Of the other players it has what the games' letters told: names, moves, words; no address of theirs.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from godaemon.games import events as ev
from godaemon.games.model import Game
from godaemon.games.state import replay
from godaemon.games.views import record
from godaemon.records import sgf
from godaemon.rules.points import Color
from godaemon.texts.catalogue import say
from mailgate.letters.blocks import LetterBlocks, Words
from mailgate.letters.letter_data import LetterData
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import called

_TOLD = (
    *(ev.Started, ev.Placed, ev.Moved, ev.Passed, ev.Undone, ev.Marked, ev.Agreed, ev.Resumed),
    *(ev.Voided, ev.Opened, ev.Resigned, ev.Finished, ev.Said),
    *(ev.Declined, ev.Withdrawn, ev.Expired),
    ev.Estimated,
)
"""What both players of a game know of it."""

_KEPT = ("settings", "settings_by_game", "blocks", "rating", "watched")
"""What is kept of its reader beside their games."""


def export(view: LetterView) -> LetterBlocks:
    """What is attached, and what it is good for."""
    first = say("export-attached", count=len(view.data.logs))
    return LetterBlocks(first, (Words(say("export-files")),))


def files(data: LetterData) -> tuple[tuple[str, bytes, str], ...]:
    """The files of the letter: name, content and media type of each."""
    games = [replay(number, log) for number, log in data.logs]
    played = [game for game in games if game.black is not None]
    records = "\n".join(sgf.write(record(game, reader=_reader(game, data))) for game in played)
    told = {
        "address": data.notice.to,
        **{name: data.notice.about.get(name, {}) for name in _KEPT},
        "games": [_game(game, log, data) for game, (_, log) in zip(games, data.logs, strict=True)],
    }
    written = json.dumps(told, ensure_ascii=False, indent=1)
    return (
        ("games.sgf", records.encode(), "application/x-go-sgf"),
        ("games.json", written.encode(), "application/json"),
    )


def _reader(game: Game, data: LetterData) -> Color | None:
    """The colour in whose record their own notes stand."""
    return next((game.color_of(seat) for seat in game.seats_of(data.notice.to)), None)


def _game(game: Game, log: tuple[ev.LogEntry, ...], data: LetterData) -> dict[str, Any]:
    spec, seats = game.spec, game.seats_of(data.notice.to)
    mine, sides = [seat.word for seat in seats], [game.side(seat).word for seat in seats]
    return {
        "number": game.id,
        "phase": game.phase.value,
        "result": game.result,
        "you": mine,
        "players": {seat.word: called(game.player(seat)) for seat in game.seats},
        "size": str(spec.size),
        "rules": spec.rules,
        "komi": spec.komi,
        "handicap": spec.handicap,
        "rated": spec.rated,
        "time": str(spec.time or ""),
        "estimates": spec.estimable,
        "words": spec.words if "proposer" in sides else "",
        "events": [
            {
                "at": entry.at.isoformat(),
                "event": ev.name(entry.event),
                **json.loads(ev.encode(_without_former(entry.event))),
            }
            for entry in log
            if isinstance(entry.event, _TOLD) or _own(entry.event, mine, sides)
        ],
    }


def _without_former(event: ev.Event) -> ev.Event:
    return replace(event, former=()) if isinstance(event, ev.Started) else event


def _own(event: ev.Event, colors: list[str], sides: list[str]) -> bool:
    """What nobody else knows: plans and notes, when they were away, their other addresses."""
    match event:
        case ev.Planned() | ev.Noted():
            return event.color in colors
        case ev.Paused():
            return event.to in colors
        case ev.Recognised() | ev.Transferred():
            return event.side in sides
    return False
