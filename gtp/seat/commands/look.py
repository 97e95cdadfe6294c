"""Questions about the stored game, at any place of the cursor."""

from collections.abc import Iterator

from godaemon.errors import Refusal
from godaemon.games import views
from godaemon.games.model import Game, Phase, Seat
from godaemon.records import sgf
from godaemon.rules.points import Color, Point
from godaemon.rules.scoring import point_states
from gtp import argument_readers as read
from gtp import board_in_words
from gtp.client.syntax import Arguments
from gtp.every_session import query_boardsize
from gtp.seat import sentences
from gtp.seat.commands.act import mark
from gtp.seat.commands.play import SEAT_COMMANDS
from gtp.seat.cursor import Analyze, ListGames, Release, SeatDecision, SeatState

MENU = (
    "gfx/Show Marks and Count/godaemon-gfx",
    "gfx/Mark Group Dead/godaemon-gfx_dead %p",
    "gfx/Mark One Chain Dead/godaemon-gfx_dead %p only",
    "gfx/Mark Several Dead/godaemon-gfx_dead %P",
    "gfx/Mark Group Alive/godaemon-gfx_alive %p",
    "gfx/Mark Several Alive/godaemon-gfx_alive %P",
    "string/Done: Agree to the Count/godaemon-done",
    "string/Resume: Play On/godaemon-resume",
    "string/Pass/godaemon-pass",
    "string/Resign/godaemon-resign",
    "none/Say to Opponent/godaemon-say %s",
    "none/Note for Myself/godaemon-note %s",
    "hstring/All That Was Said/godaemon-history",
    "string/Ask to Take My Move Back/godaemon-undo",
    "string/Let the Opponent Take Back/godaemon-undo yes",
    "string/Let the Move Stand/godaemon-undo no",
    "string/Ask for an End Without a Result/godaemon-void",
    "hstring/Plan an Answer/godaemon-if %s",
    "hstring/Describe the Board/godaemon-describe",
    "hstring/Game Status/godaemon-status",
    "hstring/Clock/godaemon-clock",
    "hstring/My Games/godaemon-games",
    "hstring/Show Board/showboard",
    "string/Final Score/final_score",
    "plist/Dead Stones/final_status_list dead",
    "plist/Stones in Seki/final_status_list seki",
    "plist/All Legal Moves/all_legal %c",
)
"""Type, label and command of each entry; labels are unique and have no slashes."""

UNFINISHED = "no analysis while the game goes on: ask again once it is over"
_GFX = {"B": ("BLACK",), "W": ("WHITE",), "x": ("BLACK", "MARK"), "c": ("WHITE", "MARK")}
"""GoGui's drawing of each state of the seven-state board."""


@SEAT_COMMANDS.command("showboard")
def showboard(seat: SeatState) -> SeatDecision:
    """Draw the controller's board for people (6.3.8), and describe the state of the game.

    Until the controller has set up a board, all questions are about the game's present board.

    Returns: the board with its coordinates, and the state of the game.
    """
    cursor, view = seat
    game = view.game
    lines = [
        board_in_words.draw_board(seat.rows, seat.position, game.spec.komi, game.spec.rules),
        f"{sentences.headline(game)} You are {view.color.word}.",
    ]
    if game.phase is Phase.SCORING:
        lines.append(f"Count: {sentences.count_line(game)}.")
    lines += (f"{line}." for line in sentences.request_lines(view))
    if left := sentences.clocks_text(view):
        lines.append(f"Time: {left}.")
    if where := sentences.place_text(cursor, view):
        lines.append(where)
    return seat.answer_with_marks("\n".join(lines))


@SEAT_COMMANDS.command("gogui-rules_board_size")
def gogui_rules_board_size(seat: SeatState) -> str:
    """The size of the game's board, which GoGui adopts (GoGui's extension).

    Returns: the size; width and height if they differ.
    Example: `gogui-rules_board_size` -> `= 9`
    """
    return query_boardsize(seat.view.game.position)


@SEAT_COMMANDS.command("get_komi")
def get_komi(seat: SeatState) -> str:
    """The game's komi, not the controller's (GNU Go's extension)."""
    return f"{seat.view.game.spec.komi:g}"


@SEAT_COMMANDS.command("get_handicap")
def get_handicap(seat: SeatState) -> str:
    """The game's number of handicap stones (GNU Go's extension).

    Returns: the number; 0 also for a game that began from a position with white stones.
    """
    return str(seat.view.game.position.handicap_count)


@SEAT_COMMANDS.command("cputime")
def cputime(_: SeatState) -> str:
    """The processor time for a seat's moves: none, because a seat chooses no moves.

    Returns: 0.000 seconds.
    Example: `cputime` -> `= 0.000`
    """
    return "0.000"


@SEAT_COMMANDS.command("printsgf", read.words)
def printsgf(seat: SeatState, target: Arguments) -> str:
    """The record of the whole game (GNU Go's extension).

    Arguments: none or `-`, because a seat writes no files.
    Fails: `cannot write file` for a file name.
    Returns: an SGF file.
    Example: `printsgf` -> `= (;FF[4]GM[1]SZ[9]` and so on
    """
    if target and target[0] != "-":
        raise Refusal("cannot write file")
    return sgf.format_sgf(views.game_record(seat.view.game, reader=seat.view.color)).strip()


@SEAT_COMMANDS.command("gogui-title")
def gogui_title(seat: SeatState) -> str:
    """A title for GoGui's window: the game and its players (GoGui's extension).

    Returns: one line.
    Example: `gogui-title` -> `= Game 7: Alice (black) against Bob (white)`
    """
    game = seat.view.game
    black, white = (sentences.player_name(game, color) for color in (Color.BLACK, Color.WHITE))
    return f"Game {game.id}: {black} (black) against {white} (white)"


