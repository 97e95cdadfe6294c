"""Email settings: which emails of a game its players want, in that game or in all.

A setting of one game goes before that of all games; a new one for all games resets those of single
ones. Emails that we send unasked:

| | all | my-turn | none |
|---|---|---|---|
| the reader is to act: a move, a count, an invitation, `void` | yes | yes | no |
| the game, or the invitation, is over | yes | yes | no |
| a planned move of theirs was played | yes | yes | no |
| a review | by `reviews` | by `reviews` | no |
| the rest: the opponent's start, words alone ... | yes | no | no |
| receipts of their own moves | by `receipts` | by `receipts` | by `receipts` |

With `my-turn` and `daily`, words that came alone are told in the next email. A player who has not
set receipts gets three, with `all` only. Answers to their own emails, and emails that protect them
(a confirmation, a move to another address, trouble, an unreachable opponent) are always sent. With
`daily` turns and counts wait for the daily email (`player_calendar`), the rest is as with `all`.

A daemon with several addresses answers a player from the one that they last wrote to: about a game
from the one used for that game, else from the one used last. Only an address other than the main
one is stored. Within one transaction; raises nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from godaemon.games.awaited_decisions import awaited_decision
from godaemon.games.commands import EmailLevel
from godaemon.games.events import QUIET, LogEntry, Said
from godaemon.games.model import Game, Seat
from godaemon.games.notices import Kind
from godaemon.games.player_settings import Preferences
from godaemon.games.stored_values import Unit
from godaemon.rules.points import Color

RECEIPTS = 3
"""Receipts that a player gets unasked."""


def effective_preferences(unit: Unit, address: str, game: int = 0) -> Preferences:
    """A player's settings in force in a game, or (0) outside of games."""
    found = _overlay(*unit.players.preferences(address, game))
    return found if found.emails else replace(found, emails=EmailLevel.ALL)


def change_preferences(unit: Unit, address: str, wanted: Preferences, game: int = 0) -> None:
    """Change a player's settings in a game, or in all (0), where `wanted` says something."""
    _, now = unit.players.preferences(address, game)
    unit.players.set_preferences(address, _overlay(now, wanted), game)
    if not game:
        unit.players.forget_game_preferences(address)


def _overlay(below: Preferences, above: Preferences) -> Preferences:
    """The settings of `above`, and of `below` where it says nothing; receipts are counted below."""
    return Preferences(
        below.receipts if above.receipts is None else above.receipts,
        below.receipts_sent,
        above.emails or below.emails,
        below.reviews if above.reviews is None else above.reviews,
    )


def allow_emails(unit: Unit, address: str, game: int) -> None:
    """Send a game's emails to somebody who says yes to it, even if they want no others."""
    if effective_preferences(unit, address, game).emails is EmailLevel.NONE:
        change_preferences(unit, address, Preferences(emails=EmailLevel.ALL), game)


_IN_DIGEST = {
    *(Kind.STARTED, Kind.YOUR_TURN, Kind.RESUMED, Kind.CHAT),
    *(Kind.SCORING_STARTED, Kind.MARKS_CHANGED, Kind.DONE),
}
"""The kinds that the daily email replaces."""


def is_wanted(emails: EmailLevel | None, kind: Kind, game: Game, seat: Seat) -> bool:
    """True if a setting lets an unasked email through (for `Kind.MOVED`, see `is_receipt_due`)."""
    if emails is EmailLevel.DAILY and kind in _IN_DIGEST:
        return False
    if kind is Kind.CONFIRM or emails is not EmailLevel.MY_TURN:
        return kind is Kind.CONFIRM or emails is not EmailLevel.NONE
    matters = game.phase.over or awaited_decision(game, seat) is not None or kind is Kind.IFS
    return matters and kind is not Kind.CHAT


def wants_email(unit: Unit, kind: Kind, game: Game, seat: Seat) -> bool:
    wishes = effective_preferences(unit, game.player(seat).address, game.id)
    return is_wanted(wishes.emails, kind, game, seat)


def unheard_words(log: Sequence[LogEntry], reader: Color) -> list[str]:
    """The words that the opponent has said alone since they last did anything else."""
    found: list[tuple[str, str]] = []
    for entry in reversed([one for one in log if not isinstance(one.event, QUIET)]):
        color = getattr(entry.event, "color", None)
        if color != reader.word and not isinstance(entry.event, Said):
            return [text for text, cause in reversed(found) if cause != entry.cause]
        if color != reader.word and isinstance(entry.event, Said):
            found.append((entry.event.text, entry.cause))
    return []


def is_receipt_due(preferences: Preferences) -> bool:
    if preferences.receipts is not None:
        return preferences.receipts
    return preferences.emails is EmailLevel.ALL and preferences.receipts_sent < RECEIPTS


def set_our_address(unit: Unit, address: str, ours: str, game: int = 0) -> None:
    """Answer a player from an address of ours ("" the main one) in a game, or (0) in none."""
    if unit.players.our_address(address, game) != ours:
        unit.players.set_our_address(address, ours, game)


def set_our_addresses(unit: Unit, game: Game, seat: Seat, ours: str) -> None:
    """Answer the players who come into a game from an address of ours."""
    for one in game.seats if seat is Seat.PROPOSER else (seat,):
        if game.player(one).mailed:
            set_our_address(unit, game.player(one).address, ours, game.id)


def move_our_address(unit: Unit, old: str, new: str, game: int = 0) -> None:
    """Answer a new address from the same address of ours as the old one; 0 is outside of games."""
    set_our_address(unit, new, unit.players.our_address(old, game), game)
    set_our_address(unit, old, "", game)
