"""The decision table: each intent has a row or a topic, and each cell can be carried out."""

from contextlib import suppress

import pytest

from godaemon.errors import Refusal
from godaemon.games.model import Seat
from mailgate.handling.decision_table import (
    AWAITED,
    ROWS,
    Cell,
    GameMoment,
    agreeing_line,
    cell,
    moment_of,
)
from mailgate.handling.plain_words import PlainWords, fill_slots
from mailgate.handling.player_games import GameView
from mailgate.language.lexicon import lexicon
from mailgate.language.meaning_model import TALK, meanings, model
from mailgate.language.parser import ParsedText, parse_text
from mailgate.language.verb_table import topic
from tests.support.phrase_outcome import situation_of
from tests.support.rows import each_row

INTENTS = sorted({*ROWS, *model().names})
LINES = sorted(
    {line for one in INTENTS for moment in GameMoment for line in cell(one, moment).lines}
)
NAMING = "Let us try D4 and E5 on 13x13 with komi 0.5, in English, OK? bob@example.org"
"""Words that name something for every slot."""
HARMLESS = {"undo", "games", "show", "settings", "help", "send"}
"""What is done because the model is sure: it asks the opponent, or answers the writer."""
GOES_ON = HARMLESS | {"pass", "{point}", "yes", "no", "done", "resume", "dead {points}"}
"""What is done because the model has no doubt: the game goes on."""


def commands(line: str) -> ParsedText | None:
    """What a line is in an email; None where it is refused."""
    with suppress(Refusal):
        return parse_text([line])
    return None


def test_every_intent_has_a_row_or_a_topic() -> None:
    """And each row has an intent."""
    named = {*model().names} - TALK
    assert [one for one in named if one not in ROWS and not topic(one).text] == []
    assert {*ROWS} - {"talk", *lexicon().acts.values()} - named == set()


@each_row("line", LINES)
def test_each_line_is_one_command(line: str) -> None:
    """With its slots filled from the words."""
    filled = fill_slots([line], PlainWords(NAMING, meanings(NAMING), "house1"), "talk", None)
    assert len(filled) == 1
    found = commands(filled[0])
    assert found is not None, filled
    assert len(found.commands) == 1
    assert found.message == ""


def test_lines_done_at_once_are_offered_too() -> None:
    """Also the lines that a confident model carries out."""
    cells = [cell(intent, moment) for intent in INTENTS for moment in GameMoment]
    assert [one for one in cells if not {one.does, one.sure} - {""} <= {*one.lines}] == []


def test_a_confident_model_does_only_harmless_things() -> None:
    """It asks the opponent, answers the writer, or lets the game go on."""
    sure = {(moment, cell(intent, moment)) for intent in INTENTS for moment in GameMoment}
    assert {one.sure for _, one in sure if one.harmless} <= HARMLESS
    assert {one.sure for _, one in sure} - {""} <= GOES_ON
    assert (GameMoment.AGREED, "done") not in {(moment, one.sure) for moment, one in sure}


def test_a_yes_or_no_is_done_only_when_awaited() -> None:
    """At other moments it is talk."""
    done = {
        (intent, moment): cell(intent, moment).does
        for intent in INTENTS
        for moment in GameMoment
        if cell(intent, moment).does
    }
    assert {intent for intent, _ in done} <= {"yes", "no", "agree"}
    assert {moment for _, moment in done} <= {*AWAITED}
    for intent in ("yes", "agree", "no"):
        assert cell(intent, GameMoment.MINE).passes
        assert cell(intent, GameMoment.OVER).passes


@pytest.mark.parametrize("moment", AWAITED)
def test_each_awaited_answer_is_one_command(moment: GameMoment) -> None:
    """The lines that answer a moment."""
    for line in AWAITED[moment]:
        found = commands(line)
        assert found is not None
        assert len(found.commands) == 1


@pytest.mark.parametrize("moment", GameMoment)
def test_talk_is_passed_on_once_a_game_has_begun(moment: GameMoment) -> None:
    """All kinds of talk have the same cell."""
    early = (GameMoment.CONFIRM, GameMoment.INVITED, GameMoment.PROPOSED, GameMoment.NONE)
    assert cell("talk", moment).passes is (moment not in early)
    assert {cell(one, moment) for one in TALK} == {cell("talk", moment)}


def test_an_intent_without_a_row_offers_its_topic() -> None:
    """As `learn` does."""
    assert cell("learn", GameMoment.MINE) == Cell(("learn",))


@pytest.mark.parametrize(
    ("situation", "seat", "moment", "intent"),
    [
        ("confirm", Seat.PROPOSER, GameMoment.CONFIRM, ""),
        ("confirm", Seat.INVITED, GameMoment.PROPOSED, ""),
        ("invited", Seat.PROPOSER, GameMoment.PROPOSED, ""),
        ("invited", Seat.INVITED, GameMoment.INVITED, ""),
        ("mine", Seat.PROPOSER, GameMoment.MINE, ""),
        ("mine", Seat.INVITED, GameMoment.THEIRS, ""),
        ("undo", Seat.PROPOSER, GameMoment.ASKED, "yes"),
        ("void", Seat.PROPOSER, GameMoment.ASKED, "void"),
        ("void", Seat.INVITED, GameMoment.MINE, ""),
        ("count", Seat.PROPOSER, GameMoment.COUNT, ""),
        ("agreed", Seat.PROPOSER, GameMoment.AGREED, ""),
        ("agreed", Seat.INVITED, GameMoment.COUNT, ""),
        ("over", Seat.PROPOSER, GameMoment.OVER, ""),
    ],
)
def test_the_moment_depends_on_the_seat(
    situation: str, seat: Seat, moment: GameMoment, intent: str
) -> None:
    """One awaits what the other must decide."""
    at = GameView(situation_of(situation).game(), seat)
    assert moment_of(at) is moment
    assert agreeing_line(at) == intent
