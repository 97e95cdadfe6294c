"""Letters that answer nothing of ours: the game's letter comes, the list, or how to begin."""

from __future__ import annotations

import pytest

from godaemon.games.model import Phase, Seat
from godaemon.games.notices import Kind, Notice
from godaemon.texts.catalogue import languages, retold, say, speaking
from mailgate.letters.compose import Composer
from mailgate.letters.letter_data import load_letter_data
from tests.support.gateway import ADDRESS, KEY, Gateway, Person
from tests.support.letters import parsed, part
from tests.support.mailto import button_clicks, clicks

COMPOSER = Composer(KEY, ADDRESS, "Go by mail", invitation_days=14)


class Door:
    """Alice (black) and Bob play game 1 and Alice is to move; Eve has never been here."""

    def __init__(self, trusted: str = "") -> None:
        self.gateway = Gateway(trusted=trusted)
        people = (self.gateway.person(name) for name in ("Alice", "Bob", "Carol", "Eve"))
        self.alice, self.bob, self.carol, self.eve = people
        self.gateway.start(self.alice, self.bob, "9x9 as black")

    def count(self, seen_by: str = "") -> None:
        """Both pass; who is named agrees to the count."""
        self.gateway.play(self.alice, self.bob, "pass pass")
        if seen_by:
            person = self.gateway.person(seen_by)
            person.reply("done", to=person.newest(Kind.SCORING_STARTED))

    def told(self, person: Person) -> Notice:
        """The last thing they were told."""
        return person.newest().notice

    def letter(self, person: Person, part_of: str = "html") -> str:
        """Their last letter, as they see it."""
        due = person.newest()
        raw = COMPOSER.compose(load_letter_data(self.gateway._look(), due)).raw
        return part(parsed(raw), part_of)

    def click(self, person: Person, said: str) -> str:
        """Click a button of their last letter: what the reply that it opens comes to."""
        click = button_clicks(self.letter(person))[said]
        return person.write(click.body, to=click.to, subject=click.subject).event


@pytest.fixture
def door() -> Door:
    """One game, in which Alice is to move."""
    return Door()


