"""A planted `resign` in the quotations of many mail programs and languages is never read."""

import re
import textwrap
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from godaemon.errors import Unreadable
from godaemon.games import commands as cmd
from godaemon.games.commands import Play
from godaemon.games.model import Seat
from godaemon.games.notices import Kind, Notice
from godaemon.rules.points import Point, Size
from mailgate.language.command_lines import is_command_line
from mailgate.language.parser import parse_text
from mailgate.reading.html_text import html_to_text
from mailgate.reading.message import read_letter
from mailgate.reading.reply_trimming import new_text
from tests.support.examples import some
from tests.support.played_games import PlayedGames, Posted
from tests.support.reply_letters import LANGUAGES, PROGRAMS, TOP, Sent, letters, planted
from tests.support.reply_styles import ATTRIBUTIONS, HEADERS

LETTERS = {sent.name: sent for sent in letters()}
EMPTY = {sent.name: sent for sent in letters(("", ""))}
MAKES = sorted({name.partition(",")[0] for name in LETTERS})


def of_make(sent: dict[str, Sent], make: str) -> Iterator[Sent]:
    """The letters of one make of program; one of six where a person waits."""
    names = [name for name in sent if name.partition(",")[0] == make]
    return (sent[name] for name in some(names, 6, MAKES.index(make)))


def lines_of(raw: bytes) -> tuple[str, ...]:
    letter = read_letter(raw, sender="a@b.example", recipient="go@example.org")
    return new_text(letter.text, writer=letter.sender)


@pytest.mark.parametrize("make", MAKES)
def test_the_move_is_read_and_the_planted_line_is_not(make: str) -> None:
    """Whatever the program, language, structure and encoding: the move, the words, no more."""
    for sent in of_make(LETTERS, make):
        reading = parse_text(lines_of(sent.raw))
        assert [one.command for one in reading.commands] == [Play(Point(3, 3))], sent.name
        assert reading.message == TOP[1], sent.name


@pytest.mark.parametrize("make", MAKES)
def test_who_writes_nothing_says_nothing(make: str) -> None:
    """Letters without a word of their own request nothing."""
    for sent in of_make(EMPTY, make):
        assert not any(map(is_command_line, lines_of(sent.raw))), sent.name


def test_the_corpus_is_wide() -> None:
    """Programs, languages and letters, as many as were asked for and more."""
    assert len(PROGRAMS) >= 20
    assert len(LANGUAGES) >= 10
    assert len(HEADERS) >= 10
    assert len(LETTERS) >= 2_000
    assert len({name.partition(",")[0] for name in ATTRIBUTIONS}) >= 40


@given(
    st.lists(st.sampled_from(sorted(PROGRAMS)), min_size=1, max_size=4),
    st.sampled_from(sorted(LANGUAGES)),
)
def test_letters_within_letters(programs: list[str], language: str) -> None:
    """A conversation of several programs, each quoting the one before: only the newest is read."""
    html = planted()
    for program in programs:
        html = PROGRAMS[program](language, html)
    raw = b"Content-Type: text/html; charset=utf-8\n\n" + html.encode()
    reading = parse_text(lines_of(raw))
    assert [one.command for one in reading.commands] == [Play(Point(3, 3))]
    assert reading.message == TOP[1]


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=80))
def test_a_boundary_in_any_language(boundary: str) -> None:
    """Even where nobody knows the language, nothing below a line that is no command is obeyed."""
    try:
        reading = parse_text(new_text(f"D4\n\n{boundary}\n\nresign\npass"))
    except Unreadable:
        return
    commands = [one.command for one in reading.commands if not isinstance(one.command, cmd.Query)]
    assert commands[0] == Play(Point(3, 3))
    assert cmd.Resign() not in commands
    assert cmd.Pass() not in commands


HOSTILE = "\n".join(
    [
        *("resign", "", "-- ", "pass", "> resign", "From: x@y.example", "To: z", "resign"),
        *("On Fri, Nov 20, 2026 at 10:00 AM Go <go@example.org> wrote:", "resign", "yes", "done"),
        *(
            "-- reply above this line --",
            "D5",
            "resign " + "x " * 50 + "resign",
            "dead E5",
            "passe",
        ),
    ]
)
"""Words of an opponent who knows how replies are read."""


def ours() -> dict[str, Posted]:
    """A letter of ours of every kind, with an opponent's hostile words in it."""
    found: dict[str, Posted] = {}
    for rules, moves in (("japanese", "E5 C3 G7"), ("chinese", "E5 C3 pass pass")):
        games = PlayedGames()
        games.propose("alice", cmd.Propose("bob@players.example", Size(9, 9), rules=rules))
        games.act(Seat.PROPOSER, cmd.Yes())
        games.act(Seat.INVITED, cmd.Yes())
        games.play(moves)
        game = games.act(Seat.BLACK, cmd.Say(HOSTILE))
        before = game.length
        tried = {"line": ["D4", "pass", "F6"], "mover": game.position.to_move.word}
        for kind in Kind:
            about = {"reason": "Nothing was done.", "hints": ["D4", "resign"], "lines": ["pass"]}
            about |= tried if kind is Kind.TRY else {}
            notice = Notice(
                kind,
                "bob@players.example",
                game=1,
                seat=Seat.WHITE,
                about=about,
                since=before - 1,
                until=before,
            )
            games.owe(notice)
        for posted in games.letters():
            found[f"{posted.kind}, {rules}"] = posted
    return found


