"""Dialogues of a controller with a seat as data, with the opponent's actions.

A file has scenes, each with a comment (`;`) that names it.

    ! game 9x9 black handicap 2: w E5     begins a scene, with moves; options are `time 3d/move`,
                                          `placing 2` (stones that Black has not placed yet),
                                          `board b D4 w E5` (an initial position), `estimates`,
                                          `rated`, `teaching`
    > line                                is sent; consecutive lines are sent together
    = response                            the response on the wire without its blank line; `...`
                                          matches any text, a line `...` any lines
    ! attach                              sends the record, as controllers do
    ! ok 9 times undo, play b D5         sends each command, and expects `=`
    ! mail b D4 w E5                      moves arrive by letter
    ! other dead D4 only                  a command of the opponent by letter; `own`: of this player
    ! over B+R, hours 3, away white 3     the game ends; its clock runs; a side has days off;
                                          also `over B+T adjudicated`; all clocks: `paused cause`
    ! quiet, seconds 4, waits             time passes, or none
    ! trouble Busy: Try again.            the daemon fails, until `trouble` alone
    ! crlf, leaves                        lines end in CR LF; the controller hangs up
    ! is dead D4 D5                       a property of the game
    ! log pending D4, released D4         all moves that the seat has saved and released so far
"""

import asyncio
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

from godaemon import errors
from godaemon.games.days_off import DaysOff
from godaemon.games.model import Game
from godaemon.records.record import Record
from godaemon.rules.points import Color, Size, parse_point
from tests.support.dialogue import matches
from tests.support.logs import command
from tests.support.scene_files import as_text
from tests.support.seat_game import QUIET_SECONDS, Controller, FakeSeatGame, game, settle

_GAME = re.compile(r"! game (\d+)x(\d+) (black|white)(.*?):(.*)")
_IS: dict[str, Callable[[Game], object]] = {
    "dead": lambda game: " ".join(sorted(map(str, game.dead))),
    "handicap": lambda game: " ".join(sorted(map(str, game.position.handicap))),
    "agreed": lambda game: " ".join(sorted(color.word for color in game.agreed)),
    "chat": lambda game: [one.text for one in game.chat],
}


class Scene(NamedTuple):
    """A scene of a file."""

    name: str
    lines: Sequence[str]

    def differences(self) -> list[str]:
        """The differences between the seat's responses and the file, one line each."""
        return asyncio.run(_found(self.lines))


def scenes(path: Path) -> Iterator[Scene]:
    comment, name, lines = "", "", list[str]()
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("! game"):
            if lines:
                yield Scene(f"{path.stem}: {name}", lines)
            name, lines = comment, [line]
        elif line.startswith(";"):
            comment = line[2:]
        elif line:
            lines.append(line)
    yield Scene(f"{path.stem}: {name}", lines)


async def _found(file: Sequence[str]) -> list[str]:
    first, *lines = file
    play = _Play(first)
    for line in [*lines, "! end"]:
        await play.line(line)
    await play.gui.hang_up()
    return play.found


def _begun(size: Size, words: str, moves: str) -> Game:
    """A game with options and moves."""
    words, _, board = words.partition("board ")
    options = dict(re.findall(r"(handicap|time|placing) (\S+)", words))
    begun = game(size, int(options.get("handicap", 0)), moves, time=options.get("time", ""))
    spec = replace(begun.spec, estimates="estimates" in words, rated="rated" in words)
    if "teaching" in words:
        spec = replace(spec, invited=spec.proposer)
    begun = replace(begun, spec=spec, white=spec.invited)
    if board:
        black, white = (tuple(map(parse_point, re.findall(f"{one} (\\S+)", board))) for one in "bw")
        opening = Record(size, setup_black=black, setup_white=white, to_move=Color.WHITE)
        spec = replace(spec, opening=opening)
    if stones := int(options.get("placing", 0)):
        spec = replace(spec, handicap=stones, free=True)
    if board or stones:
        begun = replace(begun, spec=spec, position=spec.starting_position())
    return begun


