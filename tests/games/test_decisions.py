"""What may happen when: the table of revisions row by row, phases, and kind refusals."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from godaemon.errors import (
    IllegalMove,
    NotAllowed,
    NotYourTurn,
    Reason,
    Refusal,
    Stale,
    Unknown,
    WrongPhase,
)
from godaemon.games import commands as cmd
from godaemon.games import events as ev
from godaemon.games.model import Phase, Revisions, Seat
from godaemon.rules.points import Color
from tests.support.logs import ALICE, B, I, Log, P, W, alive, begun, dead, move, proposal

OPEN = "D4 F6 D5 F5 pass pass"
"""Two groups that face each other, and the game is being counted."""
F6 = dead("F6", cmd.Extent.CHAIN)
RESUME = (B, cmd.Resume())


def refused(log: Log, seat: Seat, *commands: cmd.Action, seen: Revisions | None = None) -> Refusal:
    """The refusal of a command, after which nothing has changed."""
    length, revisions = len(log.events), log.game.revisions
    with pytest.raises(Refusal) as caught:
        log.do(seat, *commands, seen=seen)
    assert (len(log.events), log.game.revisions) == (length, revisions)
    return caught.value


class TestStale:
    """The table of revisions: what each command must match."""

    @pytest.mark.parametrize(
        ("moves", "since", "command", "says", "hints"),
        [
            ("D4", ["F6 F5"], move("E5"), "has changed since", ()),
            ("D4", ["F6 F5"], cmd.Pass(), "has changed since", ()),
            ("D4", ["E5 D5"], move("A1"), "has changed since", ()),
            ("D4", ["E5"], cmd.Resign(), "look again", ("resign",)),
            ("D4", ["F6"], cmd.Void(), "", ("void",)),
            ("D4", ["F6"], cmd.Withdraw(), "", ("void",)),
            (OPEN, [RESUME, "pass pass"], cmd.Resume(), "has changed since", ()),
            (OPEN, [RESUME, "pass pass"], dead("D4"), "has changed since", ()),
            (OPEN, [RESUME, "pass pass"], alive("D4"), "has changed since", ()),
            (OPEN, [RESUME, "pass pass"], cmd.Resign(), "", ("resign",)),
            (OPEN, [(B, F6)], cmd.Done(), "look again", ("done",)),
            (OPEN, [(W, F6)], cmd.Done(), "look again", ("done",)),
            # Nobody is told to say in vain what could not be done now.
            (OPEN, [(B, F6), RESUME], cmd.Done(), "has changed since", ()),
            (OPEN, [RESUME, (B, cmd.Resign())], cmd.Resign(), "has changed since", ()),
        ],
        ids=str,
    )
    def test_what_was_written_before(
        self,
        moves: str,
        since: list[str | tuple[Seat, cmd.Action]],
        command: cmd.Action,
        says: str,
        hints: tuple[str, ...],
    ) -> None:
        """A command is refused after what has happened since, and offered again if it can be."""
        log = begun(moves=moves)
        old = log.game.revisions
        for step in since:
            if isinstance(step, str):
                log.play(step)
            else:
                log.do(*step)
        refusal = refused(log, W, command, seen=old)
        assert isinstance(refusal, Stale)
        assert says in refusal.public
        assert refusal.hints == hints

    @pytest.mark.parametrize("command", [move("E5"), cmd.Pass()])
    def test_whoever_has_just_moved_is_told_whose_turn_it_is(self, command: cmd.Action) -> None:
        """Only the last move, and that their own, has changed the game since."""
        log = begun(moves="D4")
        old = log.game.revisions
        log.play("F6")
        for seen in (old, log.game.revisions):
            refusal = refused(log, W, command, seen=seen)
            assert "not your turn: Alice is to move" in refusal.public
        log.play("F5")
        assert "has changed since" in refused(log, W, command, seen=old).public

    @pytest.mark.parametrize("command", [cmd.Resign(), move("D4"), cmd.Pass(), cmd.Void()])
    def test_before_the_start_nothing_is_called_old(self, command: cmd.Action) -> None:
        """Who is told to say it once more is told so in vain: it has not begun."""
        log = Log()
        old = log.game.revisions
        log.do(P, cmd.Yes())
        refusal = refused(log, P, command, seen=old)
        assert not isinstance(refusal, Stale)
        assert "once more" not in refusal.public
        assert "resign" not in refusal.hints

    def test_marks_may_cross(self) -> None:
        """They set a status, so both players' marks count, whoever's came first."""
        log = begun(moves=OPEN)
        seen = log.game.revisions
        log.do(B, F6, seen=seen)
        log.do(W, dead("D4", cmd.Extent.CHAIN), seen=seen)
        assert len(log.game.dead) == 4
        assert log.game.revisions.marks == 2

    def test_same_mark_from_both(self) -> None:
        """A crossing mark that changes nothing clears nothing and counts nothing."""
        log = begun(moves=OPEN)
        seen = log.game.revisions
        log.do(B, F6, seen=seen)
        log.do(B, cmd.Done(), seen=log.game.revisions)
        before = log.game.revisions
        assert log.do(W, dead("F5", cmd.Extent.CHAIN), seen=seen) == ()
        assert log.game.revisions == before
        assert set(log.game.agreed) == {Color.BLACK}

    @pytest.mark.parametrize("again", [False, True], ids=["first count", "after resuming"])
    def test_done_must_have_seen_the_count(self, again: bool) -> None:
        """No letter from before the count agrees to it, though nobody has marked a stone."""
        log = begun(moves=OPEN)
        if again:
            log.do(B, cmd.Resume())
            log.play("pass pass")
        before = {log.game.revisions._replace(position=at) for at in range(log.game.revisions[0])}
        for seat in (B, W):
            for seen in before:
                refusal = refused(log, seat, cmd.Done(), seen=seen)
                assert isinstance(refusal, Stale)
                assert refusal.hints == ("done",)
        assert log.game.agreed == {}
        log.do(W, cmd.Done(), seen=log.game.revisions)
        assert set(log.game.agreed) == {Color.WHITE}

    def test_done_with_marks_of_the_same_letter(self) -> None:
        """They are part of what is agreed to."""
        log = begun(moves=OPEN)
        log.do(W, F6, cmd.Done(), seen=log.game.revisions)
        assert set(log.game.agreed) == {Color.WHITE}
        assert "x" in log.game.agreed[Color.WHITE]

    def test_marks_of_a_stale_done_are_not_made(self) -> None:
        """All of a letter's commands or none."""
        log = begun(moves=OPEN)
        seen = log.game.revisions
        log.do(B, dead("D4", cmd.Extent.CHAIN))
        refused(log, W, F6, cmd.Done(), seen=seen)
        assert len(log.game.dead) == 2

    def test_nothing_is_revived_by_resuming(self) -> None:
        """Marks go, and no letter of the first count is fresh in the second."""
        log = begun(moves=OPEN)
        log.do(B, F6)
        letters = {log.game.revisions}
        log.do(B, cmd.Done())
        log.do(W, cmd.Resume())
        letters.add(log.game.revisions)
        log.play("pass pass")
        assert log.game.dead == frozenset()
        assert log.game.agreed == {}
        for seen in letters - {log.game.revisions}:
            for command in (dead("F6"), cmd.Resume(), cmd.Pass()):
                assert isinstance(refused(log, W, command, seen=seen), Stale)
        assert log.game.revisions not in letters

    def test_words_are_never_stale(self) -> None:
        """What changes nothing must match nothing."""
        log = begun(moves="D4")
        old = log.game.revisions
        log.play("E5 D5")
        assert log.do(W, cmd.Say("hello"), seen=old)

    def test_yes_is_a_matter_of_the_phase(self) -> None:
        """An invitation can be accepted by whichever of its letters."""
        log = Log()
        old = log.game.revisions
        log.do(P, cmd.Yes(), seen=old)
        log.do(I, cmd.Yes(), seen=old)
        assert log.game.phase is Phase.PLAYING


