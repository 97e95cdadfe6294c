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
from tests.support.played_games import PlayedGames, PostedLetter
from tests.support.reply_letters import LANGUAGES, PROGRAMS, TOP, Sent, letters, quotation_html
from tests.support.reply_styles import ATTRIBUTIONS, HEADERS
from tests.support.rows import each_row

LETTERS = {sent.name: sent for sent in letters()}
WITHOUT_TEXT = {sent.name: sent for sent in letters(("", ""))}
PROGRAM_NAMES = sorted({name.partition(",")[0] for name in LETTERS})


def letters_of(sent: dict[str, Sent], make: str) -> Iterator[Sent]:
    """The letters of one program, a sixth of them in the quick profile."""
    names = [name for name in sent if name.partition(",")[0] == make]
    return (sent[name] for name in some(names, 6, PROGRAM_NAMES.index(make)))


def lines_of(raw: bytes) -> tuple[str, ...]:
    letter = read_letter(raw, sender="a@b.example", recipient="go@example.org")
    return new_text(letter.text, writer=letter.sender)


@each_row("make", PROGRAM_NAMES)
def test_only_the_new_text_is_read(make: str) -> None:
    """In every program, language, structure and encoding."""
    for sent in letters_of(LETTERS, make):
        reading = parse_text(lines_of(sent.raw))
        assert [one.command for one in reading.commands] == [Play(Point(3, 3))], sent.name
        assert reading.message == TOP[1], sent.name


@each_row("make", PROGRAM_NAMES)
def test_a_letter_without_new_text_has_no_commands(make: str) -> None:
    """Letters without a word of their own request nothing."""
    for sent in letters_of(WITHOUT_TEXT, make):
        assert not any(map(is_command_line, lines_of(sent.raw))), sent.name


@given(
    st.lists(st.sampled_from(sorted(PROGRAMS)), min_size=1, max_size=4),
    st.sampled_from(sorted(LANGUAGES)),
)
def test_only_the_newest_of_nested_quotations_is_read(programs: list[str], language: str) -> None:
    """Several programs, each quoting the one before."""
    html = quotation_html()
    for program in programs:
        html = PROGRAMS[program](language, html)
    raw = b"Content-Type: text/html; charset=utf-8\n\n" + html.encode()
    reading = parse_text(lines_of(raw))
    assert [one.command for one in reading.commands] == [Play(Point(3, 3))]
    assert reading.message == TOP[1]


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=80))
def test_nothing_below_any_boundary_is_executed(boundary: str) -> None:
    """Even in an unknown language, if the boundary is no command."""
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
        *("-- reply above this line --", "D5", "resign " + "x " * 50 + "resign", "dead E5"),
        "passe",
    ]
)
"""Words of an opponent who knows how quotations_of are read."""


def our_letters() -> dict[str, PostedLetter]:
    """A letter of our_letters of every kind, with an opponent's hostile message."""
    found: dict[str, PostedLetter] = {}
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
            games.queue(notice)
        for posted in games.letters():
            found[f"{posted.kind}, {rules}"] = posted
    return found


OURS = our_letters()


def quotations_of(top: str, posted: PostedLetter) -> dict[str, str]:
    """A text above our letter as quoted in many styles."""
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


@each_row("name", OURS)
def test_our_letters_quoted_as_text_contain_no_commands(name: str) -> None:
    """Every kind, below a move and below nothing, in every style."""
    begin = list(OURS).index(name)
    for style, text in some([*quotations_of("D4", OURS[name]).items()], 4, begin):
        assert [one.command for one in parse_text(new_text(text)).commands] == [
            Play(Point(3, 3))
        ], style
    for style, text in some([*quotations_of("", OURS[name]).items()], 4, begin):
        assert not any(map(is_command_line, new_text(text))), style


@pytest.mark.slow
@pytest.mark.parametrize("program", PROGRAMS)
def test_our_letters_quoted_as_html_contain_no_commands(program: str) -> None:
    """Every kind, within every program's HTML."""
    for name, posted in OURS.items():
        html = PROGRAMS[program]("english", posted.html)
        raw = b"Content-Type: text/html; charset=utf-8\n\n" + html.encode()
        reading = parse_text(lines_of(raw))
        assert [one.command for one in reading.commands] == [Play(Point(3, 3))], name
        assert reading.message == TOP[1], name


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
@pytest.mark.parametrize("name", OURS)
def test_our_letters_mangled_contain_no_commands(name: str) -> None:
    """Below a move or nothing, or above an answer; each letter in half of the ways."""
    begin = list(OURS).index(name) % 2
    for text in (OURS[name].text, html_to_text(OURS[name].html)):
        for way in [*MANGLED][begin::2]:
            sent = MANGLED[way](text)
            found = parse_text(new_text(f"D4\n\nGood move!\n\n{sent}"))
            assert [one.command for one in found.commands] == [Play(Point(3, 3))], way
            assert commands_in(sent) == [], way
            assert commands_in(f"{sent}\n\nQ7\n") in ([], [Play(Point(15, 6))]), way


def commands_in(text: str) -> list[cmd.Command]:
    """What a letter of this text would have us do."""
    try:
        return [one.command for one in parse_text(new_text(text)).commands]
    except Unreadable:
        return []


@each_row("name", OURS)
def test_our_mangled_letters_are_not_passed_on(name: str) -> None:
    """The opponent gets only what the player wrote."""
    ways = ("wrapped at 72", "spaces folded", "no dashes", "long dashes")
    for way in some(ways, 2, list(OURS).index(name)):
        sent = MANGLED[way](OURS[name].text)
        assert parse_text(new_text(f"D4\n\nGood move!\n\n{sent}")).message == "Good move!", way
