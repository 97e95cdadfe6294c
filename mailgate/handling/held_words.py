"""Words that were held back from the opponent, until their sender says `send`.

They are kept in the notice that told their sender of it. Raises `Unreadable` alone.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime, timedelta

from godaemon.errors import Unreadable
from godaemon.games import commands as cmd
from godaemon.games.model import Game
from godaemon.games.notices import Kind
from mailgate.handling.context import LetterContext, by_old_letter
from mailgate.handling.seated import Seated
from mailgate.language.parser import ParsedText

OLD = "words are held for who answers the newest email"
"""The detail of that refusal."""
_KEPT = timedelta(days=30)
_JUST_NOW = timedelta(hours=12)
SAYS_MORE = (
    *(Kind.MOVED, Kind.SCORING_STARTED, Kind.RESUMED, Kind.UNDO, Kind.DONE, Kind.MARKS_CHANGED),
    *(Kind.IFS, Kind.NOTE),
)
"""Letters that say what was done, and what was not understood or is answered besides."""
_TOLD_IN = (Kind.REFUSED, Kind.HELP, *SAYS_MORE)


def held(words: str, game: Game, at: datetime) -> dict[str, object]:
    """What a notice keeps of words that are held back; nothing where they could not be sent."""
    if not words or game.black is None or any(game.player(seat).former for seat in game.seats):
        return {}
    return {"unsent": words, "of": game.id, "at": at.isoformat(), "move": game.move_number}


def with_held_words(context: LetterContext, text: ParsedText, at: Seated) -> ParsedText:
    """The same with the words that were held back last in place of `send`."""
    game = at.game
    if not any(isinstance(one.command, cmd.Send) for one in text.commands):
        return text
    words = _last(context, game, (context.by, by_old_letter(context.sender)))
    if not words and _last(context, game, (context.sender,)):
        raise Unreadable(
            "Your words are still here, but the email that you have answered is an old one. To send"
            " them, answer this one.",
            hints=("send",),
            detail=OLD,
        )
    color = at.color
    if color is not None and words:
        log = context.unit.games.log(game.id)
        words = "" if context.limits.said_before(log, color, words, exactly=True) else words
    if not words:
        raise Unreadable(
            "I hold none of your words back in this game. To pass words on, write them after say.",
            hints=("say good luck!",),
        )
    commands = tuple(
        replace(one, command=cmd.Say(words)) if isinstance(one.command, cmd.Send) else one
        for one in text.commands
    )
    return replace(text, commands=commands)


def _last(context: LetterContext, game: Game, by: Collection[str]) -> str:
    """The words that the answered letter tells of; else those that were held back last."""
    answered = context.sent(next(iter(context.letter.references), ""))
    if answered is not None and answered.by in by and answered.to == context.sender:
        about = answered.about
        if about.get("of") == game.id and about.get("unsent"):
            return str(about["unsent"])
    found = [
        about
        for kind in _TOLD_IN
        for one in by
        for about in context.unit.outbox.owed_about(
            kind, context.now - _KEPT, to=context.sender, by=one
        )
        if about.get("of") == game.id and about.get("unsent")
    ]
    if not found:
        return ""
    last = max(reversed(found), key=lambda about: str(about.get("at", "")))
    # A plan for one of the moves made since is not what is meant, unless it was held just now.
    recent = str(last.get("at", "")) > (context.now - _JUST_NOW).isoformat()
    near = game.move_number <= int(last.get("move", 0)) + 1
    return str(last["unsent"]) if near or recent else ""