@SEAT_COMMANDS.command("godaemon-status")
def status(seat: SeatState) -> SeatDecision:
    """The state of the game for people: players, last move, marks, count and last words.

    Returns: one fact per line.
    Example: `godaemon-status` -> `= Game: 7, 9x9, japanese rules, komi 6.5` and more lines
    """
    return seat.answer_with_marks(sentences.status_text(seat.cursor, seat.view))


@SEAT_COMMANDS.command("godaemon-clock")
def clock(seat: SeatState) -> str:
    """The game's own clock; the controller's does not count.

    Returns: the time settings, each side's remaining time, the state of its clock, and the
        deadline; one fact per line.
    Example: `godaemon-clock` -> `= Time: 3 days a move` and more lines
    """
    return sentences.clock_lines(seat.view)


@SEAT_COMMANDS.command("godaemon-games")
def games(seat: SeatState) -> SeatDecision:
    """The games of the seat's player, the newest first, for people.

    Returns: one game per line, with its number, its players and its state.
    Example: `godaemon-games` -> `= 7 9x9 ... move 12: your move`
    """
    return ListGames(seat.view.game.player(Seat.of(seat.view.color)).address)


@SEAT_COMMANDS.command("godaemon-history")
def history(seat: SeatState) -> str:
    """All words and requests in the game, and your own notes, for people.

    Returns: one line for each, by the number of moves before it.
    Example: `godaemon-history` -> `= move 12, Bob: Good game so far!` and more lines
    """
    return "\n".join(_history_lines(seat.view.game, seat.view.color))


def _history_lines(game: Game, reader: Color) -> Iterator[str]:
    kinds = (
        *((game.chat, ":"), (game.undone, " took back:")),
        *((game.notes_for(reader), " noted:"), (game.estimates, " asked for")),
    )
    entries = [(one, verb) for remarks, verb in kinds for one in remarks]
    for one, verb in sorted(entries, key=lambda entry: entry[0].move_number):
        name = sentences.player_name(game, one.color)
        yield f"move {one.move_number}, {name}{verb} {sentences.one_line(one.text)}"


@SEAT_COMMANDS.command("godaemon-describe", read.words)
def describe(seat: SeatState, part: Arguments) -> str:
    """The board at the cursor in sentences, to be read aloud."""
    return board_in_words.describe(seat.rows, part)


@SEAT_COMMANDS.command("lz-analyze")
@SEAT_COMMANDS.command("kata-analyze")
def analyze(seat: SeatState) -> SeatDecision:
    """Analyze the board at the cursor and report on each move, until the next line of input.

    It ends by itself after five minutes, and two programs at a time can use it. During the game
    `list_commands` does not name it, because a program would play each move that it examines.

    Fails: during the game; if two others use it; as on a free board.
    """
    if not seat.view.game.phase.over:
        raise Refusal(UNFINISHED)
    return Analyze(seat.position)


# -- GoGui's drawings (GoGui's manual, "Analyze Commands") ---------------------------------------
@SEAT_COMMANDS.command("gogui-analyze_commands")
def gogui_analyze_commands(_: SeatState) -> str:
    """The entries of GoGui's menu of analyze commands (GoGui's extension).

    Example: `gogui-analyze_commands` -> `= gfx/Show Marks and Count/godaemon-gfx` and so on
    """
    return "\n".join(MENU)


@SEAT_COMMANDS.command("godaemon-gfx")
def gfx(seat: SeatState) -> SeatDecision:
    """Draw dead stones, territory and the last move of the game on GoGui's board.

    Returns: GoGui's graphics commands, one per line.
    Example: `godaemon-gfx` -> `= BLACK A1 B1` and more lines, the last `TEXT B+3.5 ...`
    """
    return seat.answer_with_marks(draw_game(seat.view.game, sentences.clocks_text(seat.view)))


@SEAT_COMMANDS.command("godaemon-gfx_dead", read.words, dead=True)
@SEAT_COMMANDS.command("godaemon-gfx_alive", read.words, dead=False)
def gfx_mark(seat: SeatState, arguments: Arguments, *, dead: bool) -> SeatDecision:
    """Mark groups as `godaemon-dead` does, and draw the game's board as `godaemon-gfx` does.

    Arguments: as for `godaemon-dead`.
    Fails: as `godaemon-dead`.
    Returns: GoGui's graphics commands, one per line.
    Example: `godaemon-gfx_dead D4` -> `= BLACK A1 B1` and more lines
    """
    decision = mark(seat, arguments, dead=dead)
    if isinstance(decision, Release):
        return decision
    return decision._replace(text=lambda outcome: draw_game(outcome.after), shows=True)


def draw_game(game: Game, left: str = "") -> str:
    """The board in GoGui's graphics: territory, crosses on dead stones, the last move, the count.

    Points under dead stones belong to the opponent, as in records.
    """
    places: dict[str, list[Point]] = {"BLACK": [], "WHITE": [], "MARK": []}
    for point, state in point_states(game.rows()):
        for kind in _GFX.get(state, ()):
            places[kind].append(point)
    last = game.position.last
    if last is not None and last.point is not None:
        places["CIRCLE"] = [last.point]
    lines = [f"{kind} {sentences.points_text(points)}" for kind, points in places.items() if points]
    text = sentences.count_line(game)
    if left:
        text = f"{text.removesuffix('.')}. Time: {left}"
    return "\n".join([*lines, f"TEXT {text}"])
