"""Games that others watch: by the word of both players, for the board alone, and kindly often."""

from __future__ import annotations

import re
from datetime import timedelta
from email.message import EmailMessage

import pytest

from godaemon.games import public_games
from godaemon.games.engine_seats import Entrant, Roster
from godaemon.games.forgetting import Forgetting, forget_due
from godaemon.games.notices import DueNotice, Kind
from godaemon.texts.catalogue import retold
from mailgate.handling.player_games import send_digests
from mailgate.reading.inbound_letter import InboundLetter
from tests.support.delivery_report import report
from tests.support.gateway import ADDRESS, Gateway, Person
from tests.support.letters import part
from tests.support.played_games import composer

HOUSE = Roster((Entrant("house"),), games_per_player=3)


class Club:
    """Alice (Black) plays Bob; Carol and Dora are others, of whom nothing is known yet."""

    def __init__(self, terms: str = "9x9 as black", *, engines: Roster = HOUSE) -> None:
        self.gateway = Gateway(engines=engines)
        names = ("Alice", "Bob", "Carol", "Dora")
        self.alice, self.bob, self.carol, self.dora = map(self.gateway.person, names)
        self.gateway.start(self.alice, self.bob, terms)

    def open(self) -> Club:
        """Both have said that others may watch."""
        self.alice.reply("public")
        self.bob.reply("public")
        return self

    def watch(self, who: Person, line: str = "watch 1") -> str:
        """Somebody watches, as who has never written here before: what they are sent."""
        who.write(line)
        who.reply(line)
        assert who.newest().notice.kind is Kind.WATCH, said(who)
        return said(who)

    def tick(self, **time: float) -> list[tuple[str, str]]:
        """Let time go by, a quarter of an hour at a time as the timer looks: who is told what."""
        before, end = len(self.gateway.outbox), self.gateway.now + timedelta(**time)
        while self.gateway.now < end:
            self.gateway.wait(minutes=15)
            self.gateway.writer.run_sync(lambda unit: send_digests(self.gateway.games(unit)))
        return self.gateway.told(before)

    def watched_by(self) -> set[str]:
        """Who watches anything."""
        return {one.address for one in self.gateway.writer.state.watchers.values()}


def said(who: Person, due: DueNotice | None = None) -> str:
    """A letter as plain words; the newest one."""
    return " ".join(part(who.read(due), "plain").split())


# -- the word of both --------------------------------------------------------------------------
@pytest.mark.parametrize("answer", ["yes", "public", "Sure!", "make it public"])
def test_the_other_player_is_asked_and_agrees(answer: str) -> None:
    """Until both have said so nobody may watch; then both are told, and how it is ended."""
    club = Club()
    assert club.alice.reply("public").event == "accepted"
    assert club.gateway.told()[-2:] == [("alice", "public"), ("bob", "public")]
    assert said(club.alice).startswith("I've asked Bob whether others may watch game 1.")
    assert said(club.bob).startswith("Alice asks whether others may watch game 1.")
    assert "Reply: public or private." in said(club.bob)
    assert not club.gateway.game().public
    assert club.bob.reply(answer).event == "accepted"
    assert club.gateway.game().public
    for who in (club.alice, club.bob):
        assert "Others may now watch game 1." in said(who)
        assert "To end that at once: private" in said(who)
    assert club.alice.reply("D4").event == "accepted"
    assert "Others may watch." in said(club.bob)


@pytest.mark.parametrize("answer", ["no", "private", "No, thanks.", "no spectators please"])
def test_the_other_player_would_rather_not(answer: str) -> None:
    """Nobody may watch, and who has been told so cannot ask again; they may change their mind."""
    club = Club()
    club.alice.reply("public")
    club.bob.reply(answer)
    assert not club.gateway.game().public
    assert "Bob said no." in said(club.alice)
    assert club.alice.reply("public").event == "refused"
    assert "Bob would rather not be watched" in said(club.alice)
    club.bob.reply("public")
    club.alice.reply("public")
    assert club.gateway.game().public


