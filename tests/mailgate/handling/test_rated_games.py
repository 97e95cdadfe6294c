"""Rated games by letter: agreed on by both, told at the end, and who is how strong."""

from __future__ import annotations

import json
import re

import pytest

from godaemon.games import commands as cmd
from godaemon.games.calls import Caller
from godaemon.games.model import Phase, Seat
from godaemon.games.notices import Kind
from godaemon.games.service import GameService
from godaemon.games.store_protocols import Unit
from godaemon.rules.points import Point
from mailgate.language.parser import parse_text
from tests.mailgate.handling.test_counter_offers import Offer
from tests.mailgate.handling.test_open_challenges import Lobby
from tests.support.gateway import Gateway, Person
from tests.support.letter_tour import ENGINES
from tests.support.letters import part


def read(who: Person) -> str:
    """The newest letter, as one line."""
    return " ".join(part(who.read(), "plain").split())


class Club(Lobby):
    """Alice and Bob know each other; each says a rank, if told so."""

    def __init__(self, alice: str = "", bob: str = "") -> None:
        super().__init__("games")
        for who, rank in ((self.alice, alice), (self.bob, bob)):
            if rank:
                who.reply(f"i am {rank}", to=who.letters(Kind.STARTED)[0])

    def begin(self, terms: str = "19x19 rated as black") -> None:
        """A game of Alice with Bob."""
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


@pytest.mark.parametrize(
    ("words", "rated"),
    [
        *(("9x9 rated", True), ("9x9 ranked", True), ("a rated game on 9x9", True)),
        *(("rated: yes", True), ("9x9 for rating", True), ("rated, 3 days per move", True)),
        *(("9x9 unrated", False), ("not rated", False), ("rated: no", False), ("9x9", False)),
        *(("casual 9x9", False), ("a friendly game", False), ("no rating", False)),
        *(("9x9 (rated)", True), ("with rating", True), ("that counts", True)),
        *(("9x9, doesn't count", False), ("not for ratings", False), ("without rating", False)),
    ],
)
def test_how_people_say_it(words: str, rated: bool) -> None:
    """Among the terms, before or after the opponent."""
    for line in (f"new {words} vs bob@example.org", f"new vs bob@example.org {words}"):
        (found,) = parse_text([line]).commands
        assert isinstance(found.command, cmd.Propose)
        assert found.command.rated is rated


def test_it_is_no_part_of_a_name() -> None:
    """`vs Bob rated` is about Bob."""
    (found,) = parse_text(["new 9x9 vs Bob rated"]).commands
    assert isinstance(found.command, cmd.Propose)
    assert (found.command.opponent, found.command.rated) == ("engine:bob", True)
    (found,) = parse_text(["new 9x9 vs Count Olaf"]).commands
    assert isinstance(found.command, cmd.Propose)
    assert found.command.opponent == "engine:count olaf"
    (found,) = parse_text(["invite bob@example.org to a rated game"]).commands
    assert isinstance(found.command, cmd.Propose)
    assert (found.command.opponent, found.command.rated) == ("bob@example.org", True)


def test_the_invitation_says_so_and_the_end_tells_the_rating() -> None:
    """Who accepts, accepts it; both are told what it made of them, and where to see it."""
    club = Club()
    club.begin()
    assert "Rated: yes, it counts for both your ratings" in " ".join(
        part(club.bob.read(club.bob.newest(Kind.INVITATION)), "plain").split()
    )
    assert "Japanese rules, rated)." in read(club.bob)
    club.alice.reply("resign", to=club.alice.newest(Kind.STARTED))
    assert "No rating changes: a game under 19 moves doesn't count" in read(club.alice)
    club.lose(club.alice)
    assert "Your first rating: 1338, about 8 kyu, still uncertain." in read(club.alice)
    assert "Your first rating: 1662, about 4 kyu, still uncertain." in read(club.bob)
    club.lose(club.bob)
    assert "Your rating: 1338 -> 15" in read(club.alice)
    for line in ("rating", "what's my rating?", "My rating", "players"):
        club.alice.write(line)
        assert "Your rating: 15" in read(club.alice), line
    club.alice.reply("settings", to=club.alice.newest(Kind.FINISHED))
    assert "Rating: 15" in read(club.alice)


def test_who_has_none_is_told_how_it_begins() -> None:
    """`rating` never fails."""
    club = Club()
    club.carol.write("rating")
    assert "You have no rating yet; a rated game gives you one." in read(club.carol)


def test_a_game_without_a_result_changes_nothing() -> None:
    """And says so."""
    club = Club()
    club.begin()
    club.alice.reply("cancel", to=club.alice.newest(Kind.STARTED))
    assert "Without a result no rating changes." in read(club.alice)
    assert "rating" not in read(club.alice).replace("Without a result no rating changes.", "")
    assert not club.gateway.writer.state.rated


