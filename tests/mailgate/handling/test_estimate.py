"""`propose`: our opinion on dead stones by letter, what it offers, and that it marks nothing."""

from __future__ import annotations

import re

import pytest

from godaemon.engine import Reading, fallback
from godaemon.games import commands as cmd
from godaemon.games.model import Game, Phase, Seat
from godaemon.games.notices import Kind, Notice
from godaemon.rules.points import Size, parse_point
from godaemon.texts.catalogue import sentence_from_json
from mailgate.language.parser import parse_text
from mailgate.letters import shared_blocks
from mailgate.letters.letter_data import with_engine_opinion
from tests.support.gateway import Person, Table
from tests.support.letters import parsed, part
from tests.support.played_games import PlayedGames, Posted

MOVES = "C3 E3 C2 E2 C4 E4 C1 E1 C5 E5 B3 F4 A2 B2 pass pass"
"""7x5: Black holds the left, White the right, and White's stone at B2 is as good as dead."""


class Counting(Table):
    """A game that has come to be counted."""

    def __init__(self, moves: str = MOVES) -> None:
        super().__init__("7x5 rules japanese as black")
        self.gateway.play(self.alice, self.bob, moves)
        self.mark = len(self.gateway.outbox)

    def ask(self, who: Person, text: str = "propose") -> list[tuple[str, str]]:
        return super().ask(who, text)


def letter(*marks: cmd.Mark, moves: str = MOVES, size: Size = Size(7, 5)) -> Posted:
    """The letter to Alice, after those marks."""
    made = PlayedGames()
    made.start(cmd.Propose("bob@players.example", size))
    made.play(moves)
    game = made.act(Seat.BLACK, *marks) if marks else made.act(Seat.BLACK, cmd.Say("Hm."))
    made.letters()
    to = "alice@players.example"
    told = Notice(
        Kind.ESTIMATE, to, by=to, game=1, seat=Seat.BLACK, since=game.length, until=game.length
    )
    made.owe(told)
    (posted,) = made.letters()
    return posted


def sent(posted: Posted) -> list[str]:
    """The lines that a letter tells its reader to send."""
    return re.findall(
        r"(?:Reply with|and): ((?:dead|alive) [^a-z\n]+(?: only)?)$", posted.text, re.MULTILINE
    )


def test_only_the_asker_is_answered_and_nothing_changes() -> None:
    """Either player may ask, as often as they like; the log of the game stays as it is."""
    table = Counting()
    length = table.game.length
    for who in (table.alice, table.bob, table.alice):
        assert table.ask(who) == [(who.name.casefold(), "estimate")]
    assert (table.game.length, table.game.dead) == (length, frozenset())


def test_what_it_says_to_send_works() -> None:
    """The very lines of the letter, sent back, mark what its board shows, and then done is said."""
    (line,) = sent(letter())
    assert line == "dead B2"
    table = Counting()
    table.ask(table.alice)
    table.alice.reply(f"{line}\ndone")
    assert " ".join(map(str, table.game.dead)) == "B2"
    table.bob.reply("done")
    assert table.game.phase is Phase.FINISHED


def test_wrong_marks_are_proposed_to_be_taken_back() -> None:
    """A stone that is marked and lives is named in a line of its own."""
    wrong = parse_text(["dead A2 only"]).commands[0].command
    assert isinstance(wrong, cmd.Mark)
    assert sent(letter(wrong)) == ["dead B2", "alive A2"]


def test_nothing_to_propose() -> None:
    """Where the marks are as we see the board, the letter asks for no more than to agree."""
    right = parse_text(["dead B2 only"]).commands[0].command
    assert isinstance(right, cmd.Mark)
    posted = letter(right)
    assert posted.text.startswith("I think the white stone at B2 is dead: White wins by 6.5.")
    assert sent(posted) == []
    assert "Reply with: done" in posted.text


def test_the_letter_is_the_same_whenever_it_is_written() -> None:
    """So that one that has to be written again after a crash is the very same."""
    assert letter().text == letter().text


@pytest.mark.parametrize(
    ("moves", "why"),
    [("C3 E3", "still being played"), (f"{MOVES[: MOVES.index('pass')]}resign", "over")],
)
def test_refused_unless_the_game_is_counted(moves: str, why: str) -> None:
    """Before the count and after the end there is nothing to propose, and the answer says why."""
    table = Counting(moves.removesuffix("resign").strip())
    if moves.endswith("resign"):
        table.ask(table.alice, "resign")
    assert table.ask(table.alice) == [("alice", "refused")]
    assert why in sentence_from_json(table.alice.newest().notice.about["reason"])


