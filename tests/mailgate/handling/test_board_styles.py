"""`boards`: how boards look in one's own letters, told by reply and shown at once."""

from __future__ import annotations

import pytest

from godaemon.games.commands import Boards
from godaemon.games.notices import Kind
from mailgate.language.parser import parse_text
from tests.support.gateway import Gateway, Person
from tests.support.letters import part
from tests.support.mailto import board_clicks, button_clicks


def pair() -> tuple[Person, Person]:
    """Alice and Bob, in a game in which it is Alice's turn."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    gateway.start(alice, bob)
    return alice, bob


def say(who: Person, line: str) -> str:
    """Answer one's game; what comes back, as text."""
    who.reply(line, to=who.newest(Kind.STARTED))
    return part(who.read(), "plain")


def usual(settings: str) -> bool:
    """True where boards look as at the start."""
    told = " ".join(settings.split())
    return "Boards: letters boards" in told and "Coordinates: on all sides boards" in told


@pytest.mark.parametrize(
    ("line", "style"),
    [
        ("boards signs", Boards(signs=True)),
        ("boards letters", Boards(signs=False)),
        ("boards coordinates two", Boards(sides=2)),
        ("Boards coordinates off, please", Boards(sides=0)),
        ("boards letters, coordinates on", Boards(signs=False, sides=4)),
    ],
)
def test_the_ways_to_say_it(line: str, style: Boards) -> None:
    """One of the two or both; the rest stays as it was."""
    assert [one.command for one in parse_text([line]).commands] == [style]


@pytest.mark.parametrize("line", ["letters", "signs", "board", "the board looks good without him"])
def test_what_does_not_say_it(line: str) -> None:
    """One word alone, and talk."""
    assert not any(isinstance(one.command, Boards) for one in parse_text([line]).commands)


def test_it_is_shown_at_once_and_from_then_on() -> None:
    """In the answer, in one's own letters, and in the digest; the other player's stay the same."""
    alice, bob = pair()
    told = say(alice, "boards signs, coordinates two")
    assert told.startswith("Boards in my emails now look like this.")
    assert "5  ├──┼──●──┼──╋──┼──┤\n".replace("──", "─") in told
    alice.reply("E5", to=alice.newest(Kind.STARTED))
    assert "(X)" in part(bob.read(bob.newest(Kind.YOUR_TURN)), "plain")
    bob.reply("C3", to=bob.newest(Kind.YOUR_TURN))
    mine = part(alice.read(alice.newest(Kind.YOUR_TURN)), "plain")
    assert "5  ├─┼─┼─┼─●─┼─┼─┼─┤\n" in mine
    assert "● black, ○ white" in mine
    alice.write("games")
    assert "5  ├─┼─┼─┼─●─┼─┼─┼─┤\n" in part(alice.read(), "plain")


def test_the_board_can_be_clicked_without_coordinates() -> None:
    """Each point as before, and each is still named to who hears it."""
    alice, _ = pair()
    before = board_clicks(part(alice.read(alice.newest(Kind.STARTED)), "html"))
    say(alice, "boards coordinates off")
    after = board_clicks(part(alice.read(alice.newest(Kind.STARTED)), "html"))
    assert {one: found.title for one, found in after.items()} == {
        one: found.title for one, found in before.items()
    }


def test_settings_offer_each_and_each_click_works() -> None:
    """What holds is told; what is offered is what does not, and all of it in the answer."""
    alice, _ = pair()
    for line, offers in (("settings", 2), ("boards signs", 3), ("settings", 2)):
        say(alice, line)
        offered = [one for one in button_clicks(part(alice.read(), "html")) if "boards" in one]
        assert len(offered) == offers
        for offer in offered:
            assert "now look like this" in say(alice, offer)
    say(alice, "boards letters, coordinates on")
    assert usual(say(alice, "settings"))


def test_anybody_could_have_written_it() -> None:
    """A fresh letter changes nothing, and says what would."""
    alice, _ = pair()
    alice.write("boards signs, coordinates two")
    assert alice.newest().notice.kind is not Kind.SETTINGS
    assert usual(say(alice, "settings"))
