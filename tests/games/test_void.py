"""A game that ends without a result, because a position came about for the third time."""

from __future__ import annotations

import pytest

from godaemon.errors import NotAllowed, Stale
from godaemon.games import commands as cmd
from godaemon.games import events as ev
from godaemon.games.model import Phase, Revisions, Seat
from tests.support.boards import TRIPLE_KO_CYCLE, TRIPLE_KO_MOVES
from tests.support.logs import B, Log, P, W, begun, proposal, same_as_replayed


def cycled(rules: str = "japanese", rounds: int = 2) -> Log:
    """A triple ko on 4x9, Black to move, that has gone round so often."""
    log = begun(proposal((4, 9), rules), TRIPLE_KO_MOVES)
    return log.play(" ".join([TRIPLE_KO_CYCLE] * rounds)) if rounds else log


@pytest.mark.parametrize("first", [B, W])
@pytest.mark.parametrize("rules", ["japanese", "korean", "chinese", "stone-scoring"])
def test_both_agree(rules: str, first: Seat) -> None:
    """Whoever says it first, whoever is to move: the second word ends the game."""
    log = cycled(rules)
    second = W if first is B else B
    assert log.do(first, cmd.Void()) == (ev.Voided(first.word),)
    assert log.game.phase is Phase.PLAYING
    assert log.do(first, cmd.Void()) == ()
    assert log.do(second, cmd.Void()) == (ev.Voided(second.word), ev.Finished("Void"))
    assert (log.game.phase, log.game.result) == (Phase.FINISHED, "Void")
    assert not log.game.by_count
    same_as_replayed(log)


def test_one_word_changes_no_revision() -> None:
    """Letters that crossed it are as fresh as before."""
    log = cycled()
    before = log.game.revisions
    log.do(B, cmd.Void())
    assert log.game.revisions == before
    log.do(W, cmd.Void(), seen=before)
    assert log.game.revisions == Revisions(before.position + 1, before.marks)


def test_a_move_takes_it_back() -> None:
    """Who plays on has not agreed, and the word of before counts no more."""
    log = cycled()
    log.do(W, cmd.Void())
    log.play("C8")
    assert log.game.voiding == frozenset()
    assert log.do(B, cmd.Void()) == (ev.Voided("black"),)
    assert log.game.phase is Phase.PLAYING


def test_a_pass_takes_it_back() -> None:
    """Nor has who passes."""
    log = cycled()
    log.do(W, cmd.Void())
    log.play("pass")
    assert log.game.voiding == frozenset()
    assert log.do(B, cmd.Void()) == (ev.Voided("black"),)


@pytest.mark.parametrize("invited", ["engine:house", "bob@players.example"])
def test_a_program_agrees_at_the_third_time_only(invited: str) -> None:
    """It cannot want to; a person may, whenever they like."""
    log = begun(proposal((4, 9), invited=invited))
    if invited.startswith("engine"):
        with pytest.raises(NotAllowed, match="third time"):
            log.do(B, cmd.Void())
    else:
        assert log.do(B, cmd.Void()) == (ev.Voided("black"),)
    assert log.game.phase is Phase.PLAYING


def test_an_old_letter_does_not_agree() -> None:
    """It was written about another board."""
    log = cycled(rounds=1)
    seen = log.game.revisions
    log.play(TRIPLE_KO_CYCLE)
    with pytest.raises(Stale):
        log.do(B, cmd.Void(), seen=seen)


def test_teaching() -> None:
    """Who plays both sides agrees with themselves."""
    log = Log(proposal((4, 9), invited="alice@players.example")).start().play(TRIPLE_KO_MOVES)
    log.play(f"{TRIPLE_KO_CYCLE} {TRIPLE_KO_CYCLE}")
    log.do(P, cmd.Void())
    assert log.game.result == "Void"
