"""Ratings: which games count, with which weight, computed from the logs alone."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from godaemon.errors import Unreadable, WrongPhase
from godaemon.games import commands as cmd
from godaemon.games import events as ev
from godaemon.games.forgetting import Forgetting, begin_forgetting, forget_due
from godaemon.games.glicko2 import Rating
from godaemon.games.model import Player, Seat
from godaemon.games.proposals import build_proposal
from godaemon.games.ratings import black_advantage, fair_handicap, first_rating, rank_from_rating
from godaemon.games.service import GameService
from godaemon.games.service_calls import Caller
from godaemon.games.state import begin
from godaemon.rules.points import Size
from tests.support import places
from tests.support.blocks import read_lines
from tests.support.examples import examples
from tests.support.gateway import START, Gateway
from tests.support.logs import proposal

LINES = read_lines(places.DATA / "meanings.txt")

T = TypeVar("T")
PEOPLE = ("alice", "bob", "carol", "dave")


def rated(**terms: object) -> cmd.Propose:
    wanted = {"opponent": "bob@b.example", "rated": True, **terms}
    return cmd.Propose(**wanted)  # type: ignore[arg-type]


@dataclass
class Club:
    """Players whose games end as soon as they start."""

    gateway: Gateway = field(default_factory=Gateway)
    ranks: dict[str, str] = field(default_factory=dict)

    def play(
        self,
        black: str,
        white: str,
        result: str,
        at: timedelta = timedelta(),
        *,
        rated: bool = True,
        moves: int = 9,
    ) -> int:
        """A game of two that ends so, at a moment."""
        self.gateway.now = START + at
        first = ev.Proposed(
            *(9, 9, "japanese", 6.5, 0, "black"),
            *(f"{black}@b.example", black, f"{white}@b.example", white, "nonce"),
            rated=rated,
        )
        begun = ev.Started("proposer", white, ranks=tuple(map(self.rank, (black, white))))
        made = [ev.Moved(("black", "white")[at % 2], f"{'ABCDEFGHJ'[at]}1") for at in range(moves)]
        events: tuple[ev.Event, ...] = (first, ev.Confirmed(), begun, *made)
        log = [ev.LogEntry(one, self.gateway.now, "") for one in events]

        def _work(games: GameService) -> int:
            number = games.unit.games.create()
            games.unit.games.append(number, 0, log)
            games.add_event(games.game(number), ev.Finished(result), Seat.BLACK, Caller("test"))
            return number

        return self.run(_work)

    def run(self, work: Callable[[GameService], T]) -> T:
        return self.gateway.writer.run_sync(lambda unit: work(self.gateway.games(unit)))

    def rank(self, name: str) -> str:
        return self.ranks.get(name, "")

    def rating(self, name: str) -> Rating | None:
        last = self.gateway.snapshot().players.last_rated_game(f"{name}@b.example")
        return last.rating if last else None

    def value(self, name: str) -> float:
        found = self.rating(name)
        assert found is not None
        return found.value

    def ratings(self) -> dict[str, Rating | None]:
        return {name: self.rating(name) for name in PEOPLE}

    def forget(self, name: str) -> None:
        """Forget a player, after all emails were sent."""

        def _ask(games: GameService) -> None:
            players, address = games.unit.players, f"{name}@b.example"
            number = players.begin_transfer(None, address, "", "nonce", games.now)
            transfer = players.transfer(number)
            assert transfer is not None
            begin_forgetting(games, transfer, Caller("test"))

        self.run(_ask)
        self.gateway.send()
        assert self.run(lambda games: forget_due(games, Forgetting())[0]) == 1


@pytest.mark.parametrize("result", ["B+3.5", "B+R", "B+T", "B+F"])
def test_results_change_ratings(result: str) -> None:
    """A score, a resignation, time and the operator's decision."""
    club = Club()
    club.play("alice", "bob", result)
    assert club.value("alice") > 1500 > club.value("bob")


def test_unrated_games_change_nothing() -> None:
    """Games without a result change nothing either, nor does a tie of equals."""
    club = Club()
    club.play("alice", "bob", "Void")
    club.play("alice", "bob", "B+R", rated=False)
    assert club.rating("alice") is None
    club.play("alice", "bob", "0")
    assert club.value("alice") == pytest.approx(1500)


