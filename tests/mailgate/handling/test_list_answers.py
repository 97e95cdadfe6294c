"""Answers to the list of one's games: each line acts on its game, or says why it does not."""

from __future__ import annotations

import pytest

from godaemon.games.model import Phase
from godaemon.games.notices import Kind
from godaemon.texts.catalogue import retold
from mailgate import tokens
from mailgate.letters.compose import Composer
from mailgate.letters.letter_data import load_letter_data
from tests.support.gateway import ADDRESS, KEY, Gateway, Person
from tests.support.letters import parsed, part


class Listed:
    """Alice plays Bob (1), Carol (2) and Dan (3), black in all; she has asked for the list."""

    def __init__(self, boards: int = 3) -> None:
        self.gateway = Gateway()
        self.alice = self.gateway.person("Alice")
        self.others = [self.gateway.person(name) for name in ("Bob", "Carol", "Dan")[:boards]]
        for other in self.others:
            self.gateway.start(self.alice, other, "9x9 as black")
        self.alice.reply("receipts off")
        self.alice.write("games")
        self.mark = len(self.gateway.outbox)

    def answer(self, *lines: str, who: Person | None = None) -> dict[str, str]:
        """Reply to the newest list: of each line of it, what became of it."""
        newest = self.alice.newest(Kind.GAMES)
        (who or self.alice).reply("\n".join(lines), to=newest)
        about = self.alice.newest(Kind.GAMES).notice.about
        return dict(zip(about.get("lines", ()), map(retold, about.get("results", ())), strict=True))

    def moves(self) -> list[str]:
        """What has been played in each game."""
        games = [self.gateway.game(number + 1) for number in range(len(self.others))]
        return [
            " ".join(str(move.point or "pass") for move in game.position.moves) for game in games
        ]

    @property
    def told(self) -> list[tuple[str, str]]:
        """Who has been told what since."""
        return self.gateway.told(self.mark)


@pytest.fixture
def listed() -> Listed:
    """Three games, all of which wait for Alice."""
    return Listed()


@pytest.mark.parametrize(
    "line", ["2: D4", "2:D4", "game 2 D4", "Game 2: d4", "#2 D4", "2) D4", "D4 in game 2", "2 D4"]
)
def test_a_line_that_names_its_game(listed: Listed, line: str) -> None:
    """However it does, the move is made there, and one letter says so."""
    listed.answer(line)
    assert listed.moves() == ["", "D4", ""]
    assert sorted(listed.told) == [("alice", "games"), ("carol", "your-turn")]


def test_one_line_for_each(listed: Listed) -> None:
    """Each acts on its own; one that is refused takes nothing of the others with it."""
    results = listed.answer("1: D4", "2: i4", "3: pass", "7: D4")
    assert listed.moves() == ["D4", "", "pass"]
    assert results["1: D4"] == results["3: pass"] == "done"
    assert "H4 or J4" in results["2: i4"]
    assert "`2: H4`" in results["2: i4"]
    assert "Game 7" in results["7: D4"]
    assert [kind for name, kind in listed.told if name == "alice"] == ["games"]


def test_a_move_with_one_game(listed: Listed) -> None:
    """Where one game waits for a move, the point alone is enough; else it is asked which."""
    assert "`1: D4`" in listed.answer("D4")["D4"]
    listed.answer("1: D4", "2: D4")
    listed.answer("E5")
    assert listed.moves() == ["D4", "D4", "E5"]


def test_what_the_list_said_counts_not_what_is_now(listed: Listed) -> None:
    """A game that is played on meanwhile does not make a point one of the other's."""
    one = Listed(boards=2)
    started = one.alice.letters(Kind.STARTED)[0]
    one.alice.reply("C3", to=started)
    assert "in which game" in one.answer("D4")["D4"]
    assert one.moves() == ["C3", ""]


def test_stale_lines(listed: Listed) -> None:
    """Whatever has changed since the list is not acted upon."""
    started = listed.alice.letters(Kind.STARTED)[0]
    listed.alice.reply("C3", to=started)
    listed.others[0].reply("E5")
    results = listed.answer("1: D4", "2: D4")
    assert "changed since" in results["1: D4"]
    assert listed.moves() == ["C3 E5", "D4", ""]


def test_decisions_of_every_kind(listed: Listed) -> None:
    """A count, an invitation and a confirmation, each by its word."""
    gateway, bob = listed.gateway, listed.others[0]
    started = listed.alice.letters(Kind.STARTED)
    listed.alice.reply("pass", to=started[0])
    bob.reply("pass")
    bob.write("new 5x5 vs alice@players.example")
    bob.reply("yes", to=bob.newest(Kind.CONFIRM))
    listed.alice.write("new 5x5 vs eve@players.example")
    listed.alice.write("games")
    listed.answer("1: done", "4: accept", "5: yes", "2: D4")
    assert gateway.game(4).phase is Phase.PLAYING
    assert gateway.game(5).confirmed
    assert len(gateway.game(1).agreed) == 1
    assert listed.moves()[1] == "D4"


