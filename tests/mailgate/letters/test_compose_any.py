"""Letters of every kind about games in any state can be composed, and contain no commands."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from godaemon.diagrams import description
from godaemon.errors import Refusal
from godaemon.games import commands as cmd
from godaemon.games import events as ev
from godaemon.games.commands import Look
from godaemon.games.decisions import decide
from godaemon.games.model import Game, Phase, Seat
from godaemon.games.notices import Kind, Notice
from godaemon.games.planned_moves import PASS
from godaemon.games.planned_moves import position_after as line_after
from godaemon.games.state import apply, begin, replay
from godaemon.games.stored_values import GameSummary
from godaemon.rules.handicap import fixed_points
from godaemon.rules.named_rulesets import RULESETS
from godaemon.rules.points import Color, Point, Size
from mailgate.language.command_lines import is_command_line
from mailgate.letters.blocks import Diagram, Words
from mailgate.letters.compose import Composer
from mailgate.letters.letter_data import LetterData
from mailgate.reading.html_text import html_to_text
from mailgate.reading.reply_trimming import new_text
from tests.support.examples import examples
from tests.support.letters import parsed, part
from tests.support.played_games import ADDRESS, KEY
from tests.support.stores import NOW

COMPOSER = Composer(KEY, ADDRESS, "Go by mail", invitation_days=14)
SIZES = st.one_of(
    st.sampled_from([Size(1, 1), Size(1, 2), Size(52, 52), Size(19, 19), Size(1, 52), Size(9, 9)]),
    st.builds(Size, st.integers(1, 7), st.integers(1, 7)),
)
NAMES = st.one_of(
    st.sampled_from(["pass", "Say", "resign", "D4", "show", "new", "", "Al", "yes", "q16 is dead"]),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=80),
)
WORDS = st.one_of(
    st.sampled_from(["pass", "resign\n\nD4", "> done", "-- \nyes", "say hi"]),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=300),
)


@st.composite
def logs(draw: st.DrawFn) -> list[ev.Event]:
    """The log of a game played at random, up to any phase."""
    size, teaching = draw(SIZES), draw(st.booleans())
    handicap = draw(st.sampled_from([0, 0, 2, 9]))
    try:
        handicap = len(fixed_points(size, handicap)) if handicap else 0
    except Refusal:
        handicap = 0
    bob = "alice@a.example" if teaching else "bob@b.example"
    color = draw(st.sampled_from([None, "black", "white"]))
    rules = draw(st.sampled_from(list(RULESETS)))
    names = draw(NAMES), draw(NAMES)
    spec = (size.width, size.height, rules, draw(st.sampled_from([6.5, 0.0, -3.5])), handicap)
    first = ev.Proposed(*spec, color, "alice@a.example", names[0], bob, names[1], "n")
    game, log = begin(1, first), list[ev.Event]([first])
    for _ in range(draw(st.integers(0, 30))):
        seat, command = draw(st.sampled_from(list(Seat))), draw(commands(game))
        try:
            events = decide(game, seat, command, lambda: Color.WHITE)
        except (Refusal, LookupError):
            continue
        for event in events:
            game = apply(game, event)
        log += events
    return log


@st.composite
def commands(draw: st.DrawFn, game: Game) -> cmd.Action:
    """A command that is mostly legal now."""
    width, height = game.spec.size
    point = Point(draw(st.integers(0, width - 1)), draw(st.integers(0, height - 1)))
    turns = [cmd.Play(point)] * 6 + [cmd.Pass(), cmd.Pass()]
    marks = [cmd.Mark((point,), draw(st.booleans()), draw(st.sampled_from(list(cmd.Extent))))] * 4
    per_phase: dict[Phase, list[cmd.Action]] = {
        Phase.PROPOSED: [cmd.Yes(), cmd.Yes(), cmd.Yes(), cmd.No(), cmd.Withdraw()],
        Phase.PLAYING: [*turns, cmd.Resign()],
        Phase.SCORING: [*marks, cmd.Done(), cmd.Resume()],
    }
    return draw(st.sampled_from([*per_phase.get(game.phase, []), cmd.Say(draw(WORDS))]))


ABOUT = st.one_of(
    st.just({}),
    st.fixed_dictionaries(
        {
            "reason": st.one_of(WORDS, st.just("Try again: new 9x9 vs bob@example.org")),
            "hints": st.lists(st.sampled_from(["D4", "dead Q16 only", "yes"]), max_size=3),
            "lines": st.lists(WORDS, max_size=3),
        }
    ),
    st.just({"last": True, "wanted": True}),
    st.just({"words_only": True}),
    st.builds(lambda move: {"move": move}, st.integers(0, 40)),
    st.builds(lambda look: {"look": look, "point": "A1"}, st.sampled_from([*Look])),
)


@st.composite
def tries(draw: st.DrawFn, game: Game) -> dict[str, object]:
    """Alternating legal moves from there, and the colour of the first."""
    width, height = game.spec.size
    point = st.builds(Point, st.integers(0, width - 1), st.integers(0, height - 1))
    mover, line = game.position.to_move, list[str]()
    for word in draw(st.lists(st.one_of(point.map(str), st.just(PASS)), max_size=6)):
        try:
            line_after(game.position, mover, (*line, word))
        except Refusal:
            continue
        line.append(word)
    return {"line": line or [PASS], "mover": mover.word}


@st.composite
def letter_data(draw: st.DrawFn) -> LetterData:
    """Data of any kind of notice about a random game, even if it could not be queued there."""
    kind, log = draw(st.sampled_from(list(Kind))), draw(logs())
    since = draw(st.integers(0, len(log)))
    after = replay(1, log)
    seats = list(Seat) if after.black is not None else [Seat.PROPOSER, Seat.INVITED]
    about = dict(draw(ABOUT))
    if kind is Kind.CONFIRM and draw(st.booleans()):
        about |= {"held": 3, "nonce": "n", "sender": "x@y.example", "lines": ["D4", "pass"]}
    if kind is Kind.TRY:
        about |= draw(tries(after))
    seat = draw(st.sampled_from(seats))
    notice = Notice(kind, "alice@a.example", game=1, seat=seat, about=about)
    before = replay(1, log[:since]) if since else None
    waiting = ((after, seat),) if kind is Kind.GAMES else ()
    return LetterData("u1", NOW, notice, before, after, tuple(log[since:]), waiting=waiting)


def commands_in(text: str) -> list[str]:
    """The lines that would be executed if a player sent them."""
    return [line for line in text.splitlines() if is_command_line(line)]


@settings(max_examples=examples(400))
@given(letter_data())
def test_every_letter_can_be_written(matter: LetterData) -> None:
    """Any kind, about a game in any state: reproducible, plain, and without commands.

    Nor does it contain commands when it comes back, quoted in any way or not at all.
    """
    composed = COMPOSER.compose(matter)
    letter = parsed(composed.raw)
    assert composed == COMPOSER.compose(matter)
    lines = composed.raw.split(b"\r\n")
    assert max(map(len, lines)) <= 998  # RFC 5322, 2.1.1
    assert composed.raw.isascii()
    assert not any(b"\n" in line or b"\r" in line for line in lines)
    assert str(letter["Subject"]).startswith("Go game 1")
    assert letter["Message-ID"] == composed.message_id
    text = part(letter, "plain")
    assert commands_in(text) == []
    assert commands_in(html_to_text(part(letter, "html"))) == []
    quoted = "\n".join(f"> {line}" for line in text.splitlines())
    for back in (text, quoted, f"On Sat, Alice wrote:\n{quoted}"):
        assert not [line for line in new_text(back) if is_command_line(line)]
    assert new_text(f"D4\n\n{quoted}") == ("D4",)


def test_a_message_in_a_game_without_colours_is_composed() -> None:
    """A declined proposal has no Black and White to name."""
    spec = (9, 9, "japanese", 6.5, 0, None, "alice@a.example", "Alice", "bob@b.example", "Bob", "n")
    after = replay(1, [ev.Proposed(*spec), ev.Declined()])
    notice = Notice(Kind.CHAT, "alice@a.example", game=1, seat=Seat.PROPOSER)
    assert COMPOSER.compose(LetterData("u1", NOW, notice, None, after)).raw


@pytest.mark.parametrize("rows", [["b.", ".."], [".b", ".."], ["..", "w."]])
def test_the_description_of_a_chain_is_no_command(rows: list[str]) -> None:
    """Bug: without `chain` before it, `A1, 1 stone: 2 liberties` was a move."""
    chains = [chain for color in Color for chain in description.describe_chains(rows, color)]
    assert chains
    assert commands_in("\n".join(chains)) == []


@settings(max_examples=examples(200))
@given(letter_data())
def test_every_diagram_follows_its_description(matter: LetterData) -> None:
    """Screen readers get sentences about the board before its drawing."""
    letter = COMPOSER.blocks(matter)
    for at, block in enumerate(letter.blocks):
        if isinstance(block, Diagram):
            words = (one.words for one in letter.blocks[:at] if isinstance(one, Words))
            text = " ".join([letter.first, *words])
            counts_early = matter.notice.kind is Kind.SCORING_STARTED and block.last is not None
            if "Row 1: " not in text and not counts_early:
                assert block.last is None or str(block.last) in text
                assert {"c", "x"}.isdisjoint("".join(block.rows)) or " dead" in text
                assert not block.taken or "Prisoners: " in text


@settings(max_examples=examples(100))
@given(
    st.sampled_from([Kind.REFUSED, Kind.HELP, Kind.GAMES, Kind.SETTINGS, Kind.TROUBLE]),
    ABOUT,
    st.lists(
        st.builds(
            GameSummary,
            st.integers(1, 999),
            st.sampled_from(list(Phase)),
            st.just("9x9"),
            st.just("aga"),
            st.sampled_from(["alice@a.example", "pass@a.example"]),
            st.sampled_from(["alice@a.example", "d4@a.example", "@"]),
            st.integers(0, 400),
            st.sampled_from([None, "black", "white"]),
            st.sampled_from([None, "B+R", "0", "W+0.5", "Void"]),
            st.just(NOW),
        ),
        max_size=120,
    ),
)
def test_letters_about_no_game_contain_no_commands(
    kind: Kind, about: dict[str, object], rows: list[GameSummary]
) -> None:
    """Neither answers nor lists do."""
    notice = Notice(kind, "alice@a.example", about=about, answers="<1@x>")
    letter = parsed(
        COMPOSER.compose(LetterData("u1", NOW, notice, games=rows, total=len(rows))).raw
    )
    assert commands_in(part(letter, "plain")) == []
    assert commands_in(html_to_text(part(letter, "html"))) == []


@given(st.text(max_size=300), st.text(max_size=40))
def test_a_hostile_message_id_adds_no_header(answers: str, more: str) -> None:
    """In-Reply-To copies only a valid Message-ID."""
    notice = Notice(Kind.HELP, "alice@a.example", answers=f"<{answers}\r\nBcc: {more}@x>")
    letter = parsed(COMPOSER.compose(LetterData("u1", NOW, notice)).raw)
    assert letter["Bcc"] is None
    assert letter["X-Godaemon-Notice"] == "help"
