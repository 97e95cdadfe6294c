"""The game service that all front ends use: whole transactions on a store in memory."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import pytest

from godaemon.errors import NotAllowed, Refusal, Unreadable
from godaemon.games import commands as cmd
from godaemon.games import running_clocks
from godaemon.games.model import Seat
from godaemon.games.service import GameService
from godaemon.games.service_calls import Caller, Decision
from godaemon.rules.points import Color, Size
from tests.support.gateway import LIMITS, Gateway
from tests.support.limits import Limits
from tests.support.logs import move

T = TypeVar("T")
ALICE = Caller("letter:<1@a>", "alice@players.example", "Alice", message_id="<1@a>")
BOB = Caller("letter:<2@b>", "bob@players.example", "Bob B.", message_id="<2@b>")
NINE = cmd.Propose("bob@players.example", Size(9, 9), color=Color.BLACK)
B, W, P, I = Seat.BLACK, Seat.WHITE, Seat.PROPOSER, Seat.INVITED  # noqa: E741 - seats


class Service:
    """Games, one transaction for each call."""

    def __init__(self, limits: Limits = LIMITS) -> None:
        self.gateway = Gateway(limits=limits)

    def run(self, work: Callable[[GameService], T]) -> T:
        return self.gateway.writer.run_sync(lambda unit: work(self.gateway.games(unit)))

    def propose(
        self, wanted: cmd.Propose = NINE, caller: Caller = ALICE, *, vouched: bool = False
    ) -> Decision:
        return self.run(lambda games: games.propose(wanted, caller, vouched=vouched))

    def act(
        self, seat: Seat, *commands: cmd.Action, caller: Caller = ALICE, number: int = 1
    ) -> Decision:
        return self.run(lambda games: games.act(number, seat, commands, caller))

    def start(self, wanted: cmd.Propose = NINE) -> "Service":
        number = self.propose(wanted).after.id
        self.act(P, cmd.Yes(), number=number)
        if wanted.opponent != ALICE.address:
            self.act(I, cmd.Yes(), caller=BOB, number=number)
        return self

    def notices(self, since: int = 0) -> list[tuple[str, str]]:
        return self.gateway.notices(since)


def with_opponent(number: int) -> cmd.Propose:
    return replace(NINE, opponent=f"p{number}@players.example")


class TestPropose:
    """A new game, its terms, and who must say yes."""

    def test_missing_terms_have_defaults(self) -> None:
        """Japanese rules with their komi, 0.5 with a handicap, 19x19."""
        service = Service()
        even = service.propose(cmd.Propose(BOB.address)).after.spec
        assert (str(even.size), even.rules, even.komi, even.handicap) == (
            "19x19",
            "japanese",
            6.5,
            0,
        )
        assert even.color is None
        handicap = service.propose(cmd.Propose(BOB.address, handicap=4)).after.spec
        assert handicap.komi == 0.5
        assert service.propose(replace(NINE, rules="Chinese")).after.spec.komi == 7.5

    def test_komi_must_be_a_half_number(self) -> None:
        """Nothing is stored of a refused proposal."""
        service = Service()
        with pytest.raises(Unreadable, match="half number"):
            service.propose(replace(NINE, komi=6.25))
        assert service.gateway.writer.state.numbers == {}


class TestLimits:
    """Daily limits on emails that one person can cause."""

    def test_invitations_count_for_the_person(self) -> None:
        """Also from another address of theirs."""
        service = Service(Limits(invitations_per_sender=1))
        service.propose(with_opponent(1))
        phone = replace(ALICE, address="alice@phone.example")
        service.run(lambda games: games.recognise(1, P, phone.address, ALICE))
        service.act(P, cmd.Yes(), caller=phone)
        with pytest.raises(NotAllowed):
            service.propose(with_opponent(2), vouched=True)


class TestAct:
    """All of the commands, or none."""

    def test_events_have_their_cause_and_time(self) -> None:
        """When each was received, and by which email."""
        service = Service().start()
        service.gateway.wait(hours=1)
        service.act(B, move("D4"))
        entry = service.gateway.writer.state.logs[1][-1]
        assert (entry.at, entry.cause) == (service.gateway.now, "letter:<1@a>")

    def test_a_refused_command_undoes_earlier_ones(self) -> None:
        """Not even what came before the command that is refused."""
        service = Service().start()
        before = service.gateway.writer.state
        with pytest.raises(Refusal):
            service.act(B, cmd.Say("hello"), move("D4"), move("D4"))
        assert service.gateway.writer.state == before

    def test_notices_cover_the_same_events(self) -> None:
        """One of them answers the sender."""
        service = Service().start()
        service.act(B, move("D4"), cmd.Say("hi"))
        mine, theirs = service.gateway.outbox[-2:]
        assert {mine.notice.since, theirs.notice.since} == {3}
        assert {mine.notice.until, theirs.notice.until} == {5}
        assert (mine.notice.to, mine.notice.answers) == (ALICE.address, "<1@a>")
        assert (theirs.notice.to, theirs.notice.answers) == (BOB.address, "")

    def test_two_acts_in_one_transaction(self) -> None:
        """The second sees the result of the first."""
        service = Service().start()

        def work(games: GameService) -> None:
            games.act(1, B, (move("D4"),), ALICE)
            games.act(1, W, (move("E5"),), BOB)

        service.run(work)
        assert service.gateway.game().move_number == 2

    def test_unconfirmed_proposals_are_not_listed(self) -> None:
        """For the invited player."""
        service = Service()
        service.propose()
        assert service.run(lambda games: games.unit.games.summaries(BOB.address)) == []
        service.act(P, cmd.Yes())
        assert len(service.run(lambda games: games.unit.games.summaries(BOB.address))) == 1

    def test_a_recognised_address_speaks_for_its_seat(self) -> None:
        """The game is in its list, too."""
        service = Service().start()
        service.run(lambda games: games.recognise(1, B, "Alice@Phone.example", ALICE))
        game = service.gateway.game()
        assert game.knows(B, "alice@phone.example")
        assert not game.knows(W, "alice@phone.example")
        assert game.seats_of("ALICE@phone.EXAMPLE") == (B,)
        found = service.run(lambda games: games.unit.games.summaries("alice@phone.example"))
        assert len(found) == 1


class TestExpiry:
    """Proposals that nobody answers end."""

    def test_proposals_expire_in_batches(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The players of other games need not wait for all of them."""
        monkeypatch.setattr(running_clocks, "BATCH", 2)
        service = Service()
        for _ in range(3):
            service.propose(vouched=False)
        service.gateway.wait(days=8)
        assert [service.gateway.expire(days=7) for _ in range(3)] == [2, 1, 0]
