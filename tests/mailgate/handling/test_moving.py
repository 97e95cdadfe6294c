"""`move me to NEW-ADDRESS`: a seat moves once both addresses have said yes."""

from __future__ import annotations

from functools import partial

import pytest

from godaemon.games import ratings
from godaemon.games.commands import EmailLevel
from godaemon.games.email_settings import in_force
from godaemon.games.glicko import Rating
from godaemon.games.model import Seat
from godaemon.games.notices import DueNotice, Kind
from godaemon.games.seat_keys import key_is_valid, parse_key, sign_key
from godaemon.games.store_protocols import RatedGame
from godaemon.rules.points import Color
from godaemon.texts.catalogue import retold
from mailgate import tokens
from mailgate.letters.compose import Composer
from mailgate.letters.letter_data import LetterData, load_letter_data
from tests.support.gateway import ADDRESS, KEY, Gateway, Person
from tests.support.letters import parsed, part
from tests.support.memory_store import MemoryUnit


class Move:
    """Alice and Bob in a game; Alice gets a new address."""

    def __init__(self) -> None:
        self.gateway = Gateway()
        self.alice, self.bob = self.gateway.person("Alice"), self.gateway.person("Bob")
        self.new = self.gateway.person("Alice", "alice@new.example")
        self.gateway.start(self.alice, self.bob)

    def ask(self, line: str = "move me to alice@new.example") -> str:
        """Alice asks for it."""
        return self.alice.reply(line, to=self.alice.newest(Kind.STARTED)).event

    def answer(self, who: Person, word: str = "yes") -> str:
        """One of the two addresses answers."""
        return who.reply(word, to=who.newest(Kind.MOVING)).event

    def holder(self, number: int = 1) -> str:
        """Alice's address in a game."""
        return self.gateway.game(number).player(Seat.PROPOSER).address


@pytest.mark.parametrize("end", ["old", "new"])
def test_a_no_is_answered(end: str) -> None:
    """At the address that said it: all goes on as it was."""
    move = Move()
    move.ask()
    who = move.alice if end == "old" else move.new
    assert move.answer(who, "no") == "let-go"
    assert who.newest().notice.about["kept"]
    assert "Nothing changes: my emails about game 1 go to alice@players.example" in " ".join(
        part(who.read(), "plain").split()
    )
    assert move.holder() == move.alice.address


@pytest.mark.parametrize("first", ["old", "new"])
def test_a_seat_moves_when_both_say_yes(first: str) -> None:
    """In any order; the game is shown at the new address, and goes on from there alone."""
    move = Move()
    before = len(move.bob.letters())
    assert move.ask() == "accepted"
    ends = [move.alice, move.new] if first == "old" else [move.new, move.alice]
    assert move.answer(ends[0]) == "agreed"
    assert move.holder() == move.alice.address
    assert move.answer(ends[1]) == "moved"
    assert move.holder() == move.new.address
    assert move.gateway.game().knows(Seat.BLACK, move.new.address)
    assert not move.gateway.game().knows(Seat.BLACK, move.alice.address)
    assert move.new.reply("D4", to=move.new.newest(Kind.SHOW)).event == "accepted"
    told = [due.notice for due in move.bob.letters()[before:]]
    assert [notice.kind for notice in told] == [Kind.YOUR_TURN]
    (row,) = move.gateway.writer.run_sync(lambda unit: unit.games.summaries("alice@new.example"))
    assert row.black == "alice@new.example"
    assert not move.gateway.writer.run_sync(lambda unit: unit.games.summaries(move.alice.address))


def _gathered(due: DueNotice, unit: MemoryUnit) -> LetterData:
    return load_letter_data(unit, due)


def test_the_opponent_is_not_told_the_address() -> None:
    """No letter to Bob says where Alice's letters go."""
    move = Move()
    move.ask()
    move.answer(move.alice)
    move.answer(move.new)
    move.new.reply("D4", to=move.new.newest(Kind.SHOW))
    composer = Composer(KEY, ADDRESS, "Go by mail", invitation_days=14)
    for due in move.bob.letters():
        matter = move.gateway.writer.run_sync(partial(_gathered, due))
        assert b"new.example" not in composer.compose(matter).raw


def test_all_of_ones_games() -> None:
    """`everywhere` moves every open game of that address."""
    move = Move()
    carol = move.gateway.person("Carol")
    number = move.gateway.start(move.alice, carol)
    move.ask("move me to alice@new.example everywhere")
    move.answer(move.alice)
    move.answer(move.new)
    assert (move.holder(), move.holder(number)) == (move.new.address, move.new.address)
    assert len(move.new.letters(Kind.SHOW)) == 2