def test_a_stated_rank_is_the_first_rating() -> None:
    """5 kyu is 1600, with a smaller deviation than no rank."""
    assert first_rating("5k") == Rating(1600, 200, 0.06)
    assert first_rating("1d").value == 2100
    assert first_rating("") == Rating(1500, 350, 0.06)
    ranks = ["30k", "5k", "1k", "1d", "9d"]
    assert [rank_from_rating(first_rating(one).value) for one in ranks] == ranks
    club = Club(ranks={"alice": "5k"})
    club.play("alice", "bob", "B+R")
    assert 1600 < club.value("alice") < 1700


@pytest.mark.parametrize("line", LINES["points of handicap and komi for Black"])
def test_handicap_and_komi_count(line: str) -> None:
    """More on a small board."""
    terms, points = line.split(" => ")
    width, height, handicap, komi = re.findall(r"[\d.]+", terms)
    size = int(width), int(height)
    spec = begin(1, proposal(size, handicap=int(handicap), komi=float(komi))).spec
    assert black_advantage(spec) == pytest.approx(int(points), abs=1)


@given(st.integers(1, 9), st.sampled_from([7, 9, 13, 19]))
def test_the_offered_handicap_is_fair(stones: int, side: int) -> None:
    """Within a stone."""
    size = Size(side, side)
    worth = 100 * (16 / (side - 3)) ** 2
    assert fair_handicap(stones * worth, size) == stones
    assert fair_handicap(0, size) == 0


@pytest.mark.parametrize("side", [1, 2, 3, 4, 5, 25])
def test_every_board_size_has_a_fair_handicap(side: int) -> None:
    """Bug: on 3x3 a stone was worth infinitely many points."""
    assert fair_handicap(300, Size(side, side)) in range(10)


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        (rated(opponent="Alice@a.example"), "between two people"),
        (rated(opponent="alice+go@a.example"), "between two people"),
        (rated(opponent="engine:house"), "between two people"),
        (rated(size=Size(5, 5)), "9 to 19 lines"),
        (rated(size=Size(9, 25)), "9 to 19 lines"),
    ],
)
def test_ineligible_games_cannot_be_rated(wanted: cmd.Propose, why: str) -> None:
    """The refusal says why, with the line that works."""
    with pytest.raises(Unreadable, match=why) as caught:
        build_proposal(wanted, Player("alice@a.example", "Alice"), "x", "nonce")
    assert caught.value.hints
    assert "rated" not in caught.value.hints[0]


GAMES = st.lists(
    st.tuples(
        st.permutations(PEOPLE).map(lambda some: tuple(some[:2])),
        st.sampled_from(["B+R", "W+0.5", "0", "Void"]),
    ),
    min_size=1,
    max_size=5,
)


@settings(max_examples=examples(50), deadline=None)
@given(GAMES, st.randoms())
def test_ratings_follow_the_order_of_results(
    games: list[tuple[tuple[str, str], str]], chance: object
) -> None:
    """Even if the clock went back, so that they were written in another order."""
    dated = [(pair, result, timedelta(days=day)) for day, (pair, result) in enumerate(games)]
    usual, shuffled = Club(), Club()
    mixed = list(dated)
    chance.shuffle(mixed)  # type: ignore[attr-defined]
    for club, some in ((usual, dated), (shuffled, mixed)):
        for (black, white), result, at in some:
            club.play(black, white, result, at)
    assert usual.ratings() == shuffled.ratings()


@settings(max_examples=examples(25), deadline=None)
@given(GAMES, st.sampled_from(PEOPLE))
def test_leaving_does_not_change_other_ratings(
    games: list[tuple[tuple[str, str], str]], gone: str
) -> None:
    """Even when they are computed again; the player's own is forgotten."""
    club = Club()
    for day, ((black, white), result) in enumerate(games):
        club.play(black, white, result, timedelta(days=day))
    before = club.ratings()
    club.forget(gone)
    assert club.ratings() == {**before, gone: None}
    club.play("erin", "frank", "B+R", timedelta(days=-1))  # all later ones count anew
    assert club.ratings() == {**before, gone: None}
    stored = repr(club.gateway.writer.state.rated)
    assert gone not in stored


