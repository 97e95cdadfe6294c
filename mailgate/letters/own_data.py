"""The letter with all that its reader has here: games as SGF and as JSON, and settings. Pure.

Of the other players it has what the games' letters told: names, moves, words; no address of theirs.
"""

from __future__ import annotations

import json
from typing import Any

from godaemon.games import events as ev
from godaemon.games.model import Game
from godaemon.games.state import replay
from godaemon.games.views import record
from godaemon.records import sgf
from godaemon.rules.points import Color
from mailgate.letters.blocks import LetterBlocks, Words
from mailgate.letters.letter_data import LetterData
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import called, plural

_TOLD = (
    *(ev.Started, ev.Placed, ev.Moved, ev.Passed, ev.Undone, ev.Marked, ev.Agreed, ev.Resumed),
    *(ev.Voided, ev.Resigned, ev.Finished, ev.Said, ev.Declined, ev.Withdrawn, ev.Expired),
)
"""What both players of a game know of it."""


def export(view: LetterView) -> LetterBlocks:
    """What is attached, and what it is good for."""
    games = plural(len(view.data.logs), "game")
    words = (
        "games.sgf has the records of all of them, for any Go program; games.json has them with the"
        " moment of each move, what was said, and your settings, for programs of your own."
    )
    return LetterBlocks(f"All that you have here is attached: {games}.", (Words(words),))


def files(data: LetterData) -> tuple[tuple[str, bytes, str], ...]:
    """The files of the letter: name, content and media type of each."""
    games = [replay(number, log) for number, log in data.logs]
    played = [game for game in games if game.black is not None]
    records = "\n".join(sgf.write(record(game, reader=_reader(game, data))) for game in played)
    told = {
        "address": data.notice.to,
        "settings": data.notice.about.get("settings", {}),
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
    spec, mine = game.spec, [seat.word for seat in game.seats_of(data.notice.to)]
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
        "time": str(spec.time or ""),
        "events": [
            {
                "at": entry.at.isoformat(),
                "event": ev.name(entry.event),
                **json.loads(ev.encode(entry.event)),
            }
            for entry in log
            if isinstance(entry.event, _TOLD) or _own_plan(entry.event, mine)
        ],
    }


def _own_plan(event: ev.Event, mine: list[str]) -> bool:
    return isinstance(event, ev.PRIVATE) and getattr(event, "color", None) in mine
