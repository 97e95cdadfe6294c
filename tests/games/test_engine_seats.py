"""Engines as opponents: names, limits and sizes; `played/programs.txt` has their actions."""

import pytest

from godaemon.errors import Refusal, Unknown, Unreadable
from godaemon.games import commands as cmd
from godaemon.games.engine_seats import Entrant, Roster, actions_in_count
from godaemon.games.game_json import snapshot
from godaemon.games.model import Player
from godaemon.games.proposals import build_proposal
from godaemon.rules.points import Size, parse_point
from godaemon.texts.catalogue import speaking
from tests.support.logs import B, W, alive, begun, dead, proposal

ROSTER = Roster((Entrant("gnugo"), Entrant("house", 25, rectangles=True)), games_per_player=2)


@pytest.mark.parametrize(
    ("opponent", "size"),
    [
        ("engine:gnugo", Size(19, 19)),
        *(("engine:house", size) for size in (Size(25, 25), Size(9, 13))),
        ("gnugo@players.example", Size(52, 52)),
    ],
)
def test_which_engines_can_be_played(opponent: str, size: Size) -> None:
    """A program on a board that it knows; people are no business of the roster's."""
    ROSTER.check(cmd.Propose(opponent, size))


@pytest.mark.parametrize(
    ("name", "size", "kind", "reason", "hint"),
    [
        ("gnugo", Size(20, 20), Unreadable, "does not play on", "new 9x9 vs gnugo"),
        ("gnugo", Size(9, 13), Unreadable, "does not play on", "new 9x9 vs gnugo"),
        ("house", Size(26, 26), Unreadable, "does not play on", "new 9x9 vs house"),
        ("gnuog", Size(9, 9), Unknown, "gnugo, house", "new 9x9 vs gnugo"),
    ],
)
def test_what_cannot_be(name: str, size: Size, kind: type[Refusal], reason: str, hint: str) -> None:
    """The refusal says what there is, and offers the nearest first."""
    with pytest.raises(kind, match=reason) as refusal:
        ROSTER.check(cmd.Propose(f"engine:{name}", size))
    assert refusal.value.hints[0] == hint
    with pytest.raises(Unknown, match="have not played anybody"):
        Roster().check(cmd.Propose(f"engine:{name}", size))


def test_a_program_is_called_by_its_name_alone() -> None:
    """Without the mark that an engine's address has: in a hint, and in what `show` gives."""
    wanted = cmd.Propose("engine:gnugo", Size(9, 9), handicap=1)
    with pytest.raises(Unreadable) as refusal:
        build_proposal(wanted, Player("a@b.example", "A"), "gnugo", "nonce")
    assert refusal.value.hints == ("new 9x9 komi 0.5 vs gnugo",)
    seen = snapshot(begun(proposal(invited="engine:gnugo")).game)
    assert (seen["white"], seen["invited"]) == ("gnugo", "gnugo")


def test_its_words_are_in_the_language_that_is_spoken() -> None:
    """That of its opponent: a log has words as they were said."""
    moves = "C3 E3 C2 E2 C4 E4 C1 E1 C5 E5 B3 F4 A2 B2 pass pass"
    log = begun(proposal((7, 5), invited="engine:gnugo"), moves)
    log.do(B, cmd.Done())
    log.do(W, dead("B2", cmd.Extent.CHAIN))
    log.do(B, alive("B2"), cmd.Done())
    with speaking("de"):
        words, _ = actions_in_count(log.game, log.events, [parse_point("B2")])
    assert isinstance(words, cmd.Say)
    assert words.text.startswith("Ich halte diese Steine für tot: B2. Lass uns weiterspielen")
