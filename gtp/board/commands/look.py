"""The score, the board and opinions on a free board (GTP 2 draft 2, 6.3.5 and 6.3.8).

Commands that seats share, such as liberties, are in `gtp.every_session`.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from godaemon.errors import Refusal
from godaemon.rules import scoring
from godaemon.rules.named_rulesets import format_ruleset
from godaemon.rules.points import Color
from gtp import argument_readers as read
from gtp.argument_readers import format_chains, format_vertex
from gtp.board.commands.play import BOARD_COMMANDS
from gtp.client.syntax import Arguments

if TYPE_CHECKING:  # it imports this module
    from godaemon.engine.results import ScoreEstimate
    from gtp.board.board_session import BoardSession
    from gtp.board.free_board import FreeBoard

ANALYZE = (
    "gfx/Show dead stones/godaemon-show_dead",
    "gfx/Show territory and score/godaemon-show_score",
    "gfx/Show liberties/godaemon-show_liberties",
    "gfx/Show the last move/godaemon-show_last",
    "string/Score/final_score",
    "plist/Legal moves/all_legal %m",
    "plist/Liberties of a chain/findlib %p",
    "string/Prisoners of a colour/captures %c",
    "hstring/Moves so far/move_history",
    "varc/What would you play/reg_genmove %c",
    "string/Level (1 to 10)/level %o",
    "hstring/Board, prisoners and rules/showboard",
    "none/Set rules/kata-set-rules %s",
    "none/Think afresh/clear_cache",
)
"""GoGui's menu: type, label and command, separated by slashes."""

_EMPTY = {"black_territory": "B", "white_territory": "W", "dame": "."}
_OWNERS = {"B": 1, "x": 1, "W": -1, "c": -1}
"""The owner of each state of `rules.scoring.board_rows`."""


@BOARD_COMMANDS.command("final_score", slow=True)
def final_score(session: BoardSession) -> str:
    """Count the game by the session's rules and our judgement of the dead stones (6.3.5).

    Only handicap commands place handicap stones. White gets no points for several first moves of
    Black.

    Returns: W+ or B+ and the points, or 0 for a tie.
    Example: `final_score` -> `= W+3.5`
    """
    return session.board.score().result


@BOARD_COMMANDS.command("final_status_list", read.word, slow=True)
def final_status_list(session: BoardSession, wanted: str) -> str:
    """The stones of a status at the end of the game, by our judgement (6.3.5).

    Arguments: alive, seki or dead: each stone has one status. For empty points, as in GNU Go:
        black_territory, white_territory or dame.
    Returns: one chain per line; empty points on one line.
    Example: `final_status_list dead` -> `= C3 C4`
    """
    board = session.board.position.board
    if state := _EMPTY.get(wanted):
        rows = scoring.board_rows(board, session.board.dead(), session.board.ruleset)
        points = (point for point, found in scoring.point_states(rows) if found == state)
        return " ".join(map(str, sorted(points)))
    chosen = read.status((wanted,), 0)
    stones = scoring.stones_of_status(board, session.board.dead(), chosen)
    return format_chains(scoring.chains(board, stones))


@BOARD_COMMANDS.command("godaemon-doubtful_stones", slow=True)
def doubtful_stones(session: BoardSession) -> str:
    """The stones of whose status our player is unsure.

    Returns: one chain per line.
    Example: `godaemon-doubtful_stones` -> `= C3 C4`
    """
    board = session.board
    return format_chains(scoring.chains(board.position.board, board.reading().doubtful))


@BOARD_COMMANDS.command("godaemon-review", slow=True)
def review(session: BoardSession) -> str:
    """Review the game so far: who led when, and which moves lost most.

    Fails: `cannot review boards of this size`, with a side below 7 or above 19.
    Returns: `leads` and `chances`: Black's lead in points, and chance from 0 to 1, before each move
    and after the last. `expected`: the colour, the number of its moves that were our first choice,
    and the number of its moves. `good`: number, colour and vertex of a move that was better than it
    seemed. `mistake`, for at most six moves: number, colour, the points lost, the chance lost,
    a stone of the group that it decided or `-`, the vertex, a better move, and its continuation.
    Example: `godaemon-review` -> `= leads 0.2 -7.9`, `chances 0.51 0.12` and lines such as
    `mistake 1 black 8.3 0.39 - A1 C3 D4`
    """
    from godaemon.engine.results import format_review  # noqa: PLC0415
    from godaemon.engine.review import review_game  # noqa: PLC0415 - few sessions ask

    network, position, komi = session.board.evaluation_input("review")
    return format_review(review_game(network, position, komi, session.stop))


