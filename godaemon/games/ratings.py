"""Ratings by Glicko-2 (`glicko2`), and the ranks that players state: `5k`, `2d`.

A hundred points are one stone, and 2100 is 1 dan, as on Dragon Go Server and in the ratings of the
European Go Federation. A player who states a rank begins there. Each game is a rating period for
its two players, in the order in which games end; so is a month without a game. Handicap
stones and a lower komi count as strength of Black. The store keeps the ratings after each game,
which can be computed again from the logs. Within one transaction; raises nothing.

>>> rank_of("5 kyu, Berlin"), rank_of("Berlin")
('5k', '')
"""

import re
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from math import sqrt

from godaemon.errors import Corrupt
from godaemon.games.glicko2 import MAX_DEVIATION, Rating, rating_after_games, rating_after_rest
from godaemon.games.model import Game, Phase, Player, Seat, Spec
from godaemon.games.people import person
from godaemon.games.stored_values import RatedGame, Unit
from godaemon.rules.points import Color, Size
from godaemon.texts.catalogue import sentence

_RANK = re.compile(r"(?i)([1-9]\d?) ?-?(k|d)(?:yu|an)?")


def read_rank(text: str) -> str:
    """A rank from 30 kyu to 9 dan in its short form; "" for anything else.

    >>> read_rank("5 Kyu"), read_rank("2d"), read_rank("12 dan")
    ('5k', '2d', '')
    """
    found = _RANK.fullmatch(text.strip())
    if found is None:
        return ""
    number, kind = int(found[1]), found[2].casefold()
    return f"{number}{kind}" if number <= (30 if kind == "k" else 9) else ""


def profile_line(unit: Unit, address: str) -> str:
    """A player's line about themselves, or ""."""
    return unit.players.profile(address).line or ""


def rank_of(line: str) -> str:
    """The rank in a player's line about themselves."""
    return read_rank(line.partition(",")[0])


def rank_text(rank: str) -> str:
    """A rank in words: `5 kyu`, `2 dan`."""
    return sentence("kyu" if rank[-1] == "k" else "dan", rank=rank[:-1])


def rank_to_stones(rank: str) -> int:
    """A rank as a number of stones: 0 for 1 dan, -1 for 1 kyu."""
    number = int(rank[:-1])
    return -number if rank[-1] == "k" else number - 1


_STONE = 100.0
_FIRST_DAN = 2100.0
_UNKNOWN_RATING = Rating(1500.0, MAX_DEVIATION, 0.06)
RANK_DEVIATION = 200.0
"""The deviation of a stated rank; a rating with a larger one is a first guess."""
_POINTS_PER_STONE = 14.0
"""The points that a stone is worth: komi is half of it."""
_MAX_DIFFERENCE = 800.0
"""A larger difference between two players, in rating points, counts as this one."""
_PERIOD = timedelta(days=30)
MAX_GAMES_PER_MONTH = 5
"""Maximum number of rated games of the same two players in a calendar month (UTC)."""

Change = tuple[Rating | None, Rating]
"""A player's rating before a game (None for the first one) and after it."""


def counts_for_ratings(game: Game) -> bool:
    """True if a game's result counts; that of a short game counts only if it was adjudicated."""
    finished = game.spec.rated and game.phase is Phase.FINISHED and game.result != "Void"
    long = game.moves_made >= max(game.spec.size) or game.why == "adjudicated"
    one, other = (person(game.player(seat).address) for seat in game.seats)
    return finished and long and one != other


def rate_game(unit: Unit, load: Callable[[int], Game], game: Game, end: datetime) -> None:
    """Rate the players of a game that ended at `end`, and again those of all later games."""
    later = unit.players.take_rated_games((end, game.id))
    for moment, number in sorted({(end, game.id), *later}):
        with suppress(Corrupt):
            _rate_players(unit, load(number), moment)


def _rate_players(unit: Unit, game: Game, moment: datetime) -> None:
    if not counts_for_ratings(game):
        return
    before = {color: _rating_before(unit, game, color, moment) for color in Color}
    enough = _has_reached_limit(unit, game, moment)
    for color, mine in before.items():
        player, other = game.player(Seat.of(color)), before[color.opponent]
        if player.former:
            continue
        if enough:
            unit.players.set_rated_game(RatedGame(player.address, game.id, moment, mine))
            continue
        ahead = other.value - mine.value - color * black_advantage(game.spec)
        opponent = other._replace(
            value=mine.value + max(-_MAX_DIFFERENCE, min(_MAX_DIFFERENCE, ahead))
        )
        rating = rating_after_games(mine, [(opponent, _game_score(game, color))])
        unit.players.set_rated_game(RatedGame(player.address, game.id, moment, rating))


