"""Forged and bounced answers to the list of games; scenes have the rest."""

from godaemon.games.notices import Kind
from mailgate import tokens
from tests.support.gateway import ADDRESS, Gateway


def listed() -> Gateway:
    """Alice plays Bob (1) and Carol (2), and has asked for the list."""
    gateway = Gateway()
    for name in ("Bob", "Carol"):
        gateway.start(gateway.person("Alice"), gateway.person(name), "9x9 as black")
    gateway.person("Alice").write("games")
    gateway.send()
    return gateway


def moves(gateway: Gateway) -> list[int]:
    return [gateway.game(number).move_number for number in (1, 2)]


def test_a_forged_token_of_a_list_is_invalid() -> None:
    """Whether that list was sent or not."""
    gateway = listed()
    alice = gateway.person("Alice")
    uid = alice.newest(Kind.GAMES).uid
    for forged in (
        tokens.sign(b"x" * 32, "listed", uid),
        tokens.sign(b"k" * 32, "listed", "0" * 16),
    ):
        outcome = alice.write("1: D4", to=tokens.reply_address(ADDRESS, forged))
        assert outcome.wrong_token
    assert moves(gateway) == [0, 0]


def test_a_quoted_list_makes_no_move() -> None:
    """However it is quoted."""
    gateway = listed()
    alice = gateway.person("Alice")
    listing = alice.newest(Kind.GAMES)
    text = alice.text(listing)
    assert "1: C3" in text
    lines = text.splitlines()
    for quoted in (lines, map(str.strip, lines), (ln for ln in lines if "reply above" not in ln)):
        alice.reply("\n".join(quoted), to=listing)
    assert moves(gateway) == [0, 0]
