"""The letter that seats a Go program: the one line to paste, and where to paste it. Pure.

What each program's menus are called was read in their own sources: GoGui 1.6, Sabaki 0.52 and
q5Go 2.1. How this server is reached comes in from outside, and the keys with it.
"""

from __future__ import annotations

from collections.abc import Iterator

from godaemon.rules.points import Color
from mailgate.letters.blocks import Block, Choices, Items, LetterBlocks, Paste, Words
from mailgate.letters.gtp_access import CLIENT, GtpAccess
from mailgate.letters.letter_view import LetterView
from mailgate.letters.phrases import title


def gui(view: LetterView) -> LetterBlocks:
    """How a Go program sits down for the reader; or that none may any more."""
    access = view.access
    if not view.about.get("on"):
        return _no_more(view)
    colors = [color for color in Color if color.word in access.keys]
    lines = [(color, access.line(view.game.id, color)) for color in colors]
    return LetterBlocks(
        _first(colors),
        (*_lines(lines), *_how(view, access, lines)),
        record=True,
        client=bool(access.tcp),
    )


def _first(colors: list[Color]) -> str:
    if len(colors) == 1:
        return f"This line lets a Go program sit down for you, as {title(colors[0])}."
    return "These lines let a Go program sit down for you, one for each colour."


def _lines(lines: list[tuple[Color, str]]) -> list[Block]:
    if len(lines) == 1:
        return [Paste(lines[0][1])]
    return [block for color, line in lines for block in (Words(f"As {title(color)}:"), Paste(line))]


def _how(view: LetterView, access: GtpAccess, lines: list[tuple[Color, str]]) -> tuple[Block, ...]:
    color, line = lines[0]
    steps = _by_tcp if access.tcp else _by_shell
    return (
        _secret(access),
        *steps(f"game-{view.game.id}.sgf", color.opponent, line),
        *([] if access.tcp else [_WITHOUT_PASSWORD if access.ssh else _INSTALLED]),
        Words(_playing(view, color.opponent)),
        *_first_stones(view),
        Words("What Go programs get wrong:"),
        Items(_WRONG),
    )


def _first_stones(view: LetterView) -> Iterator[Words]:
    """What Black does before the first move, where the handicap stones are Black's to place."""
    placing = view.game.placing
    if placing and view.color is not Color.WHITE:
        yield Words(
            f"First place your {placing} handicap stones on the empty board: the first {placing}"
            " black stones that your program plays or sets up are these."
        )


def _by_tcp(record: str, other: Color, _: str) -> tuple[Block, ...]:
    """Three steps, since everybody's paths differ: the client itself says what they are."""
    python = (
        "Have Python, 3.9 or newer. Linux has it. On Windows, get it from the Microsoft Store. On a"
        " Mac, type python3 in the Terminal, which offers it."
    )
    save = (
        f"Save the attached {CLIENT} in your Downloads folder, and leave it there. Open a terminal"
        " and paste the line above (on Windows, write python, or py, for python3); on a Mac, allow"
        " it to see that folder. It answers with a Path and Arguments. If it finds no such file,"
        " type python3 and a blank, drag the file into the terminal, and paste the rest, from"
        " --connect on."
    )
    enter = (
        f"Open the attached {record} in your Go program and go to its last move. Then enter there"
        " what the terminal says."
    )
    programs = _programs(
        other, "paste the terminal's one line", "what it says goes under {path} and Arguments"
    )
    return (
        Words("Three steps, once:"),
        Items((python, save, enter)),
        Words("Where:"),
        Items(programs),
    )


def _by_shell(record: str, other: Color, line: str) -> tuple[Block, ...]:
    program, _, rest = line.partition(" ")
    first = rest.split(" ", 1)[0]
    parts = (
        f'"{program}" under {{path}}, and the rest of the line, from "{first}" on, under Arguments'
    )
    return (
        Words(
            f"Open the attached {record} in your Go program and go to its last move, so that it"
            " has the game before it. Then let it start the line, once:"
        ),
        Items(_programs(other, "paste the whole line", parts)),
    )


def _playing(view: LetterView, other: Color) -> str:
    """How it goes on, once the program sits there."""
    if view.teaching:
        return (
            "Each line plays one of your colours; the other's moves come as they are made, by"
            f" email or by the other line. {_SENT}"
        )
    return (
        f"{title(other)}'s player there is now {view.other}: you place your stones, and the answers"
        " come as they are made, which may take days. Meanwhile you can close the program; come"
        f" back by the same steps with the newest record (`sgf`). {_SENT}"
    )


_SENT = (
    "A stone is sent as soon as your program asks for the answer, which most do at once: look"
    " before you click."
)


def _secret(access: GtpAccess) -> Words:
    if access.tcp:
        return Words(
            "Whoever has it can play your stones, and in no other game: keep it to yourself."
            " To make it worthless, reply with: `gui off`"
        )
    return Words(
        "It works for those who have an account on this server's machine and may use its socket;"
        " whoever runs the server can give you both."
    )


_INSTALLED = Words(
    "The program godaemon itself must be installed on that computer; where the Go program does"
    " not find it, write its whole path, such as /home/you/.venv/bin/godaemon.",
    small=True,
)
_WITHOUT_PASSWORD = Words(
    "The connection must work without a password (an ssh key does that); try the line in a"
    " terminal first, and type: name",
    small=True,
)


def _programs(other: Color, line: str, parts: str) -> tuple[str, ...]:
    """Where each Go program is told what to start: in one `line`, or in two `parts`."""
    them = title(other)
    gogui = (
        f"GoGui: choose New Program in the menu Program, and {line} under Command."
        f" Then Attach, in the same menu, and in the menu Game: Computer Color, {them}."
    )
    sabaki = (
        "Sabaki: choose Show Engines Sidebar in the menu Engines, then Attach Engine and Manage"
        f" Engines. Add one: {parts.format(path='Path')}. Attach it, click it with the"
        f" right button, and choose Set as {them} Player. If it is {them}'s turn, press F10. If"
        f" {them} has passed and you pass too, Sabaki sends nothing: type"
        f" `play {other.opponent.word} pass` in the field below the engines, or reply with: `pass`"
    )
    q5go = (
        "q5Go: in the preferences, under Computer Go, create a new engine:"
        f" {parts.format(path='Executable')}. Then choose Play against engine from current"
        f" position; the computer plays {them}."
    )
    return gogui, sabaki, q5go


_RESIGNING = "Their own button to resign tells nobody. To resign, reply with: `resign`"
_COUNTING = (
    "Most count a finished game by themselves. What counts are the stones that you both mark as"
    " dead: by email, in GoGui by Tools, Analyze Commands, or in Sabaki's field below the engines,"
    " such as `godaemon-dead B3`, and `godaemon-done` once all are marked."
)
_OTHER_GAME = (
    "If a good move is called illegal, the program shows another game: open the record of this one,"
    " and attach again."
)
_WRONG = (_RESIGNING, _COUNTING, _OTHER_GAME)


def _no_more(view: LetterView) -> LetterBlocks:
    return LetterBlocks(
        f"No Go program is let in any more for your seat in game {view.game.id}.",
        (
            Words("The line that I sent you is worthless now; you play on by email."),
            Choices((("gui", "have a new line"),)),
        ),
    )
