"""Tables of command forms: tolerant in form, strict in meaning."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from godaemon.errors import Unreadable
from godaemon.games.commands import Pass, Play, Resign
from godaemon.games.notices import Kind
from godaemon.rules.points import Color, Point
from godaemon.texts.catalogue import sentence_from_json
from mailgate.language.command_lines import is_command_line
from mailgate.language.parser import parse_text
from tests.support.gateway import Gateway, Table

D4 = Play(Point(3, 3))

COLORS = {
    "black D4": Color.BLACK,
    "W: D4": Color.WHITE,
    "D4b": Color.BLACK,
    "白 D4": Color.WHITE,
    "Weiß D4": Color.WHITE,
    "57. black d4": Color.BLACK,
    "black passes": Color.BLACK,
    "White resigns": Color.WHITE,
    "D4": None,
    "pass": None,
    "b4": None,
    "чёрные D4": Color.BLACK,
}


@pytest.mark.parametrize("line", COLORS)
def test_a_named_colour_is_read(line: str) -> None:
    """It is checked against the seat."""
    assert parse_text([line]).commands[0].color is COLORS[line]


def test_a_command_below_prose_is_prose() -> None:
    """Unless the sentences around it suggest otherwise."""
    poem = [f"line {number} of a poem" for number in range(10)]
    assert parse_text([*poem, "pass", "resign"]).commands == ()
    assert "pass" in parse_text([*poem, "", "more", "pass"]).message


REFUSALS: dict[str, tuple[str, tuple[str, ...]]] = {
    "D4\nE5": ("both “D4” and “E5”", ("D4", "E5")),
    "D4 E5": ("Did you mean", ("D4", "E5")),
    "D4 or E5": ("Did you mean", ("D4", "E5")),
    "D4\nresign": ("both “D4” and “resign”", ("D4", "resign")),
    "D4\npass": ("both", ("D4", "pass")),
    "i4": ("no column I", ("H4", "J4")),
    "I-4 please": ("Did you mean", ("H4", "J4")),
    "В4": ("Did you mean", ("B4",)),
    "Е5": ("Did you mean", ("E5",)),
    "Q16": ("off the 9x9 board: its points go from A1 to J9", ()),
    "D44": ("off the 9x9 board", ()),
    "D444": ("Did you mean", ("D4",)),
    "D0": ("is not a point", ("D1",)),
    "W D4": ("is about White, but you are Black", ("D4",)),
    "白 D4": ("is about White, but you are Black", ("D4",)),
    "white resigns": ("is about White, but you are Black", ("resign",)),
    "white passes": ("is about White, but you are Black", ("pass",)),
    "I would play D4": ("Did you mean “D4”?", ("D4",)),
    "D4?": ("Did you mean", ("D4",)),
    "resing": ("Did you mean", ("resign",)),
    "pass the salt": ("Did you mean “pass”?", ("pass",)),
    "Good day Bob! Lovely\nD4": ("Did you mean “D4”?", ("D4",)),
    "D4/E5": ("Did you mean", ("D4", "E5")),
    "RE: D4": ("Did you mean “D4”?", ("D4",)),
}
"""A letter of Black's on an empty 9x9 board: what the refusal says, and what it offers."""


def refused(table: Table, text: str) -> dict[str, Any]:
    """The data of the refusal of a letter of Alice's; the game is unchanged."""
    before = table.game
    assert table.alice.reply(text).event == "refused", text
    assert table.game == before
    notice = table.alice.newest().notice
    assert notice.kind is Kind.REFUSED
    return dict(notice.about)


@pytest.mark.parametrize("text", REFUSALS)
def test_a_doubtful_letter_is_refused(text: str) -> None:
    """The answer says why, and offers lines that work in answer to it."""
    why, hints = REFUSALS[text]
    for hint in hints or [""]:
        table = Table()
        about = refused(table, text)
        assert why in sentence_from_json(about["reason"])
        assert about["hints"] == list(hints)
        assert not hint or table.alice.reply(hint).event == "accepted"


@pytest.mark.parametrize(
    "body", ["", " \n\u00a0\n", "-- \nAlice", "Sent from my iPhone", "> It is your move.\n> resign"]
)
def test_a_move_in_the_subject_is_played(body: str) -> None:
    """If the body has only a signature or a quotation."""
    table = Table()
    assert table.alice.reply(body, subject="Re: D4").event == "accepted"
    assert [str(move.point) for move in table.game.position.moves] == ["D4"]


