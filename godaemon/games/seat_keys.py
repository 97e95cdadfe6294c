"""Seat keys: they let a Go program take one colour of one game.

A key is an HMAC-SHA256 cut to 120 bits, in lower-case base32, over the game's nonce, the colour and
a generation from the store. Revoking a key ends its generation. So no key is stored, and the
current one can be computed again. `mac` also signs the reply tokens of emails. Issuing and revoking
happen within one transaction; raises `WrongPhase`.
"""

import base64
import hmac
import json
import re
from collections.abc import Callable
from dataclasses import dataclass

from godaemon.errors import WrongPhase
from godaemon.games.model import Game, Phase, Seat
from godaemon.games.stored_values import SeatKeyState, Unit
from godaemon.rules.points import Color
from godaemon.texts.catalogue import sentence


def mac(secret: bytes, size: int, *fields: str | int) -> str:
    """HMAC-SHA256 over the fields, cut to `size` bytes, in lower-case base32.

    >>> mac(b"secret", 10, "seat", 34, "b")
    'zftbuinq4ircayso'
    """
    # As JSON, different lists of fields never give the same text.
    text = json.dumps(fields, separators=(",", ":"))
    digest = hmac.digest(secret, text.encode(), "sha256")
    return base64.b32encode(digest[:size]).decode("ascii").lower()


KEY_PATTERN = r"([1-9][0-9]{0,8})-([bw])-([a-z2-7]{24})"
"""A key: the game's number, the colour's letter, and the MAC."""

_KEY = re.compile(KEY_PATTERN)
_MAC_BYTES = 15
_COLORS = {"b": Color.BLACK, "w": Color.WHITE}


@dataclass(frozen=True, slots=True)
class SeatKey:
    """A parsed key, not to be trusted until `key_is_valid` returns True."""

    game: int
    color: Color
    mac: str

    def __str__(self) -> str:
        return f"{self.game}-{self.color.word[0]}-{self.mac}"


def sign_key(secret: bytes, game: Game, color: Color, generation: int) -> str:
    """The key of a seat in a generation, such as `34-b-mfrggzdfmztwq2lkmfrggzdf`."""
    # "gui" distinguishes keys from the tokens of emails, which are signed by the same secret.
    fields = "gui", game.id, color.word, game.spec.nonce, generation
    return str(SeatKey(game.id, color, mac(secret, _MAC_BYTES, *fields)))


def parse_key(text: str) -> SeatKey | None:
    """The key in a text of any case, or None."""
    found = _KEY.fullmatch(text.strip().lower())
    return None if found is None else SeatKey(int(found[1]), _COLORS[found[2]], found[3])


def check_issue(game: Game, *, on: bool) -> None:
    """Raise `WrongPhase` before the start of a game; after its end keys can only be revoked."""
    if game.phase is Phase.PROPOSED:
        raise WrongPhase(sentence("not-started", game=game.id), hints=("help",))
    if on and game.phase.over:
        raise WrongPhase(sentence("nothing-to-move"), hints=("sgf",))


def issue_keys(unit: Unit, game: Game, seat: Seat, *, on: bool) -> dict[str, int]:
    """Issue or revoke the keys of a seat; returns the generations by the words of their colours.

    A valid key is issued again; a revoked key is followed by a new one. In a teaching game the keys
    of both colours are issued or revoked.
    """
    own = game.color_of(seat)
    colors = [color for color in Color if game.spec.teaching or color is own]
    return {color.word: _issue_key(unit, game, color, on=on) for color in colors}


def _issue_key(unit: Unit, game: Game, color: Color, *, on: bool) -> int:
    before = unit.seats.key_state(game.id, color.word) or SeatKeyState(0, enabled=False)
    fresh = on and not before.enabled
    after = SeatKeyState(before.generation + fresh, enabled=on)
    if after != before:
        unit.seats.set_key_state(game.id, color.word, after)
    return after.generation


def key_is_valid(unit: Unit, load: Callable[[int], Game], secret: bytes, key: SeatKey) -> bool:
    """True if a key opens its seat: we signed it for this game, and it is not revoked.

    Compares in constant time.
    """
    state = unit.seats.key_state(key.game, key.color.word)
    if state is None or not state.enabled:
        return False
    ours = sign_key(secret, load(key.game), key.color, state.generation)
    return hmac.compare_digest(ours, str(key))
