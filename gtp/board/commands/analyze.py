"""Live analysis by our player, for GUIs like Lizzie (KataGo's docs/GTP_Extensions.md).

The answer's sign is sent at once, and lines while the command runs. The next line of input, even
an empty one, ends an analysis, but not the choice of a move.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from time import monotonic, sleep
from typing import TYPE_CHECKING, NamedTuple

from godaemon.errors import GodaemonError, Refusal, Unreadable
from godaemon.rules.points import Color, Size
from gtp import argument_readers as read
from gtp.argument_readers import SYNTAX_ERROR, format_vertex
from gtp.board.commands.play import BOARD_COMMANDS, apply_choice
from gtp.client.syntax import Arguments

if TYPE_CHECKING:  # a session without analyses needs no player
    from godaemon.engine.levels import Limit
    from godaemon.engine.search import MoveView, Search
    from gtp.board.board_session import BoardSession

_IDLE = 0.05
"""Seconds between checks for the next line once the analysis has nothing left to do."""
_NUMBERS = {"interval": 100, "minmoves": 0, "maxmoves": 20}
"""Defaults: centiseconds between reports, and the limits on the moves in each."""
_LIMITS = ("avoid", "allow")
_EXTRAS = (
    *("rootInfo", "ownership", "ownershipStdev", "movesOwnership"),
    *("pvVisits", "pvEdgeVisits"),
)
_KEYS = ", ".join((*_NUMBERS, *_LIMITS, *_EXTRAS))


class AnalysisRequest(NamedTuple):
    """The parsed arguments."""

    color: Color | None = None
    numbers: Mapping[str, int] = _NUMBERS
    extras: frozenset[str] = frozenset()
    limits: tuple[Limit, ...] = ()

    @property
    def interval(self) -> float:
        """Seconds between two reports."""
        return self.numbers["interval"] / 100


@BOARD_COMMANDS.command("lz-analyze", read.words, slow=True, style="lz")
@BOARD_COMMANDS.command("kata-analyze", read.words, slow=True, style="kata")
def analyze(session: BoardSession, arguments: Arguments, style: str) -> None:
    """Analyze the position and report on each move, until the next line of input.

    All numbers are for the player to move: visits, winning chances and priors. `lz-analyze` gives
    chances in 10000ths; `kata-analyze` from 0 to 1, and the lead in points.

    Arguments: optional color, by default the one to move; optional int interval in hundredths of
        a second; then keys and values. interval, minmoves and maxmoves take a number. avoid and
        allow take color, vertices separated by commas, and a number n above 0: during the next n
        moves avoid excludes these vertices, and allow all others. The other keys take true or
        false: rootInfo is the position itself; ownership the owner of each point, from 1 (the
        player to move) to -1, row by row from the top left; ownershipStdev its deviation between
        the visited positions; movesOwnership the owners after each move; pvVisits and pvEdgeVisits
        the visits of each expected move.
    Fails: `syntax error`; for an unknown key, with the known ones; `cannot analyze boards of this
        size`, with a side below 7 or above 19.
    Returns: a line that begins with `info` every interval.
    Example: `kata-analyze 50` -> `=` and lines such as `info move D4 visits 90 winrate 0.52` ...
    """
    request = _parse_request(arguments, session.board.size)
    session.board.evaluation_input("analyze")
    session.tell("")
    for search in _due_searches(session, request):
        ends = session.has_line()
        session.tell(_analysis_line(search, request, style))
        if ends:
            return
    while not session.has_line():
        sleep(_IDLE)


@BOARD_COMMANDS.command("lz-genmove_analyze", read.words, slow=True, style="lz")
@BOARD_COMMANDS.command("kata-genmove_analyze", read.words, slow=True, style="kata")
@BOARD_COMMANDS.command("kata-search_analyze", read.words, slow=True, style="kata", plays=False)
def choose_with_analysis(
    session: BoardSession, arguments: Arguments, style: str, *, plays: bool = True
) -> str:
    """Choose and play a move as `genmove` does, and report on each move meanwhile.

    `kata-search_analyze` leaves the board unchanged.

    Arguments: as for `kata-analyze`.
    Fails: `syntax error`; for an unknown key; for avoid and allow if another program plays, or on
        boards that cannot be analyzed.
    Returns: on boards that can be analyzed, a line with `info` every interval and at the end; then
        a line with play and the vertex, pass or resign.
    Example: `kata-genmove_analyze b` -> `=`, lines with `info`, and `play D4`
    """
    request = _parse_request(arguments, session.board.size)
    side = request.color or session.board.position.to_move
    if request.limits:
        session.board.evaluation_input("analyze")
        if session.board.plays:
            raise Refusal(f"{session.board.plays} plays here, and takes no avoid or allow")
    reported = monotonic()
    latest: list[Search] = []

    def _report(search: Search) -> None:
        nonlocal reported
        latest[:] = [search]
        if monotonic() - reported >= request.interval:
            session.tell(_analysis_line(search, request, style))
            reported = monotonic()

    from godaemon.engine import LiveAnalysis  # noqa: PLC0415 - sessions that replay need no player

    session.tell("")
    choice = session.board.genmove(side, session.stop, LiveAnalysis(request.limits, _report))
    if not latest:  # another program plays, and reports nothing
        with suppress(GodaemonError):
            latest = [next(_due_searches(session, request))]
    for search in latest:
        session.tell(_analysis_line(search, request, style))
    return f"play {apply_choice(session, side, choice, plays=plays)}"


@BOARD_COMMANDS.command("top_moves_black", slow=True, side=Color.BLACK)
@BOARD_COMMANDS.command("top_moves_white", slow=True, side=Color.WHITE)
def top_moves(session: BoardSession, side: Color) -> str:
    """Our player's best moves for a colour after half a second (GNU Go's, for Kigo's hints).

    Fails: `cannot analyze boards of this size`, as an analysis does.
    Returns: up to ten vertices, the best first, each with its chance of winning in percent.
    Example: `top_moves_black` -> `= D4 52.3 C6 49.1` and so on
    """
    search = next(_due_searches(session, AnalysisRequest(side, {"interval": 50})))
    moves = [move for move in search.report().moves[:10] if move.line[0]]
    return " ".join(f"{move.line[0]} {100 * move.winrate:.1f}" for move in moves)


def _parse_request(arguments: Arguments, size: Size) -> AnalysisRequest:
    """The parsed arguments; raises `Unreadable`."""
    request, at = AnalysisRequest(), 0
    if arguments and arguments[0].lower() in {"b", "w", "black", "white"}:
        request, at = request._replace(color=read.color(arguments, 0)), 1
    if at < len(arguments) and arguments[at].isdecimal():
        request, at = _set_key(request, "interval", arguments, at, size), at + 1
    while at < len(arguments):
        request = _set_key(request, arguments[at], arguments, at + 1, size)
        at += 4 if arguments[at] in _LIMITS else 2
    return request


def _set_key(
    request: AnalysisRequest, key: str, arguments: Arguments, at: int, size: Size
) -> AnalysisRequest:
    if key in _NUMBERS:
        return request._replace(numbers={**request.numbers, key: read.integer(arguments, at)})
    if key in _LIMITS:
        from godaemon.engine.levels import Limit  # noqa: PLC0415 - few sessions ask

        points = frozenset(read.vertices(tuple(read.word(arguments, at + 1).split(","))))
        depth = read.integer(arguments, at + 2)
        if not depth or any(point and not size.has(point) for point in points):
            raise Unreadable(SYNTAX_ERROR)
        limit = Limit(read.color(arguments, at), key == "allow", points, depth)
        return request._replace(limits=(*request.limits, limit))
    if key not in _EXTRAS:
        raise Unreadable(f"unknown key {key}: use {_KEYS}")
    extra = {key} if read.boolean(arguments, at) else set()
    return request._replace(extras=request.extras - {key} | extra)


def _due_searches(session: BoardSession, request: AnalysisRequest) -> Iterator[Search]:
    """Our player's search whenever a report is due: every interval, at the next line, at its end.

    Raises `Refusal`.
    """
    side = request.color or session.board.position.to_move
    reported = monotonic()
    for search in session.board.analyse(side, request.limits):
        if session.has_line() or monotonic() - reported >= request.interval:
            yield search
            reported = monotonic()
    yield search


def _analysis_line(search: Search, request: AnalysisRequest, style: str) -> str:
    """One line: the moves in order, then the numbers of the position."""
    lz, fewest = style == "lz", request.numbers["minmoves"]
    report = search.report(fewest)
    moves = report.moves[: max(1, fewest, request.numbers["maxmoves"])]
    parts = [
        f"info move {format_vertex(move.line[0])} visits {move.visits} {_chances(move, lz)}"
        f" prior {_share(move.prior, lz)} lcb {_share(move.winrate, lz)} order {order}"
        f" pv {' '.join(map(format_vertex, move.line))}"
        f"{''.join(_extra_parts(move, request.extras))}"
        for order, move in enumerate(moves)
    ]
    if "rootInfo" in request.extras:
        visits = sum(move.visits for move in report.moves)
        parts.append(f"rootInfo visits {visits} {_chances(report.moves[0], lz)}")
    if "ownership" in request.extras:
        parts.append(_points("ownership", report.owners))
    if "ownershipStdev" in request.extras:
        parts.append(_points("ownershipStdev", search.owner_spread()))
    return " ".join(parts)


def _extra_parts(move: MoveView, extras: frozenset[str]) -> Iterator[str]:
    for key in ("pvVisits", "pvEdgeVisits"):
        if key in extras:
            yield f" {key} {' '.join(map(str, move.line_visits))}"
    if "movesOwnership" in extras:
        yield " " + _points("movesOwnership", move.owners)


def _points(key: str, values: Iterable[float]) -> str:
    return f"{key} {' '.join(f'{value:.3f}' for value in values)}"


def _chances(move: MoveView, lz: bool) -> str:  # noqa: FBT001 - one of two forms
    score = f" scoreMean {move.lead:.2f} scoreStdev {move.spread:.2f} scoreLead {move.lead:.2f}"
    return f"winrate {_share(move.winrate, lz)}{'' if lz else score}"


def _share(share: float, lz: bool) -> str:  # noqa: FBT001 - see above
    return str(round(share * 10_000)) if lz else f"{share:.4f}"
