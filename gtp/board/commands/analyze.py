"""Our player's thoughts as it has them (KataGo's docs/GTP_Extensions.md), for Lizzie's kind.

The sign of the answer comes at once, and lines while the command runs; whatever is sent next ends
it, an empty line too.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing, suppress
from time import monotonic, sleep
from typing import TYPE_CHECKING, NamedTuple

from godaemon.errors import GodaemonError, Unreadable
from godaemon.rules.points import Color, Point
from gtp import argument_readers
from gtp.argument_readers import SYNTAX_ERROR, color, words, written
from gtp.board.commands.play import genmove
from gtp.board.commands.table import FREE, FreeHost
from gtp.client.syntax import Arguments

if TYPE_CHECKING:  # a session in which nothing is analysed needs no player
    from godaemon.engine.search import MoveView, Outlook

_IDLE = 0.05
"""Seconds between two looks for the next line, where there is nothing left to think of."""


Chances = Callable[["MoveView"], str]
"""A move's chances in one or the other program's numbers."""


class Wanted(NamedTuple):
    """What a program asks to be told: for whom, how often (seconds), of how many moves."""

    color: Color | None = None
    interval: float = 1.0
    moves: int = 20
    told: frozenset[str] = frozenset()
    """What is told beside the moves: ownership, rootInfo."""
    limits: tuple[tuple[Color, bool, frozenset[Point | None]], ...] = ()
    """Of moves of a colour, whether these alone are wanted, or all but these."""

    def wants(self, color: Color, point: Point | None) -> bool:
        """True for a move that it asks about."""
        return all(
            (point in points) == alone for whose, alone, points in self.limits if whose is color
        )


@FREE.command("lz-analyze", words, slow=True)
def lz_analyze(host: FreeHost, arguments: Arguments) -> str:
    """Think about the position, and tell what is thought of each move, until the next line comes.

    Numbers of looks, winning chances and priors in 10000ths, for the player to move.

    Arguments: perhaps color, the one to move where it is left out; perhaps int interval in
        hundredths of a second; then keys and values: interval, maxmoves; avoid or allow with color,
        vertices with commas between, and a number: next moves to leave out, or to look at alone;
        and with true or false rootInfo, for the position itself, and ownership: of whom each point
        is, from 1 (of the player to move) to -1, row by row from the top left.
    Fails: `syntax error`, also for keys that we do not know, but for the value false; `cannot
        analyze boards of this size`, with a side below 7 or above 19.
    Returns: lines that begin with `info`, one every interval.
    Example: `lz-analyze 50` -> `=` and lines such as `info move D4 visits 90 winrate 5210` ...
    """
    return _analyze(host, "lz-analyze", arguments, _lz)


@FREE.command("kata-analyze", words, slow=True)
def kata_analyze(host: FreeHost, arguments: Arguments) -> str:
    """Think about the position, and tell what is thought of each move, until the next line comes.

    Winning chances and priors from 0 to 1, the lead in points, for the player to move.

    Arguments: as of `lz-analyze`.
    Fails: `syntax error`; `cannot analyze boards of this size`.
    Returns: lines that begin with `info`, one every interval.
    Example: `kata-analyze 50` -> `=` and lines such as `info move D4 visits 90 winrate 0.52` ...
    """
    return _analyze(host, "kata-analyze", arguments, _kata)


def _chooser(name: str, chances: Chances) -> Callable[[FreeHost, Arguments], str]:
    def _genmove(host: FreeHost, arguments: Arguments) -> str:
        side = color(arguments, 0)
        _wanted(arguments)
        thought = ""
        with suppress(GodaemonError), closing(_thoughts(host, name, arguments, chances)) as lines:
            thought = next(filter(None, lines))
        return f"\n{thought}\nplay {genmove(host, side)}"

    _genmove.__doc__ = f"""Choose a move and play it, and tell what is thought of the position.

    Arguments: color, and then as of `{name}`.
    Fails: `syntax error`.
    Returns: a line of `{name}`, where that knows such boards, and one with play and the vertex,
        pass or resign.
    Example: `{name.replace("-", "-genmove_")} b` -> `=`, a line with `info`, and `play D4`
    """
    return _genmove


def _wanted(arguments: Arguments) -> Wanted:
    wanted, at = Wanted(), 0
    if arguments and arguments[0].lower() in {"b", "w", "black", "white"}:
        wanted, at = wanted._replace(color=argument_readers.color(arguments, 0)), 1
    if at < len(arguments) and arguments[at].isdecimal():
        wanted, at = _with(wanted, "interval", arguments, at), at + 1
    while at < len(arguments):
        wanted = _with(wanted, arguments[at], arguments, at + 1)
        at += 4 if arguments[at] in {"avoid", "allow"} else 2
    return wanted


def _with(wanted: Wanted, key: str, arguments: Arguments, at: int) -> Wanted:
    if key == "interval":
        return wanted._replace(interval=argument_readers.integer(arguments, at) / 100)
    if key in {"maxmoves", "minmoves"}:
        most = argument_readers.integer(arguments, at)
        return wanted._replace(moves=max(1, most, wanted.moves * (key == "minmoves")))
    if key in {"avoid", "allow"}:
        named = tuple(argument_readers.word(arguments, at + 1).split(","))
        points = frozenset(argument_readers.vertices(named))
        argument_readers.integer(arguments, at + 2)
        limit = argument_readers.color(arguments, at), key == "allow", points
        return wanted._replace(limits=(*wanted.limits, limit))
    told = argument_readers.truth(arguments, at)
    if key in {"ownership", "rootInfo"}:
        return wanted._replace(told=wanted.told | {key} if told else wanted.told - {key})
    if told:  # of what we know nothing
        raise Unreadable(SYNTAX_ERROR)
    return wanted


def _analyze(host: FreeHost, name: str, arguments: Arguments, chances: Chances) -> str:
    with closing(_thoughts(host, name, arguments, chances)) as thoughts:
        first = next(thoughts)
        if first or not host.stirred():
            host.tell(first)
        for text in thoughts:
            ends = host.stirred()
            host.tell(text)
            if ends:
                break
    return ""


def _thoughts(host: FreeHost, name: str, arguments: Arguments, chances: Chances) -> Generator[str]:
    """What is thought, in lines; an empty one at once, and some while there is nothing new."""
    wanted = _wanted(arguments)
    elsewhere = host.board.watch(" ".join((name, *arguments)))
    if elsewhere is not None:
        yield from elsewhere
        return
    color = wanted.color or host.board.position.to_move
    outlooks = host.board.analyse(color, wanted.wants)
    yield ""
    told = monotonic()
    for outlook in outlooks:
        if host.stirred() or monotonic() - told >= wanted.interval:
            yield _told(outlook, wanted, chances)
            told = monotonic()
    yield _told(outlook, wanted, chances)
    while True:
        sleep(_IDLE)
        yield ""


def _told(outlook: Outlook, wanted: Wanted, chances: Chances) -> str:
    """The moves one after the other, with their chances in one or the other program's numbers."""
    parts = [
        f"info move {written(move.line[0])} visits {move.games} {chances(move)} order {order}"
        f" pv {' '.join(map(written, move.line))}"
        for order, move in enumerate(outlook.moves[: wanted.moves])
    ]
    if "rootInfo" in wanted.told:
        best, visits = outlook.moves[0], sum(move.games for move in outlook.moves)
        parts.append(f"rootInfo visits {visits} {chances(best).partition(' prior')[0]}")
    if "ownership" in wanted.told:
        parts.append("ownership " + " ".join(f"{owned:.3f}" for owned in outlook.owned))
    return " ".join(parts)


def _lz(move: MoveView) -> str:
    won = round(move.won * 10_000)
    return f"winrate {won} prior {round(move.prior * 10_000)} lcb {won}"


def _kata(move: MoveView) -> str:
    won, lead = f"{move.won:.4f}", f"{move.lead:.2f}"
    return f"winrate {won} scoreMean {lead} scoreLead {lead} prior {move.prior:.4f} lcb {won}"


for _name, _chances in (("lz-analyze", _lz), ("kata-analyze", _kata)):
    FREE.command(_name.replace("-", "-genmove_"), words, slow=True)(_chooser(_name, _chances))