class TestOneGame:
    """Whoever has one game, or one that waits for them, is sent its letter."""

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("D4", "D4"),
            ("play d4\nThank you!", "D4"),
            ("I think I'll play D4", "D4"),
            ("pass", "pass"),
            ("game 1 D4", "D4"),
            ("1: D4", "D4"),
            ("resign", "resign"),
        ],
    )
    def test_a_command_is_one_click_away(self, door: Door, text: str, said: str) -> None:
        """Nothing is done by the letter; the click in its answer does it."""
        assert door.alice.write(text).event == "refused"
        assert door.gateway.game().move_number == 0
        assert door.told(door.alice).kind is Kind.SHOW
        letter = door.letter(door.alice, "plain")
        assert letter.startswith(f"Did you mean: {said}?")
        assert "(done)" not in letter
        assert clicks(door.letter(door.alice))[0].body == said
        assert door.click(door.alice, said) == "accepted"
        assert door.gateway.game().move_number or door.gateway.game().phase is Phase.FINISHED

    @pytest.mark.parametrize("text", ["hello?", "", "Is anybody there? It has been a week.", "yo"])
    def test_words_bring_the_board(self, door: Door, text: str) -> None:
        """They are passed on to nobody, and the letter says what is awaited."""
        door.alice.write(text)
        assert "Your move, Black." in door.letter(door.alice, "plain")
        assert not door.bob.letters(Kind.CHAT)

    @pytest.mark.parametrize(
        ("text", "kind"),
        [("show", Kind.SHOW), ("sgf", Kind.SGF), ("kifu", Kind.KIFU), ("gif", Kind.GIF)],
    )
    def test_what_only_looks_is_answered(self, door: Door, text: str, kind: Kind) -> None:
        """There is one game to be shown."""
        door.gateway.play(door.alice, door.bob, "D4")
        assert door.alice.write(text).event == "accepted"
        assert (door.told(door.alice).kind, door.told(door.alice).game) == (kind, 1)

    @pytest.mark.parametrize(
        ("who", "text", "why"),
        [
            ("Bob", "D4", "not your turn"),
            ("Alice", "i4", "no column I"),
            ("Alice", "Q16", "9x9"),
            ("Alice", "done", "still being played"),
            ("Alice", "kifu", "move"),
        ],
    )
    def test_what_cannot_be_done(self, door: Door, who: str, text: str, why: str) -> None:
        """The game's letter says why, in points of its board."""
        person = door.gateway.person(who)
        person.write(text)
        notice = door.told(person)
        assert (notice.kind, notice.game) == (Kind.REFUSED, 1)
        assert why in retold(notice.about["reason"])

    def test_it_goes_to_the_seats_own_address(self, door: Door) -> None:
        """An address that the seat has answered for may ask; the letter goes where all go."""
        phone = door.gateway.person("Alice", "alice@phone.example")
        phone.reply("gui", to=door.alice.newest(Kind.STARTED))
        door.alice.reply("yes", to=door.alice.newest(Kind.CONFIRM))
        phone.write("D4")
        assert not phone.letters(Kind.SHOW)
        assert door.told(door.alice).seat is Seat.BLACK
        assert door.told(door.alice).about["meant"] == ["D4"]

    def test_the_seats_limit_holds_for_all_its_addresses(self, door: Door) -> None:
        """Whoever writes in an old address's name cannot fill the seat's mailbox."""
        phone = door.gateway.person("Alice", "alice@phone.example")
        phone.reply("gui", to=door.alice.newest(Kind.STARTED))
        door.alice.reply("yes", to=door.alice.newest(Kind.CONFIRM))
        before = len(door.alice.letters())
        for _ in range(30):
            phone.write("D4")
            door.alice.write("D4")
        assert before < len(door.alice.letters()) <= before + door.gateway.strangers

    @pytest.mark.parametrize("text", ["say buy my watches", "move me to eve@eve.example"])
    def test_what_a_forger_would_say_is_not_repeated(self, door: Door, text: str) -> None:
        """Commands are offered again, other people's words and addresses are not."""
        door.alice.write(text)
        assert "watches" not in door.letter(door.alice)
        assert "eve@" not in door.letter(door.alice)

    def test_a_count(self, door: Door) -> None:
        """Whose word on the score is awaited is asked for it."""
        door.count(seen_by="Alice")
        door.bob.write("Great, thanks!")
        assert "done" in button_clicks(door.letter(door.bob))
        door.bob.write("done")
        assert door.click(door.bob, "done") == "accepted"
        assert door.gateway.game().phase is Phase.FINISHED

    def test_yes_to_a_score_that_the_other_agrees_to(self, door: Door) -> None:
        """By what is awaited, that is done; a yes to nothing does nothing."""
        door.alice.write("yes")
        assert not door.told(door.alice).about["meant"]
        door.count(seen_by="Alice")
        door.bob.write("Yes!")
        assert door.told(door.bob).about["meant"] == ["done"]

    def test_after_the_end_too(self, door: Door) -> None:
        """A player all of whose games are over is sent the list of them."""
        door.alice.reply("resign")
        assert door.bob.write("hello?").event == "refused"
        assert door.told(door.bob).kind is Kind.GAMES

    @pytest.mark.parametrize(("text", "kind"), [("sgf", Kind.SGF), ("show", Kind.SHOW)])
    def test_the_record_of_the_last_one(self, door: Door, text: str, kind: Kind) -> None:
        """Where none is going on, the one that ended last is meant."""
        door.alice.reply("resign")
        door.bob.write(text)
        assert (door.told(door.bob).kind, door.told(door.bob).game) == (kind, 1)

    @pytest.mark.parametrize("over", [False, True])
    @pytest.mark.parametrize(
        ("text", "line"),
        [
            ("I'd like to challenge Bob to a 9x9 game", "new 9x9 vs Bob"),
            ("13x13 carol@players.example", "new 13x13 vs carol@players.example"),
            ("Nieuw spel 13x13 tegen carol@players.example", "new 13x13 vs carol@players.example"),
        ],
    )
    def test_a_new_game_in_words(self, door: Door, text: str, line: str, *, over: bool) -> None:
        """Its line comes, with all terms, whatever other games there are; one click proposes it."""
        if over:
            door.alice.reply("resign")
        door.alice.write(text)
        assert door.told(door.alice).about["hints"] == [line]
        assert door.click(door.alice, line) == "accepted"
        assert door.told(door.alice).kind is Kind.CONFIRM

    @pytest.mark.parametrize(
        ("text", "line"),
        [
            ("May we play another game?", "rematch 1"),
            ("rematch", "rematch 1"),
            ("Could I have a rematch with 2 stones?", "rematch 1 handicap 2"),
        ],
    )
    def test_the_last_game_again(self, door: Door, text: str, line: str) -> None:
        """By its number, of who has none going on."""
        door.alice.reply("resign")
        door.alice.write(text)
        assert door.told(door.alice).about["hints"] == [line]
        assert door.click(door.alice, line) == "accepted"

    def test_a_holiday(self, door: Door) -> None:
        """The line that stops the clock is a click; who asks how it all goes has the help."""
        door.alice.write("I am going on holiday until 15 December")
        assert door.told(door.alice).about["hints"] == [
            "vacation until 15 December",
            "weekends off",
        ]
        door.alice.reply("resign", to=door.alice.newest(Kind.STARTED))
        door.alice.write("Hello, how does this work?")
        assert door.told(door.alice).kind is Kind.HELP

    def test_nothing_is_going_on(self, door: Door) -> None:
        """The list then says how to begin another."""
        door.alice.reply("resign")
        door.bob.write("D4")
        assert "To start one" in door.letter(door.bob, "plain")


