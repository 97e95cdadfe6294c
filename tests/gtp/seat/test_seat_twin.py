"""Random commands of two controllers and random letters in one stored game.

The log only grows, by legal moves and by each seat's own commands, once each.
"""

import asyncio
from collections import Counter
from unittest.mock import AsyncMock

from hypothesis import given, settings
from hypothesis import strategies as st

from godaemon.errors import Refusal
from godaemon.games import commands as cmd
from godaemon.games import events as ev
from godaemon.games.events import LogEntry
from godaemon.games.model import Game, Seat
from godaemon.games.service_calls import Caller
from godaemon.games.state import replay
from godaemon.rules.points import Color, Point, Size
from gtp.argument_readers import format_vertex
from gtp.seat.stored_seat import SeatService
from tests.support.examples import examples
from tests.support.gateway import Gateway
from tests.support.seat_game import QUIET_SECONDS, Controller, settle

ALICE = Caller("letter:<a>", "alice@players.example", "Alice")
BOB = Caller("letter:<b>", "bob@players.example", "Bob")
SEATS = st.sampled_from([Seat.BLACK, Seat.WHITE])
COLORS = st.sampled_from(list(Color))
POINTS = st.builds(Point, st.integers(0, 2), st.integers(0, 2))
VERTICES = st.one_of(POINTS.map(str), POINTS.map(str), st.just("pass"))
MOVES = st.builds("{} {}".format, st.sampled_from("bw"), VERTICES)
MARKS = st.builds(
    "godaemon-{} {} {}".format,
    st.sampled_from(["dead", "alive", "gfx_dead"]),
    POINTS,
    st.sampled_from(["", "only", "all"]),
)
ACTS = st.one_of(
    MARKS,
    st.sampled_from(["godaemon-done", "godaemon-resume", "godaemon-pass", "godaemon-void"]),
    st.sampled_from(["godaemon-say well played", "godaemon-status"]),
)
SEQUENCES = st.lists(MOVES, min_size=1, max_size=4)
LINES = st.one_of(
    ACTS,
    MOVES.map("play {}".format),
    SEQUENCES.map(lambda moves: "gogui-play_sequence " + " ".join(moves)),
    st.sampled_from(["genmove b", "genmove w", "undo", "undo 0", "gg-undo 3", "clear_board"]),
    st.sampled_from(["boardsize 3", "boardsize 9", "komi 6.5", "gogui-setup b A1", "# interrupt"]),
    st.sampled_from(["godaemon-status", "godaemon-gfx", "showboard", "final_score", "printsgf"]),
    st.sampled_from(
        ["list_stones b", "all_legal w", "move_history", "last_move", "godaemon-games"]
    ),
    st.sampled_from(["godaemon-done", "final_status_list dead"]),
)
LETTERS = st.one_of(
    POINTS.map(cmd.Play),
    st.sampled_from([cmd.Pass(), cmd.Pass(), cmd.Done(), cmd.Resume(), cmd.Say("a letter")]),
    st.builds(cmd.Mark, st.tuples(POINTS), st.booleans(), st.just(cmd.Extent.CHAIN)),
)


