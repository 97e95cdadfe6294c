"""Which letters a player gets, as they ask for it by reply: `emails`, `receipts`, `stop`."""

from __future__ import annotations

import re

import pytest

from godaemon.games import commands as cmd
from godaemon.games.model import Phase, Seat
from godaemon.games.notices import Kind
from godaemon.texts.catalogue import retold
from mailgate.language.parser import parse_text
from mailgate.language.verb_table import verbs
from mailgate.letters.compose import Composer
from mailgate.letters.letter_data import load_letter_data
from tests.support.gateway import ADDRESS, KEY, Gateway, Person
from tests.support.letters import parsed, part
from tests.support.mailto import button_clicks

NAMES = ("Alice", "Bob")
VOUCHED = {"authentication_results": "mx.go.example; dmarc=pass header.from=players.example"}


class Pair:
    """Alice (Black) and Bob (White), and a game that they play."""

    def __init__(self, trusted: str = "") -> None:
        self.gateway = Gateway(trusted=trusted)
        self.alice, self.bob = (self.gateway.person(name) for name in NAMES)
        self.gateway.start(self.alice, self.bob)

    def told(self, person: Person, black: str, white: str = "") -> list[str]:
        """What a person is told of a move of Black's, and one of White's."""
        before = len(person.letters())
        self.gateway.play(self.alice, self.bob, f"{black} {white}".strip())
        return [due.notice.kind.value for due in person.letters()[before:]]


def text(person: Person) -> str:
    """The plain text of a person's newest letter."""
    due = person.newest()
    writer = person.gateway.writer
    data = writer.run_sync(lambda unit: load_letter_data(unit, due))
    composed = Composer(KEY, ADDRESS, "Go by mail", invitation_days=14).compose(data)
    return part(parsed(composed.raw), "plain")


@pytest.fixture
def pair() -> Pair:
    """A game in which Alice is to move."""
    return Pair()


class TestHere:
    """In answer to a letter of a game, a setting is about that game."""

    def test_none(self, pair: Pair) -> None:
        """No turn letter and no receipt any more, in this game alone."""
        pair.bob.reply("emails none")
        assert "no more emails about game 1" in text(pair.bob)
        assert pair.told(pair.bob, "D4") == []
        pair.gateway.start(pair.alice, pair.bob)
        assert pair.bob.newest().notice.kind is Kind.STARTED

    def test_what_is_written_is_answered(self, pair: Pair) -> None:
        """A refusal, the board and the help come as before."""
        pair.bob.reply("stop")
        for words, kind in (("D4", Kind.REFUSED), ("show", Kind.SHOW), ("help", Kind.HELP)):
            pair.bob.reply(words, to=pair.bob.letters(Kind.STARTED)[0])
            assert pair.bob.newest().notice.kind is kind

    def test_my_turn(self, pair: Pair) -> None:
        """Turns, the count and the result; neither words alone nor unasked receipts."""
        pair.bob.reply("emails my-turn")
        assert pair.told(pair.bob, "D4", "E5") == ["your-turn"]
        pair.alice.reply("Nice move!")
        assert pair.bob.newest().notice.kind is Kind.YOUR_TURN
        assert pair.told(pair.bob, "pass", "pass") == ["your-turn", "scoring-started"]
        pair.alice.reply("resign")
        assert pair.bob.newest().notice.kind is Kind.FINISHED

    def test_words_come_with_the_next_turn(self, pair: Pair) -> None:
        """What was said alone in the meantime is not lost, and not told twice."""
        pair.bob.reply("emails my-turn")
        pair.gateway.play(pair.alice, pair.bob, "D4 E5")
        pair.alice.reply("Nice move!")
        pair.alice.reply("C3\n\nHere I am.", to=pair.alice.letters(Kind.YOUR_TURN)[-1])
        assert re.search(r"(?s)Alice wrote:.*Nice move!.*Here I am\.", text(pair.bob))
        pair.gateway.play(pair.alice, pair.bob, "G7 F6")
        assert "Nice move!" not in text(pair.bob)
        assert "Here I am." not in text(pair.bob)

    def test_all_again(self, pair: Pair) -> None:
        """One reply brings everything back."""
        pair.bob.reply("stop")
        pair.bob.reply("emails all")
        assert pair.told(pair.bob, "D4") == ["your-turn"]

    @pytest.mark.parametrize("words", ["receipts on", "receipts off"])
    def test_receipts(self, pair: Pair, words: str) -> None:
        """Wanted, they never end; unwanted, none comes, here and not elsewhere."""
        pair.alice.reply(words)
        kept = "moved" if words == "receipts on" else "your-turn"
        told = pair.told(pair.alice, "A1", "A2") + pair.told(pair.alice, "B1", "B2")
        told += pair.told(pair.alice, "C1", "C2") + pair.told(pair.alice, "E1", "E2")
        assert told.count("moved") == (4 if kept == "moved" else 0)

    def test_from_another_address(self, pair: Pair) -> None:
        """Whoever plays a seat sets its letters, from whichever of their addresses."""
        work = pair.gateway.person("Bob", "bob@work.example")
        work.reply("show", to=pair.bob.newest())
        pair.bob.reply("yes", to=pair.bob.newest(Kind.CONFIRM))
        work.reply("emails none", to=pair.bob.letters(Kind.STARTED)[0])
        assert work.newest().notice.kind is Kind.SETTINGS
        assert pair.told(pair.bob, "D4") == []


