"""Our answers do not reveal the owner of an address."""

import pytest

from godaemon.games.notices import Kind
from tests.support.gateway import Gateway


def test_a_block_does_not_reveal_an_address() -> None:
    """Two who met by name get the same answer for a right and a wrong guess."""
    notices = []
    for guess in ("dave@players.example", "nobody@players.example"):
        gateway = Gateway()
        alice, dave = gateway.person("Alice"), gateway.person("Dave")
        dave.write("new 9x9 open")
        dave.reply("yes", to=dave.newest(Kind.CONFIRM))
        alice.write("take 1")
        alice.reply("take 1")
        alice.reply(f"block {guess}", to=alice.newest(Kind.STARTED))
        answer = alice.text()
        alice.reply("export", to=alice.newest(Kind.STARTED))
        blocks = alice.newest(Kind.EXPORT).notice.about["blocks"]
        notices.append((answer.replace(guess, "GUESS"), blocks))
    assert notices[0] == notices[1]
    assert notices[0][1] == ["somebody else"]


@pytest.mark.parametrize("line", ["move me to {}", "move me to {} everywhere", "new 9x9 vs {}"])
def test_an_invitation_does_not_reveal_an_address(line: str) -> None:
    """Nor does a move of a seat: right and wrong guesses get the same answer."""
    notices = []
    for guess in ("seven@players.example", "eight@players.example"):
        gateway = Gateway()
        alice, dave = gateway.person("Alice"), gateway.person("Dave", "seven@players.example")
        dave.write("new 9x9 open")
        dave.reply("yes", to=dave.newest(Kind.CONFIRM))
        alice.write("take 1")
        alice.reply("take 1")
        event = alice.reply(line.format(guess), to=alice.newest(Kind.STARTED)).event
        answer = alice.text().replace(guess.partition("@")[0], "GUESS")
        notices.append((event, answer))
    assert notices[0] == notices[1]
    assert "Dave" not in notices[0][1]
