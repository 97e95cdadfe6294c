"""Requests of those who watch games of others: which there are, to watch one, or not any more.

Each function looks at what is asked, raises a `Refusal`, or gives back what writes it down. Who
only says who they are is sent the list, and a reply to that shows it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from godaemon.errors import NotAllowed, Refusal
from godaemon.games import commands as cmd
from godaemon.games.answer_addresses import answer_from
from godaemon.games.email_settings import in_force
from godaemon.games.model import GOING
from godaemon.games.notices import Kind
from godaemon.games.spectators import check_watching, open_games, watch
from mailgate.handling.answer_limits import OLD_LETTERS
from mailgate.handling.context import Answer, LetterContext
from mailgate.handling.sureness import Sure
from mailgate.language.consent import read_consent
from mailgate.language.parser import ParsedText

LISTED = 30
"""How many games one list shows, the newest ones."""


def prepare(context: LetterContext, asked: cmd.Watch | cmd.Unwatch, *_: object) -> Answer:
    """What will be done; for who has yet to show that it is they, the list to answer."""
    if isinstance(asked, cmd.Watch) and asked.player:
        return _of_player(context, asked.player)
    ends = isinstance(asked, cmd.Unwatch)
    if context.sure < Sure.VOUCHED or (asked.game is None and not ends):
        line = "" if asked == cmd.Watch() else _line(asked)
        return partial(_list, context, {"wanted": line} if line else {})
    if isinstance(asked, cmd.Unwatch):
        return partial(_unwatch, context, asked.game)
    check_watching(context.unit, asked.game or 0, context.sender)
    if context.limits.too_many(context.sender, (Kind.WATCH,), most=OLD_LETTERS, by=context.by):
        raise NotAllowed("You have asked for games to watch often today; please wait a day.")
    return partial(_watch, context, asked.game or 0, daily=asked.daily)


def _of_player(context: LetterContext, name: str) -> Answer:
    """Watch the one public game of whoever is called so; or the list, where it is not one."""
    if context.sure < Sure.VOUCHED:
        return partial(_list, context, {})
    said = name.casefold().split()
    rows = [
        row.id
        for row in open_games(context.unit, context.sender)
        for player in (row.black_name, row.white_name)
        if player.casefold().split()[: len(said)] == said
    ]
    if len(rows) == 1:
        return prepare(context, cmd.Watch(rows[0]))
    news = "Players of that name are in several games." if rows else "Nobody of that name plays."
    return partial(_list, context, {"news": news})


def _line(asked: cmd.Watch | cmd.Unwatch) -> str:
    """A request as one writes it."""
    verb = "unwatch" if isinstance(asked, cmd.Unwatch) else "watch"
    daily = " daily" if isinstance(asked, cmd.Watch) and asked.daily else ""
    return f"{verb} {asked.game or ''}{daily}".strip()


def _list(context: LetterContext, more: dict[str, object]) -> None:
    """What the sender may watch, and what they watch; a stranger is told no names."""
    rows = open_games(context.unit, context.sender)[:LISTED]
    games = [game for row in rows if (game := context.games.readable(row.id)) is not None]
    about: dict[str, object] = {
        "open": [{"game": game.id, "length": game.length} for game in games],
        "watched": [one.game for one in context.unit.watchers.of_person(context.sender)],
        "named": context.sure >= Sure.VOUCHED or not context.limits.is_stranger(context.sender),
        **more,
    }
    context.owe(Kind.PUBLIC_GAMES, about=about)


def _watch(context: LetterContext, number: int, *, daily: bool | None) -> None:
    game = context.games.game(number)
    watch(context.unit, game, context.sender, context.now, daily=daily)
    answer_from(context.unit, context.sender, context.ours, number)
    levels = (cmd.EmailLevel.DAILY, cmd.EmailLevel.MY_TURN)
    by_day = in_force(context.unit, context.sender, number).emails in levels
    about: dict[str, object] = {"begins": True, "daily": by_day}
    context.owe(Kind.WATCH, watched=game, about=about)


def _unwatch(context: LetterContext, number: int | None) -> None:
    context.unit.watchers.end(context.sender, number)
    _list(context, {"ended": number or 0})


def about_watched(context: LetterContext, number: int) -> ParsedText:
    """What a reply to a letter of a watched game asks; raises for what only its players may.

    A word about emails is about those of this game, unless it says `everywhere`.
    """
    text = context.parsed.text
    commands = text.commands if text else ()
    asked = [replace(one, command=_here(one.command, number)) for one in commands]
    if not asked or any(isinstance(one.command, cmd.Action | cmd.Send) for one in asked):
        raise players_only(number)
    return ParsedText(tuple(asked), "")


def players_only(number: int) -> NotAllowed:
    """For whoever would have a word in a game that they watch."""
    return NotAllowed(
        f"You watch game {number}: only its players may move in it, and write to each other. Their"
        " words, notes and plans, and who is ahead, are nothing that I tell; nor do I tell them"
        " who watches. Nothing was passed on, and nobody was told."
    )


def _here(command: cmd.Command, number: int) -> cmd.Command:
    """A command as it is meant by who watches a game."""
    match command:
        case cmd.Emails(cmd.EmailLevel.NONE, False) | cmd.Stop(False) | cmd.Unwatch(None):
            return cmd.Unwatch(number)
        case cmd.Emails(level, False):
            return cmd.Watch(number, daily=level is not cmd.EmailLevel.ALL)
        case cmd.Show(None, None):
            return cmd.Watch(number)
    return command


def spoken(context: LetterContext, lines: Sequence[str], listed: Sequence[int]) -> Sequence[str]:
    """An answer to the list of games to watch, in the words that it offers.

    A yes to a list of one game watches that; and who only watches ends no more than that.
    """
    commands = context.parsed.commands
    stops = [one.command for one in commands] == [cmd.Stop()]
    if stops and not context.unit.games.summaries(context.sender, GOING, most=1):
        return ["unwatch"]
    return [f"watch {listed[0]}"] if len(listed) == 1 and read_consent(lines) else lines


def say_why(context: LetterContext, refusal: Refusal) -> None:
    """Tell who watches why nothing was done, in a letter whose replies work."""
    _list(context, {"news": refusal.public})
