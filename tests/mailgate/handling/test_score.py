"""`score` while a game is played: who may have an estimate, who hears of it, and what it says."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from godaemon.engine.estimate import ScoreEstimate
from godaemon.games.model import Game
from mailgate.letters.letter_data import load_letter_data, with_estimate
from tests.support.gateway import Table as TwoPlayers
from tests.support.letters import parsed, part
from tests.support.played_games import composer

MOVES = "E5 C3 C7 G3 G7 E3 E7 C5 D5"
"""Black at the top, White at the bottom, and White (Bob) to move."""


class Table(TwoPlayers):
    """Both have agreed to estimates."""

    def __init__(self, terms: str = "9x9 estimates as black", moves: str = MOVES) -> None:
        super().__init__(terms)
        self.gateway.play(self.alice, self.bob, moves)


def halves(game: Game) -> list[float]:
    """The top Black's, the bottom White's, the fifth row nobody's."""
    rows = [-0.9] * 4 + [0.1] + [0.9] * 4
    return [own for own in rows for _ in range(game.spec.size.width)]


def letter(
    table: Table, lead: float | None = -10.2, spread: float = 5.6, form: str = "plain"
) -> str:
    """The last letter that is owed, with what our player would say."""

    async def said(game: Game) -> ScoreEstimate | None:
        return None if lead is None else ScoreEstimate(lead, spread, halves(game))

    data = load_letter_data(table.gateway._look(), table.gateway.outbox[-1])
    written = composer().compose(asyncio.run(with_estimate(data, said)))
    return part(parsed(written.raw), form)


def words(text: str) -> str:
    """Without line ends."""
    return " ".join(text.split())


# -- what it says -------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("lead", "spread", "said"),
    [
        (-20.2, 5.6, "White (you) by about 20 points, give or take 6."),
        (-7.2, 5.6, "probably White (you), by about 7 points, give or take 6."),
        (3.0, 5.6, "perhaps Black, by about 3 points, give or take 6. It's still open."),
        (0.9, 0.2, "probably Black, by about 1 point, give or take 1."),
        (-0.4, 9.0, "about even, give or take 9."),
    ],
)
def test_who_is_ahead_in_words_that_promise_no_more(lead: float, spread: float, said: str) -> None:
    """The first line has the lead and its margin, and whose turn it is."""
    table = Table()
    table.ask(table.bob, "score")
    first = words(letter(table, lead, spread))
    assert first.startswith(f"My estimate for game 1: {said} Your move, White.")


@pytest.mark.parametrize("rules", ["japanese", "chinese"])
def test_the_two_numbers_differ_by_the_lead(rules: str) -> None:
    """However points are counted."""
    table = Table(f"9x9 estimates rules {rules} as black")
    table.ask(table.bob, "score")
    text = letter(table)
    (line,) = [one for one in text.splitlines() if "Points, about" in one]
    black, white = map(int, line.split()[-2:])
    assert white - black in (10, 11)


def test_the_board_shows_what_is_settled_and_names_what_is_not() -> None:
    """Points that are surely somebody's, stones that seem dead, and the rest as it is played."""
    table = Table(moves=f"{MOVES} E8 G5")
    table.ask(table.bob, "score")
    text = letter(table)
    assert "8  b b b b o b b b b  8" in text, "White's stone at the top"
    assert "4  w w w w w w w w w  4" in text
    assert "5  . . O X X .(X). .  5" in text
    assert "Not settled yet:" in text
    assert "Black's group at D5" in text


def test_without_an_answer_it_says_so() -> None:
    """Where our player fails, or plays nowhere; it can be asked again."""
    table = Table()
    table.ask(table.bob, "score")
    text = words(letter(table, None))
    assert text.startswith("I can't estimate the score of game 1 just now.")
    assert "Please ask again later: score" in text


def test_replayed_it_is_the_same_game() -> None:
    """An estimate moves no stone and no clock, and makes no letter stale."""
    table = Table()
    before = table.game
    table.ask(table.bob, "score")
    after = table.game
    assert (after.revisions, after.digest) == (before.revisions, before.digest)
    assert after.clock == before.clock
    assert replace(after, estimates=(), length=before.length) == before
