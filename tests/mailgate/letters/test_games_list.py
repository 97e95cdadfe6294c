"""The list of games: awaited ones first, each with a clickable board."""

import pytest
from bs4 import BeautifulSoup

from godaemon.games.model import FORMER_NAME, OPEN, Phase, Player
from godaemon.texts.catalogue import speaking
from mailgate.letters.html_page import LIMIT
from mailgate.letters.phrases import player_name
from tests.support.gateway import Gateway, Person
from tests.support.letters import part
from tests.support.mailto import Click, clicks
from tests.support.memory_store import MemoryUnit
from tests.support.stores import summary


class Digest:
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

    def boards(self) -> list[list[Click]]:
        """The clicks of each board in it."""
        soup = BeautifulSoup(self.letter(), "html.parser")
        return [clicks(str(board)) for board in soup.select("table.gb, pre")]


def heads(text: str) -> list[str]:
    """The games in their order, as their headings name them."""
    return [line.split(":")[0] for line in text.splitlines() if line.startswith("Game ")]


def test_what_waits_comes_first_and_the_newest_above() -> None:
    """Invitations and counts included; games that do not await the reader come last."""
    digest = Digest(3)
    digest.alice.reply("2: D4")
    zoe = digest.gateway.person("Zoe")
    zoe.write(f"new 13x13 vs {digest.alice.address}")
    zoe.reply("yes")
    digest.gateway.wait(minutes=1)
    digest.alice.write("games")
    text = digest.letter("plain")
    assert heads(text)[:3] == ["Game 4 with Zoe", "Game 3 with No2", "Game 1 with No0"]
    assert "2     No1   their move 2, 10 days left (9x9)" in text


def test_a_click_on_a_board_moves_in_its_game() -> None:
    """It names the game, and goes where the list is answered."""
    digest = Digest(2)
    for number, point in ((2, "E5"), (1, "D4")):
        board = digest.boards()[0 if number == 2 else -1]
        (click,) = (one for one in board if one.body == f"{number}: {point}")
        outcome = digest.alice.write(click.body, to=click.to, subject=click.subject)
        assert outcome.event == "accepted"
        assert str(digest.gateway.game(number).position.last.point) == point  # type: ignore[union-attr]


def test_text_has_the_boards_too() -> None:
    """One for each game, with the line that answers it."""
    text = Digest(3, "7x7").letter("plain")
    assert text.count("   A B C D E F G\n") == 6
    for number in (1, 2, 3):
        assert f"Reply with: {number}: " in text


def count(person: Person, gateway: Gateway) -> None:
    for reader in (person, gateway.person("No0")):
        reader.reply("pass", to=[one for one in reader.letters() if one.notice.game == 1][-1])


def test_stones_of_a_count_are_marked_by_a_click() -> None:
    """As in the count's own letter."""
    digest = Digest(1)
    digest.alice.reply("1: D4")
    digest.others[0].reply("E5")
    count(digest.alice, digest.gateway)
    digest.alice.write("games")
    ((*board,),) = digest.boards()
    click = next(one for one in board if one.body.startswith("1: dead E5"))
    digest.alice.write(click.body, to=click.to, subject=click.subject)
    assert [str(point) for point in digest.gateway.game(1).dead] == ["E5"]


def test_no_list_is_cut() -> None:
    """Of a dozen boards those above keep their links; all are there, below Gmail's limit.

    Of twenty that are as large as can be some are left out.
    """
    small, large = Digest(12), Digest(12, "19x19")
    for digest, linked in ((small, 5), (large, 1)):
        boards = digest.boards()
        assert len(boards) == 12
        assert sum(bool(board) for board in boards) >= linked
        assert len(digest.letter()) <= LIMIT
    assert len(Digest(20, "52x52").letter()) <= LIMIT


def test_who_has_played_hundreds_sees_those_that_go_on_and_the_newest() -> None:
    """Of the games that are over a hundred are listed and the others counted."""
    digest = Digest(2)
    digest.alice.reply("2: D4")

    def played(unit: MemoryUnit) -> None:
        for _ in range(250):
            row = summary(unit.games.create(), Phase.FINISHED)
            unit.games.set_summary(row, [digest.alice.address])

    digest.gateway.writer.run_sync(played)
    digest.alice.write("games")
    text = digest.letter("plain")
    assert heads(text) == ["Game 1 with No0"]
    rows = [line for line in text.splitlines() if line.endswith("(9x9)")]
    assert (rows[0].split()[0], rows[1].split()[0], len(rows)) == ("2", "252", 100)
    assert "... and 151 older ones." in text


@pytest.mark.parametrize(
    ("player", "named"),
    [(Player(OPEN, "anybody"), "jemand"), (Player("former:1", FORMER_NAME), "Früheres Mitglied")],
)
def test_nobody_in_particular_is_named_in_the_language_of_the_email(
    player: Player, named: str
) -> None:
    """The store has such names in English."""
    with speaking("de"):
        assert player_name(player) == named