def test_one_game_of_several() -> None:
    """Without that word the others stay."""
    move = Move()
    number = move.gateway.start(move.alice, move.gateway.person("Carol"))
    move.ask()
    move.answer(move.alice)
    move.answer(move.new)
    assert (move.holder(), move.holder(number)) == (move.alice.address, move.new.address)


@pytest.mark.parametrize("end", ["alice", "new"])
def test_either_address_can_say_no(end: str) -> None:
    """Then nothing happens, whatever the other says."""
    move = Move()
    move.ask()
    one, other = (move.alice, move.new) if end == "alice" else (move.new, move.alice)
    assert move.answer(one, "no") == "let-go"
    assert move.answer(other) == "bad-token"
    assert move.holder() == move.alice.address


def test_nobody_else_can_say_yes() -> None:
    """Each token is good only from the address that it was sent to."""
    move = Move()
    move.ask()
    for who, due in (
        (move.new, move.alice.newest(Kind.MOVING)),
        (move.alice, move.new.newest(Kind.MOVING)),
        (move.bob, move.new.newest(Kind.MOVING)),
    ):
        who.reply("yes", to=due)
    assert move.holder() == move.alice.address


def test_a_stranger_with_the_address_is_shown_nothing() -> None:
    """The question at the new address holds no board, and its sender's words are not in it."""
    move = Move()
    move.ask()
    due = move.new.newest(Kind.MOVING)
    matter = move.gateway.writer.run_sync(lambda unit: load_letter_data(unit, due))
    letter = Composer(KEY, ADDRESS, "Go by mail", invitation_days=14).compose(matter)
    assert due.notice.game is None
    assert (
        tokens.token_of(parsed(letter.raw)["Reply-To"].addresses[0].addr_spec, ADDRESS) is not None
    )


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("move me to bob@players.example", "Both seats"),
        ("move me to alice@players.example", "already"),
        ("move me to go@go.example", "my own address"),
        ("move me to nobody@", "not an email address"),
    ],
)
def test_what_cannot_be(line: str, why: str) -> None:
    """It is refused in words, and nobody is written to."""
    move = Move()
    assert move.ask(line) == "refused"
    assert why in retold(move.alice.newest().notice.about["reason"])


def test_it_needs_a_letter_of_the_game() -> None:
    """Without a token nobody is asked anything."""
    move = Move()
    move.alice.write("move me to alice@new.example")
    assert move.alice.newest().notice.about == {"meant": []}
    assert move.new.letters() == []


def test_one_address_is_not_asked_for_ever() -> None:
    """Nobody can have us write to a stranger again and again."""
    move = Move()
    for _ in range(6):
        move.ask()
    assert len(move.new.letters()) == 3


def test_a_teaching_game_moves_whole() -> None:
    """Who plays both colours goes on playing both."""
    move = Move()
    number = move.gateway.start(move.alice, move.alice)
    move.alice.reply("move me to alice@new.example", to=move.alice.newest(Kind.STARTED))
    move.answer(move.alice)
    move.answer(move.new)
    game = move.gateway.game(number)
    assert game.spec.teaching
    assert game.knows(Seat.BLACK, move.new.address)
    assert game.knows(Seat.WHITE, move.new.address)


@pytest.mark.parametrize("end", ["o", "n"])
def test_a_forged_question_is_worth_nothing(end: str) -> None:
    """The token of a move is signed: who only knows its number and both addresses moves nothing."""
    move = Move()
    move.ask()
    who, other = (move.alice, move.new) if end == "o" else (move.new, move.alice)
    assert move.answer(other) == "agreed"
    forged = ADDRESS.replace("@", f"+m1{end}-{'a' * 16}@")
    assert who.write("yes", to=forged).wrong_token
    assert move.holder() == "alice@players.example"


def test_nothing_left_to_move() -> None:
    """A game that ended before both had said yes: nobody is told that letters go elsewhere now."""
    move = Move()
    move.ask()
    move.answer(move.alice)
    move.bob.resign(to=move.bob.newest(Kind.STARTED))
    question = move.new.newest(Kind.MOVING)
    assert move.new.reply("yes", to=question).event == "refused"
    assert move.new.newest().notice.kind is Kind.REFUSED
    assert move.alice.newest(Kind.MOVING).notice.about.get("done") is None


def test_many_games_that_move_leave_room_for_questions() -> None:
    """What is shown at the new address counts as none of its questions."""
    move = Move()
    for number in range(19):
        move.gateway.start(move.alice, move.gateway.person(f"Other{number}"))
    move.ask("move me to alice@new.example everywhere")
    move.answer(move.alice)
    assert move.answer(move.new) == "moved"
    assert move.new.write("games").event == "accepted"


