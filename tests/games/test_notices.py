"""Exactly which notice goes to which seat, for everything that can happen."""

from __future__ import annotations

import pytest

from godaemon.games import commands as cmd
from godaemon.games import events as ev
from godaemon.games.model import Seat
from godaemon.games.notices import Kind, kinds
from tests.support.logs import ALICE, B, I, Log, P, W, alive, begun, dead, move, proposal

OPEN = "D4 F6 D5 F5 pass pass"


def told(log: Log, seat: Seat, *commands: cmd.Action) -> dict[Seat, str]:
    """What a letter of a seat makes us tell whom."""
    events = log.do(seat, *commands)
    return {to: kind.value for to, kind in kinds(log.game, events, seat, commands).items()}


def confirmed() -> Log:
    """A proposal that was confirmed."""
    log = Log()
    log.do(P, cmd.Yes())
    return log


class TestProposals:
    """Before the start the sides are PROPOSER and INVITED."""

    def test_proposed(self) -> None:
        """The proposer alone is written to."""
        log = Log()
        assert kinds(log.game, log.events, P) == {P: Kind.CONFIRM}

    def test_confirmed(self) -> None:
        """The invitation goes out, and its proposer hears that it did."""
        assert told(Log(), P, cmd.Yes()) == {I: "invitation", P: "invited"}

    def test_accepted(self) -> None:
        """Both seats, by their colours now."""
        assert told(confirmed(), I, cmd.Yes()) == {B: "started", W: "started"}

    def test_accepted_with_words(self) -> None:
        """The words travel in the letters that go out anyway."""
        assert told(confirmed(), I, cmd.Yes(), cmd.Say("hello")) == {B: "started", W: "started"}

    def test_declined(self) -> None:
        """Both; but who declines by a block hears it from the letter about that."""
        assert told(confirmed(), I, cmd.No()) == {P: "declined", I: "declined"}
        assert told(confirmed(), I, cmd.No(blocking=True)) == {P: "declined"}

    def test_withdrawn_before_anybody_knew(self) -> None:
        """The invited player has never heard of it."""
        assert told(Log(), P, cmd.Withdraw()) == {P: "withdrawn"}

    def test_withdrawn_after_the_invitation(self) -> None:
        """Both."""
        assert told(confirmed(), P, cmd.Withdraw()) == {P: "withdrawn", I: "withdrawn"}

    def test_expired(self) -> None:
        """Those who have heard of it; nobody where its proposer never said yes."""
        assert kinds(Log().event(ev.Expired()).game, [ev.Expired()], P) == {}
        both = kinds(confirmed().event(ev.Expired()).game, [ev.Expired()], P)
        assert both == {P: Kind.EXPIRED, I: Kind.EXPIRED}


class TestPlaying:
    """A turn letter to the one, a receipt to the other."""

    @pytest.mark.parametrize(
        ("moves", "seat", "commands", "expected"),
        [
            ("", B, (move("D4"),), {W: "your-turn", B: "moved"}),
            ("D4", W, (move("E5"), cmd.Say("hi")), {B: "your-turn", W: "moved"}),
            ("", B, (cmd.Pass(),), {W: "your-turn", B: "moved"}),
            ("", P, (move("D4"),), {W: "your-turn", B: "moved"}),
            ("pass", W, (cmd.Pass(),), {B: "scoring-started", W: "scoring-started"}),
            ("D4", B, (cmd.Resign(),), {B: "finished", W: "finished"}),
            ("D4", B, (cmd.Say("hi"),), {W: "chat"}),
            ("D4", I, (cmd.Say("hi"),), {B: "chat"}),
        ],
    )
    def test_told(
        self,
        moves: str,
        seat: Seat,
        commands: tuple[cmd.Action, ...],
        expected: dict[Seat, str],
    ) -> None:
        """Row by row."""
        assert told(begun(moves=moves), seat, *commands) == expected


class TestCounting:
    """Marks and agreement are told to both."""

    MARK = dead("F6", cmd.Extent.CHAIN)

    @pytest.mark.parametrize(
        ("commands", "expected"),
        [
            ((MARK,), {B: "marks-changed", W: "marks-changed"}),
            ((MARK, cmd.Say("hi")), {B: "marks-changed", W: "marks-changed"}),
            ((cmd.Done(),), {B: "done", W: "done"}),
            ((MARK, cmd.Done()), {B: "done", W: "done"}),
            ((alive("F6"),), {B: "marks-changed"}),
            ((alive("F6"), cmd.Say("hi")), {B: "marks-changed", W: "chat"}),
            ((cmd.Resume(),), {W: "your-turn", B: "resumed"}),
            ((cmd.Resign(),), {B: "finished", W: "finished"}),
        ],
    )
    def test_told(self, commands: tuple[cmd.Action, ...], expected: dict[Seat, str]) -> None:
        """Row by row; what changed nothing is answered to its sender."""
        assert told(begun(moves=OPEN), B, *commands) == expected

    def test_done_again(self) -> None:
        """It is answered, and bothers nobody else."""
        log = begun(moves=OPEN)
        log.do(B, cmd.Done())
        assert told(log, B, cmd.Done()) == {B: "done"}

    def test_agreement(self) -> None:
        """The end outweighs all that led to it."""
        log = begun(moves=OPEN)
        log.do(B, cmd.Done())
        assert told(log, W, cmd.Done()) == {B: "finished", W: "finished"}

    def test_remembered_address(self) -> None:
        """Nobody is written to about an address."""
        event = ev.Recognised("proposer", "alice@phone.example")
        assert kinds(begun().event(event).game, [event], B) == {}


class TestTeaching:
    """One person at both seats gets one letter at a time, always for the seat that acts next."""

    def log(self, moves: str = "") -> Log:
        """Alice plays herself."""
        return begun(proposal(invited=ALICE), moves)

    def test_start(self) -> None:
        """Black's letter."""
        log = Log(proposal(invited=ALICE))
        assert told(log, P, cmd.Yes()) == {B: "started"}

    @pytest.mark.parametrize("seat", [B, W])
    def test_move(self, seat: Seat) -> None:
        """The next turn, whichever of her letters she answered: a receipt would be a dead end."""
        assert told(self.log(), seat, move("D4")) == {W: "your-turn"}

    @pytest.mark.parametrize(
        ("command", "kind"),
        [
            (dead("F6", cmd.Extent.CHAIN), "marks-changed"),
            (cmd.Done(), "finished"),
            (cmd.Resign(), "finished"),
            (cmd.Say("a good point"), "chat"),
        ],
    )
    def test_counting(self, command: cmd.Action, kind: str) -> None:
        """One letter each."""
        assert list(told(self.log(OPEN), B, command).values()) == [kind]

    @pytest.mark.parametrize("seat", [B, W])
    def test_resume(self, seat: Seat) -> None:
        """The letter of whose turn it is."""
        log = self.log(OPEN)
        one = told(log, seat, cmd.Resume())
        assert log.game.to_move is not None
        assert one == {Seat.of(log.game.to_move): "your-turn"}
