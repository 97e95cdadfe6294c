"""The grammar: commands, talk, and doubtful commands; tables of lines."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from godaemon.errors import Unreadable
from godaemon.games import commands as cmd
from godaemon.rules.points import Color, parse_point
from mailgate.language.acting_statements import (
    ASKING,
    find_color,
    find_retraction,
    has_retraction,
    is_greeting,
    is_name,
    is_polite,
    read_statement,
    read_talk,
)
from mailgate.language.lexicon import FOR_GOOD, lexicon
from mailgate.language.parser import parse_text
from mailgate.language.written_moves import normalize


def done(line: str) -> str:
    """The commands of an email of that line, in short: `D4`, `pass`, `dead C3 H8`."""
    try:
        found = [one.command for one in parse_text([line]).commands]
    except Unreadable:
        return ""
    return ", ".join(map(_brief, found))


def _brief(command: cmd.Command) -> str:
    if isinstance(command, cmd.Play | cmd.Mark):
        return str(command.point if isinstance(command, cmd.Play) else command)
    return type(command).__name__.lower()


def rows(table: str) -> list[tuple[str, ...]]:
    """The rows of a table, with cells separated by bars."""
    return [tuple(cell.strip() for cell in row.split("|")) for row in table.strip().split("\n")]


TALK = """
I was afraid of D4
D4 is big
your D4 was strong
D4? Really?
I like to play, D4 or not
pas mal !
that was a good pass
I think I will pass now
you can stop there
shall I resign?
can I pass?
you are dead at C3, are you not?
we could undo it all
no more show
> D4
- D4, as in your list: D4
* I resign, said nobody
"""


@pytest.mark.parametrize("line", TALK.strip().split("\n"))
def test_what_is_talk(line: str) -> None:
    """Points and verbs in other words are named, and nothing is done."""
    assert read_talk(line) is None


DOUBTED = """
not D4
maybe D4
Maybe. D4
But D4
D4, but only if you agree
D4 if you like
D4. Wait, no
Wait! D4
never mind. D4
No, D4
D4 oder so, vielleicht
D4, mais non
E5 was wrong. D4
D4, E5
D4 or E5
I pass, I think
pass, unless you mind
Is it over? I pass
done? I pass
pass, if you pass
"""


@pytest.mark.parametrize("line", DOUBTED.strip().split("\n"))
def test_what_is_doubted(line: str) -> None:
    """A word of doubt, a question, or another point beside a command holds it back."""
    assert read_talk(line) is None
    assert done(line) == ""


@pytest.mark.parametrize(
    ("statement", "verb"),
    [
        (line, verb)
        for line, verb in sorted(lexicon().acts.items())
        if verb in FOR_GOOD and not {"P", "B"} & {*line.split()}
    ][::5],
)
def test_what_is_for_good_stands_alone(statement: str, verb: str) -> None:
    """No game is given up, and nobody forgotten, by a statement among others."""
    for words in ("Good game. {}", "{}, I think", "{}. Or do you?", "Sorry I was away. {}"):
        assert read_talk(words.format(statement)) is None, words
    assert read_talk(f"{statement}?") is None


@pytest.mark.parametrize(
    "verb", sorted({*lexicon().acts.values()} - {"yes", "no", "agree", "send"})
)
def test_only_questions_about_something_are_done(verb: str) -> None:
    """Who asks to see something sees it; who asks `pass?` has not passed."""
    lines = (line for line, intent in sorted(lexicon().acts.items()) if intent == verb)
    line = next(one for one in lines if one.isascii()).replace("P", "d4").replace("B", "bob")
    assert (read_talk(f"{line}?") is not None) is (verb in ASKING)


@pytest.mark.parametrize("line", ["spiele D4 please", "juego D4 thanks", "pas mal", "paso bitte"])
def test_languages_are_not_mixed(line: str) -> None:
    """A word that is polite in one language may mean anything in another."""
    assert read_talk(line) is None


@pytest.mark.parametrize("line", ["yes", "no", "ja", "oui", "はい", "send", "agreed"])
def test_an_answer_in_a_line_of_talk_is_none(line: str) -> None:
    """Within other words a yes may be for the opponent; alone it answers us."""
    assert read_statement(line) is not None
    assert read_talk(f"{line}! What a game") is None


WORDS = """
Sorry for the delay. D4               | Sorry for the delay.
D4 good luck!                         |
D4 Thanks for the game               | Thanks for the game
D4 viel Glück!                        |
D4. Nice weather here!                | Nice weather here!
D4, and nice weather here             | D4, and nice weather here
Hi! D4                                |
D4, thank you                         | thank you
Yes, D4                               |
D4 :-)                                |
"""


@pytest.mark.parametrize(("line", "words"), rows(WORDS))
def test_the_words_around_a_command(line: str, words: str) -> None:
    """Relevant words are passed on, and a sentence is kept whole rather than emptied."""
    found = read_talk(line)
    assert found is not None
    assert found.words == words


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("note is that a ladder?", "is that a ladder?"),
        ("note: is that a ladder?", "is that a ladder?"),
        ("hidden why did he play there?", "why did he play there?"),
    ],
)
def test_a_note_may_ask(line: str, text: str) -> None:
    """What is to be kept for its writer alone is kept, a question too."""
    (one,) = parse_text([line]).commands
    assert isinstance(one.command, cmd.Note)
    assert one.command.text == text


D4 = cmd.Play(parse_point("D4"))
BACK = """
No wait, E5!
never mind
I meant E5
E5
pass
Sorry, I wanted to play E5
halt, vergiss es
"""
KEPT = """
I nearly played E5.
I was afraid of E5
D4 it is
What a lovely day
Your E5 surprised me
D4
"""


@pytest.mark.parametrize("line", BACK.strip().split("\n"))
def test_words_that_take_a_move_back(line: str) -> None:
    """Another move, or a word that takes back, leaves it open which is meant."""
    assert find_retraction([line], D4) == line


@pytest.mark.parametrize("line", KEPT.strip().split("\n"))
def test_words_that_leave_a_move_as_it_is(line: str) -> None:
    """Talk of a point below a move is talk."""
    assert find_retraction([line], D4) == ""


def test_what_takes_back_all_above() -> None:
    """It is a statement of its own."""
    assert has_retraction(["yes", "oh, never mind"])
    assert not has_retraction(["yes", "never mind the gap"])


POLITE = """
Hi Bo,          | greets
Dear Alice      | greets
Liebe Grüße     | greets
Best wishes     | greets
Many thanks!    | polite
Sorry           | polite
Hi, D4          |
hi pass         |
Nice weather    |
Bob             |
"""


@pytest.mark.parametrize(("line", "kind"), rows(POLITE))
def test_greetings_and_thanks(line: str, kind: str) -> None:
    """A greeting is worth no words to anybody; thanks are; a command is neither."""
    assert is_greeting(line) is (kind == "greets")
    assert is_polite(line) is (kind in ("greets", "polite"))


@pytest.mark.parametrize(
    ("line", "name"),
    [("Bob", True), ("Bob Ray", True), ("bob", False), ("A B C", False), ("", False)],
)
def test_names(line: str, name: bool) -> None:
    """One or two words with a capital may be a name."""
    assert is_name(line) is name


@pytest.mark.parametrize(
    ("words", "color"),
    [
        ("black d4", Color.BLACK),
        ("ich spiele weiß d4", Color.WHITE),
        ("чёрные d4", Color.BLACK),
        ("d4", None),
    ],
)
def test_a_colour_that_is_named(words: str, color: Color | None) -> None:
    """In any language."""
    assert find_color(normalize(words).split()) is color


PARTS: Sequence[str] = (
    *("D4", "pass", "I resign", "done", "yes", "no", "not", "maybe", "if", "Hi Bob", "thanks"),
    *("E5", "never mind", "I play D4", "please", "stop", "undo", "C3 is dead", "?", "パスします"),
)


@given(st.lists(st.tuples(st.sampled_from(PARTS), st.sampled_from([", ", ". ", "! ", "? ", " "]))))
def test_any_statements_in_a_row(parts: list[tuple[str, str]]) -> None:
    """One thing at most is done, it was said, and nothing for good or taken back is done."""
    line = "".join(statement + stop for statement, stop in parts)
    found = read_talk(line)
    if found is None:
        return
    named = {str(one) for one in (D4, cmd.Play(parse_point("E5"))) if str(one.point) in line}
    assert not isinstance(found.command, cmd.Play) or str(found.command) in named
    if isinstance(found.command, cmd.Resign | cmd.Stop):
        assert {statement for statement, _ in parts} <= {
            "I resign",
            "stop",
            "please",
            "thanks",
            "Hi Bob",
            "?",
        }
    assert "never mind" not in line