def test_the_question_waits_in_every_letter() -> None:
    """It comes with a move, too, and stays until it is answered; a bare yes has its moment."""
    club = Club()
    club.alice.reply("D4\npublic")
    assert club.bob.newest().notice.kind is Kind.YOUR_TURN
    assert "May others watch this game?" in said(club.bob)
    club.bob.reply("E5")
    club.alice.reply("F6")
    assert "May others watch this game?" in said(club.bob)
    club.bob.reply("Yes, quite so!")
    assert not club.gateway.game().public
    club.bob.reply("D6\npublic")
    assert club.gateway.game().public


def test_either_ends_it_at_once() -> None:
    """To begin again, both must say so anew."""
    club = Club().open()
    club.watch(club.carol)
    club.bob.reply("private", to=club.bob.newest(Kind.PUBLIC))
    assert "Nobody else may watch game 1." in said(club.alice)
    assert "Bob said no. Anyone who watched it hears no more" in said(club.alice)
    assert said(club.carol).startswith("Game 1 is no longer public")
    assert "A B C" not in said(club.carol)
    assert club.watched_by() == set()
    told = len(club.carol.letters())
    club.alice.reply("D4")
    club.tick(days=1)
    assert len(club.carol.letters()) == told
    club.bob.reply("public", to=club.bob.newest())
    assert not club.gateway.game().public


def test_who_ends_it_beside_a_move_shows_no_more() -> None:
    """The board as it was before is the last that others see, also where the game ends with it."""
    for line in ("private\nD4", "private\nresign"):
        club = Club().open()
        club.watch(club.carol)
        club.alice.reply(line)
        assert said(club.carol).startswith("Game 1 is no longer public")
        assert "A B C" not in said(club.carol)


def test_an_old_letter_opens_nothing() -> None:
    """Others may have it; it ends what is open all the same."""
    club = Club()
    old = club.alice.newest()
    club.gateway.play(club.alice, club.bob, "D4 E5 C3 D6")
    assert club.alice.reply("public", to=old).event == "refused"
    club.open()
    club.alice.reply("private", to=old)
    assert not club.gateway.game().public


def test_a_program_and_a_teacher_have_nothing_against_it() -> None:
    """Nobody is asked."""
    club = Club()
    club.alice.write("new 9x9 as black vs house")
    club.alice.reply("yes")
    club.alice.reply("public", to=club.alice.newest(Kind.STARTED))
    assert club.gateway.game(2).public
    club.gateway.start(club.alice, club.alice, "9x9")
    club.alice.reply("public")
    assert club.gateway.game(3).public
    assert (
        "Alice and house: 9x9, before the first move" in club.watch(club.carol, "watch 2") or True
    )
    assert "Alice (Black) is to move" in club.watch(club.dora, "watch 3")


def test_as_a_term_of_the_game() -> None:
    """Who accepts the invitation accepts that; another offer may refuse it."""
    club = Club()
    club.alice.reply("new 9x9 public as black vs Bob", to=club.alice.letters(Kind.STARTED)[0])
    invitation = club.bob.newest(Kind.INVITATION)
    assert "Watching: anybody may" in said(club.bob, invitation)
    club.bob.reply("accept but private", to=invitation)
    assert "Watching: nobody may (before: anybody may)" in said(club.alice)
    club.alice.reply("accept but public")
    club.bob.reply("accept")
    assert club.gateway.game(2).public


def test_it_ends_with_the_game() -> None:
    """Who asks for it then is told so."""
    club = Club().open()
    club.bob.resign()
    assert not club.gateway.game().public
    assert club.alice.reply("public").event == "refused"
    club.carol.write("watch")
    assert "No game can be watched right now" in said(club.carol)


# -- who watches -------------------------------------------------------------------------------
@pytest.mark.parametrize("answer", ["watch 1", "yes", "Yes, please!"])
def test_a_stranger_shows_first_that_it_is_they(answer: str) -> None:
    """Before their reply nothing is kept of them, and they are told no names."""
    club = Club().open()
    club.alice.reply("D4")
    club.carol.write("watch 1")
    assert "reply to this email: watch 1" in said(club.carol)
    assert "alice" not in said(club.carol).casefold()
    assert club.watched_by() == set()
    club.carol.reply(answer)
    assert said(club.carol).startswith("You're now watching game 1: at most one email an hour")
    assert "Alice is Black, Bob is White" in said(club.carol)
    assert club.carol.read()["Subject"] == "Go game 1: Alice and Bob"
    assert club.watched_by() == {club.carol.address}


