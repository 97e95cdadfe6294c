"""The players' language: forgiving in form, strict in meaning."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from godaemon.errors import Unreadable
from godaemon.games.commands import (
    Command,
    Done,
    Extent,
    Games,
    Gui,
    Help,
    If,
    Kifu,
    Mark,
    No,
    Pass,
    Play,
    Propose,
    Receipts,
    Resign,
    Resume,
    Say,
    Sgf,
    Show,
    Withdraw,
    Yes,
)
from godaemon.rules.points import Color, Point, Size, parse_point
from mailgate.language.command_lines import is_command_line
from mailgate.language.parser import MAX_COMMANDS, parse_text
from mailgate.language.verb_table import verbs
from mailgate.language.written_times import split_time
from mailgate.tokens import MAX_MESSAGE, clean_message

D4 = Play(Point(3, 3))


def commands(*lines: str) -> list[Command]:
    """The commands that a letter of these lines asks for."""
    return [one.command for one in parse_text(lines).commands]


def points(*names: str) -> tuple[Point, ...]:
    """Points by their names."""
    return tuple(map(parse_point, names))


def refused(*lines: str) -> Unreadable:
    """The refusal of a letter of these lines."""
    with pytest.raises(Unreadable) as caught:
        parse_text(lines)
    return caught.value


@pytest.mark.parametrize(
    "line",
    [
        *(
            "d4",
            "D4",
            "d-4",
            "d 4",
            "d,4",
            "(d4)",
            "D4.",
            "D4!",
            "d4 .",
            "[D4]",
            '"D4"',
            "4d",
            "4 D",
        ),
        *("play D4", "move d4", "B D4", "w d4", "black d4", "D4b", "4 D", "57. D4", "57) d4"),
        *("#57 D4", "57 D4", "my move: d4", "I play D4", "black plays d4", "white to D4", "*D4*"),
        *("- D4", "• d4", "\uff24\uff14", "D\xa04", "\ufeffD4", "D\u200b4", "**D4**", "  d4  "),
    ],
)
def test_a_move_in_any_form(line: str) -> None:
    """However D4 is typed, it is D4."""
    assert commands(line) == [D4]


def test_wide_boards() -> None:
    """Columns beyond Z have two letters, and rows go up to the largest board."""
    assert commands("aa30") == [Play(Point(25, 29))]
    assert commands("A52") == [Play(Point(0, 51))]


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("pass", Pass()),
        ("PASS!", Pass()),
        ("I pass.", Pass()),
        ("resign", Resign()),
        ("gg, I resign", Resign()),
        ("done", Done()),
        ("resume", Resume()),
        ("play on", Resume()),
        ("yes", Yes()),
        ("Accept.", Yes()),
        ("OK", Yes()),
        ("Yes, please!", Yes()),
        ("no", No()),
        ("No, thanks", No()),
        ("decline", No()),
        ("withdraw", Withdraw()),
        ("help", Help()),
        ("?", Help()),
        ("games", Games()),
        ("show", Show()),
        ("show board", Show()),
        ("show 34", Show(move=34)),
        ("show move 34", Show(move=34)),
        ("show game 34", Show(game=34)),
        ("show 34#12", Show(game=34, move=12)),
        ("show game 34 move 12", Show(game=34, move=12)),
        ("sgf", Sgf()),
        ("SGF 34", Sgf(34)),
        ("gui", Gui()),
        ("GUI on", Gui()),
        ("gtp", Gui()),
        ("gui off", Gui(on=False)),
        ("gui off.", Gui(on=False)),
        ("kifu", Kifu()),
        ("kifu of game 34", Kifu(34)),
        ("kifu 34", Kifu(34)),
        ("kifu 1-100", Kifu(None, "1-100")),
        ("kifu 51 – 100", Kifu(None, "51-100")),
        ("kifu moves 51 to 100", Kifu(None, "51-100")),
        ("Kifu 101- of game 34", Kifu(34, "101-")),
        ("kifu of game 34 from move 101 to the end", Kifu(34, "101-")),
        ("kifu game 34 1-50", Kifu(34, "1-50")),
        ("picture of moves 1-50", Kifu(None, "1-50")),
        ("diagram", Kifu()),
        ("Picture", Kifu()),
        ("receipts on", Receipts(wanted=True)),
        ("receipts off", Receipts(wanted=False)),
        ("say D4 was good!", Say("D4 was good!")),
        ("Say: hello", Say("hello")),
        ("dead q16 c3", Mark(points("Q16", "C3"), dead=True)),
        ("dead Q16, C3 and d 4", Mark(points("Q16", "C3", "D4"), dead=True)),
        ("dead q16 only", Mark(points("Q16"), dead=True, extent=Extent.CHAIN)),
        ("dead q16 all", Mark(points("Q16"), dead=True, extent=Extent.ALL)),
        ("alive q16", Mark(points("Q16"), dead=False)),
        ("q16 is dead", Mark(points("Q16"), dead=True)),
        ("Q16 and C3 are alive.", Mark(points("Q16", "C3"), dead=False)),
        ("dead q16 q16", Mark(points("Q16"), dead=True)),
    ],
)
def test_a_command_alone(line: str, command: Command) -> None:
    """Each verb, its synonyms and its arguments."""
    assert commands(line) == [command]


@pytest.mark.parametrize(
    ("command", "lines"),
    [
        (Pass(), "passe / Paß / je passe / paso / passo / パス / 停一手 / 패스 / пас"),
        (Resign(), "ich gebe auf / j'abandonne / opgeven / me rindo / 投了 / 认输 / 기권 / сдаюсь"),
        (Yes(), "ja / oui / sí / acepto / はい / 接受 / 수락 / да"),
        (No(), "nein / non merci / nee / no gracias / いいえ / 拒绝 / 아니요 / нет"),
        (Help(), "Hilfe / aide / hulp / ayuda / ヘルプ / 帮助 / 도움말 / помощь"),
    ],
)
def test_words_of_other_languages(command: Command, lines: str) -> None:
    """Pass, resign, yes, no and help as whole lines in many languages."""
    for line in lines.split(" / "):
        assert commands(line) == [command], line


@pytest.mark.parametrize(
    ("line", "proposal"),
    [
        ("new vs bob@x.org", Propose("bob@x.org")),
        (
            "new 9x9 komi 6.5 vs bob@players.example",
            Propose("bob@players.example", Size(9, 9), komi=6.5),
        ),
        (
            "new vs Bob@X.ORG as black rules japanese handicap 2 komi 0.5 9x9",
            Propose("Bob@x.org", Size(9, 9), "japanese", 0.5, 2, Color.BLACK),
        ),
        ("challenge bob@x.org 19", Propose("bob@x.org")),
        (
            "invite <bob@x.org>, 13 x 11, white",
            Propose("bob@x.org", Size(13, 11), color=Color.WHITE),
        ),
        ("new game against bob@x.org size 52x1", Propose("bob@x.org", Size(52, 1))),
        ("new chinese rules vs bob@x.org", Propose("bob@x.org", rules="chinese")),
        ("new rules new zealand vs bob@x.org", Propose("bob@x.org", rules="new-zealand")),
        ("new stone scoring vs bob@x.org", Propose("bob@x.org", rules="stone-scoring")),
        ("new rules chinese superko vs bob@x.org", Propose("bob@x.org", rules="chinese-superko")),
        (
            "new rules chinese ko=situational 9x9 suicide=yes vs bob@x.org",
            Propose("bob@x.org", Size(9, 9), rules="chinese ko=situational suicide=yes"),
        ),
        (
            "new tax=none vs bob@x.org komi=7",
            Propose("bob@x.org", rules="japanese tax=none", komi=7),
        ),
        ("new vs bob@x.org<mailto:bob@x.org> komi -5", Propose("bob@x.org", komi=-5.0)),
        ("new 9x9 vs Bob Byte <bob@x.org>", Propose("bob@x.org", Size(9, 9))),
        ('new rules aga vs "Bob B." <bob@x.org> komi 7', Propose("bob@x.org", rules="aga", komi=7)),
        ("NEW 9X9 VS bob@x.org KOMI: 7", Propose("bob@x.org", Size(9, 9), komi=7.0)),
        ("new 9x9 9x9 vs bob@x.org", Propose("bob@x.org", Size(9, 9))),
        ("new 9x9 vs gnugo", Propose("engine:gnugo", Size(9, 9))),
        ("new vs House3. komi 0.5", Propose("engine:house3", komi=0.5)),
        ("new against engine:gnugo vs gnugo", Propose("engine:gnugo")),
        (
            "new 13x13 handicap 4 as black vs house3",
            Propose("engine:house3", Size(13, 13), handicap=4, color=Color.BLACK),
        ),
    ],
)
def test_a_proposal_in_any_order(line: str, proposal: Propose) -> None:
    """Terms in any order and in several words for the same."""
    assert commands(line) == [proposal]


@pytest.mark.parametrize(
    "line",
    [
        *("new 9x9", "new", "new game", "new 9x9 vs komi", "new vs bob@x.org blindfold"),
        *("new vs bob@x.org komi", "new vs bob@x.org komi 6.3", "new vs bob@x.org komi six"),
        *("new vs bob@x.org 9x9 13x13", "new vs bob@x.org vs eve@x.org", "new 53x53 vs bob@x.org"),
        *("new 0x9 vs bob@x.org", "new vs bob@x.org rules chess", "new vs bob@x.org as green"),
        *(
            "new vs bob@x.org handicap many",
            "new vs bob@x.org komi nan",
            "new vs bob@x.org komi inf",
        ),
        *(
            "new vs bob@x.org ko=never",
            "new vs bob@x.org suicide",
            "new passes=9 vs bob@x.org",
        ),
        "new vs bob@x.org ko=natural ko=simple",
        *("new vs", "new 9x9 vs bob@", "new vs bob@x.org size x"),
    ],
)
def test_a_proposal_with_one_unclear_word_is_refused_whole(line: str) -> None:
    """And answered with something that would work."""
    assert refused(line).hints


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("new 9x9 komi 6.3 vs eve@x.org", "new 9x9 komi 6.5 vs eve@x.org"),
        ("new 13x13 vs eve@x.org rules chess", "new 13x13 komi 6.5 vs eve@x.org rules chinese"),
        ("new 60x60 vs eve@x.org", "new 9x9 vs eve@x.org"),
        ("new 9x9 komi 6.3 vs gnugo", "new 9x9 komi 6.5 vs gnugo"),
    ],
)
def test_the_hints_for_a_proposal_keep_what_was_understood(line: str, hint: str) -> None:
    """Pasted as it stands, none of them proposes a game to a stranger."""
    assert hint in refused(line).hints


LOOKS_LIKE = {
    "D4?": "D4",
    "D4, sorry, E4": "D4",
    "D4 Q16": "Q16",
    "resing": "resign",
    "Resgin": "resign",
    "doen": "done",
    "i4": "J4",
    "I 4": "H4",
    "dead i4": "dead J4",
    "D1O": "D10",
    "d1l": "D11",
    "\u0421\u0033": "C3",
    "\u0410\u0031\u0030": "A10",
    "d440": "D4",
}


@pytest.mark.parametrize("line", LOOKS_LIKE)
def test_what_looks_like_a_command_is_refused(line: str) -> None:
    """It is neither obeyed nor passed on, and what would work is offered exactly."""
    assert LOOKS_LIKE[line] in refused(line).hints


@pytest.mark.parametrize("line", ["D4?", "resing", "D1O"])
def test_a_refusal_quotes_the_line_as_it_was_written(line: str) -> None:
    """So that its reader knows which one is meant."""
    assert f"“{line}”" in refused(line).public


def test_the_column_i_is_explained() -> None:
    """It is refused, never shifted."""
    found = refused("i4")
    assert found.public == "There is no column I on a Go board: H4 or J4?"


@pytest.mark.parametrize("line", ["redo", "D99"])
def test_other_lines_that_are_refused(line: str) -> None:
    """What is not offered, lies on no board, or is too little to act on."""
    refused(line)


PROSE = [
    *(
        "you should have played A11",
        "Hello Bob",
        "Good game!",
        "Thanks",
        "Well done",
        "No problem!",
    ),
    *("ok cool", "hi", "np", "Yes, it was close", "New year, new luck, new game!", "57", "Oh no"),
    *("I think D4 was better than Q16, don't you?", "Nice!", "This is fun", "Passing was hard"),
    *("Show me how you did that", "a 5 year plan", "See you tomorrow", "How are you?"),
    *("Dead stones are so annoying, aren't they", "Eyes!", "gone"),
    *("Resuming my studies tomorrow, wish me luck", "Is Q16 dead or alive in your opinion?", "hmm"),
    *("I resign myself to losing this one slowly", "Passed by your town yesterday", "\U0001f600"),
]


@pytest.mark.parametrize("line", PROSE)
def test_prose_is_passed_on_and_never_obeyed(line: str) -> None:
    """The first line that is not a command begins the message to the opponent."""
    found = parse_text([line, "and more"])
    assert found.commands == ()
    assert found.message == f"{line}\nand more"


@pytest.mark.parametrize("line", PROSE)
def test_prose_below_a_move_is_passed_on(line: str) -> None:
    """Words under a move go with it."""
    found = parse_text(["D4", "", line])
    assert [one.command for one in found.commands] == [D4]
    assert found.message == line


def test_words_about_points_go_below_a_move() -> None:
    """Once the letter has its move, a sentence may begin with a point."""
    assert parse_text(["D4", "Q16 was a nice move"]).message == "Q16 was a nice move"
    assert parse_text(["D4", "hello", "Q16 hurts"]).message == "hello\nQ16 hurts"


def test_an_answer_below_a_move_is_talk() -> None:
    """`yes` under a move answers the opponent's words, not ours."""
    assert parse_text(["D4", "yes"]).message == "yes"


