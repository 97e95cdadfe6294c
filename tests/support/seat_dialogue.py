"""Dialogues of a controller with a seat, as data, with what the opponent does meanwhile.

A file begins with `! game SIZE COLOR: MOVES`, perhaps with `handicap N` or `time SETTINGS`
before the colon. `> line`
is sent; lines below each other are sent together, before any answer is read. What comes back
stands below, each response as on the wire but for its blank line; `...` stands for any text, and a
line of three dots for any lines. `! mail b D4 w E5` lets letters bring moves, `! marks V...` lets
the opponent mark chains dead, `! done` and `! resume` let them say so, `! over B+R` ends the game,
`! hours N` turns its clock, `! away white 3` lets a side be away for days,
`! quiet` lets time pass, `! crlf` makes the controller end its lines as Windows does, and `! log
...` says all that the seat has written down and released so far. Lines that begin with `;` are
remarks.
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from godaemon.games import commands as cmd
from godaemon.games.game_clock import DaysOff
from godaemon.rules.points import Color, Size, parse_point
from tests.support.dialogue import matches
from tests.support.seat_game import QUIET_SECONDS, Controller, FakeSeatGame, game, settle

_GAME = re.compile(r"! game (\S+) (black|white)(?: handicap (\d+))?(?: time (\S+))?:(.*)")


def differences(path: Path) -> list[str]:
    """Where a seat's responses are not those of the file, one line each."""
    lines = [line for line in path.read_text("utf-8").splitlines() if line[:1] != ";"]
    return [f"{path.name}: {found}" for found in asyncio.run(_found(lines))]


async def _found(file: list[str]) -> list[str]:
    first, *lines = file
    play = _Play(first)
    for line in [*lines, "! end"]:
        await play.line(line)
    await play.gui.hang_up()
    return play.found


class _Play:
    def __init__(self, first: str) -> None:
        head = _GAME.fullmatch(first)
        assert head, first
        width, _, height = head[1].partition("x")
        begun = game(Size(int(width), int(height)), int(head[3] or 0), head[5], time=head[4] or "")
        self.gui = Controller(FakeSeatGame(begun, Color[head[2].upper()]))
        self.found: list[str] = []
        self._end = "\n"
        self._sending: list[str] = []
        self._sent: list[str] = []
        self._expected: list[str] = []
        self._read = 0

    async def line(self, line: str) -> None:
        """Take the next line of the file."""
        if line.startswith("> "):
            await self._compare()
            self._sending.append(line[2:])
        elif line.startswith("! "):
            await self._compare()
            await self._send()
            await self._compare()
            await self._happen(*line[2:].split())
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
        """What has come since must be what was expected; nothing while more is to be sent."""
        if self._sending:
            return
        got, self._read = self.gui.sent[self._read :], len(self.gui.sent)
        expected, self._expected = self._expected, []
        fits = len(got) == len(expected) and all(map(matches, expected, got))
        if not fits:
            self.found.append(f"{self._sent} expected {expected}, got {got}")

    async def _happen(self, what: str, *words: str) -> None:
        seat_game = self.gui.seat
        if what == "mail":
            await seat_game.mail(" ".join(words))
        elif what == "marks":
            points = tuple(map(parse_point, words))
            mark = cmd.Mark(points, dead=True, extent=cmd.Extent.CHAIN)
            await seat_game.do(mark, seat_game.color.opponent)
        elif what in {"done", "resume"}:
            command = cmd.Done() if what == "done" else cmd.Resume()
            await seat_game.do(command, seat_game.color.opponent)
        elif what == "over":
            await seat_game.end(*words)
        elif what == "hours":
            seat_game.now += timedelta(hours=int(*words))
        elif what == "away":
            clock = seat_game.game.clock
            assert clock
            until = seat_game.now + timedelta(days=int(words[1]))
            off = DaysOff(((seat_game.now, until),))
            paused = clock.pause(Color[words[0].upper()], seat_game.now, off)
            await seat_game.change(replace(seat_game.game, clock=paused))
        elif what == "quiet":
            await self.gui.clock.advance(QUIET_SECONDS)
        elif what == "crlf":
            self._end = "\r\n"
        elif what == "log" and seat_game.log != re.findall(
            r"[^,]+", " ".join(words).replace(", ", ",")
        ):
            self.found.append(f"the log is {seat_game.log}, not {words}")
        await settle()
