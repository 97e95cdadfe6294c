"""Counting by email: our proposal, and agreement by one click."""

import asyncio
import re
from collections.abc import Callable
from itertools import zip_longest
from unittest.mock import AsyncMock

import pytest

from godaemon.engine import Reading, fallback
from godaemon.games import commands as cmd
from godaemon.games.model import Phase, Seat
from godaemon.games.notices import DueNotice, Kind
from godaemon.games.service_calls import Caller
from godaemon.rules.points import Color, parse_point
from godaemon.rules.position import Position
from mailgate.letters import shared_blocks
from mailgate.letters.blocks import Choices
from mailgate.letters.letter_data import with_engine_answer
from tests.support.boards import parse
from tests.support.gateway import Person
from tests.support.gateway import Table as TwoPlayers
from tests.support.letters import agreement, html, parsed, plain, sentence
from tests.support.mailto import Click, clicks
from tests.support.memory_store import MemoryUnit
from tests.support.played_games import composer

BOARDS = {
    "dead": """
    . . X . O . .
    . . X . O O .
    . X X X O . .
    X O X . O . .
    . . X . O . .
""",
    "settled": """
    . . X O . .
    . . X O . .
    . . X O . .
    . . X O . .
""",
    "seki": """
    O X . O X .
    O X . O X .
    O X X O X X
    O O O X X .
    . O . O X X
    O . O O X .
""",
}
"""White's stone at B2 is as good as dead; nobody is dead; two shared liberties."""
STONE = "the white stone at B2"
SAYS = f"Alice says {STONE} is dead and agrees"
PLAIN = "an email of the count without an opinion"


class Table(TwoPlayers):
    """A game between Alice, who has black, and Bob; a board that both have left."""

    def __init__(self, board: str, rules: str = "japanese") -> None:
        size, states = parse(BOARDS[board])
        super().__init__(f"{size} rules {rules} as black")
        black, white = ([at for at, state in states.items() if state == one] for one in "XO")
        turns = [*zip_longest(sorted(black, key=str), sorted(white, key=str))]
        moves = [point for turn in turns for point in turn]
        for point in [*moves[: len(moves) - (moves[-1] is None)], None, None]:
            self.act(cmd.Play(point) if point else cmd.Pass())

    def act(self, command: cmd.Action) -> None:
        """A command of the player to move."""
        seat = Seat.of(self.game.to_move or Color.BLACK)
        player = self.game.player(seat)
        caller = Caller("letter:<1@x>", player.address, player.name)
        self.gateway.writer.run_sync(
            lambda unit: self.gateway.games(unit).act(1, seat, (command,), caller)
        )


def click_button(person: Person, due: DueNotice | None = None) -> None:
    """Click on the first button of an email, by default the newest, and send its email."""
    click = agree_button(person, due)
    person.write(click.body, to=click.to, header={"subject": click.subject})


def reply_with_offered(person: Person) -> None:
    """Reply to the newest email with the first lines that its text offers."""
    person.reply(agreement(person.read()))


def agree_button(person: Person, due: DueNotice | None = None) -> Click:
    """The button of an email that agrees to its count."""
    found = clicks(html(person.read(due)))
    return next(one for one in found if one.words == f"{sentence('button-done')} →")


WAYS = pytest.mark.parametrize("agrees", [click_button, reply_with_offered])
Way = Callable[[Person], None]


@WAYS
@pytest.mark.parametrize(
    ("board", "rules", "opinion", "agreed", "result"),
    [
        ("dead", "japanese", f"I think {STONE} is dead", SAYS, "W+6.5"),
        ("dead", "chinese", f"I think {STONE} is dead", SAYS, "W+6.5"),
        ("settled", "japanese", "I think no stone is dead", "Alice agrees", "W+0.5"),
        ("settled", "chinese", "I think no stone is dead", "Alice agrees", "W+0.5"),
        ("seki", "japanese", "I think no stone is dead", "Alice agrees", "W+5.5"),
        ("seki", "chinese", "I think no stone is dead", "Alice agrees", "W+7.5"),
    ],
)
def test_two_players_end_a_count_with_a_click_each(
    agrees: Way, board: str, rules: str, opinion: str, agreed: str, result: str
) -> None:
    """The first email has our opinion and its result; the second says who proposes it."""
    table = Table(board, rules)
    color, _, by = result.partition("+")
    margin = "half a point" if by == "0.5" else f"{by} points"
    wins = f"{'Black' if color == 'B' else 'White'} wins by {margin}."
    assert f"{opinion}: {wins}" in table.alice.words()
    assert table.game.dead == frozenset(), "an opinion marks nothing by itself"
    agrees(table.alice)
    assert table.bob.words().startswith(f"{agreed}: {wins}")
    assert agree_button(table.bob).body == "done"
    agrees(table.bob)
    assert (table.game.phase, table.game.result) == (Phase.FINISHED, result)
    assert table.bob.kinds()[-3:] == [*("scoring-started", "done", "finished")]


