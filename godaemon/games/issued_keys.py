"""Access to seats by key: keys are issued, taken back, and looked at.

Within one transaction. Raises `WrongPhase`.
"""

from __future__ import annotations

from godaemon.errors import Unknown, WrongPhase
from godaemon.games.model import Game, Phase, Seat
from godaemon.games.seat_keys import SeatKey
from godaemon.games.service import GameService
from godaemon.games.store_protocols import SeatKeyState
from godaemon.rules.points import Color
from godaemon.texts.catalogue import told


def check_issue(game: Game, *, on: bool) -> None:
    """Raise `WrongPhase` where a game has no seats for keys; once over, it can take keys back."""
    if game.phase is Phase.PROPOSED:
        raise WrongPhase(told("no-seat-yet"), hints=("help",))
    if on and game.phase.over:
        raise WrongPhase(told("no-seat-now"), hints=("sgf",))


def issue_keys(games: GameService, game: Game, seat: Seat, *, on: bool) -> dict[str, int]:
    """Let Go programs sit down for a seat, or no longer: the generations by the colours' words.

    Who asks again while the key is good gets the same one; after it was taken back, a new one.
    Who plays both colours gets, or takes back, the keys of both.
    """
    held = game.color_of(seat)
    colors = [color for color in Color if game.spec.teaching or color is held]
    return {color.word: _issue_key(games, game, color, on=on) for color in colors}


def _issue_key(games: GameService, game: Game, color: Color, *, on: bool) -> int:
    before = games.unit.seats.key_state(game.id, color.word) or SeatKeyState(0, enabled=False)
    fresh = on and not before.enabled
    after = SeatKeyState(before.generation + fresh, enabled=on)
    if after != before:
        games.unit.seats.set_key_state(game.id, color.word, after)
    return after.generation


def key_is_valid(games: GameService, secret: bytes, key: SeatKey) -> bool:
    """True where a key opens its seat now: it is ours, for this game, and was not taken back."""
    state = games.unit.seats.key_state(key.game, key.color.word)
    if state is None or not state.enabled:
        return False
    try:
        nonce = games.game(key.game).spec.nonce
    except Unknown:
        return False
    return key.fits(secret, nonce, state.generation)