class TestPlaying:
    """Whose turn it is, and what the rules of Go say."""

    def test_not_your_turn(self) -> None:
        """The refusal names whom we wait for."""
        log = begun(moves="D4")
        refusal = refused(log, B, move("E5"))
        assert isinstance(refusal, NotYourTurn)
        assert refusal.public == "It is not your turn: bob is to move. Nothing has changed."

    @pytest.mark.parametrize(
        ("moves", "point", "reason"),
        [
            ("D4", "D4", Reason.OCCUPIED),
            ("", "K1", Reason.OFF_BOARD),
            ("A2 J9 B1 J8 pass", "A1", Reason.SUICIDE),
            ("B2 C2 A1 D1 C1 B1", "C1", Reason.KO),
        ],
    )
    def test_illegal(self, moves: str, point: str, reason: Reason) -> None:
        """The reason is the rule's, and the sentence says that nothing has changed."""
        log = begun(moves=moves)
        assert log.game.to_move is not None
        refusal = refused(log, Seat.of(log.game.to_move), move(point))
        assert isinstance(refusal, IllegalMove)
        assert refusal.reason is reason
        assert refusal.public.endswith("Nothing has changed.")

    @pytest.mark.parametrize("command", [dead("D4"), alive("D4"), cmd.Done(), cmd.Resume()])
    def test_counting_has_not_begun(self, command: cmd.Action) -> None:
        """The refusal says when it will; a pass is not offered, as it would be a bad move."""
        log = begun(moves="D4")
        refusal = refused(log, W, command)
        assert isinstance(refusal, WrongPhase)
        assert "when both players have passed" in refusal.public
        assert refusal.hints == ()

    @pytest.mark.parametrize("seat", [B, W])
    def test_resign_at_any_time(self, seat: Seat) -> None:
        """On the opponent's turn, too."""
        log = begun(moves="D4")
        log.do(seat, cmd.Resign())
        assert log.game.result == {B: "W+R", W: "B+R"}[seat]
        assert log.game.phase is Phase.FINISHED