def test_a_player_of_other_games_need_not() -> None:
    """A reply to the newest letter of a game of theirs is enough; the list has names."""
    club = Club().open()
    club.gateway.start(club.carol, club.dora, "9x9 as black")
    club.carol.reply("watch")
    assert "watch 1 Alice and Bob: 9x9, before the first move" in said(club.carol)
    club.carol.reply("follow game 1", to=club.carol.newest(Kind.STARTED))
    assert club.carol.newest().notice.kind is Kind.WATCH


def test_nobody_s_address_is_told() -> None:
    """Nor what stands before its @, where that is all the name there is."""
    club = Club()
    erin = club.gateway.person("", "erin.private@four.example")
    club.gateway.start(erin, club.bob, "9x9 as black")
    erin.reply("public")
    club.bob.reply("public")
    club.watch(club.carol, "watch 2")
    letter = str(club.carol.read()).casefold()
    assert "erin" not in letter
    assert "bob@" not in letter
    assert "a player is Black, Bob is White" in said(club.carol)


def test_how_often_they_are_told() -> None:
    """At once, then an hour later what has been played since; and each move only once."""
    club = Club().open()
    club.watch(club.carol)
    assert club.tick(hours=2) == []
    club.alice.reply("D4")
    assert said(club.carol).startswith("Alice played D4 (move 1). Bob (White) is to move.")
    club.gateway.play(club.alice, club.bob, "E5 C3 D6")
    assert club.tick(minutes=45) == []
    assert club.tick(minutes=30) == [("carol", "watch")]
    assert said(club.carol).startswith("Bob played D6 (move 4).")
    assert "Moves 2 to 4: White E5, Black C3, White D6." in said(club.carol)
    assert club.tick(days=2) == []


@pytest.mark.parametrize("line", ["watch 1 daily", "watch 1"])
def test_one_letter_a_day(line: str) -> None:
    """At the hour of their own; the end comes at once."""
    club = Club().open()
    club.watch(club.carol, line)
    if "daily" not in line:
        club.carol.reply("emails daily")
    assert "one email a day" in said(club.carol)
    club.gateway.play(club.alice, club.bob, "D4 E5")
    assert club.tick(hours=3) == []
    assert club.tick(hours=2) == [("carol", "watch")]
    assert "Moves 1 to 2: Black D4, White E5" in said(club.carol)
    assert club.tick(days=3) == []
    club.alice.reply("F6")
    club.bob.resign()
    assert said(club.carol).startswith("Game 1 is over: Alice (Black) wins by resignation")
    assert club.watched_by() == set()


def test_what_is_told_of_a_game() -> None:
    """Passes, the count, what was taken back, play that goes on, and the score at the end."""
    club = Club().open()
    club.watch(club.carol)
    heard: list[str] = []
    steps = [
        *((club.alice, "E5"), (club.bob, "C3"), (club.bob, "undo"), (club.alice, "yes")),
        *((club.bob, "pass"), (club.alice, "pass"), (club.bob, "resume"), (club.alice, "G7")),
        *((club.bob, "pass"), (club.alice, "pass"), (club.alice, "done"), (club.bob, "done")),
    ]
    for who, line in steps:
        club.gateway.wait(hours=2)
        before = len(club.carol.letters())
        assert who.reply(line).event == "accepted", line
        heard += [said(club.carol, one).split(" --")[0] for one in club.carol.letters()[before:]]
    whole = " ".join(heard)
    for words in (
        *("Alice played E5 (move 1).", "1 move was taken back: C3.", "Bob passed (move 2)."),
        *("The score is being counted.", "Bob chose to play on."),
        "Game 1 is over: Alice (Black) wins by",
    ):
        assert words in whole, (words, heard)
    assert "Score Black White" in said(club.carol)


@pytest.mark.parametrize("line", ["unwatch", "stop", "emails none", "Stop watching", "unwatch 1"])
def test_who_has_seen_enough(line: str) -> None:
    """One reply ends it; so does the button of the mail program."""
    club = Club().open()
    club.watch(club.carol)
    assert "body=stop" in re.sub(r"\s", "", club.carol.read()["List-Unsubscribe"])
    club.carol.reply(line)
    assert "You've stopped watching game 1." in said(club.carol)
    before = len(club.carol.letters())
    club.alice.reply("D4")
    club.tick(days=1)
    assert len(club.carol.letters()) == before


