"""The score by letter: nobody agrees to what they have not seen, and all know what is awaited."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from godaemon.games.events import Agreed
from godaemon.games.model import Phase
from godaemon.games.notices import DueNotice, Kind
from godaemon.rules.points import Color, parse_point
from godaemon.texts.catalogue import retold
from mailgate.letters.blocks import Diagram
from mailgate.letters.letter_data import load_letter_data
from tests.support.examples import examples
from tests.support.gateway import Gateway, Person
from tests.support.letters import parsed, part
from tests.support.played_games import composer

MOVES = "C3 E3 C2 E2 C4 E4 C1 E1 C5 E5 B3 F4 A2 B2"
"""7x5: Black holds the left, White the right, and White's stone at B2 is as good as dead."""


class Table:
    """Alice, who has black, and Bob, before they pass."""

    def __init__(self, moves: str = MOVES, terms: str = "7x5 rules japanese as black") -> None:
        self.gateway = Gateway()
        self.alice, self.bob = self.gateway.person("Alice"), self.gateway.person("Bob")
        self.gateway.start(self.alice, self.bob, terms)
        self.gateway.play(self.alice, self.bob, moves)


def refused(who: Person, text: str, **more: object) -> str:
    """Why a letter was refused."""
    outcome = who.reply(text, **more)  # type: ignore[arg-type]
    assert (outcome.event, who.newest().notice.kind) == ("refused", Kind.REFUSED), (text, outcome)
    return retold(who.newest().notice.about["reason"])


@pytest.mark.parametrize("resumed", [False, True], ids=["first count", "after resuming"])
def test_done_from_before_the_count(resumed: bool) -> None:
    """Who answers the letter that they passed from is shown the count first, at every entry."""
    table = Table()
    if resumed:
        table.gateway.play(table.alice, table.bob, "pass pass")
        table.bob.reply("resume")
    mine = table.alice.newest()
    table.gateway.play(table.alice, table.bob, "pass pass")
    assert "look at the board" in refused(table.alice, "done", to=mine)
    assert table.alice.newest().notice.about["hints"] == ["done"]
    assert table.gateway.game_now().agreed == {}
    table.alice.reply("done")  # to the refusal, which shows the count
    assert set(table.gateway.game_now().agreed) == {Color.BLACK}
    table.bob.reply("done")
    assert table.gateway.game_now().phase is Phase.FINISHED


def test_done_in_a_teaching_game() -> None:
    """One person who plays both colours has to see the count, too."""
    gateway = Gateway()
    alice = gateway.person("Alice")
    gateway.start(alice, alice, "5x5")
    gateway.play(alice, alice, "B3 D3")
    before = alice.newest()
    gateway.play(alice, alice, "pass pass")
    assert "look at the board" in refused(alice, "done", to=before)
    alice.reply("done")
    assert gateway.game_now().phase is Phase.FINISHED


def test_the_hint_marks_what_the_sender_named() -> None:
    """Four lone stones, all that White has, in one line: one word more, as the letter says."""
    table = Table("C3 A1 C2 E5 B3 A5 D3 E1 C4 pass pass", "5x5 as black")
    line = "dead A1 E5 A5 E1"
    assert "every White stone" in refused(table.alice, line)
    hints = table.alice.newest().notice.about["hints"]
    assert hints == [f"{line} all"]
    table.alice.reply(hints[0])
    assert " ".join(sorted(map(str, table.gateway.game_now().dead))) == "A1 A5 E1 E5"


def reply(who: Person, text: str, to: DueNotice | None = None) -> str:
    """What comes of an answer to a letter, the newest, by the address that it was written with."""
    composed = composer().compose(load_letter_data(who.gateway._look(), to or who.newest()))
    return who.write(text, to=parsed(composed.raw)["Reply-To"].addresses[0].addr_spec).event


def test_done_does_not_agree_to_a_proposal() -> None:
    """Our opinion is no count: done alone may mean either, so the present one is shown first."""
    table = Table()
    table.gateway.play(table.alice, table.bob, "pass pass")
    reply(table.bob, "done")
    reply(table.alice, "propose")
    assert table.alice.newest().notice.kind is Kind.ESTIMATE
    assert reply(table.alice, "done") == "refused"
    about = table.alice.newest().notice.about
    assert ("did not show the score" in retold(about["reason"]), about["hints"]) == (True, ["done"])
    assert reply(table.alice, "done") == "accepted"
    assert table.gateway.game_now().result == "W+15.5"


def test_done_below_the_lines_of_a_proposal() -> None:
    """It agrees to what they make of the game; and where there are none, to what it shows."""
    table = Table()
    table.gateway.play(table.alice, table.bob, "pass pass")
    reply(table.bob, "propose")
    assert reply(table.bob, "dead B2 only\ndone") == "accepted"
    reply(table.alice, "propose")
    assert reply(table.alice, "done") == "accepted"
    assert table.gateway.game_now().phase is Phase.FINISHED


def test_done_does_not_agree_to_a_look_back() -> None:
    """The board after the last move is not the count, though nothing has changed since."""
    table = Table()
    table.gateway.play(table.alice, table.bob, "pass pass")
    reply(table.alice, "show 16")
    assert reply(table.alice, "done") == "refused"
    assert reply(table.alice, "done") == "accepted"


