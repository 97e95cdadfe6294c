"""The list of games: awaited ones first, each with a clickable board."""

import pytest
from bs4 import BeautifulSoup

from godaemon.games.model import FORMER_NAME, OPEN, Phase, Player
from godaemon.texts.catalogue import speaking
from mailgate.letters.html_page import MAX_BYTES
from mailgate.letters.phrases import player_name
from tests.support.gateway import Gateway
from tests.support.letters import part
from tests.support.mailto import Click, clicks
from tests.support.memory_store import MemoryUnit
from tests.support.stores import summary


class GamesList:
    """Alice plays many; it is her turn in all games but the second."""

    def __init__(self, games: int, size: str = "9x9") -> None:
        self.gateway = Gateway()
        self.alice = self.gateway.person("Alice")
        self.others = [self.gateway.person(f"No{number}") for number in range(games)]
        for other in self.others:
            self.gateway.start(self.alice, other, f"{size} as black")
            self.gateway.wait(minutes=1)
        self.alice.write("games")

    def letter(self, form: str = "html") -> str:
        """The newest list as text."""
        self.gateway.send()
        return part(self.alice.read(), form)


def boards(html: str) -> list[list[Click]]:
    """The clicks of each board in a list."""
    soup = BeautifulSoup(html, "html.parser")
    return [clicks(str(board)) for board in soup.select("table.gb, pre")]


def headings(text: str) -> list[str]:
    """The games in order, by their headings."""
    return [line.split(":")[0] for line in text.splitlines() if line.startswith("Game ")]


def test_games_that_wait_for_the_reader_come_first() -> None:
    """Invitations and counts too; among these the newest is on top."""
    listed = GamesList(3)
    listed.alice.reply("2: D4")
    zoe = listed.gateway.person("Zoe")
    zoe.write(f"new 13x13 vs {listed.alice.address}")
    zoe.reply("yes")
    listed.gateway.wait(minutes=1)
    listed.alice.write("games")
    text = listed.letter("plain")
    assert headings(text)[:3] == ["Game 4 with Zoe", "Game 3 with No2", "Game 1 with No0"]
    assert "2     No1   their move 2, 10 days left (9x9)" in text


def test_a_click_on_a_board_plays_in_that_game() -> None:
    """The link names the game, and goes to the list's reply address."""
    listed = GamesList(2)
    for number, point in ((2, "E5"), (1, "D4")):
        board = boards(listed.letter())[0 if number == 2 else -1]
        (click,) = (one for one in board if one.body == f"{number}: {point}")
        outcome = listed.alice.write(click.body, to=click.to, subject=click.subject)
        assert outcome.event == "accepted"
        assert str(listed.gateway.game(number).position.last.point) == point  # type: ignore[union-attr]


def test_the_text_part_has_all_boards() -> None:
    """Each with the line that answers it."""
    text = GamesList(3, "7x7").letter("plain")
    assert text.count("   A B C D E F G\n") == 6
    for number in (1, 2, 3):
        assert f"Reply with: {number}: " in text


def test_long_lists_stay_below_gmails_limit() -> None:
    """All games are listed; only the boards on top keep their links."""
    for size, shown, linked in (("9x9", 12, 5), ("19x19", 12, 1), ("52x52", 0, 0)):
        html = GamesList(12, size).letter()
        found = boards(html)
        assert len(html) <= MAX_BYTES
        assert len(found) >= shown
        assert sum(map(bool, found)) >= linked


def test_a_hundred_finished_games_are_listed() -> None:
    """Older ones are only counted."""
    listed = GamesList(2)
    listed.alice.reply("2: D4")

    def played(unit: MemoryUnit) -> None:
        for _ in range(250):
            row = summary(unit.games.create(), Phase.FINISHED)
            unit.games.set_summary(row, [listed.alice.address])

    listed.gateway.writer.run_sync(played)
    listed.alice.write("games")
    text = listed.letter("plain")
    assert headings(text) == ["Game 1 with No0"]
    rows = [line for line in text.splitlines() if line.endswith("(9x9)")]
    assert (rows[0].split()[0], rows[1].split()[0], len(rows)) == ("2", "252", 100)
    assert "... and 151 older ones." in text


@pytest.mark.parametrize(
    ("player", "named"),
    [(Player(OPEN, "anybody"), "jemand"), (Player("former:1", FORMER_NAME), "Früheres Mitglied")],
)
def test_placeholder_names_are_translated(player: Player, named: str) -> None:
    """The store has `anybody` and `a former player` in English."""
    with speaking("de"):
        assert player_name(player) == named
