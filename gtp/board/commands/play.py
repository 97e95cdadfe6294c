"""Setup, moves, time and rules on a free board (GTP 2 draft 2, 6.3)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from godaemon.errors import Refusal, Unreadable
from godaemon.rules.points import Color, Point
from godaemon.rules.position import Move
from godaemon.rules.rulesets import RULESETS, parse_ruleset
from gtp.argument_readers import (
    SYNTAX_ERROR,
    color,
    decimal,
    file_name,
    integer,
    moves,
    perhaps,
    sides,
    stones,
    vertex,
    word,
    words,
    written,
)
from gtp.board.commands.table import FREE, FreeHost
from gtp.board.time_settings import Left, TimeLimits
from gtp.client.syntax import Arguments


@FREE.command("boardsize", sides)
def boardsize(host: FreeHost, size: tuple[int, int]) -> None:
    """An empty board of a new size (6.3.1); the komi stays.

    Arguments: int size, from 1 to 25; or int width and int height, as KataGo and Sabaki have it.
    Fails: `unacceptable size`, and then the board is as it was.
    Example: `boardsize 19` -> `=`
    """
    host.board.resize(*size)


@FREE.command("rectangular_boardsize", integer, integer)
def rectangular_boardsize(host: FreeHost, width: int, height: int) -> None:
    """An empty board with unequal sides (KataGo's extension, which Sabaki and q5Go use).

    Arguments: int width, int height, each from 1 to 25.
    Fails: `unacceptable size`.
    Example: `rectangular_boardsize 9 13` -> `=`
    """
    host.board.resize(width, height)


@FREE.command("clear_board")
def clear_board(host: FreeHost) -> None:
    """Take all stones and prisoners away and forget the moves (6.3.1); size and komi stay.

    Example: `clear_board` -> `=`
    """
    host.board.clear()


@FREE.command("komi", decimal)
def komi(host: FreeHost, points: float) -> None:
    """Set the komi, however ridiculous (6.3.1).

    Arguments: float komi, in points to White.
    Example: `komi 6.5` -> `=`
    """
    host.board.komi = points + 0.0  # never -0.0


@FREE.command("fixed_handicap", integer)
def fixed_handicap(host: FreeHost, number: int) -> str:
    """Place handicap stones on their fixed points (6.3.2, 4.1.1); they cannot be undone.

    Arguments: int number of stones, 2 to 9 on boards of odd sides from 9, 2 to 4 on others from 7.
    Fails: `board not empty`, `invalid number of stones`.
    Returns: the vertices.
    Example: `fixed_handicap 2` -> `= D4 Q16`
    """
    return " ".join(map(str, host.board.place_fixed(number)))


@FREE.command("place_free_handicap", integer)
def place_free_handicap(host: FreeHost, number: int) -> str:
    """Place handicap stones where we like, perhaps fewer than allowed (6.3.2).

    Arguments: int number of stones, from 2 to one less than the board has points.
    Fails: `board not empty`, `invalid number of stones`.
    Returns: the vertices.
    Example: `place_free_handicap 2` -> `= D4 Q16`
    """
    return " ".join(map(str, host.board.place_free(number)))


@FREE.command("set_free_handicap", stones)
def set_free_handicap(host: FreeHost, points: Sequence[Point | None]) -> None:
    """Place handicap stones where the controller likes (6.3.2).

    Arguments: from 2 vertices to one less than the board has points, none twice and no pass.
    Fails: `board not empty`, `bad vertex list`; and then no stone at all is placed.
    Example: `set_free_handicap D4 Q16` -> `=`
    """
    host.board.set_free(points)


@FREE.command("gogui-setup", moves)
def gogui_setup(host: FreeHost, placed: Sequence[Move]) -> None:
    """Set stones up on an empty board, which are no moves; Black is to move (GoGui's extension).

    Arguments: pairs of color and vertex.
    Fails: `board not empty`; `bad vertex list` for a pass, off the board, twice the same vertex or
        a stone without liberties; and then nothing is set up.
    Example: `gogui-setup b D4 w E5` -> `=`
    """
    if any(host.board.position.board.cells):
        raise Refusal("board not empty")
    host.board.set_up(placed)


@FREE.command("set_position", moves)
def set_position(host: FreeHost, placed: Sequence[Move]) -> None:
    """Replace the board by stones that are set up (KataGo's extension); Black is to move.

    Arguments: pairs of color and vertex; without any the board is empty.
    Fails: `bad vertex list` for a pass, off the board, twice the same vertex or a stone without
        liberties; and then the board is as it was.
    Example: `set_position b D4 w E5` -> `=`
    """
    host.board.set_up(placed)


@FREE.command("gogui-setup_player", color)
def gogui_setup_player(host: FreeHost, side: Color) -> None:
    """Say who is to move after stones were set up (GoGui's extension).

    Example: `gogui-setup_player w` -> `=`
    """
    host.board.position.give_turn(side)


@FREE.command("loadsgf", words, local=True)
def loadsgf(host: FreeHost, named: Arguments) -> str:
    """Take a position from an SGF file (6.3.6): its size, komi, rules, stones and moves.

    Arguments: a file's name, in quotes if it has blanks, and perhaps int move number: the position
        before it.
    Fails: `cannot load file`, `syntax error`; and then the board is as it was.
    Returns: the colour to move there, as GNU Go does; and below it, in sentences, what of the
    file could not be read or is not in its main line.
    Example: `loadsgf game.sgf 120` -> `= white`
    """
    name, more = file_name(named)
    left_out = host.board.load(_read(Path(name)), perhaps(integer)(more, 0))
    return "\n".join([host.board.position.to_move.word, *left_out])


def _read(file: Path) -> bytes:
    """The file, up to where it is too long for a game; raises `Refusal` for no file."""
    from godaemon.records.sgf_read import LARGEST_FILE  # noqa: PLC0415 - few sessions load a file

    try:
        if not file.is_file():
            raise Refusal("cannot load file", detail=f"{file} is no file")
        with file.open("rb") as opened:
            return opened.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as fault:
        raise Refusal("cannot load file", detail=str(fault)) from fault


@FREE.command("play", color, vertex)
def play(host: FreeHost, side: Color, point: Point | None) -> None:
    """Play a stone or pass, for either colour at any time (6.3.3).

    Fails: `illegal move` where the rules forbid it, off the board too.
    Example: `play black Q16` -> `=`
    """
    host.board.play(side, point)


@FREE.command("gogui-play_sequence", moves)
def gogui_play_sequence(host: FreeHost, played: Sequence[Move]) -> None:
    """Play several moves (GoGui's extension).

    Arguments: pairs of color and vertex, as many as wanted.
    Fails: `illegal move` where one is; and then none is played.
    Example: `gogui-play_sequence b D4 w Q16 b pass` -> `=`
    """
    host.board.play_all(played)


@FREE.command("genmove", color, slow=True)
def genmove(host: FreeHost, side: Color) -> str:
    """Choose a move for a colour, whoever played last, and play it (6.3.3).

    `# interrupt` ends the thinking: the best move so far is played. The time limits are kept.

    Fails: `syntax error`; never for a good colour.
    Returns: a vertex, pass, or resign, after which the board is as it was.
    Example: `genmove white` -> `= D4`
    """
    choice = host.board.genmove(side, host.stop)
    if choice.resigns:
        return "resign"
    host.board.play(side, choice.point)
    return written(choice.point)


@FREE.command("reg_genmove", color, slow=True)
def reg_genmove(host: FreeHost, side: Color) -> str:
    """Choose a move for a colour and leave the board as it is (6.3.7).

    Fails: `syntax error`; never for a good colour.
    Returns: a vertex, pass or resign.
    Example: `reg_genmove white` -> `= D4`
    """
    choice = host.board.genmove(side, host.stop)
    return "resign" if choice.resigns else written(choice.point)


@FREE.command("kgs-genmove_cleanup", color, slow=True)
def kgs_genmove_cleanup(host: FreeHost, side: Color) -> str:
    """Choose and play a move as `genmove` does, but take dead stones off before passing.

    Players who do not agree on what is dead go on until all that is dead has been captured.

    Fails: `syntax error`; never for a good colour.
    Returns: a vertex or pass.
    Example: `kgs-genmove_cleanup white` -> `= D4`
    """
    point = host.board.genmove(side, host.stop).point
    if point is None:
        point = host.board.capturing(side)
    host.board.play(side, point)
    return written(point)


@FREE.command("undo")
def undo(host: FreeHost) -> None:
    """Take the last move or pass back (6.3.3).

    Fails: `cannot undo` where no move is left; handicap stones stay.
    Example: `undo` -> `=`
    """
    host.board.undo()


@FREE.command("gg-undo", perhaps(integer))
def gg_undo(host: FreeHost, number: int | None) -> None:
    """Take several moves back (GNU Go's, which GoGui uses).

    Arguments: perhaps int number of moves, else one.
    Fails: `cannot undo` where there are fewer, and then none is taken back.
    Example: `gg-undo 2` -> `=`
    """
    host.board.undo(1 if number is None else number)


@FREE.command("time_settings", decimal, decimal, decimal)
def time_settings(host: FreeHost, main: float, overtime: float, number: float) -> None:
    """Set the time limits (6.3.4), which our moves keep.

    Arguments: int main time, int byo-yomi time, both in seconds, int byo-yomi stones. Byo-yomi
        time without stones means no limits, and so do three noughts.
    Example: `time_settings 300 30 5` -> `=`
    """
    unlimited = number < 1 and (overtime > 0 or main <= 0)
    limits = TimeLimits(main, overtime if number >= 1 else 0.0, int(number))
    host.board.time.limit(None if unlimited else limits)


@FREE.command("time_left", color, decimal, decimal)
def time_left(host: FreeHost, side: Color, seconds: float, number: float) -> None:
    """Say how much time a colour has left (6.3.4).

    Arguments: color, int seconds, int stones (0 while main time runs).
    Example: `time_left black 120 0` -> `=`
    """
    host.board.time.tell(side, Left(max(0.0, seconds), max(0, int(number))))


@FREE.command("kgs-time_settings", words)
@FREE.command("kata-time_settings", words)
def kata_time_settings(host: FreeHost, system: Arguments) -> None:
    """Set the time limits, which our moves keep (KataGo's extension).

    Arguments: none; or absolute and seconds; or canadian, main time, byo-yomi time and stones; or
        byoyomi, main time, byo-yomi time and periods, which `time_left` then has as stones; or
        fischer, main time and what each move adds.
    Example: `kgs-time_settings byoyomi 300 30 5` -> `=`
    """
    host.board.time.limit(_limits(system))


def _limits(system: Arguments) -> TimeLimits | None:
    """A time system; raises `Unreadable`."""
    kind = word(system, 0)
    if kind == "none":
        return None
    if kind == "absolute":
        return TimeLimits(decimal(system, 1))
    if kind == "fischer":
        return TimeLimits(decimal(system, 1), added=decimal(system, 2))
    if kind not in {"canadian", "byoyomi"}:
        raise Unreadable(SYNTAX_ERROR)
    main, overtime, number = decimal(system, 1), decimal(system, 2), integer(system, 3)
    return TimeLimits(main, overtime, number, periods=kind == "byoyomi")


@FREE.command("kata-list_time_settings")
def kata_list_time_settings(_: FreeHost) -> str:
    """The kinds of time limits that we keep (KataGo's extension).

    Returns: their names.
    Example: `kata-list_time_settings` -> `= none absolute canadian byoyomi fischer`
    """
    return "none absolute canadian byoyomi fischer"


@FREE.command("kgs-rules", word)
def kgs_rules(host: FreeHost, name: str) -> None:
    """Choose the rules; stones, moves, prisoners and komi stay as they are.

    Arguments: japanese, chinese, aga or new_zealand. Chinese is with superko, as KGS plays it.
    Fails: for rules that are not known, with those that are.
    Example: `kgs-rules japanese` -> `=`
    """
    chinese = name.casefold() == "chinese"
    host.board.rule(RULESETS["chinese-superko"] if chinese else parse_ruleset(name))


@FREE.command("kata-set-rules", word, words)
def kata_set_rules(host: FreeHost, name: str, more: Arguments) -> None:
    """Choose the rules; stones, moves, prisoners and komi stay as they are (KataGo's extension).

    Arguments: a name (japanese, chinese, chinese-ogs, aga, bga, new-zealand, ing, tromp-taylor,
        stone-scoring ...), perhaps with what is different (`chinese suicide=yes`), or a JSON object
        as `kata-get-rules` returns it; keys that are left out stay as they are.
    Fails: for rules that are not known, with those that are.
    Example: `kata-set-rules tromp-taylor` -> `=`
    """
    from godaemon.rules import kata_rules  # noqa: PLC0415 - few sessions ask

    host.board.rule(kata_rules.chosen(" ".join((name, *more)), host.board.ruleset))


@FREE.command("kata-set-rule", word, word)
def kata_set_rule(host: FreeHost, key: str, value: str) -> None:
    """Change one of the rules (KataGo's extension).

    Arguments: the key and its value: ko SIMPLE, POSITIONAL or SITUATIONAL; scoring AREA or
        TERRITORY; tax NONE, SEKI or ALL; suicide, friendlyPassOk and hasButton true or false (there
        is no button here); whiteHandicapBonus 0, N-1 or N.
    Fails: for any other, with those that are known.
    Example: `kata-set-rule ko SIMPLE` -> `=`
    """
    from godaemon.rules import kata_rules  # noqa: PLC0415 - few sessions ask

    host.board.rule(kata_rules.changed(host.board.ruleset, {key: value}))


@FREE.command("level", perhaps(integer))
def level(host: FreeHost, number: int | None) -> str:
    """Tell or change the level at which our player plays.

    Arguments: perhaps int level, from 1, the quickest and weakest.
    Fails: where there is no such level, with those there are.
    Returns: the level where none was given, else nothing.
    Example: `level 5` -> `=`
    """
    if number is None:
        return str(host.board.level)
    host.board.grade(number)
    return ""


@FREE.command("set_random_seed", integer, local=True)
def set_random_seed(host: FreeHost, seed: int) -> None:
    """Let our player's chance begin anew: the same questions then have the same answers.

    That is as far as the clock, which ends its thinking, allows it (GNU Go's, for its twogtp).

    Arguments: int seed.
    Example: `set_random_seed 42` -> `=`
    """
    host.board.reseed(seed)


@FREE.command("clear_cache")
def clear_cache(host: FreeHost) -> None:
    """Let our player forget what it has thought so far, so that it thinks afresh.

    Example: `clear_cache` -> `=`
    """
    host.board.forget()