def test_words_that_answer_what_is_awaited(listed: Listed) -> None:
    """An invitation is accepted as people do, where the line names it."""
    bob = listed.others[0]
    bob.write("new 5x5 vs alice@players.example")
    bob.reply("yes", to=bob.newest(Kind.CONFIRM))
    listed.alice.write("games")
    results = listed.answer("4: Sure, let's play!", "1: I'll play D4")
    assert listed.gateway.game(4).phase is Phase.PLAYING
    assert all(result.startswith("done") for result in results.values())


def test_marks_and_done_of_one_game(listed: Listed) -> None:
    """All lines of one game are as one letter of it: done to the marks made above it."""
    listed.alice.reply("C3", to=listed.alice.letters(Kind.STARTED)[0])
    for person, text in (
        (listed.others[0], "E5"),
        (listed.alice, "pass"),
        (listed.others[0], "pass"),
    ):
        person.reply(text, to=[one for one in person.letters() if one.notice.game == 1][-1])
    listed.alice.write("games")
    listed.answer("1:", "dead E5 all", "done")
    assert len(listed.gateway.game(1).dead) == 1
    assert len(listed.gateway.game(1).agreed) == 1


@pytest.mark.parametrize("new", ["rematch 1", "new 9x9 vs Bob", "take 4"])
def test_what_is_asked_of_another_game_is_nobodys_greeting(listed: Listed, new: str) -> None:
    """Nor is a note: who is asked for a game is told neither."""
    listed.others[1].reply("new 5x5 open", to=listed.others[1].newest(Kind.STARTED))
    listed.others[0].reply("resign", to=listed.others[0].newest(Kind.STARTED))
    listed.alice.write("games")
    listed.answer(new, "2: note she is WEAKISH")
    assert listed.gateway.game(2).remarks
    for words in ("Hello!\nnote: he is WEAKISH", "Hello!\n\nif D4 then E5"):
        listed.answer(f"{new}\n{words}")
    for other in listed.others:
        for due in other.letters():
            said = str(other.read(due))
            assert "WEAKISH" not in said
            assert "if D4 then" not in said


def test_numbers_are_games(listed: Listed) -> None:
    """`show 2` is game 2 here, also where exactly one game waits; its letter is the answer."""
    listed.answer("show 2")
    assert listed.told == [("alice", "show")]
    assert listed.alice.newest().notice.game == 2
    listed.answer("show 9")
    assert "no game 9" in retold(listed.alice.newest().notice.about["results"][0])


@pytest.mark.parametrize("line", ["no thanks", "yes please"])
def test_a_yes_or_no_that_nothing_waits_for(line: str) -> None:
    """It is for us, and told to nobody, also where there is but one game."""
    one = Listed(boards=1)
    one.alice.reply("D4", to=one.alice.newest(Kind.STARTED))
    one.alice.write("games")
    mark = len(one.gateway.outbox)
    one.answer(line)
    assert {name for name, _ in one.gateway.told(mark)} == {"alice"}
    assert one.gateway.game().chat == ()


def test_words_reach_nobody(listed: Listed) -> None:
    """They have no game; and what stands below them without one is not done."""
    results = listed.answer("1: D4", "Nice games, all of them!", "pass")
    assert listed.moves() == ["D4", "", ""]
    assert "not passed on" in results["Nice games, all of them!"]
    assert "below" in results["pass"]
    assert ("bob", "chat") not in listed.told
    listed.answer("3: say hello")
    assert ("dan", "chat") in listed.told


def test_a_greeting_above(listed: Listed) -> None:
    """It is no words below which nothing counts."""
    one = Listed(boards=1)
    one.answer("Hi,", "", "D4")
    assert one.moves() == ["D4"]


def test_a_question(listed: Listed) -> None:
    """It is answered by itself, and no opponent reads it."""
    listed.answer("what is komi?")
    assert listed.told == [("alice", "help")]


def test_words_beside_a_move(listed: Listed) -> None:
    """They go with it, as in a letter of the game, and the answer says so."""
    results = listed.answer("1: D4, thanks!", "2: Nice game! D4")
    assert results["2: Nice game! D4"] == "done, words passed on to Carol"
    assert listed.moves() == ["D4", "D4", ""]


def test_nothing_but_words(listed: Listed) -> None:
    """They are answered with the list."""
    listed.answer("Lovely weather today, is it not?")
    assert listed.told == [("alice", "games")]


