"""Sentences that were not so where they were read: about nothing, of a board that is not there."""

from __future__ import annotations

import pytest

from godaemon.games.engine_seats import Entrant, Roster
from tests.support.gateway import Gateway, Person
from tests.support.letters import sentence
from tests.support.mailto import button_clicks

OURS, GNUGO = Entrant("house", note="our own"), Entrant("gnugo", note="GNU Go")


def read(person: Person, written: str, *, reply: bool = True) -> str:
    """The text of the answer, its lines put together."""
    outcome = (person.reply if reply else person.write)(written)
    assert outcome.event != "quarantined"
    body = person.read().get_body(("plain",))
    assert body is not None
    return " ".join(body.get_content().split())


def begun(terms: str = "9x9 as black") -> tuple[Gateway, Person, Person]:
    """A game of Alice, who has Black, and Bob."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    gateway.start(alice, bob, terms)
    gateway.send()
    return gateway, alice, bob


@pytest.mark.parametrize("engines", [(OURS,), (GNUGO, OURS), (OURS, GNUGO)])
def test_help_names_our_own_player(engines: tuple[Entrant, ...]) -> None:
    """Bug: where GNU Go is installed nobody read of it."""
    alice = Gateway(engines=Roster(engines, 1)).person("Alice")
    told = sentence("proposes-program", program="our own")
    assert f"Reply with: new 9x9 vs house {told}" in read(alice, "help", reply=False)


def test_the_list_of_players_breaks_no_line_of_its_own() -> None:
    """Bug: “... say your own rank” stood there, so that it would not read as a command."""
    _, alice, _ = begun()
    said = read(alice, "players")
    assert said.endswith(
        "reply: players on. To show your rank, and where you are: i am 5 kyu, Berlin"
    )
    assert "..." not in said


def test_komi_is_explained_without_a_board() -> None:
    """Bug: it was said to stand below a board that the letter has not got."""
    alice = Gateway().person("Alice")
    assert "Each email of a game says how many" in read(alice, "help komi", reply=False)


def test_a_move_in_a_game_that_is_over() -> None:
    """Its result is said in words, and not in SGF's letters alone."""
    _, alice, bob = begun()
    alice.reply("E5")
    bob.resign()
    said = read(bob, "C3")
    assert said.startswith("Alice (Black) wins by resignation (B+R). Game 1 is over.")
    said = read(alice, "C3")
    assert said.startswith("You (Black) win by resignation (B+R). Game 1 is over.")


@pytest.mark.parametrize(
    ("terms", "away", "back"),
    [
        ("9x9 as black", "Your clock is paused", "Your clock is running."),
        ("9x9 as black time none", "You're away until", "Welcome back! --"),
    ],
)
def test_a_vacation(terms: str, away: str, back: str) -> None:
    """Bug: clocks stood in 0 games of a player who has none."""
    _, alice, _ = begun(terms)
    assert away in read(alice, "vacation 2 weeks")
    assert back in read(alice, "back")


@pytest.mark.parametrize(
    ("seconds", "left"), [(1, "10 days"), (1799, "10 days"), (1801, "9 days 23 hours")]
)
def test_the_time_that_is_left_is_rounded(seconds: int, left: str) -> None:
    """Bug: one second after the first email it was 9 days 23 hours."""
    gateway, alice, _ = begun()
    gateway.wait(seconds=seconds)
    assert f" {left} left, until " in read(alice, "show")


def test_what_is_only_an_example_cannot_be_clicked() -> None:
    """Bug: a click named its reader Margaret, and invited bob@example.org."""
    _, alice, _ = begun()
    alice.reply("name Margaret")
    links = {*_links(alice)}
    assert "name off" in links
    for written in ("settings everywhere", "games", "players", "help"):
        alice.write(written)
        links |= {*_links(alice)}
    assert {"plain on", "players on", "games"} <= links
    examples = ("name ", "i am ", "new 9x9 vs bob@")
    assert [one for one in links if one.startswith(examples)] == ["name off"]


def _links(person: Person) -> list[str]:
    body = person.read().get_body(("html",))
    assert body is not None
    return list(button_clicks(body.get_content()))
