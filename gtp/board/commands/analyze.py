"""Our player's thoughts as it has them (KataGo's docs/GTP_Extensions.md), for Lizzie's kind.

Lines come while the command runs; whatever is sent next ends it, an empty line too.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from time import monotonic, sleep
from typing import TYPE_CHECKING, NamedTuple

from godaemon.errors import Unreadable
from godaemon.rules.points import Color
from gtp import argument_readers
from gtp.argument_readers import SYNTAX_ERROR, written
from gtp.board.commands.table import FREE, FreeHost
from gtp.client.syntax import Arguments

if TYPE_CHECKING:  # a session in which nothing is analysed needs no player
    from godaemon.engine.search import MoveView, Outlook

_IDLE = 0.05
"""Seconds between two looks for the next line, where there is nothing left to think of."""

_IGNORED = frozenset(
    [
        "minmoves",
        "movesOwnership",
        "movesOwnershipStdev",
        "noResultValue",
        "ownershipStdev",
        "pvEdgeVisits",
        "pvVisits",
        "rootInfo",
    ]
)
"""Keys that ask for more than our player knows; programs that send them do without."""


class Wanted(NamedTuple):
    """What a program asks to be told: for whom, how often (seconds), of how many moves."""

    color: Color | None = None
    interval: float = 1.0
    moves: int = 20
    ownership: bool = False


@FREE.command("lz-analyze", slow=True)
def lz_analyze(host: FreeHost, arguments: Arguments) -> str:
    """Think about the position, and tell what is thought of each move, until the next line comes.

    Numbers of looks, winning chances and priors in 10000ths, for the player to move.

    Arguments: perhaps color, the one to move where it is left out; perhaps int interval in
        hundredths of a second; then keys and values: interval, maxmoves.
    Fails: `syntax error`, also for the keys avoid and allow; `cannot analyze boards of this size`,
        with a side below 7 or above 19.
    Returns: lines that begin with `info`, one every interval.
    Example: `lz-analyze 50` -> `=` and lines such as `info move D4 visits 90 winrate 5210` ...
    """
    return _analyze(host, "lz-analyze", arguments, _lz)


@FREE.command("kata-analyze", slow=True)
def kata_analyze(host: FreeHost, arguments: Arguments) -> str:
    """Think about the position, and tell what is thought of each move, until the next line comes.

    Winning chances and priors from 0 to 1, the lead in points, for the player to move.

    Arguments: as of `lz-analyze`, and the key ownership with true or false: of whom each point is,
        from 1 (of the player to move) to -1, row by row from the top left.
    Fails: `syntax error`; `cannot analyze boards of this size`.
    Returns: lines that begin with `info`, one every interval.
    Example: `kata-analyze 50` -> `=` and lines such as `info move D4 visits 90 winrate 0.52` ...
    """
    return _analyze(host, "kata-analyze", arguments, _kata)


def _wanted(arguments: Arguments) -> Wanted:
    wanted, at = Wanted(), 0
    if arguments and arguments[0].lower() in {"b", "w", "black", "white"}:
        wanted, at = wanted._replace(color=argument_readers.color(arguments, 0)), 1
    if at < len(arguments) and arguments[at].isdecimal():
        wanted, at = _with(wanted, "interval", arguments, at), at + 1
    for key in range(at, len(arguments), 2):
        wanted = _with(wanted, arguments[key], arguments, key + 1)
    return wanted


def _with(wanted: Wanted, key: str, arguments: Arguments, at: int) -> Wanted:
    if key == "interval":
        return wanted._replace(interval=argument_readers.integer(arguments, at) / 100)
    if key == "maxmoves":
        return wanted._replace(moves=max(1, argument_readers.integer(arguments, at)))
    if key == "ownership":
        return wanted._replace(ownership=argument_readers.truth(arguments, at))
    if key not in _IGNORED:
        raise Unreadable(SYNTAX_ERROR)
    return wanted


def _analyze(
    host: FreeHost, name: str, arguments: Arguments, chances: Callable[[MoveView], str]
) -> str:
    elsewhere = host.board.watch(" ".join((name, *arguments)))
    if elsewhere is not None:
        with closing(elsewhere):
            for text in elsewhere:
                if text:
                    host.tell(text)
                if host.stirred():
                    return ""
        return ""
    wanted = _wanted(arguments)
    color = wanted.color or host.board.position.to_move
    told = monotonic()
    for outlook in host.board.analyse(color):
        ends = host.stirred()
        if ends or monotonic() - told >= wanted.interval:
            host.tell(_told(outlook, wanted, chances))
            told = monotonic()
        if ends:
            return ""
    host.tell(_told(outlook, wanted, chances))
    while not host.stirred():
        sleep(_IDLE)
    return ""


def _told(outlook: Outlook, wanted: Wanted, chances: Callable[[MoveView], str]) -> str:
    """The moves one after the other, with their chances in one or the other program's numbers."""
    parts = [
        f"info move {written(move.line[0])} visits {move.games} {chances(move)} order {order}"
        f" pv {' '.join(map(written, move.line))}"
        for order, move in enumerate(outlook.moves[: wanted.moves])
    ]
    if wanted.ownership and chances is _kata:
        parts.append("ownership " + " ".join(f"{owned:.3f}" for owned in outlook.owned))
    return " ".join(parts)


def _lz(move: MoveView) -> str:
    won = round(move.won * 10_000)
    return f"winrate {won} prior {round(move.prior * 10_000)} lcb {won}"


def _kata(move: MoveView) -> str:
    won, lead = f"{move.won:.4f}", f"{move.lead:.2f}"
    return f"winrate {won} scoreMean {lead} scoreLead {lead} prior {move.prior:.4f} lcb {won}"