def test_somebody_else_has_the_list(listed: Listed) -> None:
    """From another address nothing is done, be it a player's."""
    for who in (listed.others[0], listed.gateway.person("Eve")):
        listed.answer("1: D4", who=who)
    assert listed.moves() == ["", "", ""]
    assert {kind for _, kind in listed.told} == {"refused"}


def test_a_forged_list() -> None:
    """A token that we did not sign is worth nothing, of a list that was sent or not."""
    listed = Listed()
    listed.gateway.send()
    uid = listed.alice.newest(Kind.GAMES).uid
    for forged in (tokens.sign_list(b"x" * 32, uid), tokens.sign_list(b"k" * 32, "0" * 16)):
        outcome = listed.alice.write("1: D4", to=tokens.reply_address(ADDRESS, forged))
        assert outcome.wrong_token
    assert listed.moves() == ["", "", ""]


def test_a_reference_is_enough(listed: Listed) -> None:
    """Where the address carries no token, what the reply refers to does."""
    listed.gateway.send()
    answered = listed.gateway.message_id(listed.alice.newest(Kind.GAMES))
    listed.alice.write("2: D4", in_reply_to=answered)
    assert listed.moves() == ["", "D4", ""]


def test_what_is_about_no_game(listed: Listed) -> None:
    """Help, a proposal, a setting: as in any letter, and each has its own answer."""
    listed.answer("help", "new 9x9 vs eve@players.example")
    kinds = [kind for _, kind in listed.told]
    assert kinds[:2] == ["help", "invitation"]  # the reply shows that it is hers


class TestMovesAndGames:
    """In a letter of a game `show 2` is its move 2; game 2, if there is one, is a click away."""

    def test_a_move_that_was_made(self, listed: Listed) -> None:
        """It is shown, and the letter says that a game was not."""
        alice, bob = listed.alice, listed.others[0]
        alice.reply("C3", to=alice.letters(Kind.STARTED)[0])
        bob.reply("E5")
        alice.reply("show 2")
        about = alice.newest().notice.about
        assert (alice.newest().notice.game, about["move"], about["game_too"]) == (1, 2, True)

    def test_a_move_that_was_not(self, listed: Listed) -> None:
        """The game is the first thing that would work."""
        listed.alice.reply("show 3", to=listed.alice.letters(Kind.STARTED)[0])
        assert listed.alice.newest().notice.about["hints"][0] == "show game 3"

    def test_no_such_game(self, listed: Listed) -> None:
        """Then nothing is said of one."""
        listed.alice.reply("show 9", to=listed.alice.letters(Kind.STARTED)[0])
        assert "show game 9" not in listed.alice.newest().notice.about["hints"]


@pytest.mark.parametrize("word", ["stop", "receipts off", "block all", "emails my-turn"])
def test_settings_are_about_all_games(listed: Listed, word: str) -> None:
    """The list is about none of them, and a reply to it is its reader's own."""
    listed.answer(word)
    assert {kind for _, kind in listed.told} <= {"settings", "blocked"}
    assert len(listed.told) == 1


def test_what_no_game_waits_for(listed: Listed) -> None:
    """Nobody is asked in which one; and what is nearly a command is told what would be one."""
    assert "none of your games" in listed.answer("accept")["accept"]
    assert "Try `D4`" in listed.answer("D4?")["D4?"]


def test_a_list_that_comes_back(listed: Listed) -> None:
    """Nothing that stands in it is an answer to it, however it is quoted."""
    letter = Composer(KEY, ADDRESS, "Go by mail", invitation_days=14)
    text = part(
        parsed(
            letter.compose(
                load_letter_data(listed.gateway._look(), listed.alice.newest(Kind.GAMES))
            ).raw
        ),
        "plain",
    )
    assert "1: C3" in text
    listed.answer(*text.splitlines())
    listed.answer(*(line.strip() for line in text.splitlines()))
    listed.answer(*(line for line in text.splitlines() if "reply above" not in line))
    assert listed.moves() == ["", "", ""]


def test_lines_for_several_games_in_the_reply_to_one(listed: Listed) -> None:
    """Its own game's is done, with the words; those of others are a click in the one answer."""
    first = next(due for due in listed.alice.letters(Kind.STARTED) if due.notice.game == 1)
    listed.alice.reply("1: A5\n2: D9\n\nLena sends love back", to=first)
    assert listed.moves() == ["A5", "", ""]
    assert listed.gateway.game(1).chat[0].text == "Lena sends love back"
    assert listed.told == [("bob", "your-turn"), ("alice", "games")]
    about = listed.alice.newest(Kind.GAMES).notice.about
    results = dict(zip(about["lines"], map(retold, about["results"]), strict=True))
    assert results["1: A5"] == "done"
    assert results["2: D9"].startswith("not done: you answered an email of another game.")
    assert next(one for one in about["listed"] if one["game"] == 2)["meant"] == ["D9"]
    listed.alice.reply("2: D9")
    assert listed.moves() == ["A5", "D9", ""]