class Club:
    """A 3x3 game, so that captures, ko, passes and counting come about in a few moves."""

    def __init__(self) -> None:
        self.gateway = Gateway()
        self.loop = asyncio.Runner()
        store = self.gateway.writer, self.gateway.games
        self.seats = SeatService(*store, lambda: self.gateway.now, AsyncMock(), AsyncMock())
        self.gateway.writer.on_commit.append(lambda news: self.seats.wake_sessions(news.games))
        self.guis: dict[Color, Controller] = {}
        self.faults: list[Exception] = []
        self.sessions = 0
        self.names: dict[Color, str] = {}
        self.before: list[LogEntry] = []
        self.begin()

    def begin(self) -> None:
        """Alice has black, Bob has white, and both sit down at a GUI."""
        wanted = cmd.Propose(BOB.address, Size(3, 3), color=Color.BLACK)
        self._do(lambda unit: self.gateway.games(unit).propose(wanted, ALICE, vouched=True))
        self._letter(Seat.INVITED, cmd.Yes())
        for color in Color:
            self._sit_down(color)

    def type(self, color: Color, lines: list[str]) -> None:
        """A GUI sends anything, each line alone; each command is answered once, or waits."""
        for line in lines:
            responses = self.loop.run(self.guis[color].say(line))
            assert len(responses) <= 2

    def pipeline(self, color: Color, lines: list[str]) -> None:
        """A GUI sends anything, all at once."""
        self.loop.run(self.guis[color].say(*lines))

    def replay_the_record(self, color: Color) -> None:
        """In any state of the GUI its replay succeeds, and changes nothing."""
        gui = self.guis[color]
        self.loop.run(gui.say("clear_board"))
        before, moves = self._log(), self.gateway.game().position.moves
        lines = [f"play {move.color.word} {format_vertex(move.point)}" for move in moves]
        assert self.loop.run(gui.say(*lines)) == ["="] * len(lines)
        if moves:
            together = " ".join(f"{move.color.word} {format_vertex(move.point)}" for move in moves)
            answers = self.loop.run(
                gui.say(f"gg-undo {len(moves)}", f"gogui-play_sequence {together}")
            )
            assert answers == ["=", "="]
        assert self._log() == before

    def play_on(self, color: Color, chance: int, then: str) -> None:
        """A GUI catches up by genmove, and makes a legal move where it is its turn."""
        gui = self.guis[color]
        self.loop.run(gui.say("clear_board"))
        for move in self.gateway.game().position.moves:
            assert (
                self.loop.run(gui.ask(f"genmove {move.color.word}"))
                == f"= {format_vertex(move.point)}"
            )
        game = self.gateway.game()
        if game.to_move is not None:
            answer = self.loop.run(gui.ask(f"play {color.opponent.word} A{chance % 3 + 1}"))
            assert answer == "? illegal move"
        if game.to_move is color:
            legal = [*map(str, game.position.legal_moves(color)), "pass"]
            then = then.replace("OPPONENT", color.opponent.word)
            lines = [f"play {color.word} {legal[chance % len(legal)]}", *([then] if then else [])]
            answers = self.loop.run(gui.say(*lines))
            assert answers[0] == "="

    def stop_play(self) -> None:
        while (color := self.gateway.game().to_move) is not None:
            self._letter(Seat.of(color), cmd.Pass())
        self.loop.run(settle())

    def wait(self, color: Color) -> None:
        """A few quiet seconds."""
        self.loop.run(self.guis[color].pass_time(QUIET_SECONDS))

    def leave_and_come_back(self, color: Color) -> None:
        """The session ends, and a pending move with it; another one begins."""
        self.loop.run(self.guis[color].hang_up())
        self._sit_down(color)

    def send_again(self, color: Color, line: str) -> None:
        """The link breaks before an answer is read: the act is sent again, and done once."""
        gui = self.guis[color]
        self.loop.run(gui.say("name", line))
        serial, done = gui.session.serial, self._done(f"{self.names[color]}:{gui.session.serial}")
        self.loop.run(gui.hang_up())
        before = self._log()
        again = self._sit_down(color, anew=False)
        again.session.serial = serial - 1
        answer = self.loop.run(again.ask(line))
        if done:
            assert answer.startswith("=")
            assert self._log() == before

    def letter(self, seat: Seat, command: cmd.Action) -> None:
        """A letter of either player, who knows the current game."""
        try:
            self._letter(seat, command)
        except Refusal:
            return
        self.loop.run(settle())

    def the_log_only_grows(self) -> None:
        """What was there stays; each move that comes was legal there, and its own seat's."""
        log = self._log()
        assert log[: len(self.before)] == self.before
        for at in range(max(1, len(self.before)), len(log)):
            self._check(replay(1, [entry.event for entry in log[:at]]), log[at])
        self.before = log
        assert self.faults == [], self.faults

    def nothing_is_done_twice(self) -> None:
        """No command of a session has two effects."""
        deeds = ev.Moved | ev.Passed | ev.Marked | ev.Resumed | ev.Resigned | ev.Said | ev.Agreed
        log = self._log()
        counts = Counter(
            entry.cause
            for entry in log
            if entry.cause.startswith("gtp:") and isinstance(entry.event, deeds)
        )
        assert all(count == 1 for count in counts.values()), counts

    def each_controller_stands_on_the_record(self) -> None:
        """The cursor follows the record; a pending move is only at its end, on its turn."""
        for color, gui in self.guis.items():
            view = self.loop.run(gui.seat.view())
            cursor, moves = gui.session.cursor.catch_up_with(view), view.moves
            followed = cursor.followed_moves()
            assert followed == moves[: len(followed)]
            if cursor.pending is not None:
                assert followed == moves
                assert cursor.pending.color is color is view.game.to_move

    def check(self) -> None:
        """What holds at all times."""
        self.each_controller_stands_on_the_record()
        self.the_log_only_grows()
        self.nothing_is_done_twice()

    def end(self) -> None:
        """All leave."""
        try:
            for gui in self.guis.values():
                self.loop.run(gui.hang_up())
            self.check()
        finally:
            self.loop.close()

    def _check(self, before: Game, entry: LogEntry) -> None:
        event = entry.event
        if isinstance(event, ev.Moved | ev.Passed):
            color = Color.named(event.color)
            assert before.to_move is color
            if isinstance(event, ev.Moved):
                column, row = "ABC".index(event.point[0]), int(event.point[1]) - 1
                assert before.position.is_legal(color, Point(column, row))
        if entry.cause.startswith("gtp:") and isinstance(event, ev.Moved | ev.Passed | ev.Agreed):
            assert entry.cause.split(":")[1].startswith(event.color)

    def _sit_down(self, color: Color, *, anew: bool = True) -> Controller:
        if anew:
            self.sessions += 1
            self.names[color] = f"{color.word}-{self.sessions}"
        seat_game = self.loop.run(self.seats.open_seat(1, color))
        gui = self.guis[color] = self.loop.run(self._controller(seat_game, self.names[color]))
        gui.faults = self.faults
        return gui

    async def _controller(self, seat_game: object, name: str) -> Controller:
        return Controller(seat_game, name)  # type: ignore[arg-type]

    def _letter(self, seat: Seat, command: cmd.Action) -> None:
        caller = ALICE if seat is Seat.BLACK else BOB
        self._do(lambda unit: self.gateway.games(unit).act(1, seat, (command,), caller))

    def _do(self, work: object) -> None:
        assert callable(work)
        self.gateway.writer.run_sync(work)

    def _log(self) -> list[LogEntry]:
        return list(self.gateway.snapshot().games.log(1))

    def _done(self, cause: str) -> bool:
        return any(entry.cause == f"gtp:{cause}" for entry in self._log())


