"""The letters about addresses and stored data: unreachable, moving, forgotten, exported."""

import json
from dataclasses import asdict, replace
from typing import Any

from godaemon.games import events as ev
from godaemon.games.model import Game, Phase
from godaemon.games.state import replay
from godaemon.games.views import game_record
from godaemon.records import sgf
from godaemon.texts.catalogue import say
from mailgate.address import display_address
from mailgate.letters.blocks import Choices, LetterBlocks, Words, join_sentences, words
from mailgate.letters.letter_data import LetterData
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import about_games, player_name
from mailgate.letters.shared_blocks import game_board


def unreachable(view: LetterView) -> LetterBlocks:
    spec = view.game.spec
    if view.game.phase is Phase.PROPOSED:
        who = view.other if spec.named else display_address(spec.invited.address)
        back = Choices.from_keys({"withdraw": "withdraw"})
        return LetterBlocks(view.say("came-back", who=who), (Words(say("came-back-typo")), back))
    waits = Words(view.say("unreachable-waits"))
    return LetterBlocks(view.say("unreachable"), (waits, *game_board(view, clicks=False)))


def blocked(view: LetterView) -> LetterBlocks:
    """Confirms that the reader has blocked or unblocked invitations."""
    about, name = view.about, view.about.get("whom", "")
    end, argument = ("all", "all") if about.get("everybody") else ("one", name)
    who = "" if end == "all" else name or view.other
    if not about.get("on"):
        back = Choices(((f"block {argument}".strip(), say("block-again")),))
        return LetterBlocks(say(f"unblocked-{end}", who=who), (back,))
    declined = view.maybe_game is not None and about.get("declined")
    told = view.say("blocked-declined") if declined else ""
    notes = Words(join_sentences(told, say("games-go-on")))
    undo = Choices(((f"unblock {argument}".strip(), say("unblock")),))
    return LetterBlocks(say(f"blocked-{end}", who=who), (notes, undo))


_MOVING = {"done": "moved", "kept": "not-moved", "waits": "move-waits"}
"""The first sentence of a letter that asks nothing, by what its notice tells."""


def moving(view: LetterView) -> LetterBlocks:
    """Asks whether seats may move to another address; or tells the outcome."""
    about = view.about
    old, new = (display_address(about.get(end, "")) for end in ("old", "new"))
    end, other = ("from", new) if about.get("end") == "o" else ("to", old)
    key = next((one for name, one in _MOVING.items() if about.get(name)), f"move-{end}")
    games = about_games(None if about.get("all") else about.get("number"))
    first = say(key, about=games, old=old, new=new, other=other)
    if key in _MOVING.values():
        return LetterBlocks(first, words(say("moved-then") if about.get("done") else ""))
    answers = Choices.from_keys({"yes": "yes-move", "no": "no-change"})
    return LetterBlocks(first, (answers, Words(say("move-asked-both", other=other))))


def forget(view: LetterView) -> LetterBlocks:
    """Asks whether to delete all data of the reader; or tells the outcome."""
    address, games = display_address(view.about.get("address", "")), view.about.get("open", 0)
    if view.about.get("kept"):
        return LetterBlocks(say("not-forgotten"), ())
    if view.about.get("done"):
        ended = say("forget-ended", count=games) if games else ""
        goodbye = Words(join_sentences(ended, say("forget-goodbye")))
        return LetterBlocks(say("forget-done", address=address), (goodbye,))
    answers = Choices.from_keys({"yes": "yes-forget", "no": "no-change"})
    goes = join_sentences(say("forget-games", count=games) if games else "", say("forget-what"))
    stays = join_sentences(say("forget-not"), say("not-you"))
    return LetterBlocks(say("forget-ask", address=address), (answers, Words(goes), Words(stays)))


_SHARED_EVENTS = (
    *(ev.Started, ev.Placed, ev.Moved, ev.Passed, ev.Undone, ev.Marked, ev.Agreed, ev.Resumed),
    *(ev.Voided, ev.Opened, ev.Resigned, ev.Finished, ev.Said),
    *(ev.Declined, ev.Withdrawn, ev.Expired),
    ev.Estimated,
)
"""Events that both players of a game know of."""
_READER_DATA = ("settings", "settings_by_game", "blocks", "rating", "watched")
"""The reader's data, besides their games."""


def export(view: LetterView) -> LetterBlocks:
    first = say("export-attached", count=len(view.data.logs))
    return LetterBlocks(first, (Words(say("export-files")),))


def export_files(data: LetterData) -> tuple[tuple[str, bytes, str], ...]:
    """The files of the letter: name, content and media type of each."""
    games = [(replay(number, log), log) for number, log in data.logs]
    records = "\n".join(_record(game, data) for game, _ in games if game.black is not None)
    kept = {name: data.notice.about.get(name, {}) for name in _READER_DATA}
    content = {
        "address": data.notice.to,
        **kept,
        "settings": asdict(data.reader) | kept["settings"],
        "games": [_game_data(game, log, data) for game, log in games],
    }
    written = json.dumps(content, ensure_ascii=False, indent=1, default=str)
    return (
        ("games.sgf", records.encode(), "application/x-go-sgf"),
        ("games.json", written.encode(), "application/json"),
    )


def _record(game: Game, data: LetterData) -> str:
    color = next((game.color_of(seat) for seat in game.seats_of(data.notice.to)), None)
    return sgf.format_sgf(game_record(game, reader=color))


def _game_data(game: Game, log: tuple[ev.LogEntry, ...], data: LetterData) -> dict[str, Any]:
    spec, seats = game.spec, game.seats_of(data.notice.to)
    colors, sides = [seat.word for seat in seats], [game.side(seat).word for seat in seats]
    return {
        "number": game.id,
        "phase": game.phase.value,
        "result": game.result,
        "you": colors,
        "players": {seat.word: player_name(game.player(seat)) for seat in game.seats},
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
                **json.loads(ev.encode(_hide_former_addresses(entry.event))),
            }
            for entry in log
            if isinstance(entry.event, _SHARED_EVENTS) or _is_own_event(entry.event, colors, sides)
        ],
    }


def _hide_former_addresses(event: ev.Event) -> ev.Event:
    return replace(event, former=()) if isinstance(event, ev.Started) else event


def _is_own_event(event: ev.Event, colors: list[str], sides: list[str]) -> bool:
    """True for an event that only the reader knows: plans, notes, absences, other addresses."""
    match event:
        case ev.Planned() | ev.Noted():
            return event.color in colors
        case ev.Paused():
            return event.to in colors
        case ev.Recognised() | ev.Transferred():
            return event.side in sides
    return False
