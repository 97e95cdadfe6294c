"""Games as text: commands of seats, and their effects.

The files of `played/` have scenes, as `tests/support/scene_files.py` reads them:

    game 9x9 chinese komi=0 handicap=2: D4 E5   a game that has begun, with moves; `free` lets
                                          Black place the stones, `proposal` leaves it proposed
    | . X O .                             a row of a diagram; `counting` plays it, and both pass
    play D4 pass                          moves in turn
    keep old                              a name for the revisions as they are now
    white (old): dead F6 only & done => Stale >> look again
                                          what a seat that has seen those commands comes to: the
                                          events, or nothing, or the refusal, and what it says
    hints = resign                        those of the last refusal; also `reason`
    told white your-turn, black moved     what the last commands make us tell whom
    game.phase = playing                  the state; also `has` and `lacks`
    event Expired, replays, same old      an event without a command; the log comes to the state;
                                          the revisions are those kept
    program B2 G5 = dead B2 only          what a program does that takes those stones for dead, and
                                          it is done; `game.question` is what it is asked
    against engine:gnugo                  White is a program
    cycle japanese 2                      a triple ko that has gone round twice
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest

from godaemon.errors import Refusal
from godaemon.games import commands as cmd
from godaemon.games import events as ev
from godaemon.games.awaited_decisions import awaited_decision
from godaemon.games.engine_seats import actions_in_count, engine_color, next_question
from godaemon.games.model import Game, Player, Revisions, Seat
from godaemon.games.notices import notice_kinds
from godaemon.rules.points import Color, parse_point
from tests.support import logs
from tests.support.boards import TRIPLE_KO_CYCLE, TRIPLE_KO_MOVES
from tests.support.logs import Log
from tests.support.scene_files import STATE, Scene, as_text, check_value, read_scenes, split_outcome

SCENES = [
    pytest.param(scene, id=f"{path.stem}: {scene.name}")
    for path in sorted(Path(__file__).with_name("played").glob("*.txt"))
    for scene in read_scenes(path)
]
SEATS = {seat.name.lower(): [seat] for seat in Seat} | {"anybody": [Seat.PROPOSER, Seat.INVITED]}
SAYS = re.compile(r"(\w+)(?: \((\w+)\))?: (.*)")
TERMS: dict[str, Callable[[str], Any]] = {
    "komi": float,
    "handicap": int,
    "invited": str,
    "lot": str,
    "color": lambda color: None if color == "none" else color,
}
SPECIAL: dict[str, Callable[[Game], object]] = {
    "awaits": lambda game: (
        " | ".join(
            f"{seat.word} {found.value}"
            for seat in game.seats
            if (found := awaited_decision(game, seat))
        )
        or None
    ),
    "dead": lambda game: " ".join(sorted(map(str, game.dead))),
    "engine_color": engine_color,
    "colors": lambda game: " ".join(move.color.word for move in game.position.moves),
    "rows": lambda game: "/".join(game.rows()),
    "black_board": lambda game: game.agreed[Color.BLACK],
    "white_board": lambda game: game.agreed[Color.WHITE],
    "white_prisoners": lambda game: game.position.prisoners[Color.WHITE],
}


@pytest.mark.parametrize("scene", SCENES)
def test_scene(scene: Scene) -> None:
    """Each line of the scene holds."""
    scene.play(Played().do)


class Played:
    """A game that is played line by line."""

    def __init__(self) -> None:
        self.log = Log()
        self._kept: dict[str, Revisions] = {}
        self._diagram: list[str] = []
        self._refusal = Refusal("")
        self._last: tuple[Seat, Sequence[ev.Event], Sequence[cmd.Action]] = (Seat.PROPOSER, (), ())

    def do(self, line: str) -> None:
        """Do what a line says, or check it."""
        if line.startswith("|"):
            self._diagram.append(line.removeprefix("|"))
        elif state := STATE.fullmatch(line):
            check_value(self.state(state[2]), state[3], state[4])
        elif says := re.fullmatch(r"(hints|reason) (=|has|lacks) ?(.*)", line):
            check_value(as_text(getattr(self._refusal, says[1])), says[2], says[3])
        elif (says := SAYS.fullmatch(line)) and says[1] in SEATS:
            for seat in SEATS[says[1]]:
                self.say(seat, self._kept[says[2]] if says[2] else None, *split_outcome(says[3]))
        elif line:
            verb, _, rest = line.partition(" ")
            getattr(self, f"on_{verb.removesuffix(':')}")(rest)

    def on_proposal(self, rest: str) -> None:
        pairs = (word.split("=") for word in rest.split())
        options = {pair[0]: pair[1] for pair in pairs if pair[0] in TERMS}
        words = [word for word in rest.split() if word.partition("=")[0] not in TERMS]
        lot = Color[options.pop("lot", "black").upper()]
        terms = {name: TERMS[name](value) for name, value in options.items()}
        sizes = [word for word in words if re.fullmatch(r"\d+x\d+", word)]
        width, height = map(int, (sizes or ["9x9"])[0].split("x"))
        rules = [word for word in words if word not in {"free", *sizes}] or ["japanese"]
        proposed = logs.proposal((width, height), " ".join(rules), **terms)
        self.log = Log(replace(proposed, free=True) if "free" in words else proposed, lot=lot)
        self._last = Seat.PROPOSER, self.log.events, ()

    def on_game(self, rest: str) -> None:
        terms, _, moves = rest.rpartition(":")
        self.on_proposal(terms)
        self.log.start().play(moves)

    def on_counting(self, rest: str) -> None:
        rules, _, komi = (rest or "japanese").partition(" komi=")
        self.log = logs.counting("\n".join(self._diagram), rules, komi=float(komi or 0.5))

    def on_cycle(self, rest: str) -> None:
        """Play a triple ko on 4x9, Black to move, that has gone round so often."""
        rules, rounds = rest.split()
        self.log = logs.begun(logs.proposal((4, 9), rules), TRIPLE_KO_MOVES)
        self.log.play(" ".join([TRIPLE_KO_CYCLE] * int(rounds)))

    def on_against(self, rest: str) -> None:
        """Replace White by another player, such as a program."""
        game, player = self.log.game, Player(rest, rest)
        spec = replace(game.spec, invited=player)
        self.log.game = replace(game, spec=spec, white=player)

    def on_play(self, rest: str) -> None:
        self.log.play(rest)

    def on_keep(self, name: str) -> None:
        self._kept[name] = self.log.game.revisions

    def on_same(self, name: str) -> None:
        assert self.log.game.revisions == self._kept[name]

    def on_event(self, rest: str) -> None:
        name, *fields = rest.split()
        event: ev.Event = getattr(ev, name)(*fields)
        self.log.event(event)
        self._last = Seat.PROPOSER, [event], ()

    def on_replays(self, rest: str) -> None:
        logs.same_as_replayed(self.log)

    def on_program(self, rest: str) -> None:
        stones, _, wanted = rest.partition("= ")
        dead = map(parse_point, stones.split())
        found = actions_in_count(self.log.game, self.log.events, dead)
        assert [*found] == [logs.command(one) for one in wanted.split(" & ") if one], found
        self.log.do(Seat.WHITE, *found)

    def on_told(self, rest: str) -> None:
        kinds = notice_kinds(self.log.game, self._last[1], self._last[0], self._last[2])
        found = sorted(f"{seat.name.lower()} {kind.value}" for seat, kind in kinds.items())
        assert found == (sorted(rest.split(", ")) if rest != "nothing" else []), found

    def say(self, seat: Seat, seen: Revisions | None, text: str, wanted: str, words: str) -> None:
        """Send commands of a seat; a refusal changes nothing."""
        before = len(self.log.events), self.log.game.revisions
        commands = [logs.command(one) for one in text.split(" & ")]
        try:
            events = self.log.do(seat, *commands, seen=seen)
        except Refusal as refusal:
            assert before == (len(self.log.events), self.log.game.revisions)
            self._refusal, message = refusal, refusal.public
            found = [*map(_name, type(refusal).mro())]
        else:
            self._last = seat, events, commands
            found, message = [", ".join(type(one).__name__ for one in events)], str(events)
        assert wanted in {"", *found} or (wanted == "nothing" and found == [""]), (
            f"{found}: {message}"
        )
        assert "Refusal" not in found or wanted, message
        for one in words.split(" | "):
            assert (one[1:] not in message) if one.startswith("-") else (one in message), message

    def state(self, name: str) -> str:
        """The value of a name in the game's state."""
        game = self.log.game
        if name == "question":
            return as_text(next_question(game, self.log.events))
        if name in SPECIAL:
            return as_text(SPECIAL[name](game))
        of_score = name.startswith("score.")
        found = attrgetter(name.removeprefix("score."))(game.score() if of_score else game)
        return as_text(found)


def _name(kind: type) -> str:
    return kind.__name__