SET = [
    example
    for entry in verbs().values()
    for example in entry.examples
    if isinstance(parse_text([example]).commands[0].command, cmd.Setting | cmd.Export)
    and example != "settings"
]


@pytest.mark.parametrize("line", [*SET, "digest at 21:30", "emails daily at 8"])
def test_whoever_anybody_could_be_needs_one_reply(line: str) -> None:
    """A newcomer's fresh letter is answered with the line to reply with, and that is all."""
    dora = Gateway().person("Dora")
    assert dora.write(line).event == "refused"
    assert f"`{line}`" in retold(dora.newest(Kind.GAMES).notice.about["news"])
    assert dora.reply(line).event == "accepted"
    assert dora.newest().notice.kind in (Kind.SETTINGS, Kind.EXPORT)


@pytest.mark.parametrize(
    ("line", "back"),
    [
        *[("timezone Tokyo", ""), ("plain on", "plain off"), ("weekends off", "weekends on")],
        *[("name Pat", "name off"), ("i am 5k", "i am nobody"), ("players on", "players off")],
        *[("vacation automatic", "vacation automatic off"), ("name off", ""), ("digest at 7", "")],
    ],
)
def test_what_is_set_offers_the_way_back_and_no_more(line: str, back: str, pair: Pair) -> None:
    """Neither that very thing again, nor all else that could be set."""
    pair.bob.reply(line)
    told = " ".join(text(pair.bob).split())
    (offers,) = re.findall(r"To change this, reply: (.*?)\. All your settings: settings$", told)
    assert back in ("", offers)
    assert offers != line


def test_the_settings_know_what_may_be_written_of_each(pair: Pair) -> None:
    """A name may have digits; what is nearly one is nobody's to read, below a move either."""
    pair.alice.reply("name PatM11")
    assert "be called PatM11" in text(pair.alice)
    for line in ("name margaret", "timezone 3", "players maybe", "D4\nname margaret\n\nHello!"):
        told = pair.gateway.game().chat
        pair.alice.reply(line, to=pair.alice.letters(Kind.STARTED)[0])
        assert pair.gateway.game().chat == told
        if "margaret" in line:
            assert "name Margaret" in text(pair.alice)
    assert pair.gateway.game().move_number == 1


