"""The letters about mailboxes and what we keep: out of reach, moving, forgotten, exported. Pure."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from godaemon.games import events as ev
from godaemon.games.model import Game, Phase
from godaemon.games.state import replay
from godaemon.games.views import record
from godaemon.records import sgf
from godaemon.rules.points import Color
from godaemon.texts.catalogue import say
from mailgate.address import shown_address
from mailgate.letters.blocks import Choices, LetterBlocks, Words
from mailgate.letters.letter_data import LetterData
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import called
from mailgate.letters.shared_blocks import board


def unreachable(view: LetterView) -> LetterBlocks:
    """Letters to the other player come back."""
    game = view.game
    if game.phase is Phase.PROPOSED:
        who = view.other if game.spec.named else shown_address(game.spec.invited.address)
        first = say("came-back", game=game.id, who=who)
        back = Choices((("withdraw", say("withdraw")),))
        return LetterBlocks(first, (Words(say("came-back-typo")), back))
    waits = Words(say("unreachable-waits", game=game.id, who=view.other))
    first = say("unreachable", who=view.other)
    return LetterBlocks(first, (waits, *board(view, clicks=False)))


def blocked(view: LetterView) -> LetterBlocks:
    """By whom the reader will not be invited, from now on."""
    about = view.about
    everybody, whom = bool(about.get("everybody")), about.get("whom", "")
    who, what = ("", "all") if everybody else (whom or view.other, whom)
    end = "all" if everybody else "one"
    if not about.get("on"):
        again = Choices(((f"block {what}".strip(), say("block-again")),))
        return LetterBlocks(say(f"unblocked-{end}", who=who), (again,))
    declined = view.maybe_game if about.get("declined") else None
    told = [say("blocked-declined", game=declined.id, who=view.other)] if declined else []
    words = Words(" ".join([*told, say("games-go-on")]))
    undo = Choices(((f"unblock {what}".strip(), say("unblock")),))
    return LetterBlocks(say(f"blocked-{end}", who=who), (words, undo))


def moving(view: LetterView) -> LetterBlocks:
    """Whether a seat, or all of a player's, shall move to another address; or that it has."""
    about = view.about
    old, new = (shown_address(about.get(end, "")) for end in ("old", "new"))
    many = "all" if about.get("all") else "one"
    values = {"game": about.get("number"), "old": old, "new": new}
    if about.get("done"):
        return LetterBlocks(say(f"moved-{many}", **values), (Words(say("moved-then")),))
    if about.get("kept"):
        return LetterBlocks(say(f"not-moved-{many}", **values), ())
    end, other = ("from", new) if about.get("end") == "o" else ("to", old)
    answers = Choices((("yes", say("yes-move")), ("no", say("no-change"))))
    both = Words(say("move-asked-both", other=other))
    return LetterBlocks(say(f"move-{end}-{many}", **values), (answers, both))


def forget(view: LetterView) -> LetterBlocks:
    """Whether all that we have of the reader shall go, and what that comes to; or goodbye."""
    address, games = shown_address(view.about.get("address", "")), view.about.get("open", 0)
    if view.about.get("kept"):
        return LetterBlocks(say("not-forgotten"), ())
    if view.about.get("done"):
        ended = [say("forget-ended", count=games)] if games else []
        goodbye = Words(" ".join([*ended, say("forget-goodbye")]))
        return LetterBlocks(say("forget-done", address=address), (goodbye,))
    answers = Choices((("yes", say("yes-forget")), ("no", say("no-change"))))
    ends = [say("forget-games", count=games)] if games else []
    goes = Words(" ".join([*ends, say("forget-what")]))
    stays = Words(f"{say('forget-not')} {say('not-you')}")
    return LetterBlocks(say("forget-ask", address=address), (answers, goes, stays))


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
