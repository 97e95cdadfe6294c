"""A game against an engine by letters: how one is asked for, and what the letters say."""

from __future__ import annotations

import pytest

from godaemon.games import commands as cmd
from godaemon.games.engine_seats import Entrant, Roster
from godaemon.games.model import Phase, Seat
from godaemon.games.notices import DueNotice, Kind
from godaemon.games.service_calls import Caller
from godaemon.rules.points import parse_point
from mailgate.letters.compose import Composer
from mailgate.letters.letter_data import load_letter_data
from tests.support.gateway import ADDRESS, KEY, Gateway, Person
from tests.support.letters import parsed, part, sentence

ROSTER = Roster((Entrant("gnugo", note="GNU Go"), Entrant("kata"), Entrant("house")), 1)
ENGINE = Caller("engine:gnugo", "engine:gnugo", "gnugo")


class Table:
    """Alice, at a server where programs play."""

    def __init__(self) -> None:
        self.gateway = Gateway(engines=ROSTER)
        self.alice: Person = self.gateway.person("Alice")

    def text(self, due: DueNotice) -> str:
        """What a letter says."""
        matter = self.gateway.writer.run_sync(lambda unit: load_letter_data(unit, due))
        return part(
            parsed(Composer(KEY, ADDRESS, "Go by mail", invitation_days=14).compose(matter).raw),
            "plain",
        )

    def newest(self, kind: Kind) -> str:
        """What her last letter says."""
        assert self.alice.newest().notice.kind is kind, self.alice.kinds()
        return " ".join(self.text(self.alice.newest()).split())

    def engine(self, *commands: cmd.Action, seat: Seat = Seat.WHITE) -> None:
        """What GNU Go does."""
        self.gateway.writer.run_sync(
            lambda unit: self.gateway.games(unit).act(1, seat, commands, ENGINE)
        )


def test_from_the_proposal_to_the_end() -> None:
    """The engine is called by its name; no letter goes to it; and another game is offered."""
    table = Table()
    table.alice.write("new 9x9 vs GNUGO as black")
    assert "a game of Go against gnugo, a program that plays here" in table.newest(Kind.CONFIRM)
    assert table.gateway.game().phase is Phase.PROPOSED
    table.alice.reply("yes")
    assert "gnugo accepted: game 1 has started." in table.newest(Kind.STARTED)
    assert "gnugo is a program; words below it are kept in the record." in table.newest(
        Kind.STARTED
    )
    table.alice.reply("E5\n\nGood luck!")
    assert "gnugo (White) is to move" in table.newest(Kind.MOVED)
    table.engine(cmd.Play(parse_point("C3")))
    assert "gnugo played C3 (move 2)" in table.newest(Kind.YOUR_TURN)
    table.engine(cmd.Say("I cannot go on."), cmd.Resign())
    end = table.newest(Kind.FINISHED)
    assert "gnugo wrote: > I cannot go on." in end
    assert "For another game with colours swapped, reply: rematch" in end
    table.alice.reply("new 9x9 vs gnugo")
    assert table.newest(Kind.STARTED)
    assert {name for name, _ in table.gateway.told()} == {"alice"}


@pytest.mark.parametrize(("asked", "kind"), [("help", Kind.HELP), ("games", Kind.GAMES)])
def test_who_does_not_know_is_told(asked: str, kind: Kind) -> None:
    """The programs that have a word said about them."""
    table = Table()
    table.alice.write(asked)
    told = table.newest(kind)
    assert f"new 9x9 vs gnugo {sentence('proposes-program', program='GNU Go')}" in told
    assert "kata" not in told
