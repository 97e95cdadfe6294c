"""A command within talk: obeyed where one reading only is left, and talk in any doubt."""

from __future__ import annotations

import pytest

from godaemon.errors import Unreadable
from godaemon.games.commands import Command, Done, Mark, Pass, Play, Resign, Resume, Show
from godaemon.rules.points import Color, Point, parse_point
from mailgate.language.parser import is_command_line, parse_text
from mailgate.language.talk import is_greeting, statements, takes_back, told, vertices

D4 = Play(Point(3, 3))
C3 = parse_point("C3")

HELD: dict[str, tuple[Command, str]] = {
    "Nice move! D4.": (D4, "Nice move!"),
    "Sorry for the delay. D4": (D4, "Sorry for the delay."),
    "D4 - what a fight!": (D4, "what a fight!"),
    "Well, D4": (D4, "Well,"),
    "I think I'll play D4": (D4, ""),
    "d4, thank you :-)": (D4, "thank you :-)"),
    "Noir en D4": (D4, ""),
    "下D4": (D4, ""),
    "D4. No hurry!": (D4, "No hurry!"),
    "Done, thanks for the game!": (Done(), "thanks for the game!"),
    "Great, done": (Done(), "Great,"),
    "done :-)": (Done(), ""),
    "pass please": (Pass(), ""),
    "I pass, your turn": (Pass(), "your turn"),
    "I resign. Thanks for the game!": (Resign(), "Thanks for the game!"),
    "Resume, please": (Resume(), ""),
    "Please show": (Show(), ""),
    "The group at C3 is dead, I think": (Mark((C3,), dead=True), "I think"),
    "C3 is not dead": (Mark((C3,), dead=False), ""),
}

TALK = [
    *("D4?", "D4, or E5", "Not D4.", "If you play C3, D4", "I was afraid of D4", "D4 is big"),
    *("maybe, D4", "D4, I mean E5", "D4. Or not.", "I would play D4", "should I play D4"),
    *("well done", "Well, done", "Done? Really?", "done, but C3 lives", "almost, done"),
    *("I don't pass", "Pass? No way", "Never, resign", "It is hopeless here, I resign"),
    *("> D4, thanks", "- C1, 10 stones: 7 liberties.", "We met at 5pm", "B2B is dead", "thanks"),
]


@pytest.mark.parametrize("line", HELD)
def test_what_one_reading_is_left_of(line: str) -> None:
    """It is obeyed, and the words around it are left over."""
    found = told(line) or told(line + ".")
    assert found is not None
    assert (found.command, found.words.rstrip(".")) == (HELD[line][0], HELD[line][1].rstrip("."))


@pytest.mark.parametrize("line", ["Noir en D4", "ik speel zwart D4", "spelar svart D4"])
def test_a_move_is_of_the_colour_that_is_said_in_any_language(line: str) -> None:
    """As where it stands alone: one table has the colours."""
    found = told(line)
    assert found is not None
    assert found.color is Color.BLACK


@pytest.mark.parametrize("line", TALK)
def test_in_doubt_it_is_talk(line: str) -> None:
    """Two points, a question, a condition, a denial: nothing is obeyed."""
    assert told(line) is None


@pytest.mark.parametrize(
    ("line", "words"),
    [
        *(
            (line, line)
            for line in ("C4 and tell Bert he owes me a coffee", "D5 and get well soon")
        ),
        *((line, line) for line in ("D5 with love from mum", "A4 and happy birthday!")),
        *((line, line) for line in ("My move is D4 because of the ladder",)),
        *(
            (line, "")
            for line in ("D4 of course", "My move is D4", "D4 for me", "D4 then", "D4 to live")
        ),
    ],
)
def test_what_goes_on_behind_a_move_is_passed_on(line: str, words: str) -> None:
    """It was taken for a reason of the move, and nobody read it."""
    found = told(line)
    assert found is not None
    assert isinstance(found.command, Play)
    assert found.words == words


def test_a_colour_in_talk_is_heard() -> None:
    """A sentence that says whose move it is can be held to it."""
    found = told("So, black on D4")
    assert found is not None
    assert found.color is Color.BLACK


@pytest.mark.parametrize(
    "below",
    [
        *("no, sorry, E5", "I mean E5", "oops, E5", "E5", "sorry, I meant to say E5", "Wait!"),
        *("Hmm, better E5.", "scratch that", "or maybe", "D5, of course"),
        *("pardon, je voulais dire E5", "ach, ich meinte E5", "perdón, quería decir E5"),
    ],
)
def test_what_takes_a_move_back(below: str) -> None:
    """Neither is played, and both are offered."""
    with pytest.raises(Unreadable) as refusal:
        parse_text(["D4", "", below])
    assert refusal.value.hints[0] == "D4"


@pytest.mark.parametrize(
    "below",
    [
        *("sorry for the delay", "no hurry!", "Oh no", "Wait until you see this game's end"),
        *("Your stone at C3 looks lonely.", "I was afraid of E5", "D4 it is!", "Actually, hello!"),
        *("No matter, D5 was fine.", "No problem, E5 hurt anyway."),
    ],
)
def test_what_only_follows_a_move(below: str) -> None:
    """Talk below a move goes with it, also about other points."""
    found = parse_text(["D4", "", below])
    assert [one.command for one in found.commands] == [D4]
    assert found.message == below


