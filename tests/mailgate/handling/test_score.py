"""`score` while a game is played: who may have an estimate, who hears of it, and what it says."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from godaemon.engine.estimate import ScoreEstimate
from godaemon.games import commands as cmd
from godaemon.games.calls import Caller
from godaemon.games.engine_seats import Entrant, Roster
from godaemon.games.model import Game, Phase, Seat
from godaemon.games.notices import Kind
from godaemon.games.views import record, snapshot
from godaemon.records import sgf
from godaemon.texts.catalogue import retold
from mailgate.language.parser import parse_text
from mailgate.letters.letter_data import load_letter_data, with_estimate
from tests.support.gateway import Gateway, Person
from tests.support.letters import parsed, part
from tests.support.played_games import composer

MOVES = "E5 C3 C7 G3 G7 E3 E7 C5 D5"
"""Black at the top, White at the bottom, and White (Bob) to move."""


class Table:
    """A game of Alice's, who has black, with Bob; both have agreed to estimates."""

    def __init__(self, terms: str = "9x9 estimates as black", moves: str = MOVES) -> None:
        self.gateway = Gateway()
        self.alice, self.bob = self.gateway.person("Alice"), self.gateway.person("Bob")
        self.gateway.start(self.alice, self.bob, terms)
        self.gateway.play(self.alice, self.bob, moves)

    def ask(self, who: Person, text: str = "score") -> list[tuple[str, str]]:
        """Who is told what when somebody writes that."""
        before = len(self.gateway.outbox)
        who.reply(text)
        return self.gateway.told(before)

    @property
    def game(self) -> Game:
        """As it is now."""
        return self.gateway.game_now()


def halves(game: Game) -> list[float]:
    """The top Black's, the bottom White's, the fifth row nobody's."""
    rows = [-0.9] * 4 + [0.1] + [0.9] * 4
    return [own for own in rows for _ in range(game.spec.size.width)]


def letter(
    table: Table, lead: float | None = -10.2, spread: float = 5.6, form: str = "plain"
) -> str:
    """The last letter that is owed, with what our player would say."""

    async def said(game: Game) -> ScoreEstimate | None:
        return None if lead is None else ScoreEstimate(lead, spread, halves(game))

    data = load_letter_data(table.gateway._look(), table.gateway.outbox[-1])
    written = composer().compose(asyncio.run(with_estimate(data, said)))
    return part(parsed(written.raw), form)


def words(text: str) -> str:
    """Without line ends."""
    return " ".join(text.split())


# -- who may ------------------------------------------------------------------------------------
def test_between_people_nobody_has_one_unless_both_agreed() -> None:
    """It is refused on either's turn, nothing is noted, and nobody else hears of the question."""
    table = Table("9x9 as black")
    length = table.game.length
    for who in (table.alice, table.bob):
        assert table.ask(who) == [(who.name.casefold(), "refused")]
        reason = retold(who.newest().notice.about["reason"])
        assert "This game has no estimates of the score" in reason
        assert "new 9x9 estimates" in reason
    assert table.game.length == length