@pytest.mark.parametrize(
    "lines",
    [
        *(("D4", "Q16"), ("D4", "pass"), ("D4", "resign"), ("pass", "resign"), ("yes", "D4")),
        *(("D4", "dead q16"), ("dead q16", "resume"), ("done", "resume"), ("accept", "decline")),
    ],
)
def test_contradictions_are_refused(lines: tuple[str, ...]) -> None:
    """Of two things that cannot both be meant, neither is done."""
    assert set(refused(*lines).hints) == set(lines)


def test_the_same_twice_is_one() -> None:
    """Saying a move twice is no contradiction."""
    assert commands("D4", "d4") == [D4]


def test_queries_and_marks_may_stand_together() -> None:
    """Marks with `done`, and anything that only asks, in the order of the letter."""
    found = commands("dead q16", "", "alive c3", "done", "show", "say thanks")
    assert [type(one) for one in found] == [Mark, Mark, Done, Show, Say]


def test_a_move_below_words_is_pointed_out() -> None:
    """Else the opponent would read the move while the game stood still; a greeting is no words."""
    assert refused("I thought long about", "", "D4").hints == ("D4",)
    assert refused("Why not there?", "D4").hints == ("D4",)
    assert commands("Hi Bob,", "", "D4") == [D4]


def test_a_point_alone_below_words_that_are_done_is_the_move() -> None:
    """As people write who greet and tell first; the words are passed on whole."""
    text = parse_text(["I work at strange hours, sorry.", "", "F3", "", "Ana"])
    assert [str(getattr(one.command, "point", "")) for one in text.commands] == ["F3"]
    assert text.message.startswith("I work at strange hours, sorry.")


