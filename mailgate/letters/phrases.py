"""Phrases that several letters share: names, numbers, points, results.

Names come from strangers' letters; only `display_name` makes them safe to print.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

from godaemon.games.model import FORMER_NAME, Game, Player
from godaemon.games.ratings import RANK_DEVIATION, rank_from_rating, rank_of
from godaemon.rules.named_rulesets import rules_text
from godaemon.rules.points import Color, Point, board_order
from godaemon.texts.catalogue import say
from mailgate.language.command_lines import is_command_line
from mailgate.language.statement_splitting import vertices

NAME_WORDS, NAME_LIMIT = 5, 40
"""Maximum words and characters of a name: enough for a name, too few for an advertisement."""

_IN_NAMES = "-'’_"
_STAND_INS = {FORMER_NAME: "former-player", "anybody": "somebody"}
"""Stored names that are nobody's, with the message keys that emails show for them."""


def display_name(name: str) -> str:
    """A name as we print it: one short line of letters, digits and the few marks of names.

    It cannot contain a header, a tag, an address or a link: only a full stop after an initial is
    kept. A command or a point is not accepted as a name.
    """
    return say(_STAND_INS[name]) if name in _STAND_INS else _printable_name(name) or say("a-player")


@lru_cache(maxsize=1024)  # a letter has each name many times
def _printable_name(name: str) -> str:
    kept = ""
    for at, mark in enumerate(name[:500]):
        ends_word = mark == "." and not name[at + 1 : at + 2].strip()
        shown = mark in _IN_NAMES or unicodedata.category(mark)[0] in "LMN" or ends_word
        kept += mark if shown else " "
    words = [word for word in kept.split() if any(mark.isalnum() for mark in word)]
    name_shown = " ".join(words[:NAME_WORDS])[:NAME_LIMIT].strip()
    return "" if vertices(name_shown) or is_command_line(name_shown) else name_shown


def player_name(player: Player) -> str:
    """A player's name in letters; without a name, the part of the address before the @."""
    local_part = player.address.partition("@")[0]
    return display_name(player.name if _printable_name(player.name) else local_part)


def move_name(word: str) -> str:
    """A move of a plan or record as people read it: `D4`, or `pass`."""
    return say({"pass": "pass", "any": "any-move"}[word]) if word.islower() else word


def point_names(stones: Iterable[Point], limit: int = 12) -> str:
    """Points by their names, from the lower left; the first few of many."""
    names = [str(point) for point in sorted(stones, key=board_order)]
    named, more = say("comma").join(names[:limit]), len(names) - limit
    return say("points-and-more", points=named, count=more) if more > 0 else named


def color_name(color: Color) -> str:
    return say(color.word)


def after_move(move_number: int) -> str:
    return say("after-move", number=move_number) if move_number else say("before-first-move")


def about_games(game: int | None) -> str:
    """`about game 12`, or `about all your games`."""
    return say("about-all-games") if game is None else say("about-game", game=game)


def conditions(game: Game) -> str:
    """Board, komi, rules, handicap and whether it is rated, in one phrase."""
    spec = game.spec
    parts = [str(spec.size), say("with-komi", komi=spec.komi)]
    parts += [say("handicap-stones", count=spec.handicap)] if spec.handicap else []
    parts += [rules_text(spec.ruleset)]
    parts += [say("rated")] if spec.rated else []
    parts += [say("with-estimates")] if spec.estimates else []
    return say("comma").join(parts)


def rating_in_words(rating: Sequence[float]) -> str:
    """A rating (`ratings.round_rating`) in words: `1467, about 6 kyu`."""
    value, deviation = rating
    key = "rating-unsure" if deviation > RANK_DEVIATION else "rating"
    return say(key, value=str(value), rank=_rank_in_words(rank_from_rating(value)))


def _rank_in_words(rank: str) -> str:
    return say("kyu" if rank[-1] == "k" else "dan", rank=rank[:-1])


def introduction_in_words(line: str) -> str:
    """A player's words about themselves; the rank in them is stored in English."""
    if not (rank := rank_of(line)):
        return line
    home = line.partition(", ")[2]
    return say("comma").join(filter(None, (_rank_in_words(rank), home)))


def result_in_words(result: str, winner: str = "", *, mine: bool = False) -> str:
    """A result in SGF's form as a sentence: `Black wins by 3.5 points`, or `Bob (Black) wins ...`.

    `winner` is the winner's name; `mine` says that the winner is the reader.
    """
    side, _, margin = result.partition("+")
    if not margin:
        return say("ends-jigo" if side == "0" else "ends-void")
    who = say("black" if side == "B" else "white")
    who = say("you-as" if mine else "name-as", who=winner, color=who) if winner else who
    way = {"R": "resignation", "T": "time", "F": "forfeit"}.get(margin, "points")
    by = margin if way != "points" else _points(float(margin))
    return say(f"{'you-win' if mine else 'wins'}-{way}", who=who, by=by)


def lead_in_words(result: str) -> str:
    """The lead in a count that may still change: `Black is ahead by 3.5 points`."""
    side, _, lead = result.partition("+")
    if side not in {"B", "W"}:
        return say("count-even")
    return say("is-ahead", who=say("black" if side == "B" else "white"), by=_points(float(lead)))


def _points(points: float) -> str:
    """`1 point`, `4.5 points`, `half a point`."""
    whole = int(points)
    if points == whole:
        return say("by-points", count=whole)
    return say("by-points-and-half" if whole else "by-half-point", count=whole)


def capitalize(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