class TestOtherPhases:
    """Each wrong phase has its own sentence, and hints that would work."""

    @pytest.mark.parametrize("command", [move("E5"), cmd.Pass()])
    def test_move_while_counting(self, command: cmd.Action) -> None:
        """A bare move is not enough to resume: the word for that is offered."""
        log = begun(moves=OPEN)
        refusal = refused(log, B, command)
        assert "being counted" in refusal.public
        assert refusal.hints == ("resume", "done")

    @pytest.mark.parametrize(
        ("seat", "confirmed", "gist", "hints"),
        [
            (P, False, "needs your yes", ("yes", "withdraw")),
            (P, True, "bob has not accepted", ("withdraw",)),
            (I, True, "please accept it first", ("accept", "decline")),
        ],
    )
    @pytest.mark.parametrize(
        "command", [move("D4"), cmd.Pass(), cmd.Resign(), dead("D4"), cmd.Done(), cmd.Resume()]
    )
    def test_before_the_start(
        self, seat: Seat, confirmed: bool, gist: str, hints: tuple[str, ...], command: cmd.Action
    ) -> None:
        """Each side is told what it is that the game waits for."""
        log = Log()
        if confirmed:
            log.do(P, cmd.Yes())
        refusal = refused(log, seat, command)
        assert isinstance(refusal, WrongPhase)
        assert gist in refusal.public
        assert refusal.hints == hints

    @pytest.mark.parametrize(
        "command",
        [
            *(move("D4"), cmd.Pass(), cmd.Resign(), dead("D4"), alive("D4")),
            *(cmd.Done(), cmd.Resume(), cmd.Yes(), cmd.No(), cmd.Withdraw()),
        ],
        ids=lambda command: type(command).__name__,
    )
    def test_when_it_is_over(self, command: cmd.Action) -> None:
        """The refusal says how it ended, and what is still to be had."""
        log = begun(moves="D4")
        log.do(B, cmd.Resign())
        refusal = refused(log, W, command)
        assert isinstance(refusal, WrongPhase)
        assert "over: W+R" in refusal.public
        assert refusal.hints == ("sgf",)

    def test_a_tie_is_told_in_words(self) -> None:
        """Not as SGF's bare `0`."""
        log = begun(proposal(komi=0), moves="pass pass")
        log.do(B, cmd.Done())
        log.do(W, cmd.Done())
        assert log.game.result == "0"
        assert "over: the game is a tie (jigo)." in refused(log, B, cmd.Pass()).public

    @pytest.mark.parametrize(
        ("end", "word"),
        [
            (lambda log: log.do(I, cmd.No()), "declined"),
            (lambda log: log.do(P, cmd.Withdraw()), "withdrawn"),
            (lambda log: log.event(ev.Expired()), "expired"),
        ],
    )
    @pytest.mark.parametrize("command", [move("D4"), cmd.Yes(), cmd.No(), cmd.Withdraw()])
    def test_proposal_that_ended(
        self, end: Callable[[Log], object], word: str, command: cmd.Action
    ) -> None:
        """Nothing brings an ended proposal back."""
        log = Log()
        log.do(P, cmd.Yes())
        end(log)
        assert log.game.phase.over
        for seat in (P, I):
            refusal = refused(log, seat, command)
            assert isinstance(refusal, WrongPhase)
            assert word in refusal.public
            assert refusal.hints == ("games",)

    @pytest.mark.parametrize("command", [cmd.Yes(), cmd.No()])
    def test_answer_to_an_invitation_while_it_goes_on(self, command: cmd.Action) -> None:
        """There is nothing to say yes to; while counting the word that is meant is offered."""
        log = begun(moves="D4")
        assert "started already" in refused(log, B, command).public
        log.play("pass pass")
        assert refused(log, B, command).hints == ("done", "resume")

    @pytest.mark.parametrize("seat", [B, W])
    @pytest.mark.parametrize("moves", ["", "D4"])
    def test_a_game_that_has_hardly_started_is_called_off(self, seat: Seat, moves: str) -> None:
        """Before both have moved, either of them may."""
        log = begun(moves=moves)
        assert log.do(seat, cmd.Withdraw()) == (ev.Finished("Void", why="called off"),)
        assert (log.game.phase, log.game.result) == (Phase.FINISHED, "Void")

    @pytest.mark.parametrize(("first", "second"), [(B, W), (W, B)])
    @pytest.mark.parametrize("moves", ["D4 E5", "D4 E5 pass pass"])
    def test_a_game_that_has_started_is_cancelled_by_both(
        self, first: Seat, second: Seat, moves: str
    ) -> None:
        """Once both have moved, one of them only asks for it, however often."""
        log = begun(moves=moves)
        phase = log.game.phase
        assert log.do(first, cmd.Withdraw()) == (ev.Voided(first.word),)
        assert log.do(first, cmd.Withdraw()) == ()
        assert (log.game.phase, log.game.result) == (phase, None)
        assert log.do(second, cmd.Withdraw()) == (ev.Voided(second.word), ev.Finished("Void"))
        assert (log.game.phase, log.game.result) == (Phase.FINISHED, "Void")

    def test_a_game_with_a_program_is_not_cancelled(self) -> None:
        """It agrees to nothing: whoever would cancel the game learns how games end."""
        log = begun(proposal(invited="engine:house"), "D4 E5")
        refusal = refused(log, B, cmd.Withdraw())
        assert "Nothing has changed" in refusal.public
        assert refusal.hints == ("resign",)