@pytest.mark.parametrize(
    ("asked", "answered", "allowed"),
    [
        ("9x9 estimates", "accept", True),
        ("9x9 with estimates", "accept", True),
        ("estimates on 9x9", "accept", True),
        ("9x9 no estimates", "accept", False),
        ("9x9", "accept", False),
        ("9x9", "accept but with estimates", True),
        ("9x9 estimates", "counter no estimates", False),
        ("9x9 estimates komi 5.5", "counter komi 0.5", True),
    ],
)
def test_it_is_a_term_of_the_game(asked: str, answered: str, allowed: bool) -> None:
    """Proposed, countered and accepted as any other; the terms say so, and a rematch keeps it."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    alice.write(f"new {asked} vs {bob.address}")
    alice.reply("yes")
    shown = "Estimates: for both of you; each hears when the other looks"
    assert (shown in words(part(bob.read(), "plain"))) is ("no est" not in asked and "est" in asked)
    bob.reply(answered, to=bob.newest(Kind.INVITATION))
    if answered != "accept":
        alice.reply("accept", to=alice.newest(Kind.COUNTERED))
    game = gateway.game()
    assert game.phase is Phase.PLAYING
    assert game.spec.estimable is allowed
    assert snapshot(game)["estimates"] is allowed
    alice.resign()
    alice.reply("rematch", to=alice.newest(Kind.FINISHED))
    assert gateway.game(2).spec.estimates is allowed


def test_other_terms_say_what_was_before() -> None:
    """Who reads a counter-offer without estimates sees that there were to be some."""
    gateway = Gateway()
    alice, bob = gateway.person("Alice"), gateway.person("Bob")
    alice.write(f"new 9x9 estimates vs {bob.address}")
    alice.reply("yes")
    bob.reply("counter no estimates", to=bob.newest(Kind.INVITATION))
    text = words(part(alice.read(alice.newest(Kind.COUNTERED)), "plain"))
    assert "Estimates: none (before: for both of you" in text


def test_who_plays_alone_may_always() -> None:
    """Against a program, and where one plays both colours, nobody has to agree."""
    gateway = Gateway(engines=Roster((Entrant("house"),), games_per_player=3))
    alice = gateway.person("Alice")
    gateway.start(alice, alice)
    gateway.play(alice, alice, "E5 C3")
    assert alice.reply("score").event == "accepted"
    assert alice.newest().notice.kind is Kind.SCORE
    alice.write("new 9x9 as black vs house")
    alice.reply("yes")
    gateway.send()
    before = len(gateway.outbox)
    assert alice.reply("score", to=alice.newest(Kind.STARTED)).event == "accepted"
    assert gateway.told(before) == [("alice", "score")]


@pytest.mark.parametrize("terms", ["5x5", "6x9", "21x21"])
def test_other_boards_have_none(terms: str) -> None:
    """Our player knows nothing of them, and says so."""
    table = Table(f"{terms} estimates as black", "C3")
    assert table.ask(table.bob) == [("bob", "refused")]
    assert "boards of 7 to 19 lines" in retold(table.bob.newest().notice.about["reason"])


def test_before_the_handicap_stones_stand_there_is_nothing_to_estimate() -> None:
    """The stones come first."""
    table = Table("9x9 estimates handicap 3 rules chinese as black", "")
    assert table.ask(table.alice) == [("alice", "refused")]
    assert "handicap stones" in retold(table.alice.newest().notice.about["reason"])


def test_when_there_is_a_count_it_is_that() -> None:
    """In the count and after the end `score` shows the board with it, and nothing is estimated."""
    table = Table("9x9 as black", "E5 C3 pass pass")
    for text in ("score", "what's the score?", "estimate"):
        assert table.ask(table.alice, text) == [("alice", "show")]
    table.alice.reply("done")
    table.bob.reply("done")
    assert table.ask(table.bob) == [("bob", "show")]
    assert "Score " in part(table.bob.read(), "plain")
    assert table.game.estimates == ()


# -- who hears of it ----------------------------------------------------------------------------
def test_the_other_hears_of_it_in_their_next_letters() -> None:
    """Not by a letter of its own; both uses, of either turn, and never the reader's own."""
    table = Table()
    assert table.ask(table.alice) == [("alice", "score")]  # it is Bob's turn
    assert table.ask(table.bob) == [("bob", "score")]
    told = "has asked me for an estimate of the score after move 9."
    assert f"Alice {told}" in words(letter(table))
    table.bob.reply("D4")
    text = words(part(table.alice.read(), "plain"))
    assert f"Bob {told}" in text
    assert f"Alice {told}" not in text
    table.alice.reply("H3")
    text = words(part(table.bob.read(), "plain"))
    assert f"Alice {told}" in text
    assert f"Bob {told}" not in text
    table.gateway.play(table.alice, table.bob, "H2 J3")
    for who in (table.alice, table.bob):
        assert told not in words(part(who.read(), "plain")), "it has been told"


def test_the_list_of_games_says_it_too() -> None:
    """Who has one email a day hears of it there."""
    table = Table()
    table.ask(table.bob)
    table.bob.reply("D4")
    table.alice.write("games")
    text = words(part(table.alice.read(), "plain"))
    assert "Bob has asked me for an estimate of the score after move 9." in text


def test_it_stays_in_the_history_and_the_record() -> None:
    """And in what each may take along."""
    table = Table()
    table.ask(table.bob)
    table.ask(table.alice, "history")
    assert "Bob asked for an estimate of the score" in part(table.alice.read(), "plain")
    assert "Bob asked for an estimate of the score" in sgf.write(record(table.game))
    table.ask(table.alice, "export")
    files = {one.get_filename(): one for one in table.alice.read().iter_attachments()}
    assert '"event": "estimated"' in files["games.json"].get_content().decode()


def test_asking_again_on_one_board_is_noted_once() -> None:
    """It is answered as often as one likes."""
    table = Table()
    for _ in range(3):
        assert table.ask(table.bob) == [("bob", "score")]
    assert len(table.game.estimates) == 1


def test_it_keeps_nothing_that_waits_from_the_other() -> None:
    """Words that came alone are told in the next letter still, and words beside it go at once."""
    table = Table()
    told = table.ask(table.bob, "score\n\nA fine game!")
    assert sorted(told) == [("alice", "chat"), ("bob", "score")]
    table.alice.reply("emails daily")
    table.bob.reply("say hello again", to=table.bob.newest(Kind.SCORE))
    table.ask(table.bob)
    table.bob.reply("D4")
    table.alice.write("games")
    assert "hello again" in part(table.alice.read(), "plain")


