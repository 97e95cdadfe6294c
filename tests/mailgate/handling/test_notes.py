"""What a player keeps and looks at: notes, words until the end, history, dry runs, branches."""

from __future__ import annotations

from tests.support.gateway import Gateway, Person


def said(person: Person) -> str:
    """The newest letter as plain words."""
    return " ".join(person.read().get_body(("plain",)).get_content().split())  # type: ignore[union-attr]


def test_a_long_history_comes_page_by_page() -> None:
    """The newest page first, with a click for the one before."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    gateway.start(alice, bob, "13x13 as black")
    points = [f"{column}{row}" for row in (1, 3, 5, 7, 9) for column in "ABCDEFGHJKL"]
    gateway.play(alice, bob, " ".join(points))
    bob.reply("history")
    assert "Page 2 of 2: > 51. Black G9" in said(bob)
    assert "Reply with: history 1" in said(bob)
    bob.reply("history 1")
    assert "Page 1 of 2: > 1. Black A1" in said(bob)
    assert "> 50. White F9 " in said(bob)


def test_a_suicide_that_is_tried_or_planned_is_no_last_stone() -> None:
    """It has taken itself off, so that nothing stands where a mark would be."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    gateway.start(alice, bob, "9x9 new-zealand as black")
    gateway.play(alice, bob, "A2 A1 B2 E5 C1")
    bob.reply("try B1")
    assert "Black would have taken 2 stones." in said(bob)
    assert "1 . . X" in said(bob)
    bob.reply("G7")
    bob.reply("if D4 then B1")
    assert "The board after D4, B1:" in said(bob)
    assert "(.)" not in said(bob)
