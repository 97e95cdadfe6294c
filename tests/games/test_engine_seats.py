"""Engines as opponents: names, limits and sizes; `played/programs.txt` has their actions."""

import pytest

from godaemon.errors import Refusal, Unknown, Unreadable
from godaemon.games import commands as cmd
from godaemon.games.engine_seats import Roster, RosterEntry, actions_in_count
from godaemon.games.model import Player
from godaemon.games.proposals import build_proposal
from godaemon.games.views import snapshot
from godaemon.rules.points import Size, parse_point
from godaemon.texts.catalogue import speaking
from tests.support.logs import B, W, alive, begun, dead, proposal

ROSTER = Roster(
    (RosterEntry("gnugo"), RosterEntry("house", 25, rectangles=True)), games_per_player=2
)


@pytest.mark.parametrize(
    ("opponent", "size"),
    [
        ("engine:gnugo", Size(19, 19)),
        *(("engine:house", size) for size in (Size(25, 25), Size(9, 13))),
        ("gnugo@players.example", Size(52, 52)),
    ],
)
def test_engines_accept_their_board_sizes(opponent: str, size: Size) -> None:
    """The roster does not check people."""
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
def test_unknown_engines_and_sizes_are_refused(
    name: str, size: Size, kind: type[Refusal], reason: str, hint: str
) -> None:
    """With the nearest offer first."""
    with pytest.raises(kind, match=reason) as refusal:
        ROSTER.check(cmd.Propose(f"engine:{name}", size))
    assert refusal.value.hints[0] == hint
    with pytest.raises(Unknown, match="have not played anybody"):
        Roster().check(cmd.Propose(f"engine:{name}", size))


def test_engines_are_named_without_a_prefix() -> None:
    """In hints and in the JSON of `show`."""
    wanted = cmd.Propose("engine:gnugo", Size(9, 9), handicap=1)
    with pytest.raises(Unreadable) as refusal:
        build_proposal(wanted, Player("a@b.example", "A"), "gnugo", "nonce")
    assert refusal.value.hints == ("new 9x9 komi 0.5 vs gnugo",)
    seen = snapshot(begun(proposal(invited="engine:gnugo")).game)
    assert (seen["white"], seen["invited"]) == ("gnugo", "gnugo")


def test_an_engine_speaks_its_opponents_language() -> None:
    """A log keeps words as said."""
    moves = "C3 E3 C2 E2 C4 E4 C1 E1 C5 E5 B3 F4 A2 B2 pass pass"
    log = begun(proposal((7, 5), invited="engine:gnugo"), moves)
    log.do(B, cmd.Done())
    log.do(W, dead("B2", cmd.Extent.CHAIN))
    log.do(B, alive("B2"), cmd.Done())
    with speaking("de"):
        words, _ = actions_in_count(log.game, log.events, [parse_point("B2")])
    assert isinstance(words, cmd.Say)
    assert words.text.startswith("Ich halte diese Steine für tot: B2. Lass uns weiterspielen")