class TestEverywhere:
    """For all games, and for what was said of single ones."""

    @pytest.mark.parametrize(
        "words", ["stop all", "emails none everywhere", "emails off all games"]
    )
    def test_none_at_all(self, pair: Pair, words: str) -> None:
        """Also in a game of which something else was said; and no invitations."""
        pair.bob.reply("emails all")
        pair.bob.reply(words)
        assert "any of your games" in text(pair.bob)
        assert pair.told(pair.bob, "D4") == []
        pair.alice.write(f"new 9x9 vs {pair.bob.address}")
        pair.alice.reply("yes", to=pair.alice.newest(Kind.CONFIRM))
        assert "would rather not be invited" in retold(pair.alice.newest().notice.about["reason"])

    def test_one_game_all_the_same(self, pair: Pair) -> None:
        """What is said of a game after that goes before it."""
        pair.bob.reply("stop all")
        pair.bob.reply("emails my-turn")
        assert pair.told(pair.bob, "D4") == ["your-turn"]

    def test_a_game_of_their_own(self, pair: Pair) -> None:
        """Who asks for a game after that, and says yes to it, gets the letters of that game."""
        pair.bob.reply("stop all")
        pair.gateway.start(pair.bob, pair.gateway.person("Carol"))
        assert pair.bob.newest().notice.kind is Kind.STARTED
        assert pair.told(pair.bob, "D4") == []

    def test_only_ones_own_letter_can_ask(self, pair: Pair) -> None:
        """Anybody can write Bob's address into From: nothing is set, and one click would do it."""
        for words in ("stop", "emails none", "receipts off"):
            pair.gateway.wait(hours=25)
            pair.bob.write(words)
            assert pair.bob.newest().notice.about["meant"] == [words]
        assert pair.told(pair.bob, "D4") == ["your-turn"]

    def test_vouched(self) -> None:
        """A fresh letter that the mail server vouches for is about all games."""
        pair = Pair(trusted="mx.go.example")
        pair.bob.write("stop", header=VOUCHED)
        assert pair.bob.newest().notice.kind is Kind.SETTINGS
        assert pair.told(pair.bob, "D4") == []


class TestStop:
    """`stop` and `unsubscribe`, in a game and under an invitation."""

    @pytest.mark.parametrize(
        "words",
        [
            *("stop", "Stop.", "STOP!", "unsubscribe", "Unsubscribe me", "please unsubscribe"),
            *("stop emails", "Stop sending me emails", "please stop", "Please stop emailing me."),
            *("opt out", "no more emails please"),
        ],
    )
    def test_as_people_write_it(self, pair: Pair, words: str) -> None:
        """Our letters end, the other's invitations do not, and the other is told nothing."""
        before = len(pair.alice.letters())
        assert pair.bob.reply(words).event == "accepted"
        assert len(pair.alice.letters()) == before
        assert pair.gateway.writer.state.blocks == {}
        assert "emails all" in text(pair.bob)
        assert pair.told(pair.bob, "D4") == []

    @pytest.mark.parametrize(
        "words",
        [
            *("stop all these emails please", "don't email me anymore", "stop notifying me"),
            *("I want to unsubscribe from this list", "Could you stop sending these e-mails?"),
            *("I don't want to receive emails anymore", "cancel my subscription"),
        ],
    )
    def test_in_other_words(self, pair: Pair, words: str) -> None:
        """The line that does it comes first of those offered, and the other is told nothing."""
        before = len(pair.alice.letters())
        pair.bob.reply(words)
        assert pair.bob.newest(Kind.REFUSED).notice.about["hints"][0] == "stop"
        assert len(pair.alice.letters()) == before

    @pytest.mark.parametrize(
        "words",
        [
            "Stop it!",
            "stop there",
            "Stop playing so well",
            "no more ko fights",
            "don't stop me now",
        ],
    )
    def test_talk(self, pair: Pair, words: str) -> None:
        """Words for the opponent are no such request."""
        pair.bob.reply(words)
        assert pair.gateway.writer.state.preferences == {}

    def test_why(self, pair: Pair) -> None:
        """What is said below it is for us, and not told to the other."""
        before = len(pair.alice.letters())
        pair.bob.reply("unsubscribe\n\nI have had enough of this.\nBob")
        assert (len(pair.alice.letters()), pair.gateway.game().chat) == (before, ())

    @pytest.mark.parametrize("words", ["stop", "unsubscribe", "Please unsubscribe me."])
    def test_a_stranger_is_left_in_peace(self, words: str) -> None:
        """Under an invitation it is declined, and that player's next one does not come."""
        gateway = Gateway()
        alice, bob = (gateway.person(name) for name in NAMES)
        for _ in range(2):
            alice.write(f"new 9x9 vs {bob.address}")
            alice.reply("yes", to=alice.newest(Kind.CONFIRM))
            if not gateway.game().phase.over:
                bob.reply(words)
        assert gateway.game().phase is Phase.DECLINED
        assert bob.kinds() == ["invitation", "blocked"]

    def test_all_under_an_invitation(self) -> None:
        """It is declined, and nobody's invitation comes any more."""
        gateway = Gateway()
        alice, bob, carol = (gateway.person(name) for name in (*NAMES, "Carol"))
        alice.write(f"new 9x9 vs {bob.address}")
        alice.reply("yes")
        bob.reply("stop all")
        assert alice.newest().notice.kind is Kind.DECLINED
        carol.write(f"new 9x9 vs {bob.address}")
        carol.reply("yes")
        assert bob.kinds() == ["invitation", "settings"]

    def test_whether_it_was_them(self, pair: Pair) -> None:
        """To the question about a letter from elsewhere it is a no, and ends our letters too."""
        mallory = pair.gateway.person("Mallory")
        mallory.reply("resign", to=pair.bob.newest())
        assert pair.bob.reply("unsubscribe", to=pair.bob.newest(Kind.CONFIRM)).event == "let-go"
        assert pair.gateway.game().phase is Phase.PLAYING
        assert pair.bob.newest().notice.kind is Kind.SETTINGS

    def test_whether_a_game_shall_come_here(self, pair: Pair) -> None:
        """A stranger to whom a seat should move says no to it."""
        pair.bob.reply("move me to stranger@players.example")
        stranger = pair.gateway.person("Stranger")
        assert stranger.reply("unsubscribe").event == "let-go"
        pair.bob.reply("yes", to=pair.bob.newest(Kind.MOVING))
        assert pair.gateway.game().player(Seat.WHITE).address == pair.bob.address

    def test_who_never_asked_for_a_game(self) -> None:
        """A stranger whose name was used says no to the question with it."""
        gateway = Gateway()
        alice = gateway.person("Alice")
        alice.write("new 9x9 vs bob@players.example")
        alice.reply("unsubscribe")
        assert gateway.game().phase is Phase.WITHDRAWN


