"""`forget me`: one question, one yes, and nothing is left of a player but moves."""

from __future__ import annotations

import pytest

from godaemon.games.forgetting import Forgetting, forget_due
from godaemon.games.model import Phase
from godaemon.games.notices import Kind
from tests.support.gateway import Gateway, Person
from tests.support.letters import part


class Leaving:
    """Alice plays Bob, has finished a game with Carol, and has set all that can be set."""

    def __init__(self) -> None:
        self.gateway = Gateway()
        self.alice, self.bob, self.carol = map(self.gateway.person, ("Alice", "Bob", "Carol"))
        self.gateway.start(self.alice, self.carol, "9x9 as black")
        self.alice.reply("resign\n\nThank you, Carol! Yours, Alice")
        self.carol.reply("say It was a pleasure")
        self.gateway.start(self.alice, self.bob, "9x9 as black")
        started = self.alice.newest(Kind.STARTED)
        self.alice.reply("E5\n\nHello from Alice", to=started)
        for line in ("note ALICENOTE", "digest at 7", "name Alice A", "block", "timezone Tokyo"):
            self.alice.reply(line, to=started)
        self.started = started
        self.gateway.send()

    def ask(self) -> None:
        """Alice asks to be forgotten."""
        self.alice.reply("forget me", to=self.started)

    def leave(self) -> None:
        """And says yes, and all letters go out."""
        self.ask()
        self.alice.reply("yes", to=self.alice.newest(Kind.FORGET))
        self.gateway.send()
        assert self.due() == 1

    def due(self) -> int:
        """How many are forgotten now."""
        return self.gateway.writer.run_sync(
            lambda unit: forget_due(self.gateway.games(unit), Forgetting())[0]
        )

    def everything(self) -> str:
        """All that is stored."""
        return repr(self.gateway.writer.state)


def test_the_question_says_what_happens() -> None:
    """Before anything happens, with the number of games that end."""
    leaving = Leaving()
    leaving.ask()
    said = " ".join(part(leaving.alice.read(), "plain").split())
    for promised in (
        "Your open game ends: I resign it",
        "your name becomes “a former player”",
        "Backups hold you until",
    ):
        assert promised in said
    assert leaving.gateway.game(2).phase is Phase.PLAYING
    assert leaving.due() == 0


def test_a_yes_that_may_be_none_is_asked_about_again() -> None:
    """Bug: `Of course not!` had all forgotten, and the open game resigned."""
    leaving = Leaving()
    leaving.ask()
    for words in ("Of course not!", "Yes, that was a mistake", "ok, never mind"):
        leaving.alice.reply(words, to=leaving.alice.newest(Kind.FORGET))
    assert not leaving.due()


def test_a_no_is_answered() -> None:
    """All stays as it is, and it is said; a yes to that question comes too late."""
    leaving = Leaving()
    leaving.ask()
    asked = leaving.alice.newest(Kind.FORGET)
    leaving.alice.reply("no", to=asked)
    assert "I have deleted nothing" in part(leaving.alice.read(), "plain")
    leaving.alice.reply("yes", to=asked)
    assert leaving.gateway.game(2).phase is Phase.PLAYING


def test_nobody_is_offered_what_who_has_left_would_have_to_read() -> None:
    """Neither another game nor words, in the letter of the end and after it."""
    leaving = Leaving()
    leaving.ask()
    leaving.alice.reply("yes", to=leaving.alice.newest(Kind.FORGET))
    end = leaving.bob.newest(Kind.FINISHED)
    said = part(leaving.bob.read(end), "plain")
    assert "has left, and no longer reads emails here" in " ".join(said.split())
    assert "rematch" not in said
    assert "Anything you reply" not in said
    leaving.gateway.send()
    assert leaving.due() == 1
    leaving.bob.reply("Thank you, farewell!", to=end)
    assert "has left" in part(leaving.bob.read(), "plain")
    assert "reply: send" not in " ".join(part(leaving.bob.read(), "plain").split())


def test_her_opponent_is_told_as_ever() -> None:
    """By the letter that ends any game, in her own name, and she by one goodbye."""
    leaving = Leaving()
    leaving.ask()
    before = len(leaving.gateway.outbox)
    assert leaving.alice.reply("yes", to=leaving.alice.newest(Kind.FORGET)).event == "leaving"
    assert sorted(leaving.gateway.told(before)) == [("alice", "forget"), ("bob", "finished")]
    assert "Alice resigned" in part(leaving.bob.read(), "plain")
    assert "Your open game has ended." in " ".join(part(leaving.alice.read(), "plain").split())
    assert leaving.due() == 0, "not while a letter waits"


def test_nothing_is_left_of_her() -> None:
    """No name, address, word, note, setting or letter; her moves are a former player's."""
    leaving = Leaving()
    leaving.leave()
    left = leaving.everything()
    for gone in ("alice", "ALICENOTE", "Tokyo", "Thank you, Carol"):
        assert gone.lower() not in left.lower(), gone
    game = leaving.gateway.game(2)
    assert (game.black and game.black.name, game.result) == ("a former player", "W+R")
    assert game.move_number == 1
    assert "It was a pleasure" in left
    assert leaving.due() == 0