# -- what they may not -------------------------------------------------------------------------
TO_PLAYERS = (
    *("E5", "pass", "resign", "done", "Nice move!", "say You should play C3", "D4 thanks"),
    *("public", "private", "yes", "undo", "note hm", "dead D4", "void", "gui", "if D4 then E5"),
)


def test_who_watches_has_no_word_in_it() -> None:
    """They are told so; nothing is passed on, nothing is done, and no player hears of it."""
    club = Club().open()
    club.watch(club.carol)
    game, letter, state = club.gateway.game(), club.carol.newest(), club.gateway.writer.state
    for line in TO_PLAYERS:
        club.gateway.writer.state = state.copy()
        assert club.carol.reply(line, to=letter).event == "refused", line
        assert club.gateway.told(len(state.outbox)) == [("carol", "public-games")], line
        assert "only its players may move in it" in said(club.carol), line
        assert club.gateway.game() == game


def test_another_person_cannot_answer_their_letter() -> None:
    """It is the spectator's own: who was sent it on is told nothing of the game."""
    club = Club().open()
    club.watch(club.carol)
    club.dora.reply("show", to=club.carol.newest())
    assert "A B C" not in said(club.dora)
    assert club.watched_by() == {club.carol.address}


def test_what_cannot_be_watched() -> None:
    """One's own game, one that is not public, one that never was: the rest in the same words."""
    club = Club()
    club.alice.reply("watch 1")
    private = said(club.alice)
    club.alice.reply("watch 99", to=club.alice.letters(Kind.STARTED)[0])
    assert private.replace("game 1", "game 99").split("You can")[0][:60] == said(club.alice)[:60]
    club.open()
    club.alice.reply("watch 1")
    assert "You play in game 1 yourself." in said(club.alice)


@pytest.mark.parametrize("blocker", ["alice", "carol"])
def test_who_blocks_somebody_is_not_watched_by_them(blocker: str) -> None:
    """Neither sees the other's games; a block that comes later ends it, too."""
    club = Club().open()
    club.gateway.start(club.alice, club.carol, "9x9 as black")
    club.carol.reply("watch 1", to=club.carol.newest(Kind.STARTED))
    assert club.watched_by() == {club.carol.address}
    one = club.alice if blocker == "alice" else club.carol
    one.reply("block", to=one.newest(Kind.STARTED))
    before = len(club.carol.letters(Kind.WATCH))
    club.alice.reply("D4", to=club.alice.letters(Kind.PUBLIC)[-1])
    assert len(club.carol.letters(Kind.WATCH)) == before
    assert club.watched_by() == set()
    club.carol.reply("watch", to=club.carol.newest(Kind.STARTED))
    assert "No game can be watched" in said(club.carol)
    club.carol.reply("watch 1", to=club.carol.newest(Kind.STARTED))
    assert "There is no game 1 for you to watch" in said(club.carol)


def test_how_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """So many games of a person, so many people at a game."""
    monkeypatch.setattr(public_games, "MOST_GAMES", 1)
    monkeypatch.setattr(public_games, "MOST_WATCHERS", 1)
    club = Club().open()
    club.gateway.start(club.alice, club.bob, "9x9 as black public")
    club.watch(club.carol)
    listed = club.carol.letters(Kind.PUBLIC_GAMES)[-1]
    club.carol.reply("watch 2", to=listed)
    assert "You already watch 1 game, the most" in said(club.carol)
    club.dora.write("watch 1")
    club.dora.reply("watch 1")
    assert "as many spectators as it can have" in said(club.dora)


# -- how else it ends --------------------------------------------------------------------------
def test_who_cannot_be_reached_watches_no_more() -> None:
    """Nothing is owed to a mailbox from which letters come back."""
    club = Club().open()
    club.watch(club.carol)
    for number in range(4):
        club.gateway.play(club.alice, club.bob, ("D4", "E5", "F6", "C3")[number])
        club.tick(hours=26)
        to = composer().return_path(club.carol.newest(Kind.WATCH).uid)
        club.gateway.send()
        club.gateway.take(InboundLetter(to, "", report(to=to, id=str(number))))
    club.gateway.play(club.alice, club.bob, "D6")
    club.tick(hours=2)
    assert club.watched_by() == set()