class TestSettings:
    """`settings` shows what holds, and how to change it."""

    def test_of_a_game(self, pair: Pair) -> None:
        """In this game and the others; what holds is not offered again."""
        pair.bob.reply("emails my-turn")
        pair.bob.reply("settings")
        shown = text(pair.bob)
        assert "Your settings for game 1" in shown
        assert "emails all, digest at 19, stop\n" in shown
        assert "emails my-turn everywhere" in shown
        assert shown.index("my turns and results") < shown.index("(other games: all)*")

    def test_what_was_chosen_is_marked(self, pair: Pair) -> None:
        """And nothing else; one email a day is one thing, and all of it fits on a page."""
        pair.bob.reply("timezone Tokyo")
        pair.bob.reply("digest at 20")
        pair.bob.reply("settings")
        shown = text(pair.bob)
        assert "at 20:00" in shown
        assert "Asia/Tokyo*" in shown
        assert shown.count("*") == len(["emails", "time zone", "* Changed by you."])
        assert "emails daily" not in shown
        assert len(shown.split()) <= 150

    def test_of_all_games(self, pair: Pair) -> None:
        """A fresh letter shows what holds for its sender, proven or not."""
        pair.bob.write("settings")
        assert "for all games" in text(pair.bob)


@pytest.mark.parametrize("words", ["emails none", "stop", "emails none everywhere", "stop all"])
def test_who_wants_no_emails_is_told_that_clocks_run_all_the_same(words: str) -> None:
    """Nothing is sent to whom nothing shall be, not even that they have lost: said in advance."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    gateway.start(alice, bob, "9x9 as black time 3 days per move")
    gateway.play(alice, bob, "D4 E5")
    alice.reply(words, to=alice.newest(Kind.YOUR_TURN))
    assert re.search("clocks? (still runs|included)", " ".join(str(alice.read()).split()))
    told = len(alice.letters())
    for _ in range(12):
        gateway.wait(days=1)
        gateway.ring()
        gateway.send()
    assert gateway.game().result == "W+T"
    assert len(alice.letters()) == told


def test_what_settings_of_no_game_offer() -> None:
    """Each click in them works at once, however many games there are, and for nobody else."""
    pair = Pair()
    pair.gateway.start(pair.bob, pair.alice)
    pair.alice.write("games")
    pair.alice.reply("vacation 2 weeks")
    assert pair.alice.reply("back").event == "accepted"
    assert "Welcome back" in text(pair.alice)
    pair.alice.reply("settings", to=pair.alice.newest(Kind.GAMES))
    shown = pair.alice.newest(Kind.SETTINGS)
    for offer in button_clicks(part(pair.alice.read(), "html")):
        assert pair.alice.reply(offer, to=shown).event == "accepted", offer
    pair.gateway.send()
    assert pair.bob.reply("emails none everywhere", to=shown).event == "bad-token"