class TestProposals:
    """Confirm, accept, decline, withdraw, and who has which colour."""

    def test_confirm_then_accept(self) -> None:
        """Two answers start a game."""
        log = Log()
        assert log.do(P, cmd.Yes()) == (ev.Confirmed(),)
        assert log.do(I, cmd.Yes()) == (ev.Started("proposer", "bob"),)
        assert log.game.to_move is Color.BLACK

    def test_accept_before_it_was_confirmed(self) -> None:
        """Nobody can have been invited yet."""
        assert "not been confirmed" in refused(Log(), I, cmd.Yes()).public

    def test_confirm_twice(self) -> None:
        """It is the other's turn to say something."""
        log = Log()
        log.do(P, cmd.Yes())
        refusal = refused(log, P, cmd.Yes())
        assert "bob has not accepted" in refusal.public
        assert refusal.hints == ("withdraw",)

    @pytest.mark.parametrize("confirmed", [False, True])
    @pytest.mark.parametrize("command", [cmd.No(), cmd.Withdraw()])
    def test_proposer_takes_it_back(self, confirmed: bool, command: cmd.Action) -> None:
        """Before it is accepted, at any time, in either word."""
        log = Log()
        if confirmed:
            log.do(P, cmd.Yes())
        log.do(P, command)
        assert log.game.phase is Phase.WITHDRAWN

    def test_invited_player_cannot_withdraw(self) -> None:
        """They can decline, and are told so."""
        log = Log()
        log.do(P, cmd.Yes())
        refusal = refused(log, I, cmd.Withdraw())
        assert isinstance(refusal, NotAllowed)
        assert refusal.hints == ("decline",)

    @pytest.mark.parametrize(
        ("color", "lot", "black"),
        [
            ("black", Color.WHITE, ALICE),
            ("white", Color.BLACK, "bob@players.example"),
            (None, Color.BLACK, ALICE),
            (None, Color.WHITE, "bob@players.example"),
        ],
    )
    def test_colours(self, color: str | None, lot: Color, black: str) -> None:
        """As the proposer wished, or by the lot that comes from outside."""
        log = Log(proposal(color=color), lot=lot).start()
        assert log.game.black is not None
        assert log.game.black.address == black

    def test_handicap(self) -> None:
        """White moves first where there are handicap stones."""
        log = begun(proposal(handicap=2))
        assert log.game.to_move is Color.WHITE
        assert "".join(log.game.rows()).count("b") == 2

    def test_no_words_before_the_start(self) -> None:
        """So that nobody can make us write to strangers."""
        log = Log()
        log.do(P, cmd.Yes())
        assert "strangers" in refused(log, P, cmd.Say("buy!")).public
        assert isinstance(refused(log, I, cmd.Say("buy!")), NotAllowed)