@pytest.mark.parametrize(
    ("terms", "line", "rated"),
    [
        ("19x19 rated", "accept but unrated", False),
        ("19x19 rated", "accept, but not rated please", False),
        ("19x19", "accept but rated", True),
        ("19x19", "counter rated", True),
    ],
)
def test_other_terms(terms: str, line: str, rated: bool) -> None:
    """What was is said beside what is new."""
    offer = Offer(terms)
    text = " ".join(offer.answer(line).split())
    assert offer.gateway.game().spec.rated is rated
    first, then = ("yes", "no") if not rated else ("no", "yes")
    assert f"Rated: {then}" in text
    assert f"(before: {first})" in text


@pytest.mark.parametrize(
    "line",
    [
        *("Rated please", "I'd prefer it rated", "Can we make it a rated game?"),
        "Hi!\nrated please",
    ],
)
def test_a_wish_for_other_terms_begins_nothing(line: str) -> None:
    """It is asked back, with a click for the wish; so is the contrary of a rated game."""
    for terms, then in (("19x19", "rated"), ("19x19 rated", "unrated")):
        offer = Offer(terms)
        answer = line if then == "rated" else re.sub("(?i)rated|ranked", "unrated", line)
        offer.bob.reply(answer)
        assert offer.gateway.game().phase is Phase.PROPOSED
        assert offer.bob.newest().notice.about["hints"][0] == f"accept but {then}"
        offer.bob.reply(f"accept but {then}")
        assert offer.gateway.game().spec.rated is (then == "rated")


@pytest.mark.parametrize(
    "line",
    [
        *("accept, rated please", "yes, rated please", "accept and let us have it ranked"),
        *("accept only if rated", "yes, but can we make it rated?", "a rated game please"),
    ],
)
def test_a_yes_with_another_wish_begins_nothing(line: str) -> None:
    """It is asked back, with both answers to click."""
    offer = Offer("19x19")
    offer.bob.reply(line)
    assert offer.gateway.game().phase is Phase.PROPOSED
    assert {"accept", "decline"} <= {*offer.bob.newest().notice.about["hints"]}
    offer.bob.reply("accept but rated")
    assert offer.gateway.game().spec.rated


@pytest.mark.parametrize(
    ("line", "why", "hint"),
    [
        ("new 9x9 rated vs alice@players.example", "yourself", "new 9x9 vs alice@players.example"),
        ("new 9x9 rated vs house", "Only games between people are rated", "new 9x9 vs house"),
        ("new 5x5 rated vs bob@players.example", "9 to 19", "new 5x5 vs bob@players.example"),
    ],
)
def test_what_is_not_rated(line: str, why: str, hint: str) -> None:
    """Is refused, with the line that works."""
    gateway = Gateway(engines=ENGINES)
    alice = gateway.person("Alice")
    alice.write(line)
    assert why in read(alice)
    assert alice.newest().notice.about["hints"] == [hint]


def test_a_position_is_not_rated() -> None:
    """Neither by its proposal nor by a counter-offer."""
    club = Club()
    line = "new rated vs Bob 9x9 C3b E5w G7b"
    club.alice.reply(line, to=club.alice.newest(Kind.STARTED))
    assert "begins from a position is not rated" in read(club.alice)
    club.alice.reply(line.replace(" rated", ""), to=club.alice.newest(Kind.STARTED))
    club.bob.reply("accept but rated")
    assert "begins from a position is not rated" in read(club.bob)


def test_a_rematch_is_rated_too() -> None:
    """And who asks for it second has said yes to it."""
    club = Club()
    club.begin()
    club.alice.reply("resign", to=club.alice.newest(Kind.STARTED))
    club.bob.reply("rematch", to=club.bob.newest(Kind.FINISHED))
    number = club.alice.newest(Kind.INVITATION).notice.game
    assert number is not None
    club.alice.reply("rematch", to=club.alice.newest(Kind.FINISHED))
    game = club.gateway.game(number)
    assert game.spec.rated
    assert game.black is not None


def test_an_open_challenge_may_be_rated() -> None:
    """The list says so, with the rating of who offers it."""
    club = Club()
    club.lose(club.alice)
    club.alice.reply("new 13x13 open rated", to=club.alice.newest(Kind.FINISHED))
    club.list(club.bob)
    assert "Alice (1338, about 8 kyu, still uncertain): 13x13" in read(club.bob)
    assert "Japanese rules, rated" in read(club.bob)
    club.bob.reply("take 3")
    assert club.gateway.game(3).spec.rated
    assert "Bob's rating is 1662" in read(club.alice)