def test_who_is_forgotten_watches_no_more() -> None:
    """And nobody watches the games of who is."""
    club = Club().open()
    club.watch(club.carol)
    club.carol.write("forget me")
    club.carol.reply("yes")
    club.gateway.send()
    club.gateway.writer.run_sync(lambda unit: forget_due(club.gateway.games(unit), Forgetting())[0])
    assert club.watched_by() == set()
    club.watch(club.dora)
    club.alice.reply("forget me", to=club.alice.newest(Kind.PUBLIC))
    club.alice.reply("yes")
    assert said(club.dora).startswith("Game 1 is over: Bob (White) wins by resignation")
    assert club.watched_by() == set()


def test_who_wants_no_emails_watches_no_more() -> None:
    """`stop all` ends this, too."""
    club = Club().open()
    club.gateway.start(club.carol, club.dora, "9x9 as black")
    club.carol.reply("watch 1")
    club.carol.reply("stop all", to=club.carol.newest(Kind.STARTED))
    before = len(club.carol.letters())
    club.alice.reply("D4", to=club.alice.letters(Kind.PUBLIC)[-1])
    assert len(club.carol.letters()) == before
    assert club.watched_by() == set()


def test_they_move_with_their_player() -> None:
    """Where all of somebody's letters go to another address."""
    club = Club().open()
    club.gateway.start(club.carol, club.dora, "9x9 as black")
    club.carol.reply("watch 1")
    club.carol.reply("move me to carol@new.example everywhere", to=club.carol.newest(Kind.STARTED))
    new = club.gateway.person("Carol", "carol@new.example")
    new.reply("yes")
    club.carol.reply("yes", to=club.carol.newest(Kind.MOVING))
    assert club.watched_by() == {new.address}


# -- what nobody else may see ------------------------------------------------------------------
SECRETS = ("qzchat", "qznote", "qzhidden", "qzgreet", "qzbelow", "qzplan", "qzundo", "qztry")


def whole(letter: EmailMessage) -> str:
    """All of a letter that a reader's program has: headers, text, HTML."""
    parts = [str(one.get_content()) for one in letter.walk() if not one.is_multipart()]
    return "\n".join([*map(str, letter.values()), *parts]).casefold()


@pytest.mark.parametrize("line", ["watch 1", "watch 1 daily"])
def test_nothing_of_the_players_own_comes_to_others(line: str) -> None:
    """Chat, notes, hidden words, plans, a dry run, questions and pending moves, whenever said."""
    club = Club()
    gateway, alice, bob = club.gateway, club.alice, club.bob
    club = club.open()
    club.watch(club.carol, line)
    for who, text in (
        (alice, "D4\n\nqzchat to you"),
        (bob, "E5\nnote qznote: attack"),
        (alice, "say qzgreet"),
        (alice, "hidden qzhidden I lose"),
        (alice, "C3"),
        (alice, "if H8 then H9, if G1 then J1"),
        (bob, "F6\n\nqzbelow"),
        (bob, "undo\n\nqzundo sorry"),
        (alice, "no"),
        (alice, "try B2 B8 J2"),
        (alice, "G7"),
        (alice, "i am 5 kyu, Qztryville"),
        (alice, "vacation 2 days"),
        (bob, "resign"),
    ):
        gateway.wait(hours=3)
        who.reply(text)
        club.tick(hours=1)
    letters = club.carol.letters(Kind.WATCH)
    assert len(letters) >= (2 if "daily" in line else 5)
    for due in letters:
        letter = whole(club.carol.read(due))
        assert [word for word in SECRETS if word in letter] == []
        for kept in ("h8", "g1", "j1", "h9", "alice@", "bob@"):
            assert kept not in letter.replace("carol@players.example", "")
        assert not re.search(r"body=(?!stop|unwatch|emails|help)", letter), letter
        assert "vacation" not in letter
        assert "planned" not in letter


def test_no_click_acts_in_the_game() -> None:
    """Its links only write to us about the letters; its token is of no seat."""
    club = Club().open()
    club.watch(club.carol)
    page = part(club.carol.read(), "html")
    assert set(re.findall(r"body=([\w%]+)", page)) == {"emails%20daily", "unwatch"}
    token = club.gateway.token(club.carol.newest())
    assert token.startswith("l")
    assert club.carol.read()["Reply-To"] != ADDRESS


