"""Keys to seats: what a Go program shows to sit down in one colour of one game. Pure.

A key is an HMAC-SHA256 cut to 120 bits, in lower-case base32, over the game's nonce, the colour and
the generation that the store remembers. Taking a key back ends its generation, so the key itself
is stored nowhere and can still be written again. Raises nothing; what is no key is None.
"""

from __future__ import annotations

import hmac
import re
from dataclasses import dataclass

from godaemon.games.model import Game
from godaemon.games.signing import mac
from godaemon.rules.points import Color

KEY_PATTERN = r"([1-9][0-9]{0,8})-([bw])-([a-z2-7]{24})"
"""A key: the game's number, the colour's letter, and what only we could have written."""

_KEY = re.compile(KEY_PATTERN)
_LONGEST = 64
_MAC_BYTES = 15
_COLORS = {"b": Color.BLACK, "w": Color.WHITE}


@dataclass(frozen=True, slots=True)
class SeatKey:
    """A key as it was read; nothing in it may be believed before `fits` has said so."""

    game: int
    color: Color
    mac: str

    def __str__(self) -> str:
        return f"{self.game}-{self.color.word[0]}-{self.mac}"

    def fits(self, secret: bytes, nonce: str, generation: int) -> bool:
        """True where it is ours for a game's nonce and a generation; in constant time."""
        return hmac.compare_digest(_mac(secret, self.game, self.color, nonce, generation), self.mac)


def sign_key(secret: bytes, game: Game, color: Color, generation: int) -> str:
    """The key `34-b-mfrggzdfmztwq2lkmfrggzdf` of a seat: always the same for a generation."""
    mac = _mac(secret, game.id, color, game.spec.nonce, generation)
    return str(SeatKey(game.id, color, mac))


def parse_key(text: str) -> SeatKey | None:
    """The key that a text is, in any case, or None."""
    plain = text.strip().lower()
    found = _KEY.fullmatch(plain) if len(plain) <= _LONGEST and plain.isascii() else None
    return None if found is None else SeatKey(int(found[1]), _COLORS[found[2]], found[3])


def _mac(secret: bytes, game: int, color: Color, nonce: str, generation: int) -> str:
    # The first word keeps keys apart from the tokens of letters, which the same secret signs.
    return mac(secret, _MAC_BYTES, "gui", game, color.word, nonce, generation)
