"""Lines that name the game they are about, as people answer a list of games."""

from __future__ import annotations

import pytest

from mailgate.language.game_lines import MOST, game_lines


def read(*lines: str) -> list[tuple[int | None, str]]:
    """Each thing that is asked: the game, and the words."""
    return [(one.game, one.said) for one in game_lines(lines)]


@pytest.mark.parametrize(
    "line",
    [
        *("34: D4", "34:D4", "34 : D4", "34) D4", "(34) D4", "[34] D4", "34. D4", "34 - D4"),
        *("34 D4", "game 34 D4", "Game 34: D4", "game #34: D4", "Game no. 34: D4", "no. 34 D4"),
        *("#34 D4", "in game 34: D4", "- 34: D4", "• Game 34 – D4", "34 – D4"),
        *(
            "D4 in game 34",
            "D4 (game 34)",
            "D4 in 34",
            "D4 game 34",
            "D4, game 34",
            "34 => D4",
        ),
        *("34.) D4", "34: D4", "D4 [game 34]"),
    ],
)
def test_a_move_in_a_game(line: str) -> None:
    """However the two are put together."""
    assert read(line) == [(34, "D4")]


@pytest.mark.parametrize(
    "line",
    [
        "D4",
        "4 d",
        "16 q",
        "show 9",
        "show game 9",
        "sgf 12",
        "hello",
        "2 stones are dead",
        "dead C3, E5",
    ],
)
def test_what_names_no_game(line: str) -> None:
    """A number in it is not one."""
    assert read(line) == [(None, line)]


def test_a_game_for_the_lines_below() -> None:
    """Until the next one is named."""
    assert read("34:", "dead C3", "done", "Game 41", "pass") == [
        *((34, "dead C3"), (34, "done"), (41, "pass")),
    ]


@pytest.mark.parametrize("line", ["34:", "game 34", "Game #34."])
def test_a_game_and_nothing_else(line: str) -> None:
    """Whoever only names one would see it."""
    assert read(line) == [(34, "show")]


@pytest.mark.parametrize(
    "line",
    [
        *("34: D4, 41: pass", "34: D4; 41: pass", "34: D4, game 41: pass", "34: D4 41: pass"),
        *(
            "34: D4 and 41: pass",
            "D4 in game 34 and pass in game 41",
            "Game 34: D4. Game 41: pass.",
        ),
        "34 D4, 41 pass",
    ],
)
def test_two_on_one_line(line: str) -> None:
    """Each is one."""
    assert [(game, said.strip(".")) for game, said in read(line)] == [(34, "D4"), (41, "pass")]


def test_capitals_of_words_are_kept() -> None:
    """They are the opponent's to read."""
    assert read("34: say Hello Bob") == [(34, "say Hello Bob")]


def test_so_many_and_no_more() -> None:
    """Nobody has us read for ever."""
    assert len(read(*["34: D4"] * 1_000)) == MOST


NAMED = {"bob": 34, "carol ann": 41, "carol": 41}


@pytest.mark.parametrize(
    "lines",
    [
        ("Bob: D4", "Carol: pass"),
        ("bob - D4", "Carol Ann, pass"),
        ("Bob:", "D4", "Carol:", "pass"),
        ("D4 with Bob and pass with Carol.",),
        ("D4 for Bob; pass in the game with Carol",),
        ("D4 in my game against Bob, for Carol: pass",),
        ("Against Bob: D4", "Against Carol pass"),
        ("game 34: D4", "vs Carol: pass"),
        ("With Bob D4, with Carol pass",),
        ("Bob -> D4", "For Carol, pass"),
    ],
)
def test_a_name_stands_for_the_game(lines: tuple[str, ...]) -> None:
    """As people know their games: by who plays them."""
    assert [(one.game, one.said) for one in game_lines(lines, NAMED)] == [(34, "D4"), (41, "pass")]


@pytest.mark.parametrize(
    "line",
    [
        *("Bob said D4", "I like to play with Carol", "Bobby: D4"),
        *("say hello to Bob", "Bob D4", "D4 and E5 with Carol", "D4 for you, E5 for Carol"),
        *("Bob's D4", "Bob thinks D4 is good", "a present for Bob", "say hi to Carol"),
    ],
)
def test_talk_of_somebody_names_no_game(line: str) -> None:
    """Nor does what may be meant for two games at once."""
    assert [(one.game, one.said) for one in game_lines([line], NAMED)] == [(None, line)]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("34: say I had dinner with Carol yesterday", "say I had dinner with Carol yesterday"),
        ("34: say this was game one of three", "say this was game one of three"),
        ("34: say hard day, with Carol: pass", "say hard day, with Carol: pass"),
        (
            "34: say I lose everywhere, against Carol I resign",
            "say I lose everywhere, against Carol I resign",
        ),
        ("34: note what I planned with Carol", "note what I planned with Carol"),
        ("34: D4. Game two was fun", "D4. Game two was fun"),
        ("Bob: E5 - thanks for Carol", "E5 - thanks for Carol"),
    ],
)
def test_names_and_numbers_in_somebodys_words_stay(line: str, said: str) -> None:
    """Whoever reads them reads what was written, and nothing of it is done in another game."""
    assert [(one.game, one.said) for one in game_lines([line], NAMED)] == [(34, said)]


def test_a_name_is_quoted_as_it_was_written() -> None:
    """Whoever wrote it knows no number."""
    asked = game_lines(["D4 with Bob and pass against Carol"], NAMED)
    assert [one.line for one in asked] == ["D4 with Bob", "pass against Carol"]


@pytest.mark.parametrize("name", ["pass", "d4", "resign", "x"])
def test_what_may_be_asked_is_nobodys_name(name: str) -> None:
    """Whatever an opponent calls themselves."""
    assert game_lines([f"{name}, thanks"], {name: 34})[0].game is None