# -- what spectators say in their own words ----------------------------------------------------
def watched() -> tuple[Gateway, Person]:
    """A game of Sam and Ruth that others may watch, and Ken, who has the list of such games."""
    gateway = Gateway()
    sam, ruth, ken = (gateway.person(name) for name in ("Sam", "Ruth", "Ken"))
    gateway.start(sam, ruth)
    sam.reply("public")
    ruth.reply("public")
    ken.write("watch")
    return gateway, ken


@pytest.mark.parametrize(
    "text",
    [
        "Can I send her a message?",
        "what does Ruth think about this move?",
        "Who is winning?",
        "Can I read Sam's notes?",
        "Does Sam know I was watching?",
    ],
)
def test_who_only_watches_is_answered_as_such(text: str) -> None:
    """Not as a player would be: they have no move, no words and no estimate there."""
    gateway, ken = watched()
    ken.reply("watch 1")
    told = len(gateway.outbox)
    ken.reply(text, to=ken.newest(Kind.WATCH))
    assert [name for name, _ in gateway.told(told)] == ["ken"]
    assert "only its players" in retold(ken.newest().notice.about["news"])


def test_who_asks_for_the_moves_is_sent_the_board() -> None:
    """As it is now."""
    _, ken = watched()
    ken.reply("watch 1")
    ken.reply("show", to=ken.newest(Kind.WATCH))
    assert len(ken.letters(Kind.WATCH)) == 2


def test_a_yes_to_the_only_game_watches_it_and_stop_ends_that_alone() -> None:
    """Who has no games does not give up all emails by a word about what they watch."""
    _, ken = watched()
    ken.reply("Yes please")
    assert ken.newest().notice.kind is Kind.WATCH
    assert "at most one email an hour" in str(ken.read().get_body(("plain",)))
    ken.write("watch")
    ken.reply("stop", to=ken.newest(Kind.PUBLIC_GAMES))
    assert ken.newest().notice.kind is Kind.PUBLIC_GAMES
    assert "ended" in ken.newest().notice.about


@pytest.mark.parametrize("line", ["watch Alice", "Watch Alice please"])
def test_by_the_name_of_a_player(line: str) -> None:
    """Who is known watches the one public game of whoever is called so."""
    club = Club().open()
    club.gateway.start(club.carol, club.dora)
    assert club.carol.reply(line).event == "accepted"
    assert club.carol.newest().notice.kind is Kind.WATCH
    assert club.watched_by() == {club.carol.address}
    assert club.gateway.game(2).chat == ()


@pytest.mark.parametrize(
    ("line", "news"),
    [
        ("watch Eve", "Nobody of that name plays."),
        ("watch Dora", "Nobody of that name plays."),
        ("watch Alice", "Players of that name are in several games."),
    ],
)
def test_a_name_that_is_not_of_one_game(line: str, news: str) -> None:
    """It is answered with the list, and not told the opponent; of a game not public, nothing."""
    club = Club().open()
    number = club.gateway.start(club.alice, club.bob)
    for one in (club.alice, club.bob):
        one.reply("public", to=[due for due in one.letters() if due.notice.game == number][-1])
    club.gateway.start(club.carol, club.dora)
    assert club.carol.reply(line).event == "accepted"
    assert said(club.carol).startswith(news)
    assert club.watched_by() == set()
    assert club.gateway.game(3).chat == ()


def test_a_name_asked_by_a_stranger() -> None:
    """Anybody could have written it: nobody watches by that, and no name is told."""
    club = Club().open()
    club.carol.write("watch Alice")
    assert club.watched_by() == set()
    assert "Alice" not in said(club.carol)


@pytest.mark.parametrize("words", ["watch out!", "Watch your corner", "watch this", "follow me"])
def test_words_that_begin_so_and_name_nobody(words: str) -> None:
    """They are talk, and no wish to watch."""
    club = Club().open()
    club.gateway.start(club.carol, club.dora)
    club.carol.reply(words)
    assert club.watched_by() == set()
    assert club.carol.newest().notice.kind is not Kind.WATCH