class TestTeaching:
    """One person at both seats, from either of whose letters the one to move is meant."""

    def log(self) -> Log:
        """Alice plays herself."""
        return Log(proposal(invited=ALICE.upper()))

    def test_one_yes_starts_it(self) -> None:
        """There is nobody else to ask."""
        log = self.log()
        assert [type(event) for event in log.do(P, cmd.Yes())] == [ev.Confirmed, ev.Started]
        assert log.game.phase is Phase.PLAYING

    @pytest.mark.parametrize("seat", [B, W])
    def test_whole_game(self, seat: Seat) -> None:
        """Any of her letters moves for whose turn it is, and one done ends the count."""
        log = self.log().start()
        for word in ("D4", "E5", "pass", "pass"):
            log.do(seat, move(word))
        assert [played.color for played in log.game.position.moves] == [
            *(Color.BLACK, Color.WHITE, Color.BLACK, Color.WHITE)
        ]
        log.do(seat, cmd.Done())
        assert log.game.phase is Phase.FINISHED
        assert log.game.result == "W+6.5"


class TestMarks:
    """What cannot be marked."""

    def test_empty_point(self) -> None:
        """There is nothing there to be dead."""
        refusal = refused(begun(moves=OPEN), B, dead("A1"))
        assert isinstance(refusal, Unknown)
        assert "no stone on A1" in refusal.public

    def test_off_the_board(self) -> None:
        """And nothing beyond it."""
        assert "off the 9x9 board" in refused(begun(moves=OPEN), B, dead("Q16")).public