def steps() -> st.SearchStrategy[tuple[str, tuple[object, ...]]]:
    """What can happen next: a method of `Club`, and its arguments."""
    then = st.sampled_from(["genmove OPPONENT"] * 5 + ["", "undo", "play w A1", "godaemon-resign"])
    some = st.lists(LINES, min_size=1, max_size=5)
    moves = st.tuples(st.just("play_on"), st.tuples(COLORS, st.integers(0, 99), then))
    letters = st.tuples(st.just("letter"), st.tuples(SEATS, LETTERS))
    return st.one_of(
        moves,
        moves,
        letters,
        letters,
        st.tuples(st.just("type"), st.tuples(COLORS, some)),
        st.tuples(st.just("pipeline"), st.tuples(COLORS, some)),
        st.tuples(st.just("send_again"), st.tuples(COLORS, ACTS)),
        st.tuples(
            st.sampled_from(["wait", "replay_the_record", "leave_and_come_back"]), st.tuples(COLORS)
        ),
        st.tuples(st.just("stop_play"), st.tuples()),
    )


@given(st.lists(steps(), min_size=20, max_size=60))
@settings(max_examples=examples(60))
def test_two_controllers_and_letters_keep_all_invariants(
    happenings: list[tuple[str, tuple[object, ...]]],
) -> None:
    """After each action and at the end."""
    club = Club()
    try:
        for method, arguments in happenings:
            getattr(club, method)(*arguments)
            club.check()
    finally:
        club.end()
