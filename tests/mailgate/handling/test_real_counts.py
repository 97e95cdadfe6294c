"""Real games counted by letter: following our letters gives the true result.

There are sixty games; by default three are tried. The players know which stones are dead. They use
`dead Q16 C3`, `dead C3 only`, `alive Q16` and `done` from the help, and the lines that refusals
offer.
"""

import re
import textwrap
from dataclasses import dataclass, field
from functools import cache

import pytest

from godaemon.engine import fallback
from godaemon.engine.dead_stones_reading import Reading
from godaemon.games import commands as cmd
from godaemon.games.model import Phase, Seat
from godaemon.games.notices import DueNotice, Kind
from godaemon.games.service_calls import Caller
from godaemon.games.stored_values import Unit
from godaemon.rules import scoring
from godaemon.rules.board import Board
from godaemon.rules.points import Color, Point, board_order, parse_point
from godaemon.rules.position import Position
from godaemon.texts.catalogue import sentence_from_json
from mailgate.language.parser import MAX_COMMANDS
from mailgate.letters.blocks import Diagram
from mailgate.letters.compose import write_letter
from mailgate.letters.letter_data import load_letter_data
from mailgate.letters.letter_view import LetterView
from tests.support import places
from tests.support.board_reader import parse_rows
from tests.support.gateway import Gateway, Person

GAMES = places.DATA / "games" / "counts.txt"
PATIENCE = 16
"""So many letters each of two players writes before a game counts as hung."""


@dataclass(frozen=True)
class RecordedGame:
    """A recorded game."""

    rules: str
    komi: str
    result: str
    dead: tuple[Point, ...]
    moves: tuple[Point | None, ...]


@cache
def recorded() -> list[RecordedGame]:
    lines = [line for line in GAMES.read_text().splitlines() if not line.startswith("#")]
    return list(map(_read, lines))


def _read(line: str) -> RecordedGame:
    terms, dead, moves = line.split(" | ")
    rules, komi, result = terms.split()
    words = (moves[at : at + 2] for at in range(0, len(moves), 2))
    return RecordedGame(
        *(rules, komi, result),
        tuple(map(parse_point, dead.split())),
        tuple(None if word == "--" else sgf_point(word) for word in words),
    )


def sgf_point(word: str) -> Point:
    """A point of a 19x19 board in SGF's letters, from the upper left."""
    return Point(ord(word[0]) - ord("a"), ord("s") - ord(word[1]))


@dataclass
class Counter:
    """A player at the count, who has read the newest letter and obeys it."""

    person: Person
    colors: tuple[Color, ...]
    """Whose dead stones they look after."""
    true: frozenset[Point]
    """The stones that are dead."""
    apart: bool
    """Whether they write a line for each chain."""
    boldly: bool
    """Whether of several lines offered they copy the last and not the first."""
    been: set[frozenset[Point]] = field(default_factory=set)
    """The marks that they have seen before."""

    def letter(self) -> str:
        """What they write; empty where they wait."""
        due = self.person.newest()
        board, marked = self._look(due)
        if due.notice.kind is Kind.REFUSED:
            hints = list(map(str, due.notice.about["hints"]))
            assert hints, sentence_from_json(due.notice.about["reason"])
            return hints[-1 if self.boldly else 0]
        if marked == self.true:
            return "done"
        repeated, lines = marked in self.been, list[str]()
        self.been.add(marked)
        for verb, stones in (("dead", self.true - marked), ("alive", marked - self.true)):
            mine = [one for one in stones if verb == "alive" or board.color(one) in self.colors]
            names = [min(chain, key=board_order) for chain in scoring.chains(board, mine)]
            only = " only" if repeated else ""
            rows = [[name] for name in names] if self.apart else [names] if names else []
            lines += [f"{verb} {' '.join(map(str, row))}{only}" for row in rows]
        return "\n".join(lines[:MAX_COMMANDS])

    def _look(self, due: DueNotice) -> tuple[Board, frozenset[Point]]:
        """The board of their newest letter, and the stones that it shows as dead."""
        gateway = self.person.gateway
        blocks = write_letter(
            LetterView(load_letter_data(gateway.snapshot(), due, gateway.cache), 14)
        )
        shown = next(block for block in blocks.blocks if isinstance(block, Diagram))
        read = parse_rows(shown.rows)
        return read.board, read.dead


