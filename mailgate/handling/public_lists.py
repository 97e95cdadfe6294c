"""Lists for everybody: open challenges, the list of players, and games of others to watch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from godaemon.errors import NotAllowed, Refusal
from godaemon.games import commands as cmd
from godaemon.games import ratings
from godaemon.games.email_settings import answer_from, in_force
from godaemon.games.model import GOING, Player, Seat
from godaemon.games.notices import Kind
from godaemon.games.people import person, wants_none
from godaemon.games.public_games import check_watching, is_own, open_games, open_to, watch, welcome
from godaemon.games.quotas import check_open_here
from godaemon.texts.catalogue import stored, told
from mailgate.handling.answer_limits import OLD_LETTERS
from mailgate.handling.context import Answer, LetterContext
from mailgate.handling.parsed_letter import asks
from mailgate.handling.seated import Seated, listing
from mailgate.handling.sureness import Sure
from mailgate.language.consent import read_consent
from mailgate.language.parser import ParsedText

MOST = 30  # how many challenges, or games to watch, one list shows, the newest ones
LISTED = 200  # how many players are listed


def list_open(context: LetterContext, **more: object) -> Answer:
    """The challenges that the sender may take, and their own; a stranger is told no names."""
    check_open_here(context.games.limits)
    rows = open_to(context.unit, context.sender)
    found = [(row, context.games.readable(row.id)) for row in rows[:MOST]]
    games = [(row, game) for row, game in found if game is not None]
    own = [Seated(game, Seat.PROPOSER) for row, game in games if is_own(row, context.sender)]
    rated = {str(game.id): _rating(context, game.spec.proposer.address) for _, game in games}
    about: dict[str, Any] = {
        "listed": listing(own, {}),
        "open": [{"game": game.id, "length": game.length} for _, game in games],
        "ratings": {number: rating for number, rating in rated.items() if rating},
        "named": not context.limits.is_stranger(context.sender),
        **more,
    }
    return partial(context.owe, Kind.CHALLENGES, **about)


def list_players(context: LetterContext) -> None:
    """Those who are on the list of players, but whom the sender has blocked or is blocked by."""
    players, named = context.unit.players, not context.limits.is_stranger(context.sender)
    found = [(one.address, one.name if named else "") for one in listed_players(context)]
    context.owe(
        Kind.PLAYERS,
        players=[[name, players.profile(a).line or "", _rating(context, a)] for a, name in found],
        on=players.profile(context.sender).listed is not None,
        rating=_rating(context, context.sender),
    )


def _rating(context: LetterContext, address: str) -> list[float]:
    return ratings.rounded(ratings.rating_of(context.unit, address))


def listed_players(context: LetterContext) -> list[Player]:
    """Those who are on the list and may be invited by the sender, by the names that it has."""
    unit, me = context.unit, context.sender
    others = (one for one in unit.players.listed(LISTED) if person(one) != person(me))
    found = (one for one in others if welcome(unit, one, me) and not wants_none(unit, one))
    return [Player(one, unit.players.profile(one).shown) for one in found]


def take(context: LetterContext, number: int | None, words: str) -> Answer:
    """Begin the game, for the sender of a letter that is theirs beyond doubt."""
    if number is None or context.sure < Sure.VOUCHED:
        return list_open(context, **({} if number is None else {"taking": number}))
    decided = context.games.taking(number, words, context.caller)
    return partial(context.games.carry_out, decided)


# -- games of others ---------------------------------------------------------------------------
def prepare_watch(context: LetterContext, asked: cmd.Watch | cmd.Unwatch, *_: object) -> Answer:
    """What will be done; for who has yet to show that it is they, the list to answer."""
    known = context.sure >= Sure.VOUCHED
    if isinstance(asked, cmd.Watch) and asked.player:
        return _of_player(context, asked.player) if known else partial(_list_watchable, context)
    if not known or (isinstance(asked, cmd.Watch) and asked.game is None):
        daily = " daily" if isinstance(asked, cmd.Watch) and asked.daily else ""
        line = f"{type(asked).__name__.lower()} {asked.game or ''}{daily}".strip()
        wanted = {} if asked == cmd.Watch() else {"wanted": line}
        return partial(_list_watchable, context, **wanted)
    if isinstance(asked, cmd.Unwatch):
        return partial(_unwatch, context, asked.game)
    check_watching(context.unit, asked.game or 0, context.sender)
    if context.limits.too_many(context.sender, (Kind.WATCH,), most=OLD_LETTERS, by=context.by):
        raise NotAllowed(told("asked-to-watch"))
    return partial(_watch, context, asked.game or 0, daily=asked.daily)


def _of_player(context: LetterContext, name: str) -> Answer:
    said = name.casefold().split()
    rows = [
        row.id
        for row in open_games(context.unit, context.sender)
        for player in (row.black_name, row.white_name)
        if player.casefold().split()[: len(said)] == said
    ]
    if len(rows) == 1:
        return prepare_watch(context, cmd.Watch(rows[0]))
    news = told("several-of-name" if rows else "nobody-of-name")
    return partial(_list_watchable, context, news=stored(news))


def _list_watchable(context: LetterContext, **more: object) -> None:
    rows = open_games(context.unit, context.sender)[:MOST]
    games = [game for row in rows if (game := context.games.readable(row.id)) is not None]
    about: dict[str, Any] = {
        "open": [{"game": game.id, "length": game.length} for game in games],
        "watched": [one.game for one in context.unit.watchers.of_person(context.sender)],
        "named": context.sure >= Sure.VOUCHED or not context.limits.is_stranger(context.sender),
        **more,
    }
    context.owe(Kind.PUBLIC_GAMES, **about)


def _watch(context: LetterContext, number: int, *, daily: bool | None) -> None:
    game = context.games.game(number)
    watch(context.unit, game, context.sender, context.now, daily=daily)
    answer_from(context.unit, context.sender, context.ours, number)
    levels = (cmd.EmailLevel.DAILY, cmd.EmailLevel.MY_TURN)
    by_day = in_force(context.unit, context.sender, number).emails in levels
    context.owe(Kind.WATCH, game, begins=True, daily=by_day)


def _unwatch(context: LetterContext, number: int | None) -> None:
    context.unit.watchers.end(context.sender, number)
    _list_watchable(context, ended=number or 0)


def about_watched(context: LetterContext, number: int) -> ParsedText:
    """What a reply to a letter of a watched game asks; raises for what only its players may."""
    commands = context.parsed.commands
    asked = tuple(replace(one, command=_here(one.command, number)) for one in commands)
    if not asked or asks(asked, cmd.Action, cmd.Send):
        raise players_only(number)
    return ParsedText(asked, "")


def players_only(number: int) -> NotAllowed:
    """For whoever would have a word in a game that they watch."""
    return NotAllowed(told("only-players", game=number))


def _here(command: cmd.Command, number: int) -> cmd.Command:
    match command:
        case cmd.Emails(cmd.EmailLevel.NONE, False) | cmd.Stop(False) | cmd.Unwatch(None):
            return cmd.Unwatch(number)
        case cmd.Emails(level, False):
            return cmd.Watch(number, daily=level is not cmd.EmailLevel.ALL)
        case cmd.Show(None, None):
            return cmd.Watch(number)
    return command


def spoken(context: LetterContext, lines: Sequence[str], listed: Sequence[int]) -> Sequence[str]:
    """An answer to the list of games to watch, in the words that it offers."""
    stops = [one.command for one in context.parsed.commands] == [cmd.Stop()]
    if stops and not context.unit.games.summaries(context.sender, GOING, most=1):
        return ["unwatch"]
    return [f"watch {listed[0]}"] if len(listed) == 1 and read_consent(lines) else lines


def say_why(context: LetterContext, refusal: Refusal) -> None:
    """Tell who watches why nothing was done, in a letter whose replies work."""
    _list_watchable(context, news=stored(refusal.public))