def test_a_sentence_that_goes_on_with_its_move_is_passed_on_whole() -> None:
    """Of `Oh dear. E4 then, to save it.` nothing would be left that says anything."""
    for line in ("Oh dear. E4 then, to save it.", "I put mine next to yours, F4 please."):
        text = parse_text([line])
        assert len(text.commands) == 1
        assert text.message == line
    assert parse_text(["Nice move! D4."]).message == "Nice move!"


@pytest.mark.parametrize(
    ("line", "plan"),
    [
        ("D4, and if E5 then F6", ("E5", "F6")),
        ("D4, if C4 then C5", ("C4", "C5")),
    ],
)
def test_a_plan_behind_a_move_in_one_line(line: str, plan: tuple[str, str]) -> None:
    """It is what it would be on a line of its own."""
    move, planned = parse_text([line]).commands
    assert isinstance(move.command, Play)
    assert planned.command == If(plan)


@pytest.mark.parametrize(
    "line", ["D4. If E5 was bad then F6 is, too.", "D4, if E5 is bad, so is F6"]
)
def test_what_is_thought_of_points_behind_a_move_is_no_plan(line: str) -> None:
    """Nothing is played by it."""
    with suppress(Unreadable):
        assert not any(isinstance(one.command, If) for one in parse_text([line]).commands)