def test_the_list_of_players_has_ratings() -> None:
    """Beside what they say of themselves."""
    club = Club()
    club.lose(club.alice)
    club.alice.reply("players on", to=club.alice.newest(Kind.FINISHED))
    club.bob.write("players")
    assert "Alice: rating 1338, about 8 kyu" in read(club.bob)


@pytest.mark.parametrize(
    ("alice", "bob", "size", "offered", "answered"),
    [
        ("9k", "5k", "19x19", "handicap 4 as black", "handicap 4 as white"),
        ("1k", "2k", "19x19", "komi 0.5 as white", "komi 0.5 as black"),
        ("20k", "9d", "19x19", "handicap 9 as black", "handicap 9 as white"),
        ("9k", "5k", "9x9", "komi 0.5 as black", "komi 0.5 as white"),
        ("5k", "5k", "19x19", "", ""),
        ("5k", "", "19x19", "", ""),
    ],
)
def test_the_handicap_of_an_even_game_is_offered(
    alice: str, bob: str, size: str, offered: str, answered: str
) -> None:
    """To both, by a click that each of them may make; nothing happens by itself."""
    club = Club(alice, bob)
    club.alice.reply(f"new {size} vs Bob", to=club.alice.newest(Kind.STARTED))
    said = {who.name: read(who) for who in (club.alice, club.bob)}
    assert club.gateway.game(2).spec.handicap == 0
    if not offered:
        assert all("is an even game" not in one for one in said.values())
        return
    assert f"new {size} {offered} vs Bob" in said["Alice"]
    assert f"accept but {answered}" in said["Bob"]
    assert f"body=accept%20but%20{answered.replace(' ', '%20')}" in part(club.bob.read(), "html")
    club.bob.reply(f"accept but {answered}")
    assert club.alice.newest().notice.kind is Kind.COUNTERED
    club.alice.reply("accept")
    spec = club.gateway.game(2).spec
    assert f"handicap {spec.handicap} as" in offered or f"komi {spec.komi}" in offered


def test_an_address_does_not_tell_how_strong_somebody_is() -> None:
    """Who invites an address reads nothing of its rating or rank before a yes."""
    club = Club("9k", "5k")
    club.alice.reply("new 9x9 vs bob@players.example", to=club.alice.newest(Kind.STARTED))
    assert "kyu" not in read(club.alice)
    assert "stronger" not in read(club.alice)


def test_one_s_own_data_has_it() -> None:
    """The number as it is, and which games were rated; of the others nothing."""
    club = Club()
    club.lose(club.alice)
    club.alice.reply("export", to=club.alice.newest(Kind.FINISHED))
    (file,) = (
        one for one in club.alice.read().iter_attachments() if one.get_filename() == "games.json"
    )
    told = json.loads(file.get_payload(decode=True))  # type: ignore[arg-type]
    assert round(told["rating"]["value"]) == 1338
    assert [game["rated"] for game in told["games"]] == [True, False]


@pytest.mark.parametrize("line", ["is this game rated?", "Does this game count?"])
def test_questions(line: str) -> None:
    """Are answered, and not passed on."""
    club = Club()
    club.begin()
    since = len(club.gateway.outbox)
    club.alice.reply(line, to=club.alice.newest(Kind.STARTED))
    assert "A game counts if you both agreed to that at the start" in read(club.alice)
    assert [name for name, _ in club.gateway.told(since)] == ["alice"]


def test_the_operator_s_word_counts_too() -> None:
    """And one that gives no result does not."""
    for result, rated in (("B+3.5", 2), ("void", 0)):
        club = Club()
        club.begin()

        def work(unit: object, result: str = result, club: Club = club) -> None:
            games: GameService = club.gateway.games(unit)  # type: ignore[arg-type]
            games.adjudicate(2, result)

        club.gateway.writer.run_sync(work)
        assert len(club.gateway.writer.state.rated) == rated
        told = "Your first rating" if rated else "Without a result no rating changes."
        assert told in read(club.bob)


def test_one_game_too_many_in_a_month_says_so() -> None:
    """The sixth of the same two players."""
    club = Club()
    for number in range(6):
        club.lose((club.alice, club.bob)[number % 2])
        told = "nor do more than 5 games a month between the same players" in read(club.alice)
        assert told is (number == 5)


def test_the_operator_s_later_word_is_told() -> None:
    """Both are sent the game, and that it is not rated."""
    club = Club()
    club.lose(club.alice)
    club.gateway.writer.run_sync(lambda unit: club.gateway.games(unit).unrate(2))
    for who in (club.alice, club.bob):
        assert "have decided that this game is not rated" in read(who)
    assert not club.gateway.writer.state.rated