@BOARD_COMMANDS.command("godaemon-estimate", read.color, slow=True)
def estimate(session: BoardSession, to_move: Color) -> str:
    """Estimate the score, and the owner of each point.

    Arguments: the colour to move.
    Fails: `cannot estimate boards of this size`, with a side below 7 or above 19.
    Returns: `lead`, Black's lead in points, and its usual error. `owned`: each point, row by row
    from the lower left, from 1 for Black's to -1 for White's.
    Example: `godaemon-estimate black` -> `= lead 3.5 6.0` and a line such as `owned 0.90 -0.25` ...
    """
    from godaemon.engine.results import format_estimate  # noqa: PLC0415 - few sessions ask

    return format_estimate(_estimate(session.board, to_move))


@BOARD_COMMANDS.command("estimate_score", slow=True)
def estimate_score(session: BoardSession) -> str:
    """An estimate of the score, for the colour to move (GNU Go's).

    Fails: `cannot estimate boards of this size`, with a side below 7 or above 19.
    Returns: W+ or B+ and the points; and the bounds of White's lead.
    Example: `estimate_score` -> `= W+3.5 (upper bound: 9.5, lower: -2.5)`
    """
    from godaemon.engine.results import format_score  # noqa: PLC0415 - few sessions ask

    return format_score(_estimate(session.board, session.board.position.to_move))


def _estimate(board: FreeBoard, to_move: Color) -> ScoreEstimate:
    from godaemon.engine import evaluation  # noqa: PLC0415 - few sessions ask

    network, position, komi = board.evaluation_input("estimate")
    return evaluation.estimate(network, position, komi, [to_move])


@BOARD_COMMANDS.command("showboard")
def showboard(session: BoardSession) -> str:
    """Draw the board, for people (6.3.8): X is black, O is white, the last move in brackets.

    Returns: the board with its coordinates, then prisoners and komi; and a hint if Black's first
    moves may have been meant as handicap.
    Example: `showboard` -> a drawing
    """
    from gtp import board_in_words  # noqa: PLC0415 - programs never ask for it

    position, rules = session.board.position, format_ruleset(session.board.ruleset)
    rows = scoring.board_rows(position.board, None)
    drawn = board_in_words.draw_board(rows, position, session.board.komi, rules)
    if first := session.board.unstated_handicap:
        drawn += f"\nBlack's first {first} moves count as moves, not as handicap."
    return drawn


@BOARD_COMMANDS.command("godaemon-describe", read.words)
def describe(session: BoardSession, part: Arguments) -> str:
    """The board in sentences, to be read aloud.

    Arguments: none for the whole board; near or group with a vertex; row with its number; column
        with its letter.
    Fails: `invalid coordinate` off the board.
    Returns: one sentence per line.
    Example: `godaemon-describe row 4` -> `= Row 4, from left to right: empty A4 to C4; Black D4.`
    """
    from gtp import board_in_words  # noqa: PLC0415 - programs never ask for it

    return board_in_words.describe(scoring.board_rows(session.board.position.board, None), part)


@BOARD_COMMANDS.command("printsgf", read.words)
def printsgf(session: BoardSession, target: Arguments) -> str:
    """The game so far as an SGF record.

    Arguments: none or `-`, or a file name, quoted if it has blanks.
    Fails: `cannot write file`.
    Returns: the record; nothing if it went into the file.
    Example: `printsgf` -> `= (;FF[4]GM[1]` and so on
    """
    from godaemon.records.sgf import format_sgf  # noqa: PLC0415 - few sessions write a record
    from gtp.board.game_file import record_of  # noqa: PLC0415

    text = format_sgf(record_of(session.board))
    file = read.file_name(target)[0] if target else "-"
    if file == "-":
        return text
    try:
        with open(file, "w", encoding="utf-8") as output:  # noqa: PTH123 - starts sooner than a Path
            output.write(text)
    except (OSError, ValueError) as fault:
        raise Refusal("cannot write file", detail=str(fault)) from fault
    return ""


@BOARD_COMMANDS.command("get_komi")
def get_komi(session: BoardSession) -> str:
    """The komi.

    Returns: points to White.
    Example: `get_komi` -> `= 6.5`
    """
    return repr(session.board.komi).removesuffix(".0")