def test_settings_on_lines_of_their_own_below_words_are_set() -> None:
    """Nobody writes such a line in a talk."""
    text = parse_text(["G5", "Sam, how are the roses?", "", "timezone Madrid", "digest at 20"])
    assert len(text.commands) == 3
    assert text.message == "Sam, how are the roses?"


def test_too_many_commands_are_refused() -> None:
    """Ten are read, eleven are not."""
    assert len(commands(*[f"show {number}" for number in range(MAX_COMMANDS)])) == MAX_COMMANDS
    refused(*[f"show {number}" for number in range(MAX_COMMANDS + 1)])


@pytest.mark.parametrize(
    ("subject", "command"),
    [
        ("D4", D4),
        ("Re: D4", D4),
        ("AW: Re: [godaemon 34] pass", Pass()),
        ("[godaemon 34] Antw: SV: help", Help()),
        ("[EXTERN] Re[2]: RE: D4", D4),
        ("Ответ: D4", D4),
        ("回覆：D4", D4),
        ("YNT: pass", Pass()),
        ("new 9x9 vs bob@x.org", Propose("bob@x.org", Size(9, 9))),
    ],
)
def test_the_subject_is_read_where_there_is_no_text(subject: str, command: Command) -> None:
    """Some people write all in the subject."""
    assert [one.command for one in parse_text(["", " "], subject).commands] == [command]
    assert parse_text(["hello"], subject).commands == ()