def counted(number: int) -> tuple[Gateway, RecordedGame]:
    """A game after its last move; its last two passes are letters."""
    game, gateway = recorded()[number], Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    gateway.start(alice, bob, f"19x19 rules {game.rules} komi {game.komi} as black")

    def work(unit: Unit) -> None:
        games = gateway.games(unit)
        for at, point in enumerate(game.moves):
            seat = (Seat.BLACK, Seat.WHITE)[at % 2]
            command = cmd.Pass() if point is None else cmd.Play(point)
            games.act(1, seat, (command,), Caller("test"))

    gateway.writer.run_sync(work)
    gateway.play(alice, bob, "pass pass")
    return gateway, game


def play_out(number: int) -> tuple[Gateway, list[str]]:
    """Play a game to its end; returns the letters written, refused ones with `?`."""
    gateway, game = counted(number)
    board = gateway.game_now().position.board
    true = frozenset[Point]().union(*(scoring.chain(board, one) for one in game.dead))
    players = [
        Counter(gateway.person(name), colors, true, number % 3 == 0, number % 2 == 0)
        for name, colors in zip(("Alice", "Bob"), _MINDING[number % 4], strict=True)
    ]
    written = list[str]()
    for _ in range(PATIENCE):
        for player in players:
            text = "" if gateway.game_now().phase.over else player.letter()
            if text:
                outcome = player.person.reply(text)
                written.append(text if outcome.event == "accepted" else f"{text}?")
    return gateway, written


_BOTH = (Color.BLACK, Color.WHITE)
_MINDING = (
    (_BOTH, _BOTH),
    (_BOTH, ()),
    ((Color.BLACK,), (Color.WHITE,)),
    ((Color.WHITE,), (Color.BLACK,)),
)
"""Who marks whose dead stones: both all, one all, each their own ..."""


@pytest.fixture(autouse=True)
def _one_opinion_on_a_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our opinion is always the same for a board, and takes half of a test."""
    known, read = dict[tuple[int, ...], Reading](), fallback.read_dead_stones

    def read_once(position: Position) -> Reading:
        cells = tuple(position.board.cells)
        if cells not in known:
            known[cells] = read(position)
        return known[cells]

    monkeypatch.setattr(fallback, "read_dead_stones", read_once)


@pytest.mark.parametrize(
    "number",
    [
        pytest.param(number, marks=[pytest.mark.slow] if number % 20 else [])
        for number in range(len(recorded()))
    ],
)
def test_players_who_follow_our_letters_reach_the_recorded_result(number: int) -> None:
    """To the point."""
    gateway, written = play_out(number)
    assert gateway.game_now().phase is Phase.FINISHED, written
    assert gateway.game_now().result == recorded()[number].result, written


@pytest.mark.parametrize(
    ("number", "color"), [(0, Color.BLACK), (6, Color.WHITE), (16, Color.BLACK), (59, Color.WHITE)]
)
def test_a_dead_colour_is_one_short_line(number: int, color: Color) -> None:
    """The line that a refusal offers can be copied as printed, and marks every chain."""
    gateway, game = counted(number)
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    board = gateway.game_now().position.board
    stones = frozenset(board.point(index) for index in board.stones(color))
    named = [min(chain, key=board_order) for chain in scoring.chains(board, stones)]
    alice.reply(textwrap.fill(f"dead {' '.join(map(str, named))}", 72))
    assert alice.newest().notice.kind is Kind.REFUSED
    line, *_ = re.findall(r"(?m)^ +Reply with: (.*?)(?:  .*)?$", alice.text())
    assert alice.reply(line).event == "accepted", line
    assert gateway.game_now().dead == stones
    assert alice.reply("done").event == "accepted"
    assert bob.reply("done").event == "accepted"
    assert gateway.game_now().phase is Phase.FINISHED
    if scoring.chain(board, game.dead[0]) <= stones and len(game.dead) == len(named):
        assert gateway.game_now().result == game.result