class TestStrangersWithAFriend:
    """Who has never written here may name somebody by address alone."""

    @pytest.mark.parametrize(
        "text",
        [
            "please could I play with hugo@friends.org",
            "My sister would like to play me, she is kate@friends.org",
            "kate@friends.org",
            "my old teacher, Mr. Otto (otto@friends.org), can you arrange that?",
        ],
    )
    def test_is_answered(self, door: Door, text: str) -> None:
        """Bug: an address was taken for a link of advertising, and there was silence."""
        before = len(door.gateway.outbox)
        door.gateway.person("Nina").write(text)
        ((whom, _),) = door.gateway.told(before)
        assert whom == "nina"


class TestBeforeTheStart:
    """Invitations and confirmations wait for a yes that may come without its letter."""

    @pytest.mark.parametrize("text", ["yes", "accept", "Yes, with pleasure!", "Who are you?"])
    def test_an_invitation(self, door: Door, text: str) -> None:
        """It comes again, with its buttons; the game starts by one of them."""
        door.alice.write("new 5x5 vs carol@players.example")
        door.alice.reply("yes", to=door.alice.newest(Kind.CONFIRM))
        door.carol.write(text)
        assert door.gateway.game(2).phase is Phase.PROPOSED
        assert "invites you to a game of Go" in door.letter(door.carol, "plain")
        assert door.click(door.carol, "accept") == "accepted"
        assert door.gateway.game(2).phase is Phase.PLAYING

    def test_once_a_day_for_who_has_never_answered(self, door: Door) -> None:
        """Whoever was invited may not know of it: what is written in their name is a stranger's."""
        door.alice.write("new 5x5 vs carol@players.example")
        door.alice.reply("yes", to=door.alice.newest(Kind.CONFIRM))
        for _ in range(5):
            door.carol.write("yes")
        assert door.carol.kinds() == ["invitation", "show"]

    def test_a_confirmation(self, door: Door) -> None:
        """The same question again."""
        door.eve.write("new 5x5 vs bob@players.example")
        door.eve.write("Yes, it was me")
        asked = door.letter(door.eve, "plain")
        assert "Did you just ask me to invite someone" in asked
        assert "bob@players.example" in asked
        assert door.click(door.eve, "yes") == "accepted"