class _Play:
    def __init__(self, first: str) -> None:
        head = _GAME.fullmatch(first)
        assert head, first
        begun = _begun(Size(int(head[1]), int(head[2])), head[4], head[5])
        self.gui = Controller(FakeSeatGame(begun, Color[head[3].upper()]))
        self.found: list[str] = []
        self._end = "\n"
        self._sending: list[str] = []
        self._sent: list[str] = []
        self._expected: list[str] = []
        self._read = 0

    async def line(self, line: str) -> None:
        """Run the next line of the file."""
        if line.startswith("> "):
            await self._compare()
            self._sending.append(line[2:])
        elif line.startswith("! "):
            await self._compare()
            await self._send()
            await self._compare()
            verb, _, rest = line[2:].partition(" ")
            if action := getattr(self, f"on_{verb}", None):
                await action(rest)
            await settle()
        elif line[:1] in "=?":
            await self._send()
            self._expected.append(line)
        else:
            self._expected[-1] += f"\n{line}"

    async def _send(self) -> None:
        if self._sending:
            self._sent = self._sending
            self.gui.lines.feed("".join(f"{one}{self._end}" for one in self._sending).encode())
            self._sending = []
            await settle()

    async def _compare(self) -> None:
        """Compare the new responses with the expected ones, unless lines wait to be sent."""
        if self._sending:
            return
        got, self._read = self.gui.sent[self._read :], len(self.gui.sent)
        expected, self._expected = self._expected, []
        fits = len(got) == len(expected) and all(map(matches, expected, got))
        if not fits:
            self.found.append(f"{self._sent} expected {expected}, got {got}")

    async def on_attach(self, _: str) -> None:
        size, moves = self.gui.seat.game.spec.size, self.gui.seat.game.position.moves
        played = (f"play {one.color.word} {one.point or 'pass'}" for one in moves)
        await self.on_ok(", ".join([f"boardsize {size.width}", "clear_board", "komi 1", *played]))

    async def on_ok(self, rest: str) -> None:
        times = re.fullmatch(r"(?:(\d+) times )?(.*)", rest)
        assert times
        self._sending = times[2].split(", ") * int(times[1] or 1)
        lines = len(self._sending)
        await self._send()
        self._expected = ["="] * lines
        await self._compare()

    async def on_mail(self, moves: str) -> None:
        await self.gui.seat.mail(moves)

    async def on_other(self, text: str) -> None:
        await self.gui.seat.do(command(text), self.gui.seat.color.opponent)

    async def on_own(self, text: str) -> None:
        await self.gui.seat.do(command(text))

    async def on_over(self, result: str) -> None:
        await self.gui.seat.end(*result.split())

    async def on_hours(self, hours: str) -> None:
        self.gui.seat.now += timedelta(hours=int(hours))

    async def on_paused(self, reason: str) -> None:
        self.gui.seat.paused = reason

    async def on_away(self, rest: str) -> None:
        side, days = rest.split()
        seat, clock = self.gui.seat, self.gui.seat.game.clock
        assert clock
        off = DaysOff(((seat.now, seat.now + timedelta(days=int(days))),))
        paused = clock.set_days_off(Color.named(side), seat.now, off)
        await seat.change(replace(seat.game, clock=paused))

    async def on_quiet(self, _: str) -> None:
        await self.gui.pass_time(QUIET_SECONDS)

    async def on_seconds(self, seconds: str) -> None:
        await self.gui.pass_time(float(seconds))

    async def on_trouble(self, rest: str) -> None:
        name, _, message = rest.partition(": ")
        self.gui.seat.trouble = getattr(errors, name)(message) if name else None

    async def on_crlf(self, _: str) -> None:
        self._end = "\r\n"

    async def on_leaves(self, _: str) -> None:
        await self.gui.hang_up()

    async def on_is(self, rest: str) -> None:
        name, _, wanted = rest.partition(" ")
        game = self.gui.seat.game
        found = as_text(_IS[name](game) if name in _IS else getattr(game, name))
        if found != wanted:
            self.found.append(f"{name} is {found}, not {wanted}")

    async def on_log(self, wanted: str) -> None:
        if ", ".join(self.gui.seat.log) != wanted:
            self.found.append(f"the log is {self.gui.seat.log}, not {wanted}")
