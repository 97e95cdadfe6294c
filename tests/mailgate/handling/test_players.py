"""What players say of themselves, and who of them is on the list of players."""

from __future__ import annotations

from godaemon.games.notices import Kind
from tests.mailgate.handling.test_open_challenges import Lobby
from tests.support.gateway import Person
from tests.support.letters import part


def say(who: Person, line: str) -> str:
    """Answer one's first game; what comes back."""
    who.reply(line, to=who.letters(Kind.STARTED)[0])
    return part(who.read(), "plain")


def test_who_is_on_it_is_invited_by_name() -> None:
    """And neither is told the other's address; who is not on it is not found."""
    lobby = Lobby()
    dave = lobby.gateway.person("Dave")
    lobby.gateway.start(dave, lobby.bob)
    since = len(lobby.gateway.outbox)
    say(dave, "new 9x9 vs Alice")
    assert "Alice" in part(dave.read(), "plain") or "alice" in part(dave.read(), "plain")
    say(lobby.alice, "players on")
    dave.reply("new 9x9 vs Alice", to=dave.newest(Kind.STARTED))
    if dave.newest().notice.kind is Kind.CONFIRM:
        dave.reply("yes")
    assert lobby.alice.newest().notice.kind is Kind.INVITATION
    assert "Dave, who plays here too, invites you to a game of Go" in part(
        lobby.alice.read(), "plain"
    )
    for due in lobby.gateway.outbox[since:]:
        other = {"alice": "dave@", "dave": "alice@"}.get(due.notice.to.partition("@")[0])
        if other is not None:
            who = lobby.alice if other == "dave@" else dave
            assert other not in str(who.read(due)).casefold()
