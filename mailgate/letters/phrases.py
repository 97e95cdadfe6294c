"""The turns of phrase that several letters share: names, numbers, points, results. Pure.

Names come from strangers' letters; `shown_name` is the one place that makes them fit to print.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

from godaemon.games.model import Game, Player
from godaemon.games.ranks import in_words
from godaemon.games.ratings import UNCERTAIN, rank_in_points
from godaemon.rules.points import Color, Point, board_order
from godaemon.rules.ruleset import Ruleset
from godaemon.rules.rulesets import Scoring, format_ruleset

NOT_A_REPLY = (
    "Your email was not a reply to one of mine, so I could not be sure that it came from you:"
    " nothing was done, and nothing passed on."
)
ACCEPT, DECLINE = ("accept", "the game starts"), ("decline", "no, thank you")
"""How an invitation is answered, and what either does."""
NAME_WORDS = 5
NAME_LIMIT = 40
"""How much of a name is shown: enough for a name, too little for an advertisement."""

_IN_NAMES = "-'’_"
_TITLES = {
    "japanese": "Japanese",
    "korean": "Korean",
    "chinese": "Chinese",
    "chinese-superko": "Chinese (superko)",
    "aga": "AGA",
    "bga": "BGA/French",
    "new-zealand": "New Zealand",
    "ing": "Ing",
    "tromp-taylor": "Tromp-Taylor",
    "stone-scoring": "stone scoring",
}
_COUNTED = {
    Scoring.TERRITORY: "territory is counted",
    Scoring.AREA: "area is counted",
    Scoring.STONES: "stones are counted",
}


@lru_cache(maxsize=1024)  # a letter has each name many times
def shown_name(name: str, otherwise: str = "a player") -> str:
    """A name as we print it: letters, digits and the few marks names have, one line, short.

    Nothing of it can become a header, a tag, an address or a link: of a full stop only the one
    after an initial is kept.
    """
    kept = "".join(
        mark
        if mark in _IN_NAMES or unicodedata.category(mark)[0] in "LMN"
        else "."
        if mark == "." and not name[at + 1 : at + 2].strip()
        else " "
        for at, mark in enumerate(name[:500])
    )
    words = [word for word in kept.split() if any(mark.isalnum() for mark in word)]
    return " ".join(words[:NAME_WORDS])[:NAME_LIMIT].strip() or otherwise


def called(player: Player) -> str:
    """What a player is called in letters; by the part of the address before the @ at worst."""
    return shown_name(player.name, "") or shown_name(player.address.partition("@")[0])


def plural(count: int, noun: str) -> str:
    """`1 stone`, `2 stones`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def listed(things: Sequence[str]) -> str:
    """`A`, `A and B`, `A, B and C`."""
    return " and ".join([", ".join(things[:-1]), things[-1]]) if len(things) > 1 else things[0]


def points(stones: Iterable[Point], most: int = 12) -> str:
    """Points by their names, from the lower left; the first few of many."""
    names = [str(point) for point in sorted(stones, key=board_order)]
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def title(color: Color) -> str:
    """`Black` or `White`."""
    return color.word.capitalize()


def when(move_number: int) -> str:
    """`after move 12`, `before the first move`."""
    return f"after move {move_number}" if move_number else "before the first move"


def rules_in_words(game: Game) -> str:
    """`Japanese rules (territory is counted)`, and what the players made different in them."""
    return _rules_in_words(game.spec.ruleset)


@lru_cache(maxsize=64)
def _rules_in_words(ruleset: Ruleset) -> str:
    changes = format_ruleset(ruleset).split()[1:]
    different = f" with {listed(changes)}" if changes else ""
    return f"{_TITLES[ruleset.name]} rules{different} ({_COUNTED[ruleset.scoring]})"


def conditions(game: Game) -> str:
    """Board, komi, rules, handicap and whether it is rated, in one phrase."""
    spec = game.spec
    stones = f", {plural(spec.handicap, 'handicap stone')}" if spec.handicap else ""
    rated = ", rated" if spec.rated else ""
    looks = ", with estimates" if spec.estimates else ""
    return f"{spec.size}, komi {spec.komi:g}{stones}, {rules_in_words(game)}{rated}{looks}"


def rating_in_words(told: Sequence[float]) -> str:
    """`1467, about 6 kyu`: a rating as letters are told it (`ratings.told`)."""
    value, deviation = told
    unsure = ", still uncertain" if deviation > UNCERTAIN else ""
    return f"{value}, about {in_words(rank_in_points(value))}{unsure}"


def points_ahead(result: str, winner: str = "") -> str:
    """How a result in SGF's form ended a game: `Black wins by 3.5 points`, or `winner` does."""
    side, _, how = result.partition("+")
    if side in {"0", "Void"} or not how:
        return "the game is a tie (jigo)" if side == "0" else "the game has no result"
    winner = winner or ("Black" if side == "B" else "White")
    ways = {"R": "by resignation", "T": "on time", "F": "by forfeit"}
    by_points = f"by {how} {'point' if how == '1' else 'points'}"
    verb = "win" if winner.startswith("You (") else "wins"
    return f"{winner} {verb} {ways.get(how, by_points)}"


def lead(result: str) -> str:
    """How a count stands while it may still change: `Black is ahead by 3.5 points`."""
    if result == "0":
        return "the count is even"
    return points_ahead(result).replace(" wins ", " is ahead ")


def no_answer(line: str) -> str:
    """Why a letter does not have what our player was asked for, and how to ask again."""
    return f"The program that does it gave no answer. Please ask again later: `{line}`"


def capital(sentence: str) -> str:
    """The sentence with a capital at its beginning."""
    return sentence[:1].upper() + sentence[1:]
