"""Email settings: which emails about a game its players want, in that game or in all games.

A setting for one game overrides that for all games; a new setting for all games deletes those for
single games. Emails that are no answers:

| | all | my-turn | none |
|---|---|---|---|
| the reader is to act: a move, a count, an invitation, `void` | yes | yes | no |
| the game, or the invitation, is over | yes | yes | no |
| a planned move of theirs was played | yes | yes | no |
| a review | by `reviews` | by `reviews` | no |
| the rest: the opponent's start, words alone ... | yes | no | no |
| receipts for their own moves | by `receipts` | by `receipts` | by `receipts` |

With `my-turn` and `daily`, the next email includes words that came without a move. A player who has
not set receipts gets three, with `all` only. Answers to a player's own emails, and emails that
protect them (a confirmation, a move to another address, trouble, an unreachable opponent) are
always sent. With `daily`, turns and counts wait for the daily email (`player_calendar`); the rest
is as with `all`.

A daemon with several addresses answers a player from the address that they last wrote to: in an
email about a game, the one last used in that game. Only an address other than the main one is
stored. Within one transaction; raises nothing.
"""

from collections.abc import Sequence
from dataclasses import replace

from godaemon.games.awaited_decisions import awaited_decision
from godaemon.games.commands import EmailLevel
from godaemon.games.events import QUIET_EVENTS, LogEntry, Said
from godaemon.games.model import Game, Seat
from godaemon.games.notices import Kind
from godaemon.games.player_settings import Preferences
from godaemon.games.stored_values import Unit
from godaemon.rules.points import Color

DEFAULT_RECEIPTS = 3
"""The number of receipts for a player who has not set them."""


def effective_preferences(unit: Unit, address: str, game: int = 0) -> Preferences:
    """A player's settings in force in a game, or (0) outside of games."""
    merged = _overlay(*unit.players.preferences(address, game))
    return merged if merged.emails else replace(merged, emails=EmailLevel.ALL)


def change_preferences(unit: Unit, address: str, wanted: Preferences, game: int = 0) -> None:
    """Change the settings that `wanted` sets, in a game or (0) in all."""
    _, now = unit.players.preferences(address, game)
    unit.players.set_preferences(address, _overlay(now, wanted), game)
    if not game:
        unit.players.forget_game_preferences(address)


def _overlay(below: Preferences, above: Preferences) -> Preferences:
    """The settings of `above`, or else of `below`; always the count of receipts of `below`."""
    return Preferences(
        below.receipts if above.receipts is None else above.receipts,
        below.receipts_sent,
        above.emails or below.emails,
        below.reviews if above.reviews is None else above.reviews,
    )


def allow_emails(unit: Unit, address: str, game: int) -> None:
    """Switch a game's emails on for a player who agrees to it, if they want no emails at all."""
    if effective_preferences(unit, address, game).emails is EmailLevel.NONE:
        change_preferences(unit, address, Preferences(emails=EmailLevel.ALL), game)


_IN_DIGEST = {
    *(Kind.STARTED, Kind.YOUR_TURN, Kind.RESUMED, Kind.CHAT),
    *(Kind.SCORING_STARTED, Kind.MARKS_CHANGED, Kind.DONE),
}
"""The kinds of emails that the daily email replaces."""


def is_wanted(emails: EmailLevel | None, kind: Kind, game: Game, seat: Seat) -> bool:
    """True if a setting allows an email that is no answer; `is_receipt_due` decides on receipts."""
    if emails is EmailLevel.DAILY and kind in _IN_DIGEST:
        return False
    if kind is Kind.CONFIRM or emails is not EmailLevel.MY_TURN:
        return kind is Kind.CONFIRM or emails is not EmailLevel.NONE
    matters = game.phase.over or awaited_decision(game, seat) is not None or kind is Kind.IFS
    return matters and kind is not Kind.CHAT


def wants_email(unit: Unit, kind: Kind, game: Game, seat: Seat) -> bool:
    preferences = effective_preferences(unit, game.player(seat).address, game.id)
    return is_wanted(preferences.emails, kind, game, seat)


def unheard_words(log: Sequence[LogEntry], reader: Color) -> list[str]:
    """The opponent's words since their last action, without those in the same email as it."""
    words: list[tuple[str, str]] = []
    for entry in reversed([one for one in log if not isinstance(one.event, QUIET_EVENTS)]):
        color = getattr(entry.event, "color", None)
        if color != reader.word and not isinstance(entry.event, Said):
            return [text for text, cause in reversed(words) if cause != entry.cause]
        if color != reader.word and isinstance(entry.event, Said):
            words.append((entry.event.text, entry.cause))
    return []


def is_receipt_due(preferences: Preferences) -> bool:
    """True if a player gets a receipt for an accepted move."""
    if preferences.receipts is not None:
        return preferences.receipts
    return preferences.emails is EmailLevel.ALL and preferences.receipts_sent < DEFAULT_RECEIPTS


def set_our_addresses(unit: Unit, game: Game, seat: Seat, ours: str) -> None:
    """Answer the players who join a game from an address of ours: both, or the one who joined."""
    for one in game.seats if seat is Seat.PROPOSER else (seat,):
        if game.player(one).gets_email:
            unit.players.set_our_address(game.player(one).address, ours, game.id)


def move_our_address(unit: Unit, old: str, new: str, game: int = 0) -> None:
    """Let `new` take over the address of ours that `old` used, in a game or (0) outside."""
    unit.players.set_our_address(new, unit.players.our_address(old, game), game)
    unit.players.set_our_address(old, "", game)