@pytest.mark.parametrize(
    "subject", ["", "Re: [godaemon 34] Alice - Bob", "Fwd: resign", "WG: D4", "I: D4"]
)
def test_a_subject_is_read_only_as_a_whole_command(subject: str) -> None:
    """What else stands in a subject is not a command, nor is the subject of a forwarded letter."""
    assert parse_text([], subject).commands == ()


@pytest.mark.parametrize("subject", ["resing", "Re: D4 E5", "AW: D444"])
def test_a_subject_that_is_nearly_a_move_is_explained(subject: str) -> None:
    """The letter has no other words: what is wrong with these is worth telling."""
    with pytest.raises(Unreadable) as refusal:
        parse_text([], subject)
    assert {"D4", "resign"} & {*refusal.value.hints}
    assert parse_text(["hello"], subject).message == "hello"


def test_every_example_of_the_table_works() -> None:
    """The help letter is made of the table, so what it shows is read."""
    for entry in verbs().values():
        for line in entry.examples:
            assert is_command_line(line), line


@pytest.mark.parametrize("line", ["Reply with: D4", "It is your move.", "19 . . X O", "", *PROSE])
def test_ordinary_lines_are_not_command_lines(line: str) -> None:
    """A line that is no command is known as such."""
    assert not is_command_line(line)


def test_a_message_carries_no_token_of_ours() -> None:
    """Who reads a token could move for the one who wrote the letter."""
    token = "34-b-57-2-mfrggzdfmztwq2lk"
    held = "h12-mfrggzdfmztwq2lk"
    text = f"go+{token}@example.org, <{token.upper()}.u1@example.org>, go+{held}@x.org, {held}"
    cleaned = clean_message(text)
    assert "mfrggzdfmztwq2lk" not in cleaned.lower()


def test_a_message_is_bounded_and_clean() -> None:
    """No control marks, no turned text, no page of blank lines, no more than so many words."""
    assert clean_message("a\x00\x1b[2J\u202eb\r\n\n\n\n\nc \n") == "a[2Jb\n\nc"
    assert len(clean_message("word " * 5_000)) <= MAX_MESSAGE
    assert clean_message("👨‍👩‍👧 好") == "👨‍👩‍👧 好"


@given(st.lists(st.text(max_size=40), max_size=12), st.text(max_size=60))
def test_any_lines_are_read_or_unreadable(lines: list[str], subject: str) -> None:
    """Nothing but `Unreadable` is raised on any text."""
    try:
        parse_text(lines, subject)
    except Unreadable:
        return


_WORDS = st.sampled_from(
    [
        *(
            "d4",
            "Q16",
            "i4",
            "new",
            "9x9",
            "vs",
            "bob@x.org",
            "komi",
            "6.5",
            "dead",
            "alive",
            "only",
        ),
        *(
            "show",
            "34",
            "#",
            "game",
            "move",
            "pass",
            "say",
            "rules",
            "as",
            "black",
            "handicap",
            "?",
        ),
        *(
            "52",
            "\u0664",
            "\u00b2",
            "=",
            ":",
            ",",
            "(",
            "all",
            "is",
            "are",
            "and",
            "sgf",
            "kifu",
            "gui",
            "receipts",
        ),
    ]
)


@given(st.lists(_WORDS, max_size=8).map(" ".join))
def test_any_arrangement_of_words_is_read_or_unreadable(line: str) -> None:
    """Nor on the language's own words in any order."""
    try:
        parse_text([line])
    except Unreadable:
        return


@pytest.mark.slow
@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "line",
    [
        *("d" * 1_000_000, "d4 " * 300_000, "dead " + "q16 " * 300_000, "(" * 1_000_000),
        *("new " + "9x9 " * 300_000, "new " + "@" * 1_000_000, "say " + "x" * 1_000_000),
        *("q16 " * 300_000 + "dead", "show " + "1" * 1_000_000, " " * 1_000_000, "-" * 1_000_000),
        *("+34-" * 300_000, "new " + "<mailto:" * 100_000, "[" * 1_000_000, "re: " * 300_000),
    ],
    ids=lambda line: repr(line[:12]),
)
def test_hostile_lines_take_bounded_time(line: str) -> None:
    """No line makes the reader slow."""
    for lines, subject in (([line], ""), (["hi", *[line[:2_000]] * 1_000], ""), ([], line)):
        try:
            parse_text(lines, subject)
        except Unreadable:
            continue


@pytest.mark.slow
@pytest.mark.timeout(20)
def test_hostile_words_take_bounded_time() -> None:
    """Nor does a word without an end."""
    assert split_time("“" * 300_000) == ("", "“" * 300_000)
