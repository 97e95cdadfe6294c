"""Views of a game: JSON of `show`, rows of lists, the record."""

import json
from datetime import UTC, datetime

import pytest

from godaemon.games import commands as cmd
from godaemon.games.state import game_at_move
from godaemon.games.stored_values import GameSummary
from godaemon.games.views import game_record, snapshot, summary_values
from godaemon.records.sgf import format_sgf
from godaemon.rules.points import Color
from tests.support import places
from tests.support.logs import ALICE, BOB, B, I, Log, P, W, begun, command, move, proposal

START = datetime(2026, 11, 21, 3, 0, tzinfo=UTC)
VIEWS = json.loads((places.DATA / "game_views.json").read_text("utf-8"))


def counted(*lines: str, black: str = "") -> Log:
    """A game on 3x3 that is being counted, after some commands of White's, and one of Black's."""
    log = begun(proposal((3, 3), komi=0.5), "B2 A1 pass pass")
    for line in lines:
        log.do(W, command(line))
    if black:
        log.do(B, command(black))
    return log


class TestSnapshot:
    """The keys that others rely on, as plain JSON values."""

    def test_a_game_in_play(self) -> None:
        """Its turn, moves and passes, and prisoners by captor."""
        seen = snapshot(begun(proposal((3, 3)), "B1 A1 A2 pass").game)
        assert json.loads(json.dumps(seen)) == VIEWS["show"]

    def test_chat_by_move(self) -> None:
        """With author and move; an earlier board has the words up to then."""
        log = begun(proposal((3, 3)))
        log.do(B, cmd.Say("Good luck!"))
        log.do(B, move("B2"))
        log.do(W, cmd.Say("Thank you."))
        log.do(W, move("A1"))
        log.do(B, cmd.Say("Ouch"))
        texts = [
            {"move": 0, "color": "black", "text": "Good luck!"},
            {"move": 1, "color": "white", "text": "Thank you."},
            {"move": 2, "color": "black", "text": "Ouch"},
        ]
        assert snapshot(log.game)["chat"] == texts
        for number in (0, 1, 2):
            past = snapshot(game_at_move(1, log.events, number))
            assert (past["move_number"], past["chat"]) == (number, texts[: number + 1])

    @pytest.mark.parametrize(
        ("log", "seen"),
        [
            (
                Log(proposal((3, 3), color=None)),
                {"phase": "proposed", "black": None, "proposer": ALICE, "to_move": None}
                | {"last": None, "score": None, "result": None},
            ),
            (
                counted("dead A1 all", "done"),
                {"phase": "scoring", "to_move": None, "scoring_number": 1, "done": ["white"]}
                | {"board": ["BBB", "BbB", "xBB"], "score": {"black": 9.0, "white": 0.5}},
            ),
            (
                counted("dead A1 all", "done", black="done"),
                {"result": "B+8.5", "score": {"black": 9.0, "white": 0.5}},
            ),
            (counted("resign"), {"result": "B+R", "score": None}),
        ],
        ids=["proposed", "counting", "counted", "resigned"],
    )
    def test_each_phase(self, log: Log, seen: dict[str, object]) -> None:
        """No colours before the start; the score follows the marks, and the result stays."""
        assert {key: snapshot(log.game)[key] for key in seen} == seen


class TestRecord:
    """The record for the SGF file."""

    def test_comments_belong_to_moves(self) -> None:
        """By player names, never addresses; two at one move, one below the other."""
        log = begun(moves="D4")
        log.do(B, cmd.Say("hello"))
        log.do(W, cmd.Say("hi"))
        log.play("E5")
        log.do(W, cmd.Say("there"))
        made = game_record(log.game, date="2026-11-21")
        assert made.comments == {1: "Alice: hello\nbob: hi", 2: "bob: there"}
        assert (made.black, made.white, made.date) == ("Alice", "bob", "2026-11-21")
        assert (made.rules, made.komi, made.result) == ("Japanese", 6.5, None)
        assert "@" not in repr(made)

    def test_only_counted_games_have_territory(self) -> None:
        """A resigned game has none."""
        ended = counted("dead A1 all", "done", black="done")
        assert game_record(ended.game).rows == ("BBB", "BbB", "xBB")
        assert game_record(counted("resign").game).rows is None

    def test_a_declined_proposal_has_an_empty_record(self) -> None:
        """A game that never began has a record, too: an empty one."""
        log = Log()
        log.do(P, cmd.Yes())
        log.do(I, cmd.No())
        assert (game_record(log.game).black, game_record(log.game).moves) == ("", ())


def test_a_list_row_has_seconds() -> None:
    log = begun(moves="D4")
    summary = GameSummary(1, log.game.phase, "9x9", "japanese", ALICE, BOB, 1, "white", None, START)
    assert summary_values(summary) == VIEWS["row"]


def test_comments_on_an_undone_move_move_back() -> None:
    """To the last existing move."""
    log = begun(proposal((3, 3)))
    log.do(B, move("B2"))
    log.do(W, move("A1"))
    log.do(W, cmd.Note("too early"))
    log.do(B, cmd.Say("Oh."))
    log.do(W, cmd.Undo())
    log.do(B, cmd.Yes())
    written = format_sgf(game_record(log.game, reader=Color.WHITE))
    assert len(log.game.position.moves) == 1
    assert "too early" in written
    assert "Oh." in written