COPY = """This is game 1, before the first move. Your move, Black.

-- reply above this line --

No move yet.

   A B C D E F G H J
9  . . . . . . . . .  9

Reply with your move, such as E5, or: pass. Words below it go to Bob.

You are Black, Bob is White. Game 1 (9x9, komi 6.5, Japanese rules). You can
also reply: resign, settings, help.
"""
"""A letter of ours as a program without quotation marks sends it back."""


@pytest.mark.parametrize("marker", ["-- reply above this line --", "reply above this line", ""])
@pytest.mark.parametrize("answer", ["D4", "resign", "D4\n\nHave fun!"])
def test_an_answer_below_an_unmarked_copy_is_refused(marker: str, answer: str) -> None:
    """The copy cannot be distinguished from new text."""
    table = Table()
    copy = COPY.replace("-- reply above this line --", marker)
    about = refused(table, f"{copy}\n{answer}")
    assert "first line, above anything quoted" in sentence_from_json(about["reason"])
    assert table.alice.reply(f"{answer}\n\n{copy}").event == "accepted"


@pytest.mark.parametrize("greeting", ["Hi Bob, nice move!", "Nice move!\nThanks"])
def test_a_move_below_a_quotation_below_text_is_offered(greeting: str) -> None:
    """Nothing is passed on."""
    table = Table()
    quoted = "On Fri, Nov 20, 2026, Go wrote:\n> It is your move.\n> resign"
    about = refused(table, f"{greeting}\n{quoted}\n\nD4\nHave fun!")
    assert "stands below what you quote" in sentence_from_json(about["reason"])
    assert about["hints"] == ["D4"]
    assert table.alice.reply(f"{greeting}\n{quoted}\n\nSee you!").event == "accepted"
    assert table.alice.reply(f"D4\n{quoted}\n\nE5").event == "accepted"


def test_text_below_a_quotation_below_a_move_is_kept() -> None:
    """Bug: it was lost. Its writer is shown it, and may send it."""
    table = Table()
    quoted = "On Fri, Nov 20, 2026, Go wrote:\n> > How are you, and how is Ann?"
    below = "We are both fine, and back from the lake."
    assert table.alice.reply(f"D4\n\n{quoted}\n\n{below}").event == "accepted"
    assert below in str(table.alice.newest().notice.about)
    assert table.alice.reply("send").event == "accepted"
    assert table.game.chat[-1].text == below


@pytest.mark.parametrize(
    "below",
    [
        "Your group on the left looks dead",
        "I intended to play there, too",
        "It was on my list, Bob",
    ],
)
def test_sentences_that_resemble_footers_are_reported(below: str) -> None:
    """Bug: sentences about groups, intentions and lists were dropped."""
    table = Table()
    table.alice.reply(f"D4\n\nOn Fri, Nov 20, 2026, Go wrote:\n> It is your move.\n\n{below}")
    assert table.alice.newest().notice.about["unsent"] == below


@pytest.mark.parametrize(
    "below",
    [
        "Cheers, Alice",
        "Alice Brown",
        "Alice Brown\nTel. 01225 123456",
        "Kind regards, Alice",
        "This message is confidential and intended for the recipient only.",
        "Sent from my phone with one thumb, sorry for typos",
        "Company Ltd, registered in England. " * 9,
        "--\nThe club list\nTo leave it, write to its owner",
    ],
)
def test_footers_below_a_quotation_are_not_reported(below: str) -> None:
    """Nor are closings."""
    table = Table()
    table.alice.reply(f"D4\n\nOn Fri, Nov 20, 2026, Go wrote:\n> It is your move.\n\n{below}")
    assert table.game.move_number == 1
    assert "unsent" not in table.alice.newest().notice.about


@pytest.mark.parametrize(
    "text",
    [
        "> It is your move.\nYes, I know :-)\n> Reply with a point.\nD4\n> Bob played C3.",
        "> It is your move.\n\nYes that was sneaky!\n\n> Reply with a point.\n\nD4\n\n> Bob",
        "> It is your move.\nD4\n> Reply with a point.",
    ],
)
def test_a_move_between_quoted_lines_is_offered(text: str) -> None:
    """Even among remarks."""
    table = Table()
    about = refused(table, text)
    assert "stands below what you quote" in sentence_from_json(about["reason"])
    assert about["hints"] == ["D4"]