def test_a_proposal_may_be_answered_otherwise() -> None:
    """Whatever else an answer to a proposal asks, it speaks for its seat as any other does."""
    table = Table()
    table.gateway.play(table.alice, table.bob, "pass pass")
    reply(table.alice, "propose")
    assert reply(table.alice, "resume") == "accepted"
    assert table.gateway.game_now().phase is Phase.PLAYING


TEXTS = st.sampled_from(
    [
        *("pass", "done", "done", "done", "resume", "propose", "show", "show 4", "say Hm."),
        *("dead B3 only", "alive B3 only", "dead D3 only\ndone", "B4"),
    ]
)
ANSWERS = st.lists(
    st.tuples(st.sampled_from(["Alice", "Bob"]), st.sampled_from([1, 1, 1, 2, 3, 5, 8]), TEXTS),
    max_size=14,
)
"""Who answers which of their letters, the newest being 1, with what."""


@settings(max_examples=examples(60), deadline=None)
@given(answers=ANSWERS)
def test_nobody_agrees_to_what_their_letter_did_not_show(
    answers: list[tuple[str, int, str]],
) -> None:
    """Whichever letters are answered with whatever: a done is to the board of its very letter."""
    table = Table("B3 D3 B2 D2", "5x5 as black")
    gateway = table.gateway
    gateway.play(table.alice, table.bob, "pass pass")
    for name, back, text in answers:
        who = gateway.person(name)
        letters = [one for one in who.letters() if one.notice.game == 1]
        answered = letters[-min(back, len(letters))]
        before = len(gateway._look().games.log(1))
        reply(who, text, answered)
        events = [entry.event for entry in gateway._look().games.log(1, before)]
        if text == "done" and any(isinstance(event, Agreed) for event in events):
            blocks = composer().blocks(load_letter_data(gateway._look(), answered)).blocks
            shown = ["/".join(block.rows) for block in blocks if isinstance(block, Diagram)]
            assert shown == [event.board for event in events if isinstance(event, Agreed)]


@pytest.mark.parametrize(
    "text",
    [
        *(
            "D4",
            "pass",
            "d44",
            "dead",
            "dead all",
            "dead A1 C3",
            "dead A1 E5 please",
            "C3 is not dead",
        ),
        *("dead C3 E3", "dead J9 E5", "dead B2 D5", "alive", "the group at c3 is dead"),
        *("c3 and b3 are dead", "all of them are dead", "nothing is dead", "yes", "ok", "withdraw"),
        *("dead B2 only\ndead C3", "dead E1 only\ndead C3\ndead B2", "looks good", "resing"),
    ],
)
def test_what_an_answer_offers_works(text: str) -> None:
    """Whatever is not done in a count is answered with lines that are, sent as they stand."""
    made: list[str] = []
    for number in range(4):
        table = Table()
        table.gateway.play(table.alice, table.bob, "pass pass")
        reply(table.bob, "done")
        if reply(table.alice, text) == "accepted":
            break
        made = list(table.alice.newest().notice.about["hints"])
        if number < len(made):
            assert reply(table.alice, made[number]) == "accepted", made[number]
    assert made or table.alice.newest().notice.kind is not Kind.REFUSED


@pytest.mark.parametrize(
    ("said", "offered"),
    [
        ("I disagree about B2! B2 is alive.", "alive B2"),
        ("Isn't B2 dead?", "dead B2"),
    ],
)
def test_stones_named_in_a_sentence(said: str, offered: str) -> None:
    """Nothing is marked by it; the line that marks what it says is offered, filled in."""
    table = Table()
    table.gateway.play(table.alice, table.bob, "pass pass")
    refused(table.alice, said)
    assert table.alice.newest().notice.about["hints"] == [offered, "propose", "done"]
    assert table.gateway.game().dead == frozenset()


def test_a_stone_that_an_open_border_joins_to_all_is_offered_alone() -> None:
    """What is offered works: `dead E3` would mark every white stone, and is refused."""
    table = Table("C3 E3 C2 E1 pass pass")
    refused(table.alice, "E3 is dead")
    line = table.alice.newest().notice.about["hints"][0]
    assert line == "dead E3 only"
    assert table.alice.reply(line).event == "accepted"
    assert table.gateway.game_now().dead == {parse_point("E3")}


def test_agreement_in_a_sentence() -> None:
    """Whole sentences that agree to the score and say nothing else do; others have one click."""
    table = Table()
    table.gateway.play(table.alice, table.bob, "pass pass")
    assert "reply: `done`" in refused(table.alice, "yes")
    refused(table.alice, "That looks right to me now, I agree with the score.")
    assert table.alice.newest().notice.about["hints"] == ["done"]
    refused(table.alice, "I don't agree with the score")
    assert not table.gateway.game().agreed
    assert table.alice.reply("I agree with the score").detail == "done"
    assert set(table.gateway.game().agreed) == {Color.BLACK}


def test_the_example_of_a_dead_group_is_the_other_players() -> None:
    """Nobody is offered to mark a stone of their own; the weakest chain is named first."""
    table = Table()
    table.gateway.play(table.alice, table.bob, "pass pass")
    board = table.gateway.game().position.board
    for who, other in ((table.alice, Color.WHITE), (table.bob, Color.BLACK)):
        text = part(who.read(who.newest(Kind.SCORING_STARTED)), "plain")
        named = re.search(r"Reply with: dead ([A-Z]\d+)", text)
        assert named, text
        assert board.color(parse_point(named[1])) is other
