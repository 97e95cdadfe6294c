"""Open challenges and rated games: who sees what; scenes have the rest."""

from collections.abc import Sequence

import pytest

from godaemon.errors import Corrupt
from godaemon.games.events import LogEntry
from godaemon.games.notices import Kind
from tests.support.gateway import Gateway, Person, started
from tests.support.limits import Limits
from tests.support.memory_store import MemoryGames


class Lobby:
    """Alice has played Bob, and has opened a challenge as game 2; Carol has played Bob too."""

    def __init__(self, line: str = "new 13x13 open", **limits: int) -> None:
        self.gateway = Gateway(limits=Limits(**limits))
        self.alice, self.bob, self.carol = map(self.gateway.person, ("Alice", "Bob", "Carol"))
        self.gateway.start(self.alice, self.bob)
        self.alice.reply(line)

    def list(self, person: Person) -> str:
        person.write("challenges")
        assert person.newest().notice.kind is Kind.CHALLENGES
        return person.text()


def test_a_challenge_requires_a_name() -> None:
    """Others see only names, no part of an address."""
    lobby = Lobby()
    dora = lobby.gateway.person("", "dora.example@four.example")
    lobby.gateway.start(dora, lobby.bob)
    for line in ("new 9x9 open", "take 2", "players on"):
        dora.reply(line)
        assert dora.newest(Kind.REFUSED).notice.about["hints"] == ["name Margaret"], line
    dora.reply("name Dora")
    dora.reply("new 9x9 open")
    assert "Dora: 9x9" in lobby.list(lobby.alice)


@pytest.mark.parametrize("line", ["rematch", "new 9x9 vs Carol"])
@pytest.mark.parametrize("old", [False, True])
def test_players_of_a_challenge_never_see_addresses(line: str, *, old: bool) -> None:
    """In later games too."""
    lobby = Lobby()
    lobby.carol.write("challenges")
    lobby.carol.reply("take 2")
    started = lobby.alice.newest(Kind.STARTED)
    lobby.carol.resign(to=lobby.carol.newest(Kind.STARTED))
    since = len(lobby.gateway.outbox)
    lobby.alice.reply(line, to=started if old else lobby.alice.newest(Kind.FINISHED))
    if old:  # an old letter of theirs, which others may have
        lobby.alice.reply("yes", to=lobby.alice.newest(Kind.CONFIRM))
    assert lobby.carol.newest().notice.kind is Kind.INVITATION
    lobby.alice.reply("new 9x9 vs", to=started)
    for who, other in ((lobby.alice, "carol@"), (lobby.carol, "alice@")):
        for due in lobby.gateway.outbox[since:]:
            if due.notice.to == who.address:
                assert other not in str(who.read(due)).casefold()


def test_an_unreadable_challenge_hides_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bug: a challenge of a newer version quarantined every list."""
    lobby = Lobby()
    lobby.carol.write("new 9x9 open")
    lobby.carol.reply("yes")
    log = MemoryGames.log

    def log_or_fail(self: MemoryGames, number: int, first: int = 0) -> Sequence[LogEntry]:
        if number == 2:
            raise Corrupt("a newer record")
        return log(self, number, first)

    monkeypatch.setattr(MemoryGames, "log", log_or_fail)
    lobby.gateway.cache.clear()
    listed = lobby.list(lobby.bob)
    assert "take 3" in listed
    assert "take 2" not in listed


@pytest.mark.parametrize("ended", [False, True])
def test_both_players_learn_that_a_game_was_unrated(ended: bool) -> None:
    """By the operator."""
    gateway, *players = started("19x19 rated as black")
    if ended:
        gateway.writer.run_sync(lambda unit: gateway.games(unit).adjudicate(1, "B+3.5"))
    gateway.writer.run_sync(lambda unit: gateway.games(unit).unrate(1))
    for person in players:
        assert "have decided that this game is not rated" in person.words()
