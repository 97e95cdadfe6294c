"""Games as event logs without a store: commands are decided and applied."""

from collections.abc import Sequence
from dataclasses import fields

from godaemon.games import commands as cmd
from godaemon.games import events as ev
from godaemon.games.awaited_decisions import check_fresh
from godaemon.games.dead_stones import join_marks
from godaemon.games.decisions import decide_after
from godaemon.games.model import Game, Phase, Revisions, Seat
from godaemon.games.state import apply, begin, replay
from godaemon.rules.points import Color, parse_point
from tests.support import boards

ALICE, BOB = "alice@players.example", "bob@players.example"
B, W, P, I = Seat.BLACK, Seat.WHITE, Seat.PROPOSER, Seat.INVITED  # noqa: E741 - seats


def proposal(
    size: tuple[int, int] = (9, 9),
    rules: str = "japanese",
    *,
    komi: float = 6.5,
    handicap: int = 0,
    color: str | None = "black",
    invited: str = BOB,
    time: str = "",
) -> ev.Proposed:
    """Alice, as Black by default, proposes a game to Bob."""
    return ev.Proposed(
        *size,
        rules,
        komi,
        handicap,
        color,
        *(ALICE, "Alice", invited, invited[:3], "nonce"),
        time=time,
    )


class Log:
    """A game with its state in `game` and its log in `events`."""

    def __init__(self, proposed: ev.Proposed | None = None, *, lot: Color = Color.BLACK) -> None:
        first = proposed or proposal()
        self.events: list[ev.Event] = [first]
        self.game = begin(1, first)
        self.lot = lot

    def do(
        self, seat: Seat, *commands: cmd.Action, seen: Revisions | None = None
    ) -> tuple[ev.Event, ...]:
        """Carry out the commands of one letter; returns the events, or raises a `Refusal`."""
        check_fresh(self.game, commands, seen, seat)
        game, events = self.game, list[ev.Event]()
        for command in join_marks(commands):
            for event in decide_after(self.game, game, seat, command, lambda: self.lot):
                game = apply(game, event)
                events.append(event)
        self.game = game
        self.events += events
        return tuple(events)

    def start(self) -> "Log":
        """Confirm and accept the proposal."""
        self.do(P, cmd.Yes())
        if self.game.phase is Phase.PROPOSED:
            self.do(I, cmd.Yes())
        return self

    def play(self, moves: str) -> "Log":
        """Play alternating moves: `D4 E5 pass`."""
        for word in moves.split():
            color = self.game.to_move
            assert color is not None, (word, self.game.phase)
            self.do(Seat.of(color), move(word))
        return self

    def event(self, event: ev.Event) -> "Log":
        """Append an event without a command."""
        self.events.append(event)
        self.game = apply(self.game, event)
        return self


def move(word: str) -> cmd.Play | cmd.Pass:
    return cmd.Pass() if word == "pass" else cmd.Play(parse_point(word))


def dead(words: str, extent: cmd.Extent = cmd.Extent.GROUP) -> cmd.Mark:
    """`dead Q16 C3`."""
    return cmd.Mark(tuple(map(parse_point, words.split())), dead=True, extent=extent)


def alive(words: str, extent: cmd.Extent = cmd.Extent.GROUP) -> cmd.Mark:
    """`alive Q16`."""
    return cmd.Mark(tuple(map(parse_point, words.split())), dead=False, extent=extent)


_EXTENTS = {extent.value: extent for extent in cmd.Extent}


def command(text: str) -> cmd.Action:
    """Parse a command: `dead F6 only`."""
    verb, *words = text.split()
    if verb in {"dead", "alive"}:
        extent = _EXTENTS.get(words[-1])
        points = words[:-1] if extent else words
        mark = dead if verb == "dead" else alive
        return mark(" ".join(points), extent or cmd.Extent.GROUP)
    if verb == "place":
        return cmd.Place(tuple(map(parse_point, words)))
    if verb in {"say", "note"}:
        message = text.partition(" ")[2].replace("⏎", "\n")
        return cmd.Say(message) if verb == "say" else cmd.Note(message)
    if verb == "no":
        return cmd.No(blocking="blocking" in words)
    named = getattr(cmd, verb.title(), None)
    return named() if named and verb != "pass" else move(verb)


def begun(proposed: ev.Proposed | None = None, moves: str = "") -> Log:
    return Log(proposed).start().play(moves)


def counting(diagram: str, rules: str = "japanese", *, komi: float = 0.5) -> Log:
    """A game in the scoring phase with the position of a diagram.

    The stones are played one by one; the colour with fewer stones passes.
    """
    size, signs = boards.parse(diagram)
    log = begun(proposal((size.width, size.height), rules, komi=komi))
    black = [str(point) for point, sign in signs.items() if sign in "X#"]
    white = [str(point) for point, sign in signs.items() if sign in "O@"]
    while black or white:
        log.do(B, move(black.pop(0) if black else "pass"))
        log.do(W, move(white.pop(0) if white else "pass"))
        if log.game.phase is Phase.SCORING and (black or white):
            log.do(W, cmd.Resume())
    while log.game.phase is Phase.PLAYING:
        log.play("pass")
    return log


def reread(events: Sequence[ev.Event]) -> list[ev.Event]:
    """Encode and decode a log, as the store does."""
    return [ev.decode(ev.name(event), ev.VERSION, ev.encode(event)) for event in events]


def essence(game: Game) -> dict[str, object]:
    """The state of a game as comparable values."""
    position = game.position
    values = {one.name: getattr(game, one.name) for one in fields(game) if one.name != "position"}
    return {
        **values,
        "agreed": dict(game.agreed),
        "addresses": dict(game.addresses),
        "cells": tuple(position.board.cells),
        "prisoners": dict(position.prisoners),
        "moves": position.moves,
        "to_move": position.to_move,
        "legal": [position.legal_moves(color) for color in Color],
    }


def same_as_replayed(log: Log) -> None:
    assert essence(replay(1, reread(log.events))) == essence(log.game)