class TestSeveralGames:
    """Whoever has several is sent the list, or the one that is meant."""

    def second(self, door: Door) -> None:
        """Alice plays Carol too."""
        door.gateway.start(door.alice, door.carol, "5x5 as black")

    def test_the_list_has_the_move_for_each(self, door: Door) -> None:
        """One click plays it in the game that is meant."""
        self.second(door)
        door.alice.write("D4")
        assert door.told(door.alice).kind is Kind.GAMES
        found = [one for one in clicks(door.letter(door.alice)) if one.body == "D4"]
        assert [one.subject[:13] for one in found] == ["Re: Go game 2", "Re: Go game 1"]
        assert "Reply with: 1: D4" in door.letter(door.alice, "plain")
        door.alice.write(found[1].body, to=found[1].to)
        assert [door.gateway.game(number).move_number for number in (1, 2)] == [1, 0]

    @pytest.mark.parametrize("text", ["2: D4", "game 2 D4", "D4 in game 2"])
    def test_a_game_that_is_named(self, door: Door, text: str) -> None:
        """Its letter comes."""
        self.second(door)
        door.alice.write(text)
        assert (door.told(door.alice).kind, door.told(door.alice).game) == (Kind.SHOW, 2)
        assert door.told(door.alice).about["meant"] == ["D4"]

    @pytest.mark.parametrize("language", languages())
    def test_the_subject_may_name_it(self, door: Door, language: str) -> None:
        """A new email with the subject of a game's emails, in any language, is about that game."""
        self.second(door)
        with speaking(language):
            subject = say("subject-with", game=2, who="Carol")
        door.alice.write("D4", subject=f"Re: {subject}")
        assert (door.told(door.alice).kind, door.told(door.alice).game) == (Kind.SHOW, 2)

    def test_near_misses_have_what_would_work(self, door: Door) -> None:
        """For each game in which it would."""
        self.second(door)
        door.alice.write("i4")
        found = [(one.body, one.subject[:13]) for one in clicks(door.letter(door.alice))]
        assert ("H4", "Re: Go game 1") in found
        assert ("H4", "Re: Go game 2") not in found  # 5x5

    def test_questions_are_answered(self, door: Door) -> None:
        """What is about no game in particular needs none."""
        self.second(door)
        door.alice.write("what is komi?")
        assert door.told(door.alice).kind is Kind.HELP

    def test_which_shall_be_shown(self, door: Door) -> None:
        """That is no matter of who wrote; each has its button, once."""
        self.second(door)
        door.alice.write("show")
        assert door.letter(door.alice, "plain").startswith("Which of your games do you mean?")
        shown = [one for one in clicks(door.letter(door.alice)) if one.body == "show"]
        assert len(shown) == 2

    def test_the_one_that_waits(self, door: Door) -> None:
        """Where one waits for a move and one for an answer, a point is about the first."""
        door.gateway.play(door.alice, door.bob, "pass pass")
        self.second(door)
        door.alice.write("D4")
        assert door.told(door.alice).game == 2
        door.alice.write("done")
        assert door.told(door.alice).game == 1

    def test_what_cannot_be_read(self, door: Door) -> None:
        """Why, and the list."""
        self.second(door)
        door.alice.write("resing")
        assert "“resing”" in door.letter(door.alice, "plain")


class TestNewcomers:
    """Whoever has never been here is helped to begin, whatever stands around their proposal."""

    @pytest.mark.parametrize(
        ("text", "subject"),
        [
            ("Hello\nnew 9x9 vs bob@players.example", "Go"),
            ("new 9x9 vs bob@players.example, thank you!", "Go"),
            ("Dear server,\n\nnew 9x9 vs bob@players.example\n\nThank you!\nEve", "Hi"),
            ("Hi, I would like to play. Thanks!", "new 9x9 vs bob@players.example"),
            ("Hello", "Re: new 9x9 vs bob@players.example"),
        ],
    )
    def test_a_proposal_among_words(self, door: Door, text: str, subject: str) -> None:
        """It is asked to be confirmed, as any."""
        assert door.eve.write(text, subject=subject).event == "accepted"
        assert door.eve.kinds() == ["confirm"]
        assert door.gateway.game(2).spec.invited.address == "bob@players.example"

    def test_players_write_so_too(self, door: Door) -> None:
        """Their other games have nothing to do with it."""
        door.alice.write("Hi there,\nnew 9x9 vs carol@players.example")
        assert door.told(door.alice).kind is Kind.CONFIRM

    def test_two_proposals_are_none(self, door: Door) -> None:
        """Which one was meant is not guessed."""
        text = "Hello\nnew 9x9 vs bob@players.example\nnew 9x9 vs carol@players.example"
        door.eve.write(text)
        assert "confirm" not in door.eve.kinds()

    def test_words_around_it_are_no_vouching(self) -> None:
        """What a quarrel quotes is asked about, even where the mail server knows its writer."""
        door = Door(trusted="mx.go.example")
        passed = {"authentication_results": "mx.go.example; dmarc=pass header.from=players.example"}
        door.eve.write("What does this mean?\nnew 9x9 vs bob@players.example", header=passed)
        assert door.told(door.eve).kind is Kind.CONFIRM
        assert not [one for one in door.bob.letters(Kind.INVITATION) if one.notice.game == 2]

    @pytest.mark.parametrize("text", ["Hi, how does it work?", "What is this?", "Hello!"])
    def test_questions_bring_the_start(self, door: Door, text: str) -> None:
        """The help letter begins with how a game is begun."""
        door.eve.write(text)
        assert door.eve.kinds() == ["help"]
        assert "Reply with: new 9x9 vs" in door.letter(door.eve, "plain")