def test_the_letters_of_others_stay_good() -> None:
    """Bob still gets the record by his old email, and is told why there can be no rematch."""
    leaving = Leaving()
    old = leaving.bob.newest(Kind.YOUR_TURN)
    leaving.leave()
    leaving.bob.reply("sgf", to=old)
    (record,) = leaving.bob.read().iter_attachments()
    assert leaving.bob.newest().notice.kind is Kind.SGF
    assert b"PB[a former player]" in record.get_content()
    leaving.bob.reply("rematch", to=leaving.bob.newest(Kind.FINISHED))
    assert "has left" in part(leaving.bob.read(), "plain")
    leaving.bob.reply("say Farewell!", to=leaving.bob.newest(Kind.FINISHED))
    assert "has left" in part(leaving.bob.read(), "plain")
    leaving.bob.write("new 9x9 vs a former player")
    assert leaving.bob.newest().notice.kind is Kind.REFUSED


def test_who_is_about_to_leave_is_told_nothing_more() -> None:
    """From their yes on: neither a rematch nor words are taken for them."""
    leaving = Leaving()
    leaving.ask()
    leaving.alice.reply("yes", to=leaving.alice.newest(Kind.FORGET))
    before = len(leaving.alice.letters())
    for line in ("say Farewell!", "rematch"):
        finished = leaving.carol.newest(Kind.FINISHED)
        assert leaving.carol.reply(line, to=finished).event == "refused"
        assert "has left" in part(leaving.carol.read(), "plain")
    assert len(leaving.alice.letters()) == before


@pytest.mark.parametrize("both", [False, True])
def test_what_nobody_needs_is_deleted(both: bool) -> None:
    """A game of one's own, and one whose players have both left."""
    gateway = Gateway()
    alice, bob = map(gateway.person, ("Alice", "Bob"))
    gateway.start(alice, bob if both else alice)
    for one in [alice, bob] if both else [alice]:
        one.reply("forget me", to=one.newest(Kind.STARTED))
        one.reply("yes", to=one.newest(Kind.FORGET))
        gateway.send()
        gateway.writer.run_sync(lambda unit: forget_due(gateway.games(unit), Forgetting())[0])
    state = gateway.writer.state
    assert not state.summaries
    assert not state.outbox
    assert alice.write("show 1").event == "refused"


def test_who_comes_back_is_somebody_new() -> None:
    """An old letter opens nothing, and a new game begins as anybody's does."""
    leaving = Leaving()
    old = leaving.started
    token = leaving.gateway.token(old)
    leaving.leave()
    assert leaving.alice.write("sgf", to=f"go+{token}@go.example").event == "bad-token"
    leaving.alice.write("new 9x9 vs dora@players.example")
    leaving.alice.reply("yes", to=leaving.alice.newest(Kind.CONFIRM))
    assert leaving.gateway.game(3).spec.proposer.name == "Alice"


def test_forgetting_is_no_way_around_limits() -> None:
    """Who comes back and would go again waits for a day."""
    leaving = Leaving()
    leaving.leave()
    leaving.alice.write("forget me")
    assert "forgotten you today" in part(leaving.alice.read(), "plain")
    leaving.gateway.wait(days=1, hours=2)
    leaving.alice.write("forget me")
    assert leaving.alice.newest().notice.kind is Kind.FORGET


def test_anybody_can_ask_and_she_alone_can_say_yes() -> None:
    """Eve's letter in Alice's name makes one question at Alice's address."""
    leaving = Leaving()
    eve = Person(leaving.gateway, "Eve", leaving.alice.address)
    eve.write("forget me")
    question = leaving.alice.newest()
    assert (question.notice.kind, question.notice.to) == (Kind.FORGET, leaving.alice.address)
    assert leaving.bob.reply("yes", to=question).event == "bad-token"
    assert leaving.alice.reply("no", to=question).event == "let-go"
    assert leaving.alice.reply("yes", to=question).event == "bad-token"
    assert leaving.gateway.game(2).phase is Phase.PLAYING


def test_words_that_are_neither_yes_nor_no() -> None:
    """Are answered by the two that would work."""
    leaving = Leaving()
    leaving.ask()
    leaving.alice.reply("What a pity", to=leaving.alice.newest(Kind.FORGET))
    assert "To be forgotten, answer “yes”" in part(leaving.alice.read(), "plain")


def test_invitations_end_too() -> None:
    """Hers are taken back, and those to her declined."""
    gateway = Gateway()
    alice, bob = map(gateway.person, ("Alice", "Bob"))
    for who, other in ((alice, bob), (bob, alice)):
        who.write(f"new 9x9 vs {other.address}")
        who.reply("yes")
    alice.write("forget me")
    alice.reply("yes", to=alice.newest(Kind.FORGET))
    assert [gateway.game(number).phase for number in (1, 2)] == [Phase.WITHDRAWN, Phase.DECLINED]
    gateway.send()
    gateway.writer.run_sync(lambda unit: forget_due(gateway.games(unit), Forgetting())[0])
    assert "alice" not in repr(gateway.writer.state).lower()


def test_a_letter_that_never_goes_out_does_not_hold_it_up() -> None:
    """After a day she is forgotten all the same."""
    leaving = Leaving()
    leaving.ask()
    leaving.alice.reply("yes", to=leaving.alice.newest(Kind.FORGET))
    leaving.gateway.wait(hours=23)
    assert leaving.due() == 0
    leaving.gateway.wait(hours=2)
    assert leaving.due() == 1


def test_she_can_take_her_games_along() -> None:
    """The question offers it with a click, and still waits for her yes then."""
    leaving = Leaving()
    leaving.ask()
    question = leaving.alice.newest(Kind.FORGET)
    leaving.alice.reply("export", to=question)
    assert leaving.alice.newest().notice.kind is Kind.EXPORT
    assert leaving.alice.reply("yes", to=question).event == "leaving"
