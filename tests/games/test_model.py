"""Who sits where, who speaks for whom, and what a game shows."""

from __future__ import annotations

import pytest

from godaemon.games import commands as cmd
from godaemon.games import events as ev
from godaemon.games.model import Phase, Seat
from godaemon.rules.points import Color
from tests.support.logs import ALICE, BOB, B, I, Log, P, W, begun, dead, proposal


class TestSeats:
    """Before the start the sides, then the colours; each side is known by either name."""

    def test_before_the_start(self) -> None:
        """Colours are not drawn yet."""
        game = Log().game
        assert game.color_of(P) is None
        assert game.color_seat(P) is P
        assert game.player(I).address == BOB
        with pytest.raises(LookupError):
            game.player(B)
        assert game.seats_of(ALICE) == (P,)

    @pytest.mark.parametrize(("color", "black"), [("black", P), ("white", I)])
    def test_after_the_start(self, color: str, black: Seat) -> None:
        """A side is the same as its colour."""
        game = begun(proposal(color=color)).game
        assert game.color_seat(black) is B
        assert game.side(B) is black
        assert game.color_of(black) is Color.BLACK
        assert game.player(black) == game.player(B) == game.black
        assert game.color_seat(W) is W

    def test_addresses(self) -> None:
        """Case does not count, other people's addresses do not, remembered ones do."""
        log = begun()
        assert log.game.knows(B, ALICE.upper())
        assert not log.game.knows(B, BOB)
        log.event(ev.Recognised("proposer", "a@phone.example"))
        assert log.game.knows(B, "A@phone.example")
        assert log.game.knows(P, "a@phone.example")
        assert not log.game.knows(W, "a@phone.example")

    def test_teaching(self) -> None:
        """One person has both seats, and an address known for one is known for both."""
        log = begun(proposal(invited=ALICE))
        assert log.game.spec.teaching
        assert log.game.seats_of(ALICE) == (B, W)
        log.event(ev.Recognised(log.game.side(W).word, "a@phone.example"))
        assert log.game.seats_of("a@phone.example") == (B, W)

    @pytest.mark.parametrize(("seat", "word"), [(B, "black"), (P, "proposer"), (I, "invited")])
    def test_words(self, seat: Seat, word: str) -> None:
        """As the log has them."""
        assert seat.word == word


class TestPhases:
    """Where a game is in its life."""

    @pytest.mark.parametrize("phase", list(Phase))
    def test_over(self, phase: Phase) -> None:
        """Three phases go on, all others are for good."""
        going_on = {Phase.PROPOSED, Phase.PLAYING, Phase.SCORING}
        assert phase.over is (phase not in going_on)


class TestRows:
    """The board as it is shown."""

    def test_territory_only_while_counting_and_after(self) -> None:
        """Neither while stones are played nor after a resignation."""
        log = begun(proposal((3, 3)), "B2")
        assert log.game.rows() == ("...", ".b.", "...")
        log.play("pass pass")
        assert log.game.rows() == ("BBB", "BbB", "BBB")
        log.do(B, cmd.Done())
        log.do(W, cmd.Done())
        assert log.game.ended_by_count
        assert log.game.rows() == ("BBB", "BbB", "BBB")

    def test_resignation(self) -> None:
        """Nothing was counted."""
        log = begun(proposal((3, 3)), "B2")
        log.do(W, cmd.Resign())
        assert not log.game.ended_by_count
        assert log.game.rows() == ("...", ".b.", "...")

    def test_dead_stones_are_forgotten_by_resuming(self) -> None:
        """They are stones again."""
        log = begun(proposal((3, 3)), "B2 pass pass")
        log.do(B, dead("B2", cmd.Extent.CHAIN))
        assert log.game.rows() == ("...", ".c.", "...")
        log.do(B, cmd.Resume())
        assert log.game.rows() == ("...", ".b.", "...")
