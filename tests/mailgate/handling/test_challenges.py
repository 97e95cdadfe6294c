"""Open challenges, and rated games: who sees what, and how they end."""

from collections.abc import Sequence

import pytest

from godaemon.errors import Corrupt
from godaemon.games import commands as cmd
from godaemon.games.events import LogEntry
from godaemon.games.model import Seat
from godaemon.games.notices import Kind
from godaemon.games.service import GameService
from godaemon.games.service_calls import Caller
from godaemon.games.stored_values import Unit
from godaemon.rules.points import Point
from tests.support.gateway import Gateway, Person
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


class Club(Lobby):
    """Alice and Bob know each other; each may declare a rank."""

    def __init__(self, alice: str = "", bob: str = "") -> None:
        super().__init__("games")
        for person, rank in ((self.alice, alice), (self.bob, bob)):
            if rank:
                person.reply(f"i am {rank}", to=person.letters(Kind.STARTED)[0])

    def begin(self, terms: str = "19x19 rated as black") -> None:
        ended = self.alice.letters(Kind.FINISHED) or self.alice.letters(Kind.STARTED)
        self.alice.reply(f"new {terms} vs Bob", to=ended[-1])
        self.bob.reply("accept", to=self.bob.newest(Kind.INVITATION))

    def lose(self, loser: Person) -> None:
        """A game of the two that is just long enough to count, and that somebody gives up."""
        self.begin()
        number = loser.newest(Kind.STARTED).notice.game
        assert number is not None

        def work(unit: Unit) -> None:
            games = self.gateway.games(unit)
            for at in range(19):
                seat = (Seat.BLACK, Seat.WHITE)[at % 2]
                games.act(number, seat, [cmd.Play(Point(at, at % 2))], Caller("test"))
            seat = Seat.BLACK if loser is self.alice else Seat.WHITE
            games.act(number, seat, [cmd.Resign()], Caller("test"))

        self.gateway.writer.run_sync(work)


def test_a_result_by_the_operator_is_rated() -> None:
    """Void is not."""
    for result, rated in (("B+3.5", 2), ("void", 0)):
        club = Club()
        club.begin()

        def work(unit: object, result: str = result, club: Club = club) -> None:
            games: GameService = club.gateway.games(unit)  # type: ignore[arg-type]
            games.adjudicate(2, result)

        club.gateway.writer.run_sync(work)
        assert len(club.gateway.writer.state.rated) == rated
        expected = "Your first rating" if rated else "Without a result no rating changes."
        assert expected in club.bob.words()


def test_the_sixth_game_of_a_month_is_not_rated() -> None:
    """Both players are told why."""
    club = Club()
    for number in range(6):
        club.lose((club.alice, club.bob)[number % 2])
        expected = "nor do more than 5 games a month between the same players" in club.alice.words()
        assert expected is (number == 5)


def test_both_players_learn_that_a_game_was_unrated() -> None:
    """By the operator."""
    club = Club()
    club.lose(club.alice)
    club.gateway.writer.run_sync(lambda unit: club.gateway.games(unit).unrate(2))
    for person in (club.alice, club.bob):
        assert "have decided that this game is not rated" in person.words()
    assert not club.gateway.writer.state.rated