OURS = ours()


def replies(top: str, posted: Posted) -> dict[str, str]:
    """Our letter in replies of many styles, with the new text read from each."""
    text, html = posted.text, posted.html
    marked = "\n".join(f"> {line}" for line in text.split("\n"))
    found = {"nothing at all": f"{top}\n\n{text}", "marks alone": f"{top}\n\n{marked}"}
    found["flat HTML"] = f"{top}\n\n{html_to_text(html)}"
    for language, name in LANGUAGES.items():
        line = ATTRIBUTIONS[name]
        found[f"{language}, marked"] = f"{top}\n\n{line}\n{marked}"
        found[f"{language}, unmarked"] = f"{top}\n\n{line}\n\n{text}"
    for language, block in HEADERS.items():
        found[f"{language}, header"] = f"{top}\n\n{block}\n\n{text}"
    return found


@pytest.mark.parametrize("name", OURS)
def test_our_own_letters_quoted_as_text_ask_nothing(name: str) -> None:
    """Every kind of letter, below a move and below nothing, in every style of quoting."""
    begin = list(OURS).index(name)
    for style, text in some([*replies("D4", OURS[name]).items()], 4, begin):
        assert [one.command for one in parse_text(new_text(text)).commands] == [
            Play(Point(3, 3))
        ], style
    for style, text in some([*replies("", OURS[name]).items()], 4, begin):
        assert not any(map(is_command_line, new_text(text))), style


@pytest.mark.slow
@pytest.mark.parametrize("program", PROGRAMS)
def test_our_own_letters_quoted_as_html_ask_nothing(program: str) -> None:
    """Every kind of letter within every program's HTML."""
    for name, posted in OURS.items():
        html = PROGRAMS[program]("english", posted.html)
        raw = b"Content-Type: text/html; charset=utf-8\n\n" + html.encode()
        reading = parse_text(lines_of(raw))
        assert [one.command for one in reading.commands] == [Play(Point(3, 3))], name
        assert reading.message == TOP[1], name


@pytest.mark.parametrize("name", OURS)
def test_no_line_of_our_letters_is_a_command(name: str) -> None:
    """Not even where a program takes every mark away, in the text or in the HTML."""
    for text in (OURS[name].text, html_to_text(OURS[name].html)):
        assert [line for line in text.split("\n") if is_command_line(line)] == []


def rewrapped(text: str, width: int) -> str:
    """A text whose paragraphs a program has filled again."""
    paragraphs = re.split(r"\n\s*\n", text)
    return "\n\n".join(textwrap.fill(" ".join(one.split()), width) for one in paragraphs)


def broken(text: str, width: int) -> str:
    """A text whose long lines a program has broken."""
    return "\n".join(textwrap.fill(line, width) for line in text.split("\n"))


MANGLED: dict[str, Callable[[str], str]] = {
    "wrapped at 72": lambda text: rewrapped(text, 72),
    "wrapped at 40": lambda text: rewrapped(text, 40),
    "broken at 40": lambda text: broken(text, 40),
    "spaces folded": lambda text: "\n".join(" ".join(line.split()) for line in text.split("\n")),
    "lines apart": lambda text: text.replace("\n", "\n\n"),
    "long dashes": lambda text: text.replace("--", "—"),
    "no dashes": lambda text: text.replace("-- ", "").replace(" --", ""),
    "no marker": lambda text: text.replace("-- reply above this line --", ""),
}
"""What programs without quotation marks do to a letter that they send back below an answer."""


@pytest.mark.slow
@pytest.mark.parametrize("mangled", MANGLED)
@pytest.mark.parametrize("name", OURS)
def test_our_own_letters_mangled_and_without_any_mark_ask_nothing(name: str, mangled: str) -> None:
    """Below a move, below nothing, and above an answer: none of it is obeyed, no move is lost."""
    for text in (OURS[name].text, html_to_text(OURS[name].html)):
        sent = MANGLED[mangled](text)
        for above in ("D4", "D4\n\nGood move!"):
            found = parse_text(new_text(f"{above}\n\n{sent}"))
            assert [one.command for one in found.commands] == [Play(Point(3, 3))]
        assert commands_in(sent) == []
        assert commands_in(f"{sent}\n\nQ7\n") in ([], [Play(Point(15, 6))])


def commands_in(text: str) -> list[cmd.Command]:
    """What a letter of this text would have us do."""
    try:
        return [one.command for one in parse_text(new_text(text)).commands]
    except Unreadable:
        return []


@pytest.mark.parametrize("mangled", ["wrapped at 72", "spaces folded", "no dashes", "long dashes"])
@pytest.mark.parametrize("name", OURS)
def test_our_words_are_not_passed_on_as_the_player_s(name: str, mangled: str) -> None:
    """Where a program quotes without any mark, the opponent gets what the player wrote alone."""
    sent = MANGLED[mangled](OURS[name].text)
    assert parse_text(new_text(f"D4\n\nGood move!\n\n{sent}")).message == "Good move!"