@pytest.mark.parametrize(
    ("line", "moves"),
    [("3: D9", ["", "", ""]), ("D9 in game 2", ["", "", ""]), ("1. D9", ["D9", "", ""])],
)
def test_a_line_for_another_game_in_the_reply_to_one(
    listed: Listed, line: str, moves: list[str]
) -> None:
    """It is never played in the game of the email; a number may be that of the move."""
    first = next(due for due in listed.alice.letters(Kind.STARTED) if due.notice.game == 1)
    listed.alice.reply(line, to=first)
    assert listed.moves() == moves


@pytest.mark.parametrize("line", ["1: show", "12: D4", "2: that was fun"])
def test_numbers_that_name_no_other_game(listed: Listed, line: str) -> None:
    """A reply to one game is read as ever where its lines ask nothing of another."""
    first = next(due for due in listed.alice.letters(Kind.STARTED) if due.notice.game == 1)
    listed.alice.reply(line, to=first)
    assert "games" not in [kind for _, kind in listed.told]


def test_lines_that_name_who_plays(listed: Listed) -> None:
    """With each of whom one game is open; with two it would have to be asked which."""
    assert set(listed.answer("Carol: D4", "I play E5 with Dan.").values()) == {"done"}
    assert listed.moves() == ["", "D4", "E5"]
    listed.gateway.start(listed.alice, listed.others[0])
    assert listed.answer("Bob: E5")["Bob: E5"].startswith("words, not passed on")
    assert listed.moves() == ["", "D4", "E5"]


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("D4\nCarol: E5", ["D4", "", ""]),
        ("Carol, D4", ["", "", ""]),
    ],
)
def test_a_line_for_somebody_else_in_the_reply_to_one(
    listed: Listed, text: str, moves: list[str]
) -> None:
    """It is no words to whom the email is about: it waits for a click."""
    first = next(due for due in listed.alice.letters(Kind.STARTED) if due.notice.game == 1)
    listed.alice.reply(text, to=first)
    assert listed.moves() == moves
    assert listed.gateway.game(1).chat == ()
    results = [*map(retold, listed.alice.newest(Kind.GAMES).notice.about["results"])]
    assert any("answered an email of another game" in one for one in results)


def test_a_clause_for_somebody_else_is_told_to_nobody(listed: Listed) -> None:
    """The move beside it is made, and its writer hears that the rest was not passed on."""
    first = next(due for due in listed.alice.letters(Kind.STARTED) if due.notice.game == 1)
    listed.alice.reply("D4, and for Carol: E5", to=first)
    assert listed.moves() == ["D4", "", ""]
    assert listed.gateway.game(1).chat == ()
    assert "not passed" in retold(listed.alice.newest().notice.about["aside"]["reason"])


@pytest.mark.parametrize(
    "words", ["Carol says hi", "Carol: E5 was what I told Dan", "I play with Carol too", "Bob, ok?"]
)
def test_talk_of_somebody_else_is_talk(listed: Listed, words: str) -> None:
    """It goes to whom the email is about."""
    first = next(due for due in listed.alice.letters(Kind.STARTED) if due.notice.game == 1)
    listed.alice.reply(f"D4\n{words}", to=first)
    assert listed.moves() == ["D4", "", ""]
    assert [one.text for one in listed.gateway.game(1).chat] == [words]


def test_emails_at_once_below_moves(listed: Listed) -> None:
    """One list tells what waits once all is done, and none what waited before."""
    listed.alice.reply("emails daily everywhere")
    listed.alice.write("games")
    mark = len(listed.gateway.outbox)
    listed.answer("emails all everywhere", "1: E3", "2: F7")
    told = [kind for name, kind in listed.gateway.told(mark) if name == "alice"]
    assert sorted(told) == ["games", "settings"]
    waits = [
        one["game"]
        for one in listed.alice.newest(Kind.GAMES).notice.about["listed"]
        if one["awaits"]
    ]
    assert waits == [3]


def test_emails_at_once_alone(listed: Listed) -> None:
    """What was put off comes with the answer, as nothing else tells of it."""
    listed.alice.reply("emails daily everywhere")
    listed.alice.write("games")
    mark = len(listed.gateway.outbox)
    listed.answer("emails all everywhere")
    told = [kind for name, kind in listed.gateway.told(mark) if name == "alice"]
    assert sorted(told) == ["games", "settings"]


def test_a_wish_for_us_in_the_answer_to_a_list(listed: Listed) -> None:
    """It is answered, about the game that it names."""
    said = "For game 1 I want the emails at once again please, I'm in the middle of it!"
    listed.alice.reply(said, to=listed.alice.newest(Kind.GAMES))
    assert listed.told == [("alice", "games")]
    assert "`1: emails" in str(listed.alice.newest().notice.about)