@pytest.mark.parametrize(
    "header",
    [
        "------------------ 原始邮件 ------------------\n发件人: Go <go@go.example>\n主题: Go",
        "________________________________\nDe: Go by mail <go@go.example>\nAsunto: Go",
        "-------- Original Message --------\nVon: Go by mail <go@go.example>\nBetreff: Go",
    ],
)
def test_an_unmarked_copy_below_its_header_is_not_read(header: str) -> None:
    """Bug: what our letter has below its own quotation was taken for the writer's words."""
    table = Table()
    ours = "Bob Brown wrote:\n> How are you?\n\nBoth have to agree again.\n\nReply with: D4"
    assert table.alice.reply(f"Hi Bob, nice move!\n\n{header}\n\n{ours}").event == "accepted"
    assert table.game.chat[-1].text == "Hi Bob, nice move!"


def test_the_wrapped_rest_of_a_quoted_line_is_not_offered() -> None:
    """It is no answer."""
    table = Table()
    full = "> " + "you might have seen it coming, but I say that in the end you will have to"
    assert table.alice.reply(f"Thanks!\n{full}\nresign\n> or play on").event == "accepted"


def test_a_teaching_game_checks_the_colour_to_move() -> None:
    """One person plays both table."""
    gateway = Gateway()
    alice = gateway.person("Alice")
    gateway.start(alice, alice)
    assert alice.reply("white D4").event == "refused"
    assert "it is Black's turn" in sentence_from_json(alice.newest().notice.about["reason"])
    assert alice.reply("black D4").event == "accepted"
    assert alice.reply("white E5").event == "accepted"


def test_each_line_is_reported_with_its_result() -> None:
    """In a refusal, and in the answer to several commands."""
    table = Table()
    about = refused(table, "D4\nshow 99\nhello")
    assert list(zip(about["lines"], map(sentence_from_json, about["results"]), strict=True)) == [
        ("D4", "understood, but not done"),
        ("show 99", "not possible, see above"),
    ]
    about = refused(table, "D4\nE5\nhello")
    assert [*map(sentence_from_json, about["results"])] == ["understood, but not done"] * 2 + [
        "words, not passed on"
    ]
    about = refused(table, "show\nD4, or so")
    assert [*map(sentence_from_json, about["results"])] == [
        "understood, but not done",
        "not understood",
    ]
    table.alice.reply("D4\nsay hi\nshow\nhello\nthere")
    about = dict(table.alice.letters(Kind.SHOW)[-1].notice.about)
    assert list(zip(about["lines"], map(sentence_from_json, about["results"]), strict=True)) == [
        ("D4", "done"),
        ("say hi", "passed on to Bob"),
        ("show", "answered"),
        ("hello …", "passed on to Bob"),
    ]


def test_resigning_in_an_older_letter_needs_confirmation() -> None:
    """In the newest it does not."""
    table = Table()
    old = table.alice.newest()
    table.alice.reply("D4")
    table.bob.reply("E5")
    assert table.alice.reply("aufgeben", to=old).event == "refused"
    assert table.alice.newest().notice.about["hints"] == ["resign"]
    assert table.alice.reply("resign").event == "accepted"
    assert table.game.result == "W+R"


PIECES = st.sampled_from(
    [
        *("d4", "Q16", "i4", "I", "new", "9x9", "vs", "bob@x.org", "komi", "6.5", "dead", "alive"),
        *("only", "show", "34", "#", "game", "move", "pass", "say", "rules", "as", "black", "w"),
        *("handicap", "?", "resign", "resing", "done", "p", "undo", "4-4", "pd", "B[pd]", "D1O"),
        *("Dl0", "dd4", "d4e5", "mp3", "j0", "0", "d444", "please", "thanks", "and", "or", "А4"),
        *("hoshi", "yes", "no", "accpet", "place", "gui", "receipts", "kifu", "x", "*", "(", ")"),
        *(".", ",", "!", "16-4", "5/5", "z99", "aa60", "bb9", "T60", "黒", "白D4", "‘", "’", "–"),
    ]
)


@given(st.lists(PIECES, max_size=5).map(" ".join))
def test_every_offered_line_is_a_command(line: str) -> None:
    """Whatever was written."""
    hints: tuple[str, ...] = ()
    try:
        parse_text([line])
    except Unreadable as refusal:
        hints = refusal.hints
    assert [hint for hint in hints if not is_command_line(hint)] == []


@given(st.lists(PIECES, max_size=3).map(" ".join))
def test_an_executed_line_has_one_meaning(line: str) -> None:
    """No line with two points is a move, and none that resigns has other commands."""
    try:
        commands = [one.command for one in parse_text([line]).commands]
    except Unreadable:
        return
    if any(isinstance(command, Play) for command in commands):
        assert sum(word.strip("().,!") in ("d4", "Q16", "白D4") for word in line.split()) <= 1
    if Resign() in commands or Pass() in commands:
        assert not {"d4", "Q16", "yes", "no", "done", "dead"} & set(line.split())