def test_what_one_is_goes_along_with_all_games() -> None:
    """Name, time zone, rank, vacation and rating; of the list of players only the new one is."""
    move = Move()
    started = move.alice.newest(Kind.STARTED)
    for line in ("name Margaret", "timezone Tokyo", "i am 5 kyu", "players on", "vacation 1 week"):
        assert move.alice.reply(line, to=started).event == "accepted"
    rated = RatedGame(move.alice.address, 1, move.gateway.now, Rating(1700.0, 100.0, 0.06))
    move.gateway.writer.run_sync(lambda unit: unit.players.set_rated(rated))
    move.ask("move me to alice@new.example everywhere")
    before = move.gateway.writer.run_sync(lambda unit: unit.players.profile(move.alice.address))
    move.answer(move.alice)
    assert move.answer(move.new) == "moved"
    assert move.holder() == move.new.address

    def now(unit: MemoryUnit) -> tuple[object, object, object]:
        players = unit.players
        return (
            players.profile(move.new.address),
            ratings.rating_of(unit, move.new.address),
            players.listed(9),
        )

    assert move.gateway.writer.run_sync(now) == (before, rated.rating, [move.new.address])


def test_an_old_list_is_good_for_a_seat_no_more() -> None:
    """Who had it before can neither play in it by that nor have its key."""
    move = Move()
    move.alice.write("games")
    old = move.alice.newest(Kind.GAMES)
    move.ask()
    move.answer(move.alice)
    move.answer(move.new)
    for line in ("1: D4", "1: gui", "1: resign"):
        assert move.alice.reply(line, to=old).event == "refused"
        (said,) = map(retold, move.alice.newest().notice.about["results"])
        assert "That game is played from another address now" in said
    assert not move.gateway.game().move_number
    assert not move.alice.letters(Kind.GUI)


def test_a_key_is_good_no_more_once_its_seat_has_moved() -> None:
    """Whoever has it may not be who plays now, who asks for one of their own."""
    move = Move()
    move.alice.reply("gui", to=move.alice.newest(Kind.STARTED))
    old = sign_key(KEY, move.gateway.game(), Color.BLACK, 1)
    move.ask()
    move.answer(move.alice)
    move.answer(move.new)

    def good(key: str) -> bool:
        read = parse_key(key)
        assert read is not None
        return move.gateway.writer.run_sync(
            lambda unit: key_is_valid(unit.seats, move.gateway.games(unit).game, KEY, read)
        )

    assert not good(old)
    move.new.reply("gui", to=move.new.newest(Kind.SHOW))
    lent = move.new.newest(Kind.GUI).notice.about["lent"]
    assert good(sign_key(KEY, move.gateway.game(), Color.BLACK, lent["black"]))


@pytest.mark.parametrize("line", ["emails daily everywhere", "emails daily"])
def test_an_email_of_the_day_goes_along(line: str) -> None:
    """To an address that has told us something of itself as well; so nothing goes unread."""
    move = Move()
    carol = move.gateway.person("Carol")
    move.gateway.start(move.new, carol)
    move.new.reply("timezone Europe/Berlin", to=move.new.newest(Kind.STARTED))
    move.alice.reply(line, to=move.alice.newest(Kind.STARTED))
    move.ask(f"move me to alice@new.example{' everywhere' if 'every' in line else ''}")
    move.answer(move.alice)
    move.answer(move.new)

    def known(unit: MemoryUnit) -> tuple[object, ...]:
        profile = unit.players.profile("alice@new.example")
        level = in_force(unit, "alice@new.example", 1).emails
        return level, profile.zone, profile.digest_due is not None

    wanted = (EmailLevel.DAILY, "Europe/Berlin", True)
    assert move.gateway.writer.run_sync(known) == wanted


def test_who_was_kept_away_is_kept_away_from_the_new_address() -> None:
    """A block is about a person."""
    move = Move()
    carol = move.gateway.person("Carol")
    number = move.gateway.start(carol, move.alice)
    move.alice.reply("block", to=move.alice.newest(Kind.STARTED))
    move.ask("move me to alice@new.example everywhere")
    move.answer(move.alice)
    move.answer(move.new)
    assert move.holder(number) == carol.address
    carol.reply("new 9x9 vs alice@new.example", to=carol.newest(Kind.STARTED))
    assert not move.new.letters(Kind.INVITATION)


@pytest.mark.parametrize("days", [13, 15])
def test_a_question_is_not_for_ever(days: int) -> None:
    """A yes of whoever has the mailbox years later moves no seat."""
    move = Move()
    move.ask()
    assert move.answer(move.alice) == "agreed"
    move.gateway.wait(days=days)
    assert move.answer(move.new) == ("moved" if days < 14 else "bad-token")
    assert move.holder() == (move.new if days < 14 else move.alice).address
