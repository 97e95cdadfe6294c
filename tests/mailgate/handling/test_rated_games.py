"""Rated games by letter: agreement, result and ranks."""

from godaemon.games import commands as cmd
from godaemon.games.model import Seat
from godaemon.games.notices import Kind
from godaemon.games.service import GameService
from godaemon.games.service_calls import Caller
from godaemon.games.stored_values import Unit
from godaemon.rules.points import Point
from tests.mailgate.handling.test_open_challenges import Lobby
from tests.support.gateway import Person


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