def test_the_button_that_agrees_comes_first() -> None:
    """It is the only filled one."""
    page = html(Table("dead").alice.read())
    assert page.index(">Agree ") < page.index("Click a dead stone")
    assert page.count("background-color:#7a4e0e") == 1


def test_a_click_on_a_stone_changes_the_proposed_marks() -> None:
    """It keeps the other proposed marks."""
    table = Table("dead")
    found = {one.title: one for one in clicks(html(table.alice.read())) if one.title}
    assert found["B2"].body == "dead B2\r\nalive B2"
    click = found["F4"]
    table.alice.write(click.body, to=click.to, header={"subject": click.subject})
    assert {"B2", "F4"} <= {str(one) for one in table.game.dead}


def agree_without_marks(table: Table, line: str = "done") -> None:
    """Alice answers the email that proposes marks without them."""
    click = clicks(html(table.alice.read()))[0]
    table.alice.write(line, to=click.to, header={"subject": click.subject})


@pytest.mark.parametrize(("place", "result"), [(0, "W+6.5"), (1, "W+15.5")])
def test_a_bare_done_is_asked_back(place: int, result: str) -> None:
    """In 60 words and two links: the proposed marks, or the current board."""
    table = Table("dead")
    agree_without_marks(table)
    assert not table.game.agreed
    letter = table.alice.read()
    words = plain(letter)
    offered = [one for one in clicks(html(letter)) if one.body.endswith("done")]
    assert [one.body for one in offered] == ["dead B2\r\ndone", "done"]
    board = re.compile(r" *(\d .* \d|[A-G]( [A-G])+|X black.*|-- reply above.*)")
    lines = (one for one in words.splitlines() if not board.fullmatch(one))
    assert len(" ".join(lines).split()) <= 60, words
    click = offered[place]
    table.alice.write(click.body, to=click.to, header={"subject": click.subject})
    assert table.game.agreed
    table.bob.reply("done")
    assert table.game.result == result


@pytest.mark.parametrize("words", ["Is that so?", "show", "Huh? That rule again, please"])
def test_a_bare_done_to_any_email_is_asked_back(words: str) -> None:
    """Until somebody has marked stones or agreed; an email about unclear words proposes again."""
    table = Table("dead")
    table.alice.reply(words)
    if table.alice.newest().notice.kind is Kind.REFUSED:
        assert f"I think {STONE} is dead: White wins by 6.5 points." in table.alice.words()
        assert agree_button(table.alice).body == "dead B2\r\ndone"
    agree_without_marks(table)
    offered = [one.body for one in clicks(html(table.alice.read())) if one.body.endswith("done")]
    assert offered == ["dead B2\r\ndone", "done"]


@pytest.mark.parametrize(
    "words", ["Yes, I agree, well done you!", "Ja, ich stimme zu, gut gemacht du!"]
)
def test_vague_agreement_is_asked_back(words: str) -> None:
    """It does not say which count it means."""
    table = Table("dead")
    agree_without_marks(table, words)
    letter = table.alice.read()
    offered = [one.body for one in clicks(html(letter)) if one.body.endswith("done")]
    assert offered == ["dead B2\r\ndone", "done"]
    assert not table.game.chat


def keep(table: Table) -> tuple[str, str]:
    """Send Alice's newest email; returns its reply address and Message-ID."""
    due, letter = table.alice.newest(), table.gateway.composer.compose(table.alice.data())

    def work(unit: MemoryUnit) -> None:
        unit.outbox.claim(table.gateway.now, 60, 99)
        more = {"agreement": letter.agreement}
        unit.outbox.store_letter(due.id, letter.message_id, letter.raw, more)

    table.gateway.writer.run_sync(work)
    return parsed(letter.raw)["Reply-To"].addresses[0].addr_spec, letter.message_id


@pytest.mark.parametrize(
    "said",
    [
        *("yes", "agree", "yep looks right to me", "yeah agreed gg", "Yes, I agree"),
        *("Ja, passt so.", "oui d'accord", "Agreed, thanks for the game!"),
    ],
)
def test_a_yes_agrees_to_the_marks_in_its_email(said: str) -> None:
    """Two players who only say yes end the game."""
    table = Table("dead")
    to, answers = keep(table)
    table.alice.write(said, to=to, in_reply_to=answers)
    assert table.game.dead == {parse_point("B2")}
    assert [*table.game.agreed] == [Color.BLACK]
    table.bob.reply("yes")
    assert table.game.result == "W+6.5"


