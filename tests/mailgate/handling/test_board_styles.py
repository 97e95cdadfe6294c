"""`boards`: the style of boards in a player's letters, used at once."""

import re
from email.message import EmailMessage
from random import Random

import pytest
from bs4 import BeautifulSoup

from godaemon.diagrams import raster
from godaemon.diagrams.picture import BoardPicture, board_drawing
from godaemon.games.notices import Kind
from godaemon.rules.points import Point
from tests.support.gateway import Person, started
from tests.support.letters import part
from tests.support.mailto import board_clicks, button_clicks


def say(person: Person, line: str) -> str:
    """Answer one's game; returns the reply's text."""
    person.reply(line, to=person.newest(Kind.STARTED))
    return person.text()


def usual(settings: str) -> bool:
    """True where boards look as at the start."""
    text = " ".join(settings.split())
    clicks = "Boards: to click on boards picture, boards words " in text
    return clicks and "Coordinates: on all sides boards" in text


def test_a_style_holds_for_all_later_emails() -> None:
    """Also for the answer and the daily email, not for the opponent's."""
    _, alice, bob = started()
    text = say(alice, "boards coordinates two")
    assert text.startswith("Boards in my emails now look like this.")
    assert "5  . . X . + . .\n" in text
    alice.reply("E5", to=alice.newest(Kind.STARTED))
    assert "5  . . . .(X). . . .  5\n" in part(bob.read(bob.newest(Kind.YOUR_TURN)), "plain")
    bob.reply("C3", to=bob.newest(Kind.YOUR_TURN))
    mine = part(alice.read(alice.newest(Kind.YOUR_TURN)), "plain")
    assert "5  . . . . X . . . .\n" in mine
    alice.write("games")
    assert "5  . . . . X . . . .\n" in alice.text()


def test_points_have_names_without_coordinates() -> None:
    """Screen readers need them."""
    _, alice, _ = started()
    before = board_clicks(part(alice.read(alice.newest(Kind.STARTED)), "html"))
    say(alice, "boards coordinates off")
    after = board_clicks(part(alice.read(alice.newest(Kind.STARTED)), "html"))
    assert {one: found.title for one, found in after.items()} == {
        one: found.title for one, found in before.items()
    }


def test_settings_offer_all_other_styles() -> None:
    """Each click works."""
    _, alice, _ = started()
    for line, offers in (("settings", 3), ("boards table", 4), ("settings", 3)):
        say(alice, line)
        offered = [one for one in button_clicks(part(alice.read(), "html")) if "boards" in one]
        assert len(offered) == offers
        for offer in offered:
            assert "now look like this" in say(alice, offer)
    say(alice, "boards picture, coordinates on")
    assert not usual(say(alice, "settings"))
    say(alice, "boards table")
    assert usual(say(alice, "settings"))


def pictures_in(letter: EmailMessage) -> dict[str, bytes]:
    """The pictures of an email that its HTML shows, by their descriptions."""
    sources = BeautifulSoup(part(letter, "html"), "html.parser").find_all("img")
    parts = {one["Content-ID"]: one for one in letter.walk() if one["Content-ID"]}
    assert sorted(parts) == sorted(f"<{str(one['src']).removeprefix('cid:')}>" for one in sources)
    assert {one.get_content_disposition() for one in parts.values()} <= {"inline"}
    return {
        str(one["alt"]): parts[f"<{str(one['src']).removeprefix('cid:')}>"].get_content()
        for one in sources
    }


def test_a_picture_replaces_the_clickable_board() -> None:
    """With the board as alternative text; `boards letters` restores it."""
    _, alice, bob = started()
    assert pictures_in(alice.read(alice.newest(Kind.STARTED))) == {}
    say(alice, "boards picture")
    assert len(pictures_in(alice.read())) == 1
    letter = alice.read(alice.newest(Kind.STARTED))
    ((words, picture),) = pictures_in(letter).items()
    assert picture.startswith(b"\x89PNG")
    text = part(letter, "plain")
    board = [line for line in text.splitlines() if re.match(r" *[1-9]  ", line)]
    assert [line for line in words.splitlines() if line in board] == board
    page = BeautifulSoup(part(letter, "html"), "html.parser")
    assert [str(one["aria-label"])[:12] for one in page.find_all("img")] == ["Go board of "]
    assert "Reply with your move" in " ".join(page.get_text(" ").split())
    assert board_clicks(part(letter, "html")) == {}
    alice.reply("D4", to=alice.newest(Kind.STARTED))
    assert pictures_in(bob.read(bob.newest(Kind.YOUR_TURN))) == {}
    say(alice, "boards table")
    assert board_clicks(part(alice.read(alice.newest(Kind.STARTED)), "html"))


def test_each_board_is_its_own_picture() -> None:
    """A lesson has several; plain text has none."""
    _, alice, _ = started()
    say(alice, "boards picture")
    alice.reply("learn", to=alice.newest(Kind.STARTED))
    lesson = alice.read(alice.newest(Kind.LEARN))
    assert len(pictures_in(lesson)) == part(lesson, "html").count("<img") > 0
    alice.reply("E5", to=alice.newest(Kind.STARTED))
    say(alice, "kifu")
    (drawn,) = (one for one in alice.read().walk() if one.get_content_type() == "image/png")
    assert drawn.get_filename() == "game-1.png"
    say(alice, "plain on")
    assert alice.read(alice.newest(Kind.STARTED)).get_content_type() == "text/plain"


@pytest.mark.parametrize("states", ["bw.", "bwcxBW."], ids=["playing", "counting"])
def test_a_picture_has_at_most_20_kb(states: str) -> None:
    """19x19, even with random stones."""
    rows = tuple("".join(Random(row).choices(states, k=19)) for row in range(19))
    assert len(raster.png(board_drawing(BoardPicture(rows, Point(9, 9))))) <= 20_000
