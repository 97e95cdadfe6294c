"""What is nearly a command, and what is a name, a greeting, a word of thanks: cases gone wrong."""

from __future__ import annotations

import pytest

from godaemon.errors import Unreadable
from godaemon.games.commands import Pass, Play, Yes
from godaemon.rules.points import Point
from mailgate.language.near_commands import misspelt
from mailgate.language.parser import is_command_line, parse_text

D4 = Play(Point(3, 3))

NAMES = [
    *("Alice", "Clive", "Don", "James", "Levi", "Liv", "Moe", "Neo", "Oliver", "Olive", "Saya"),
    *("Yves", "P", "R", "Don Pedro", "James T. Kirk"),
]
WORDS = [
    *("Viel Spaß!", "Viel Glück!", "Not bad!", "Not yet", "Lieve groeten", "Evil move!", "Oops"),
    *("Dead simple", "Alive and kicking!", "Sorry, no", "Thank you, yes", "Help please", "Peace"),
    *("New game?", "Challenge accepted!", "Invite me again some day", "Accept my apologies"),
    *("I disagree", "Then again", "o_O", "Jo", "Bilbo"),
    *("How?", "Stay well", "Reign of terror", "My design", "Gui!", "Say, how are you?"),
]


@pytest.mark.parametrize("line", [*NAMES, *WORDS])
def test_a_name_or_a_greeting_below_a_move_costs_no_move(line: str) -> None:
    """Who signs as Alice or James, or wishes `Viel Spaß!`, has moved all the same."""
    for above, command in (("D4", D4), ("pass", Pass()), ("yes", Yes())):
        found = parse_text([above, "", line])
        assert found.commands[0].command == command
        if not is_command_line(line):
            assert found.message in (line, "")


@pytest.mark.parametrize(
    "line",
    [
        *("Done!", "Fertig!", "Hecho", "Agreed", "Continue!", "Keep playing!", "終わりです", "끝"),
        *("yes", "no", "4-4!", "3-3", "MP3", "CO2", "R2D2", "hoshi", "19x19"),
    ],
)
def test_what_can_only_be_talk_below_a_move_is(line: str) -> None:
    """No count is agreed to in a letter with a move, and nothing is asked in one."""
    found = parse_text(["D4", "", line, "more"])
    assert [one.command for one in found.commands] == [D4]
    assert found.message == f"{line}\nmore"


@pytest.mark.parametrize("line", ["Viel Spaß!", "James", "Clive", "Not bad!", "Design"])
def test_a_word_of_other_letters_is_no_slip(line: str) -> None:
    """Who misspells a verb still hits its first letter."""
    assert misspelt(line) is None
    assert parse_text([line]).message == line


@pytest.mark.parametrize("line", ["resing", "Resgin", "passs", "doen", "accpet", "alvie"])
def test_slips_of_the_finger_are_found(line: str) -> None:
    """They are pointed out where nothing stands above them."""
    assert misspelt(line) is not None
    with pytest.raises(Unreadable):
        parse_text([line])


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("I resign. Not!", "resign"),
        ("ich gebe auf danke", "resign"),
        ("J'abandonne, bravo !", "resign"),
        ("投了します。ありがとうございました", "resign"),
        ("I pass. Or not?", "pass"),
    ],
)
def test_giving_up_with_a_word_of_doubt_is_not_passed_on(line: str, hint: str) -> None:
    """Else the opponent would read it while the game went on."""
    for lines in ([line], [line, "Bob"], ["show", line]):
        with pytest.raises(Unreadable) as refusal:
            parse_text(lines)
        assert refusal.value.hints == (hint,)


@pytest.mark.parametrize("line", ["pass?", "resign!?", "Sorry, pass"])
def test_what_contradicts_a_move_is_pointed_out_below_it(line: str) -> None:
    """A second turn, however it is dressed, is none to guess at."""
    with pytest.raises(Unreadable):
        parse_text(["D4", line])


@pytest.mark.parametrize(
    "line", ["in 5", "It 5", "is 3", "If 4", "one 1", "id 4", "toe 5", "ate 4", "moved 4", "playd4"]
)
def test_a_word_and_a_number_are_no_move(line: str) -> None:
    """`in 5` is not N5: a word of ours and its vertex stand apart."""
    assert not is_command_line(line)
