"""Plans (`if D4 then E5`) by letter: private to their owner, and played at once."""

from collections.abc import Iterator

import pytest

from godaemon.games import events as ev
from godaemon.games.model import Seat
from godaemon.games.notices import Kind
from godaemon.games.service_calls import Caller
from godaemon.games.views import game_record, snapshot
from godaemon.records import sgf
from godaemon.rules.points import Color
from tests.support.gateway import Gateway, started


def moves(gateway: Gateway) -> str:
    return " ".join(str(move.point or "pass") for move in gateway.game().position.moves)


@pytest.mark.parametrize(
    "asked",
    ["try G7", "show 3", "branch 3", "branch 2", "history\ntry D4 G7", "kifu 1-3", "propose"],
)
@pytest.mark.parametrize("plan", ["if C3 then G7", "if any then D4"])
def test_a_refused_question_does_not_reveal_a_plan(asked: str, plan: str) -> None:
    """Its outcome is the same with and without a plan."""
    outcomes = []
    for line in (plan, "note nothing"):
        gateway, alice, bob = started()
        gateway.play(alice, bob, "E5")
        alice.reply(line)
        outcome = bob.reply(f"C3\n{asked}", to=bob.newest(Kind.YOUR_TURN)).event
        outcomes.append((outcome, bob.words() if outcome == "refused" else ""))
    assert outcomes[0] == outcomes[1]


def game_told(planning: bool) -> Iterator[bytes]:
    """Everything that Bob can get at, with Alice planning or only looking at the board."""
    gateway, alice, bob = started()
    gateway.play(alice, bob, "E5")
    gateway.wait(minutes=1)
    turn = bob.newest()
    seeds = ("if J9 then A1, if A9 then J1", "if H9 then A2", "cancel ifs\nif J9 then A1", "if")
    for line in seeds:
        gateway.wait(minutes=1)
        assert alice.reply(line if planning else "show").event == "accepted"
        yield (
            str(sorted(map(str, gateway.game().revisions))).encode() + gateway.token(turn).encode()
        )
        for asked in ("show", "sgf", "kifu", "describe", "games", "settings", "show 0", "if", "hm"):
            count = len(bob.letters())
            bob.reply(asked, to=turn)
            for due in bob.letters()[count:]:
                yield gateway.token(due).encode()
                yield bob.read().as_bytes()
    game = gateway.game()
    yield str(snapshot(game)).encode() + sgf.format_sgf(game_record(game)).encode()
    bob.reply("C4", to=turn)  # written against the letter from before all of that
    yield moves(gateway).encode()
    yield bob.read().as_bytes()


def test_plans_change_nothing_that_the_opponent_sees() -> None:
    """To the byte."""
    with_plans, without = list(game_told(planning=True)), list(game_told(planning=False))
    assert len(with_plans) > 30
    assert with_plans == without


def test_an_old_plan_without_an_answer_stops_no_move() -> None:
    """It is forgotten once it applies."""
    gateway, alice, bob = started()
    gateway.play(alice, bob, "E5")
    planned = ev.Planned("black", (("any", "any"),))
    gateway.writer.run_sync(
        lambda unit: gateway.games(unit).add_event(
            gateway.games(unit).game(1), planned, Seat.BLACK, Caller("letter:old")
        )
    )
    assert bob.reply("C3").event == "accepted"
    assert moves(gateway) == "E5 C3"
    assert gateway.game().plans.get(Color.BLACK, ()) == ()