def test_a_deleted_game_still_counts() -> None:
    """After both players have left."""
    club = Club()
    club.play("alice", "bob", "B+R")
    club.play("bob", "carol", "B+R", timedelta(days=1))
    before = club.rating("carol")
    club.forget("alice")
    club.forget("bob")
    assert club.gateway.writer.state.logs[1] == ()
    club.play("erin", "frank", "B+R", timedelta(days=-1))
    assert club.rating("carol") == before


def test_an_old_rating_changes_more() -> None:
    """By the next game."""
    soon, late = Club(), Club()
    for club, days in ((soon, 1), (late, 3650)):
        for number in range(12):
            club.play("alice", "bob", "B+R" if number % 2 else "W+R", timedelta(hours=number))
        club.play("alice", "bob", "B+R", timedelta(days=days))
    assert late.value("alice") > soon.value("alice")


def test_simultaneous_games_count_by_number() -> None:
    """As if one had ended after the other."""
    club, other = Club(), Club()
    for one, apart in ((club, timedelta()), (other, timedelta(microseconds=1))):
        one.play("alice", "bob", "B+R")
        one.play("alice", "carol", "W+R", apart)
    assert club.rating("alice") == pytest.approx(other.rating("alice"))


def test_short_games_do_not_count() -> None:
    """Resigning at once does not; the operator's result does."""
    for moves in (0, 2, 8):
        club = Club()
        club.play("alice", "bob", "B+R", moves=moves)
        assert club.rating("alice") is None
    club.run(lambda games: games.adjudicate(1, "B+0.5"))
    assert club.rating("alice") is not None


def test_a_pair_has_five_rated_games_a_month() -> None:
    """In whatever order they were written; games with others are not affected."""
    for order in (range(8), reversed(range(8))):
        club = Club()
        for day in order:
            club.play("alice", "bob", "B+R", timedelta(days=day))
        five = Club()
        for day in range(5):
            five.play("alice", "bob", "B+R", timedelta(days=day))
        assert club.value("alice") == five.value("alice") > 1700
        assert club.value("bob") == five.value("bob")
    club.play("carol", "bob", "B+R", timedelta(days=8))
    assert club.value("bob") < five.value("bob")
    club.play("alice", "bob", "B+R", timedelta(days=40))
    assert club.value("alice") > five.value("alice")


@pytest.mark.parametrize("result", ["Void", "W+3.5", "0"])
def test_a_changed_result_changes_later_ratings(result: str) -> None:
    """All of them are computed again."""
    changed, plain = Club(), Club()
    for club, first in ((changed, "B+R"), (plain, result)):
        club.play("alice", "bob", first)
        club.play("alice", "carol", "W+R", timedelta(days=1))
        club.play("bob", "dave", "B+R", timedelta(days=2))
    assert changed.ratings() != plain.ratings()
    changed.run(lambda games: games.adjudicate(1, result))
    assert changed.ratings() == plain.ratings()


def test_an_unrated_game_counts_for_nothing() -> None:
    """The operator can unrate it during and after play, once."""
    changed, plain = Club(), Club()
    for club, rated in ((changed, True), (plain, False)):
        club.play("alice", "bob", "B+R", rated=rated)
        club.play("alice", "carol", "W+R", timedelta(days=1))
    assert changed.ratings() != plain.ratings()
    changed.run(lambda games: games.unrate(1))
    assert changed.ratings() == plain.ratings()
    assert changed.gateway.game().result == "B+R"
    for club in (changed, plain):
        with pytest.raises(WrongPhase, match="does not count"):
            club.run(lambda games: games.unrate(1))


def test_unrating_frees_a_place_in_the_month() -> None:
    """The sixth game of two players counts then."""
    club, plain = Club(), Club()
    for day in range(6):
        club.play("alice", "bob", "B+R", timedelta(days=day))
    for day in range(1, 6):
        plain.play("alice", "bob", "B+R", timedelta(days=day))
    club.run(lambda games: games.unrate(1))
    assert club.ratings() == plain.ratings()