# -- what it says -------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("lead", "spread", "said"),
    [
        (-20.2, 5.6, "White (you) by about 20 points, give or take 6."),
        (-7.2, 5.6, "probably White (you), by about 7 points, give or take 6."),
        (3.0, 5.6, "perhaps Black, by about 3 points, give or take 6. It's still open."),
        (0.9, 0.2, "probably Black, by about 1 point, give or take 1."),
        (-0.4, 9.0, "about even, give or take 9."),
    ],
)
def test_who_is_ahead_in_words_that_promise_no_more(lead: float, spread: float, said: str) -> None:
    """The first line has the lead and its margin, and whose turn it is."""
    table = Table()
    table.ask(table.bob)
    first = words(letter(table, lead, spread))
    assert first.startswith(f"My estimate for game 1: {said} Your move, White.")


@pytest.mark.parametrize("rules", ["japanese", "chinese"])
def test_the_two_numbers_differ_by_the_lead(rules: str) -> None:
    """However points are counted."""
    table = Table(f"9x9 estimates rules {rules} as black")
    table.ask(table.bob)
    text = letter(table)
    (line,) = [one for one in text.splitlines() if "Points, about" in one]
    black, white = map(int, line.split()[-2:])
    assert white - black in (10, 11)


def test_the_board_shows_what_is_settled_and_names_what_is_not() -> None:
    """Points that are surely somebody's, stones that seem dead, and the rest as it is played."""
    table = Table(moves=f"{MOVES} E8 G5")
    table.ask(table.bob)
    text = letter(table)
    assert "8  b b b b o b b b b  8" in text, "White's stone at the top"
    assert "4  w w w w w w w w w  4" in text
    assert "5  . . O X X .(X). .  5" in text
    assert "Not settled yet:" in text
    assert "Black's group at D5" in text


def test_a_move_may_stand_above_it() -> None:
    """It is of the board that the move makes, and the letter tells of both."""
    table = Table()
    assert sorted(table.ask(table.bob, "D4\nscore")) == [("alice", "your-turn"), ("bob", "score")]
    table.ask(table.bob)
    told = words(letter(table))
    assert "after move 10" not in told or "Bob" not in told
    assert table.game.estimates[-1].move_number == 10


def test_without_an_answer_it_says_so() -> None:
    """Where our player fails, or plays nowhere; it can be asked again."""
    table = Table()
    table.ask(table.bob)
    text = words(letter(table, None))
    assert text.startswith("I can't estimate the score of game 1 just now.")
    assert "Please ask again later: score" in text


def test_what_is_planned_is_not_in_it() -> None:
    """Who asks by a move that the other has planned for sees the board with the answer played."""
    table = Table()
    table.alice.reply("if D4 then E4")
    assert table.ask(table.bob) == [("bob", "score")]
    assert "E4" not in letter(table).replace("E4-", "")
    table.ask(table.bob, "D4\nscore")
    assert table.game.move_number == 11


# -- how it is asked ----------------------------------------------------------------------------
ASKED = [
    *("score", "Score?", "the score?", "What's the score?", "whats the score", "score please"),
    *("Who is ahead?", "who's winning right now?", "How am I doing?", "am I ahead?", "estimate"),
    *("estimate please", "show me the score", "Please estimate the score"),
]


@pytest.mark.parametrize("text", ASKED)
def test_people_ask_in_their_own_words(text: str) -> None:
    """A letter that asks nothing else is an estimate's."""
    assert [one.command for one in parse_text([text]).commands] == [cmd.AskScore()]


@pytest.mark.parametrize(
    "text",
    ["Who is ahead in your other game?", "How is your garden doing?", "You are winning, I think."],
)
def test_talk_about_it_is_talk(text: str) -> None:
    """What asks the opponent, or only speaks of it, is theirs to read."""
    found = parse_text([text])
    assert (found.commands, found.message) == ((), text)


def test_below_a_move_a_question_that_nobody_may_ask_is_refused_with_it() -> None:
    """In a game without estimates: its writer is told so, and nothing is half done."""
    table = Table("9x9 as black")
    told = table.ask(table.bob, "D4\nWho is ahead?")
    assert told == [("bob", "refused")]
    assert table.game.move_number == 9
    assert table.game.estimates == ()


def test_replayed_it_is_the_same_game() -> None:
    """An estimate moves no stone and no clock, and makes no letter stale."""
    table = Table()
    before = table.game
    table.ask(table.bob)
    after = table.game
    assert (after.revisions, after.digest) == (before.revisions, before.digest)
    assert after.clock == before.clock
    assert replace(after, estimates=(), length=before.length) == before


def test_a_program_that_plays_hears_nothing() -> None:
    """And it makes no letter to it."""
    gateway = Gateway(engines=Roster((Entrant("house"),), games_per_player=3))
    alice = gateway.person("Alice")
    alice.write("new 9x9 as white vs house")
    alice.reply("yes")
    caller, move = Caller("engine:house", "engine:house", "house"), cmd.Pass()
    gateway.writer.run_sync(lambda unit: gateway.games(unit).act(1, Seat.BLACK, (move,), caller))
    alice.reply("score")
    assert {name for name, _ in gateway.told()} == {"alice"}
    assert "will hear that you looked" not in part(alice.read(), "plain")