@pytest.mark.parametrize(
    "line", ["Hi Bo,", "Dear Alice", "Bo,", "Good morning!", "Hallo zusammen,", "你好", "Hi"]
)
def test_greetings(line: str) -> None:
    """A line that only greets does not keep what stands below it from being read."""
    assert is_greeting(line)
    found = parse_text([line, "", "done", "", "Al"])
    assert [one.command for one in found.commands] == [Done()]
    assert found.message == f"{line}\n\nAl"


@pytest.mark.parametrize("line", ["Hi, D4", "Hi, how are you?", "done,", "D4,", "Bob is my name"])
def test_no_greetings(line: str) -> None:
    """A line that says more is read."""
    assert not is_greeting(line)


@pytest.mark.parametrize("line", ["Hi Bo, hope you are well.", "Dear Bo, it is raining again!"])
def test_a_greeting_with_kind_words(line: str) -> None:
    """Above a command it is a greeting, and goes to the opponent with it."""
    found = parse_text([line, "", "D4"])
    assert [one.command for one in found.commands] == [D4]
    assert found.message == line


@pytest.mark.parametrize("line", ["Hi Bo, do not play this.", "Hi Bo, undo please."])
def test_a_greeting_with_more_than_kind_words(line: str) -> None:
    """Whatever doubts the command below, or is meant for us, keeps it from being played."""
    with pytest.raises(Unreadable):
        parse_text([line, "", "D4"])


def test_a_letter_that_folds_to_several_moves_no_place() -> None:
    """`…` and `ﬁ` are more letters once they are folded; the words left over stay whole."""
    found = told("A ﬁne ﬁght… D4. Thanks!")
    assert found is not None
    assert (found.command, found.words) == (D4, "A fine fight... Thanks!")


def test_what_is_for_us_is_no_greeting() -> None:
    """`undo,` above a move is not the name of somebody who is greeted; the server's is."""
    with pytest.raises(Unreadable):
        parse_text(["undo,", "", "D4"])
    assert [one.command for one in parse_text(["Dear server,", "", "D4"]).commands] == [D4]


def test_statements_are_cut_at_stops() -> None:
    """Not within numbers and names, and smileys are in none."""
    said = statements("Hi! 6.5 komi, e.g. D4 :-) ... or E5?")
    assert [one.text for one in said] == ["hi", "6.5 komi", "e.g", "d4", "or e5"]
    assert [one.asks for one in said] == [False, False, False, False, True]


def test_vertices_are_found_in_prose() -> None:
    """Times, sizes and years are none."""
    assert vertices("D4 and q16, at 5pm on the 19x19 in 2024; Ｄ４ and aa3") == ["d4", "q16", "aa3"]


def test_what_is_obeyed_is_a_command_line() -> None:
    """So that no line of ours can be obeyed when it comes back."""
    assert all(map(is_command_line, HELD))
    assert takes_back(["thanks!"], D4) == ""


@pytest.mark.parametrize("verb", ["new", "New", "challenge", "invite"])
def test_a_verb_that_needs_more_is_talk_at_the_end_of_a_line(verb: str) -> None:
    """Our own lines end so too, where one breaks before `Zealand rules`, and they must go out."""
    assert told(f"Game 256 with Bob: did you ask for it? (9x9, 3 handicap stones, {verb}") is None
    found = told(f"D4, my friend, {verb}")
    assert found is not None
    assert found.command == D4


def test_a_board_in_words_takes_nothing_back() -> None:
    """`D4` above a quoted lesson that lists its stones was asked back."""
    board = "Row 5: no stones. Row 4: Black B4, C4. Row 3: Black A3; White B3, C3."
    assert takes_back([board], D4) == ""
    assert takes_back(["no, C4, or E5"], D4)


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        *((f"D15. {more}", "D15 D16") for more in ("Oops, I meant D16", "Correction: D16.")),
        *((f"D15, {more}", "D15 D16") for more in ("no D16", "sorry D16", "uh, typo: D16")),
        *((f"D15. {more}", "D15 pass") for more in ("Actually pass.", "On second thought, pass.")),
        ("D15\nedit: D16", "D15 D16"),
        ("pass. no wait, D16", "pass D16"),
        ("pass\n\nOh no, not pass", "pass"),
    ],
)
def test_a_move_that_the_letter_corrects_is_asked_about(text: str, offered: str) -> None:
    """Bug: the first was played, and the correction was told to the opponent."""
    with pytest.raises(Unreadable) as refused:
        parse_text(text.split("\n"))
    assert " ".join(refused.value.hints) == offered


@pytest.mark.parametrize(
    "text",
    [
        *("D15. D15!", "D15. Sorry about Q4!", "D15. I meant to answer earlier."),
        "D15. Better late than never",
    ],
)
def test_words_that_correct_nothing_cost_no_move(text: str) -> None:
    """Whatever they begin with."""
    assert [one.command for one in parse_text([text]).commands] == [Play(parse_point("D15"))]
