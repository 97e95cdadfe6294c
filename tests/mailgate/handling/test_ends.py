"""Games that end without a count: void, by consent, by the operator, or after a year of silence."""

from dataclasses import replace

import pytest

from godaemon.errors import Unreadable
from godaemon.games.model import Phase
from godaemon.games.notices import Kind
from tests.mailgate.handling.test_clocks import Table
from tests.support.gateway import Gateway


@pytest.mark.parametrize(
    "result", ["", "B", "B+", "B+3.25", "black", "X+3", "B+1000000", "B+0", "W+000", "b+0.0"]
)
def test_an_invalid_result_ends_no_game(result: str) -> None:
    """The operator gets an example of a valid one."""
    table = Table()
    with pytest.raises(Unreadable, match="result"):
        table.gateway.writer.run_sync(lambda unit: table.gateway.games(unit).adjudicate(1, result))


def test_the_opponent_cannot_keep_an_unclocked_game_open() -> None:
    """Their chat, notes, plans and questions extend nothing."""
    table = Table("no clock")
    lines = ("say are you there?", "note nothing yet", "undo", "if any then G7", "void")
    for month in range(16):
        table.bob.reply(lines[month % len(lines)], to=table.bob.newest(Kind.STARTED))
        for _ in range(25):
            table.gateway.wait(days=1)
            table.gateway.handle_due_alarms()
    assert table.gateway.game().result == "Void"
    assert table.bob.kinds().count("reminder") == 1


def test_a_game_from_an_older_store_gets_an_alarm() -> None:
    """The upgrade sets one that is due."""
    table = Table("no clock")
    row = table.gateway.writer.state.summaries[1]
    table.gateway.writer.state.summaries[1] = replace(row, alarm=row.updated)
    assert table.gateway.handle_due_alarms() == 1
    assert table.gateway.handle_due_alarms() == 0
    assert table.gateway.game().phase is Phase.PLAYING


def test_a_damaged_game_stops_no_other_from_expiring() -> None:
    """Such as a game of a newer version."""
    gateway = Gateway()
    for one, other in (("Alice", "Bob"), ("Carol", "Dave")):
        gateway.person(one).write(f"new 9x9 vs {gateway.person(other).address}")
        gateway.person(one).reply("yes")
    gateway.writer.state.logs[1] = gateway.writer.state.logs[1][1:]
    gateway.cache.clear()
    gateway.wait(days=15)
    assert gateway.expire(days=14) == 1
    assert gateway.game(2).phase is Phase.EXPIRED
