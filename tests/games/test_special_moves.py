"""Free handicap placement."""

from dataclasses import replace

import pytest

from godaemon.errors import WrongPhase
from godaemon.games import commands as cmd
from godaemon.games import events as ev
from godaemon.games.model import ENGINE_PREFIX, Player
from godaemon.games.proposals import build_proposal
from godaemon.games.views import game_record
from godaemon.records import sgf
from godaemon.records.sgf_read import parse_sgf
from godaemon.rules.named_rulesets import RULESETS
from godaemon.rules.points import Color, Size, parse_point
from tests.support.logs import B, Log, begun, move, proposal
from tests.support.rows import each_row

ALICE = Player("alice@players.example", "Alice")
FREE = {"chinese", "chinese-superko", "new-zealand", "ing"}


def place(words: str = "") -> cmd.Place:
    """`place D4 Q16`; without points, on the stars."""
    return cmd.Place(tuple(map(parse_point, words.split())))


def unplaced(stones: int = 3, size: tuple[int, int] = (9, 9), rules: str = "chinese") -> Log:
    """A started game in which Black is to place the stones."""
    return begun(replace(proposal(size, rules, handicap=stones), free=True))


def test_boards_without_star_points_have_an_example() -> None:
    """5x1 and 52x52 have no fixed points; two free stones still fit."""
    for size in ((5, 1), (52, 52)):
        log = unplaced(2, size, "ing")
        with pytest.raises(WrongPhase) as early:
            log.do(B, move("A1"))
        (hint,) = early.value.hints
        log.do(B, place(hint.removeprefix("place ")))
        assert log.game.to_move is Color.WHITE


def test_a_record_has_placed_stones_as_setup() -> None:
    """SGF: HA and AB, and White's move first (FF[4], "Go (GM[1]) specific")."""
    log = unplaced()
    log.do(B, place("E5 A1 J9"))
    log.play("D4")
    reread = parse_sgf(sgf.format_sgf(game_record(log.game)).encode())
    assert reread.handicap == 3
    assert {*map(str, reread.setup_black)} == {"E5", "A1", "J9"}
    assert reread.moves[0].color is Color.WHITE


def test_old_handicap_games_have_fixed_stones() -> None:
    """Their logs are written as before."""
    log = begun(proposal(rules="chinese", handicap=2))
    assert "free" not in ev.encode(log.events[0])
    assert '"free":true' in ev.encode(unplaced().events[0])
    assert [str(point) for point in log.game.position.handicap] == ["C3", "G7"]


def wanted(rules: str, **terms: object) -> cmd.Propose:
    values = {"opponent": "bob@players.example", "size": Size(9, 9), "handicap": 2, **terms}
    return cmd.Propose(rules=rules, **values)  # type: ignore[arg-type]


@each_row(
    ("proposal", "free"),
    [
        *((wanted(name), name in FREE) for name in RULESETS),
        *((wanted(f"{name} placing=free"), True) for name in RULESETS),
        *((wanted(f"{name} placing=fixed"), False) for name in RULESETS),
        (wanted("chinese", handicap=0), False),
        (wanted("chinese", opponent=f"{ENGINE_PREFIX}house", color=Color.BLACK), True),
        (wanted("chinese", opponent=f"{ENGINE_PREFIX}house", color=Color.WHITE), False),
        (wanted("chinese", opponent=f"{ENGINE_PREFIX}house"), False),
        (wanted("chinese", size=Size(52, 52), handicap=36), True),
        (wanted("chinese", size=Size(3, 1)), True),
    ],
)
def test_black_places_stones_by_some_rules(proposal: cmd.Propose, *, free: bool) -> None:
    """Or by the players' wish; not if an engine may get Black."""
    assert build_proposal(proposal, ALICE, "Bob", "n").free is free
