"""Words in a game that is over: another one wished for, its result regretted, what else it has.

Pure; raises `Unreadable` alone, with one-click replies.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from godaemon.errors import Unreadable
from godaemon.games.model import Game, Phase
from mailgate.handling.seated import Seated
from mailgate.language.arguments import UNSURE_TERMS, rematches
from mailgate.language.new_game import EXAMPLE
from mailgate.language.third_person import says_to
from mailgate.language.wishes import plays_again
from mailgate.language.written_moves import normalize
from mailgate.late_patterns import late


def offer_rematch(lines: Sequence[str], game: Game) -> None:
    """Raises, with the line filled in, for a wish to play again on other terms than those.

    So it does, with the reason why not, for one to have the game counted again or played on.
    """
    said = " ".join(lines[:6])
    if game.phase is not Phase.FINISHED:
        return
    _refuse_reopened(said)
    if plays_again(said) and (hints := rematches(said)):
        raise Unreadable(UNSURE_TERMS, hints=hints)


def _refuse_reopened(message: str) -> None:
    """Raise why not, for words that would have a game that is over counted or played again."""
    plain = normalize(message[:1_000])
    wished = _REOPENS.search(plain) and _WOULD_HAVE.search(plain)
    if wished or _REGRETS.search(plain):
        raise Unreadable(
            "The game is over, and its result stands: it is neither counted again nor played on."
            " For another one on the same terms, colours exchanged, reply rematch",
            hints=("rematch",),
        )


_WOULD_HAVE = late(
    r"\b(?:(?:can|could|may|shall|should) (?:we|i|you)|let's|let us|please|i(?: would|'d)? (?:want"
    r"|like)|(?:did not|didn't) (?:mean|want))\b"
)
_REOPENS = late(
    r"\b(?:(?:go|going|get|come) back|return) to (?:the )?(?:count(?:ing)?|scoring)\b"
    r"(?! (?!please|again|phase|now$)\w)"
    r"|\b(?:re-?open|re-?count|resume|continue) (?:the|this|our) (?:game|count(?:ing)?|score)\b"
    r"|\bcount (?:(?:it|this|the (?:game|score|points)) )?(?:again|once more)\b"
)
_REGRETS = late(
    r"\b(?:count(?:ing)?|score|result) (?:is|was|seems|looks) (?:\w+ )?(?:wrong|incorrect|mistaken"
    r"|(?:not|n't) (?:right|correct))\b"
    r"|\bi (?:did not|didn't|never) (?:\w+ )?(?:mean(?:t)?|want(?:ed)?|intend(?:ed)?)"
    r" to (?:resign|give up|agree|say done)\b|\bresigned (?:by (?:mistake|accident)|accidentally)\b"
)


def wishes_rematch(fault: Unreadable, lines: Sequence[str], at: Seated) -> bool:
    """True for words by which a player asks whom they have played, and not us, for one more."""
    over = at.game.phase is Phase.FINISHED and at.opponent.mailed and fault.hints == (EXAMPLE,)
    said = " ".join(lines)
    both = re.search(r"(?i)\b(?:we|us|let's)\b", said)
    return over and plays_again(said) and bool(both or says_to(said, at.opponent.name))


def when_over(fault: Unreadable) -> Unreadable:
    """The same where a game that is over has another answer to it than one that goes on."""
    quoted = fault.public.rpartition("”. ")[0]
    said, hints = _OVER.get("".join(fault.hints[:1]), ("", ()))
    return Unreadable(f"{quoted}”. {said}" if quoted else said, hints=hints) if said else fault


_OVER: dict[str, tuple[str, tuple[str, ...]]] = {
    "sgf": (
        (
            "The game is over, so I will gladly look back on it with you: reply `review`. Its"
            " record, for any Go program: `sgf`"
        ),
        ("review", "sgf"),
    ),
    "cancel": (
        (
            "The game is over, and its record stays. To get no more emails about it: `stop`. To"
            " have what I keep of you deleted: `forget me`"
        ),
        ("stop", "forget me"),
    ),
    EXAMPLE: (
        (
            "For another game on the same terms, colours exchanged: `rematch`. For one with"
            " somebody else, send me a line that says with whom"
        ),
        ("rematch", EXAMPLE),
    ),
}
"""What is said of a game that is over to who is offered these lines first while it goes on."""