@pytest.mark.parametrize("done", ["dead F4", "dead F4\ndone", "resume"])
def test_a_yes_to_old_marks_is_refused(done: str) -> None:
    """The board has changed since."""
    table = Table("dead")
    to, answers = keep(table)
    table.bob.reply(done)
    before = table.game
    table.alice.write("yes", to=to, in_reply_to=answers)
    assert (table.game.dead, table.game.agreed) == (before.dead, before.agreed)
    assert table.alice.newest().notice.kind in (Kind.REFUSED, Kind.SHOW)


def test_a_yes_to_a_choice_is_asked_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """It does not say which of two counts is right, or whether a group is dead."""
    table = Table("dead")
    agree_without_marks(table)
    to, answers = keep(table)
    table.alice.write("yes", to=to, in_reply_to=answers)
    assert not table.game.agreed
    unsure = Reading(frozenset(), frozenset({parse_point("A2")}))
    monkeypatch.setattr(fallback, "read_dead_stones", lambda _: unsure)
    table = Table("dead")
    to, answers = keep(table)
    for said in ("yes", "agreed", "yep looks right to me"):
        table.alice.write(said, to=to, in_reply_to=answers)
        assert not table.game.agreed
        assert not table.game.chat


def test_a_bare_done_agrees_if_the_result_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """By area rules, a stone that is dead in its own area counts as alive."""
    table = Table("dead", rules="chinese")
    table.alice.reply("dead B2")
    dead = frozenset(map(parse_point, ("A2", "B2")))
    monkeypatch.setattr(fallback, "read_dead_stones", lambda _: Reading(dead))
    table.alice.reply("propose")
    assert agree_button(table.alice).body == "dead A2 B2 only\r\ndone"
    agree_without_marks(table)
    assert table.game.agreed


def test_unclear_groups_are_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    """One line for each answer, after the sure marks."""
    dead, doubtful = frozenset({parse_point("B2")}), frozenset({parse_point("A2")})
    monkeypatch.setattr(fallback, "read_dead_stones", lambda _: Reading(dead, doubtful))
    words = Table("dead").alice.words()
    assert "To count the score, please help me with one group: is it dead or alive?" in words
    assert "Black's stone at A2: dead or alive?" in words
    assert "Reply with: dead B2 marks what I'm sure of" in words
    assert words.index("dead A2 only") < words.index("alive A2 only")
    assert "I think" not in words


def test_agreement_needs_one_reply_for_all_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the lines do not end with `done`."""
    monkeypatch.setattr(shared_blocks, "MAX_COMMANDS", 2)
    monkeypatch.setattr(cmd, "POINTS_PER_LINE", 1)
    white = map(parse_point, ("B2", "E1", "E2", "E3", "E4", "E5", "F4"))
    monkeypatch.setattr(fallback, "read_dead_stones", lambda _: Reading(frozenset(white)))
    assert "Reply with: dead E1 only and: dead B2 only " in Table("dead").alice.words()


def test_the_email_has_the_opinion_of_an_engine() -> None:
    """By its name, and so has the question; without an engine the email stays as it was."""
    table = Table("dead")
    data, engines = table.alice.data(), AsyncMock()
    engines.opinion.return_value = None
    assert asyncio.run(with_engine_answer(data, engines)) == data
    stones = frozenset(map(parse_point, ("E1", "A2", "D5")))
    engines.opinion.return_value = "gnugo", Reading(stones)
    letter = composer().compose(asyncio.run(with_engine_answer(data, engines)))
    words = " ".join(plain(parsed(letter.raw)).split())
    assert "This is the opinion of gnugo" in words
    assert "dead E1 A2 only" in words, "D5 is empty, and E1 stands for its chain"
    agree_without_marks(table)
    question = composer().blocks(asyncio.run(with_engine_answer(table.alice.data(), engines)))
    (choices,) = (one for one in question.blocks if isinstance(one, Choices))
    assert [line for line, _ in choices.rows] == ["dead E1 A2 only\r\ndone", "done"]


def test_a_failing_opinion_stops_no_email(monkeypatch: pytest.MonkeyPatch) -> None:
    """The stones can still be marked."""

    def fails(_: Position) -> Reading:
        raise ArithmeticError(PLAIN)

    monkeypatch.setattr(fallback, "read_dead_stones", fails)
    table = Table("dead")
    assert sentence("time-to-count") in table.alice.words()
    assert sentence("mark-first") in table.alice.words()
    table.alice.reply("dead B2\ndone")
    click_button(table.bob)
    assert table.game.result == "W+6.5"


@pytest.mark.parametrize("board", BOARDS)
def test_examples_name_no_living_group(board: str) -> None:
    """Emails name a group as dead only if we think so."""
    table = Table(board)
    texts = [table.alice.words()]
    click_button(table.alice)
    texts += [table.bob.words(), table.alice.words()]
    dead = {str(one) for one in fallback.read_dead_stones(table.game.position).dead}
    assert {name for one in texts for name in re.findall(r"dead ([A-Z]\d+)", one)} <= dead