@BOARD_COMMANDS.command("get_handicap")
def get_handicap(session: BoardSession) -> str:
    """The handicap (GNU Go's extension).

    Returns: the number of stones that handicap commands have placed; `play` places none.
    Example: `get_handicap` -> `= 2`
    """
    return str(session.board.handicap)


@BOARD_COMMANDS.command("cputime")
def cputime(_: BoardSession) -> str:
    """The program's processor time since its start.

    Returns: seconds.
    Example: `cputime` -> `= 0.052`
    """
    return f"{time.process_time():.3f}"


@BOARD_COMMANDS.command("get_random_seed", slow=True)
def get_random_seed(session: BoardSession) -> str:
    """The seed of our player's random choices (GNU Go's, for its twogtp).

    Returns: int seed.
    Example: `get_random_seed` -> `= 1718053247`
    """
    return str(session.board.seed)


# -- GoGui's windows and drawings (GoGui's manual, "Analyze Commands") ---------------------------
@BOARD_COMMANDS.command("gogui-title", slow=True)
def gogui_title(session: BoardSession) -> str:
    """A title for GoGui's window.

    Returns: the name of the configured engine, or of our own player with its level.
    Example: `gogui-title` -> `= godaemon, level 3`
    """
    return session.board.plays or f"godaemon, level {session.board.level}"


@BOARD_COMMANDS.command("gogui-analyze_commands")
def gogui_analyze_commands(_: BoardSession) -> str:
    """The entries of GoGui's menu of analyze commands.

    Returns: one entry per line: type, label and command, separated by slashes.
    Example: `gogui-analyze_commands` -> `= gfx/Show dead stones/godaemon-show_dead` and so on
    """
    return "\n".join(ANALYZE)


@BOARD_COMMANDS.command("godaemon-show_dead", slow=True)
def show_dead(session: BoardSession) -> str:
    """Mark the dead stones in our player's opinion, for GoGui.

    Returns: GoGui's gfx lines.
    Example: `godaemon-show_dead` -> `= MARK C3 C4`
    """
    dead = sorted(session.board.dead())
    return _gfx({"MARK": dead}, f"dead: {len(dead) or 'none'}")


@BOARD_COMMANDS.command("godaemon-show_score", slow=True)
def show_score(session: BoardSession) -> str:
    """Draw both colours' points and the dead stones, for GoGui.

    The text has the score, the dame, and the areas of neither colour.

    Returns: GoGui's gfx lines.
    Example: `godaemon-show_score` -> `= INFLUENCE A1 1 B1 1` and so on
    """
    from gtp.board_in_words import still_open  # noqa: PLC0415 - programs that play never ask

    board, dead = session.board, session.board.dead()
    states = scoring.point_states(scoring.board_rows(board.position.board, dead, board.ruleset))
    shares = [f"{point} {_OWNERS[state]}" for point, state in states if state in _OWNERS]
    left = still_open(board.position.board, dead)
    text = f"{board.score().result}{left and f'; open: {left}'}"
    return _gfx({"INFLUENCE": shares, "MARK": sorted(dead)}, text)


@BOARD_COMMANDS.command("godaemon-show_liberties")
def show_liberties(session: BoardSession) -> str:
    """Write the number of liberties on each stone, for GoGui.

    Returns: GoGui's gfx lines.
    Example: `godaemon-show_liberties` -> `= LABEL D4 4`
    """
    found = sorted(session.board.position.all_liberties().items())
    labels = [f"{point} {len(free)}" for point, free in found]
    atari = [point for point, free in found if len(free) == 1]
    return _gfx({"LABEL": labels, "SQUARE": atari}, "chains in atari stand in squares")


@BOARD_COMMANDS.command("godaemon-show_last")
def show_last(session: BoardSession) -> str:
    """Mark the last move, for GoGui.

    Returns: GoGui's gfx lines.
    Example: `godaemon-show_last` -> `= CIRCLE D4`
    """
    position = session.board.position
    move = position.last
    if move is None:
        return _gfx({}, "no move has been made")
    text = f"move {position.move_number}: {move.color.word} {format_vertex(move.point)}"
    if position.captured:
        text += f", which took {len(position.captured)}"
    return _gfx({"CIRCLE": [move.point] if move.point else []}, text)


def _gfx(drawn: dict[str, Sequence[object]], text: str) -> str:
    """GoGui's drawing: the points of each mark, and a text below the board."""
    lines = [f"{kind} {' '.join(map(str, points))}" for kind, points in drawn.items() if points]
    return "\n".join([*lines, f"TEXT {text}"])