def test_it_may_stand_beside_the_pass_that_stops_play() -> None:
    """What is asked is answered for the game as the letter leaves it."""
    table = Counting(MOVES.removesuffix(" pass"))
    told = table.ask(table.bob, "pass\npropose")
    assert ("bob", "estimate") in told


def test_a_letter_about_no_game_is_asked_which() -> None:
    """No token, no opinion; it is one click away."""
    table = Counting()
    before = len(table.gateway.outbox)
    table.alice.write("propose")
    assert table.gateway.told(before) == [("alice", "show")]
    assert table.alice.newest().notice.about["meant"] == ["propose"]


def test_very_many_dead_stones(monkeypatch: pytest.MonkeyPatch) -> None:
    """An email says done only where all marks have room in its answer."""
    monkeypatch.setattr(shared_blocks, "MAX_COMMANDS", 2)
    monkeypatch.setattr(cmd, "NAMED", 1)
    white = map(parse_point, ("B2", "E1", "E2", "E3", "E4", "E5", "F4"))
    monkeypatch.setattr(fallback, "read_dead_stones", lambda _: Reading(frozenset(white)))
    posted = letter()
    assert sent(posted) == ["dead E1 only"]
    assert re.findall("and: (.*?)  ", posted.text) == ["dead B2 only"]


async def test_an_engines_opinion_stands_in_for_ours() -> None:
    """The letter names the engine, and proposes what it takes for dead; nobody else's is asked."""
    made = PlayedGames()
    made.start(cmd.Propose("bob@players.example", Size(7, 5)))
    game = made.play(MOVES)
    made.letters()
    to, length = "alice@players.example", game.length
    made.owe(Notice(Kind.ESTIMATE, to, game=1, seat=Seat.BLACK, since=length, until=length))
    (posted,) = made.letters()

    async def opinion(_: Game) -> tuple[str, Reading] | None:
        return "gnugo", Reading(frozenset(map(parse_point, ("E1", "A2", "D3"))))

    async def none(_: Game) -> None:
        return None

    assert await with_engine_opinion(posted.data, none) == posted.data
    text = part(
        parsed(made.composer.compose(await with_engine_opinion(posted.data, opinion)).raw),
        "plain",
    )
    assert "This is the opinion of gnugo" in text
    assert "dead E1 A2 only" in text, "D3 is empty, and E1 stands for its chain"
    assert "This is the opinion of" not in posted.text


async def asked_about(dead: str, doubtful: str, *marks: cmd.Mark) -> str:
    """The text of a letter by our own player, which is not sure of all that it sees."""
    data = (posted := letter(*marks)).data
    read = Reading(*(frozenset(map(parse_point, one.split())) for one in (dead, doubtful)))

    async def opinion(_: Game) -> tuple[str, Reading] | None:
        return "", read

    composed = posted.composer.compose(await with_engine_opinion(data, opinion))
    return part(parsed(composed.raw), "plain")


async def test_what_is_doubtful_is_asked_about() -> None:
    """It is named, no line marks it with the others, and there is one for either reading."""
    text = " ".join((await asked_about("B2", "B2")).split())
    assert "I'm not sure about 1 group." in text
    assert "White's group at B2 (1 stone): dead or alive?" in text
    assert "Reply with: dead B2 only then White is ahead by 6.5" in text
    assert "alive B2 only then White is ahead by 15.5" in text
    assert "what I'm sure of" not in text


async def test_what_is_certain_is_proposed_beside_it() -> None:
    """A doubtful group keeps its marks; all else is proposed as ever."""
    text = " ".join((await asked_about("B2", "E1")).split())
    assert "Reply with: dead B2 marks what I'm sure of" in text
    assert "White's group at E1 (6 stones): dead or alive?" in text


@pytest.mark.parametrize("line", ["dead B2 only", "alive B2 only"])
def test_either_answer_to_a_doubt_works(line: str) -> None:
    """None of the two lines is refused, whatever is marked already."""
    table = Counting()
    table.ask(table.alice)
    told = table.ask(table.alice, line)
    assert ("alice", "refused") not in told
    assert bool(table.game.dead) is line.startswith("dead")


async def test_no_engine_is_asked_for_other_letters() -> None:
    """Only a proposal about a game that is being counted needs one."""
    made = PlayedGames()
    made.start(cmd.Propose("bob@players.example", Size(7, 5)))
    first, *_ = made.letters()

    async def never(_: Game) -> None:
        raise AssertionError

    assert await with_engine_opinion(first.data, never) == first.data