def _has_reached_limit(unit: Unit, game: Game, moment: datetime) -> bool:
    """True if two players have reached `MAX_GAMES_PER_MONTH` rated games in this month."""
    players = [game.player(seat) for seat in game.seats]
    if any(player.former for player in players):
        return not game.spec.former
    month = moment.astimezone(UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    one, other = (player.address for player in players)
    return (
        unit.players.count_rated_games(one, other, month, (moment, game.id)) >= MAX_GAMES_PER_MONTH
    )


def _game_score(game: Game, color: Color) -> float:
    return 0.5 if game.result == "0" else float((game.result or "")[0] == color.word[0].upper())


def _rating_before(unit: Unit, game: Game, color: Color, moment: datetime) -> Rating:
    player = game.player(Seat.of(color))
    if player.former and game.spec.former:
        value, deviation = game.spec.former
        return Rating(value, deviation, _UNKNOWN_RATING.volatility)
    last = unit.players.last_rated_game(player.address, before=(moment, game.id))
    if last is None:
        return first_rating(game.rank_of(color))
    return rating_after_rest(last.rating, max((moment - last.at) / _PERIOD, 0))


def first_rating(rank: str) -> Rating:
    """The first rating of a player with a stated rank, or ("") without one."""
    if not rank:
        return _UNKNOWN_RATING
    value = _FIRST_DAN + _STONE * rank_to_stones(rank)
    return Rating(value, RANK_DEVIATION, _UNKNOWN_RATING.volatility)


def black_advantage(spec: Spec) -> float:
    """The rating points by which handicap and komi make Black stronger.

    On a smaller board a stone is worth more points, as on Dragon Go Server.
    """
    stones = (
        max(spec.handicap - 1, 0)
        + (spec.ruleset.komi_for(spec.size) - spec.komi) / _POINTS_PER_STONE
    )
    return stones * _stone_worth(spec.size)


def _stone_worth(size: Size) -> float:
    """The rating points of one stone on a board; the smallest boards count as 7x7."""
    return _STONE * (16 / (max(sqrt(size.points), 7) - 3)) ** 2


def fair_handicap(ahead: float, size: Size) -> int:
    """The usual handicap for a difference of `ahead` rating points; 1 means no komi.

    >>> [fair_handicap(400, Size(side, side)) for side in (9, 13, 19)]
    [1, 2, 4]
    """
    stones = ahead / _stone_worth(size)
    return 0 if stones < 0.25 else max(1, round(stones))


def rank_from_rating(value: float) -> str:
    """The rank of a strength, from 30 kyu to 9 dan.

    >>> rank_from_rating(1600), rank_from_rating(3300), rank_from_rating(-2300)
    ('5k', '9d', '30k')
    """
    stones = round((value - _FIRST_DAN) / _STONE)
    return f"{min(stones, 8) + 1}d" if stones >= 0 else f"{min(-stones, 30)}k"


def rating_of(unit: Unit, address: str) -> Rating | None:
    """A player's rating, or None before their first rated game."""
    last = unit.players.last_rated_game(address)
    return last.rating if last else None


def strength_of(unit: Unit, player: Player) -> Rating | None:
    """A player's rating, or that of the stated rank; None if it is too uncertain."""
    rank = rank_of(profile_line(unit, player.address))
    rating = rating_of(unit, player.address) or first_rating(rank)
    return rating if rating.deviation <= RANK_DEVIATION else None


def rating_change(unit: Unit, game: Game, seat: Seat) -> Change | None:
    """A player's rating before and after a game that has just ended, if it counted."""
    address = game.player(seat).address
    last = unit.players.last_rated_game(address)
    if last is None or last.game != game.id:
        return None
    before = unit.players.last_rated_game(address, before=(last.at, last.game))
    return before.rating if before else None, last.rating


def former_rating(unit: Unit, game: Game, side: Seat, moment: datetime) -> tuple[float, ...]:
    """A forgotten player's value and deviation, which rate the opponent; () if none are needed."""
    color = game.color_of(side)
    if color is None or not counts_for_ratings(game) or _has_reached_limit(unit, game, moment):
        return ()
    value, deviation, _ = _rating_before(unit, game, color, moment)
    return value, deviation


def round_rating(rating: Rating | None) -> list[float]:
    """A rating for emails: rounded value and deviation, or an empty list."""
    return [] if rating is None else [round(rating.value), round(rating.deviation)]
