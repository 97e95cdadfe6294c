"""A game against an engine by letters: how one is asked for, and what the letters say."""

from __future__ import annotations

import pytest

from godaemon.games import commands as cmd
from godaemon.games.calls import Caller
from godaemon.games.engine_seats import Entrant, Roster
from godaemon.games.model import Phase, Seat
from godaemon.games.notices import DueNotice, Kind
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

    def begin(self, terms: str = "9x9 as black") -> None:
        """She asks for a game against GNU Go and confirms it."""
        self.alice.write(f"new {terms} vs gnugo")
        self.alice.reply("yes")

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


def test_its_turn_first() -> None:
    """Who need not do anything is told that the program will answer soon."""
    table = Table()
    table.begin("9x9 as white")
    assert "gnugo is a program and will answer soon" in table.newest(Kind.STARTED)


@pytest.mark.parametrize(
    ("terms", "color"), [("9x9 nigiri", Seat.BLACK), ("9x9 handicap 2 as black", Seat.BLACK)]
)
def test_terms(terms: str, color: Seat) -> None:
    """Nigiri draws at once; a handicap stands on the board when the game starts."""
    table = Table()
    table.begin(terms)
    game = table.gateway.game()
    assert game.player(color).address == table.alice.address
    assert len(game.position.handicap) == game.spec.handicap


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        ("new 9x9 vs bob", "Nobody called “…” plays here"),
        ("new 9x9 vs gnugoo", "Reply with: new 9x9 vs gnugo"),
        ("new 25x25 vs gnugo", "gnugo does not play on 25x25"),
        ("new 9x13 vs gnugo", "only on square boards"),
        (f"new 9x9 vs {ADDRESS}", "Reply with: new 9x9 vs gnugo"),
    ],
)
def test_refused(wanted: str, words: str) -> None:
    """With what would work, and nothing is written down."""
    table = Table()
    table.alice.write(wanted)
    assert words in table.newest(Kind.REFUSED)


def test_no_more_than_one_at_a_time_here() -> None:
    """The limit holds at the yes too, however many were asked for before."""
    table = Table()
    for _ in range(2):
        table.alice.write("new 9x9 vs gnugo")
    first, second = table.alice.letters(Kind.CONFIRM)
    table.alice.reply("yes", to=first)
    table.alice.reply("yes", to=second)
    assert "You already have a game against a program" in table.newest(Kind.REFUSED)


@pytest.mark.parametrize(("asked", "kind"), [("help", Kind.HELP), ("games", Kind.GAMES)])
def test_who_does_not_know_is_told(asked: str, kind: Kind) -> None:
    """The programs that have a word said about them."""
    table = Table()
    table.alice.write(asked)
    told = table.newest(kind)
    assert f"new 9x9 vs gnugo {sentence('proposes-program', program='GNU Go')}" in told
    assert "kata" not in told


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("I would like to play against the computer, please, on a small board", "new 9x9 vs gnugo"),
        ("May I play a game with your strongest program?", "new 9x9 vs gnugo"),
        ("Let me play against a bot, 13x13, I take white", "new 13x13 as white vs gnugo"),
    ],
)
@pytest.mark.parametrize("plays", [False, True])
def test_a_wish_for_a_game_against_a_program(text: str, line: str, *, plays: bool) -> None:
    """Who says so in a letter of its own is given the line, whether they have games or none."""
    table = Table()
    if plays:
        table.gateway.start(table.alice, table.gateway.person("Bob"))
    table.alice.write(text)
    notice = table.alice.newest().notice
    assert notice.kind is Kind.REFUSED
    assert notice.about["hints"] == [line]
    table.alice.reply(line)
    assert table.alice.newest().notice.kind is Kind.CONFIRM


@pytest.mark.parametrize("text", ["can i play with the bot", "a game against gnugo, please"])
def test_a_wish_for_a_program_when_a_game_is_over(text: str) -> None:
    """Whose other player hears nothing of it."""
    table = Table()
    bob = table.gateway.person("Bob")
    table.gateway.start(table.alice, bob)
    table.alice.reply("resign")
    told = len(bob.letters())
    table.alice.reply(text)
    assert table.alice.newest().notice.about["hints"][0] == "help"  # which names the program
    assert len(bob.letters()) == told


@pytest.mark.parametrize("text", ["My grandson builds computers", "I met a robot yesterday"])
def test_talk_of_computers_wishes_for_no_game(text: str) -> None:
    """Nor is one offered."""
    table = Table()
    table.gateway.start(table.alice, table.gateway.person("Bob"))
    table.alice.write(text)
    assert "gnugo" not in str(table.alice.newest().notice.about.get("hints"))
