"""A game as seen from a seat, and the open games of an address."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from godaemon.errors import Unreadable
from godaemon.games import commands as cmd
from godaemon.games.awaited_decisions import Awaited, awaited_decision
from godaemon.games.model import OPEN_PHASES, Game, Phase, Player, Revisions, Seat
from godaemon.games.service import GameService
from godaemon.rules.points import Color, parse_point
from mailgate.language.new_game import write_points
from mailgate.language.statement_splitting import vertices

MAX_GAMES_WITH_BUTTONS = 50  # open games with buttons in a list; others are only named
_ANSWERS: dict[Awaited, tuple[type, ...]] = {
    Awaited.TURN: (cmd.Play, cmd.Place, cmd.Pass, cmd.Undo, cmd.Resign),
    Awaited.COUNT: (cmd.Mark, cmd.Done, cmd.Resume, cmd.Estimate),
    Awaited.INVITATION: (cmd.Yes, cmd.No, cmd.Counter),
    Awaited.CONFIRMATION: (cmd.Yes, cmd.No, cmd.Withdraw),
    Awaited.VOID: (cmd.Void, cmd.Withdraw, cmd.No),
}
"""The commands that answer each decision."""
_MAX_OFFERED_MOVES = 3  # maximum moves to offer


@dataclass(frozen=True, slots=True)
class GameView:
    """A game as the player in one of its seats sees it."""

    game: Game
    seat: Seat
    seen: Revisions | None = None  # the revisions that the answered letter showed

    @property
    def awaits(self) -> Awaited | None:
        return awaited_decision(self.game, self.seat)

    @property
    def color(self) -> Color | None:
        """The colour that the seat plays now; None before colours are settled."""
        return self.game.color_of(self.seat)

    @property
    def word(self) -> str:
        """The seat in the log: its colour's word, once that is known."""
        return self.game.color_seat(self.seat).word

    @property
    def holder(self) -> str:
        """The seat's own address, whichever one its player writes from."""
        return self.game.player(self.seat).address

    @property
    def opponent(self) -> Player:
        return self.game.player(self.seat.other)

    def named_moves(self, words: str) -> tuple[str, ...]:
        """A few of the free points that some words name; () if it is not this seat's turn."""
        if self.awaits is not Awaited.TURN:
            return ()
        size, board, free = self.game.spec.size, self.game.position.board, list[str]()
        for name in vertices(write_points(words)):
            with suppress(Unreadable):
                point = parse_point(name)
                if size.has(point) and board.color(point) is None:
                    free.append(name)
        return tuple(free[:_MAX_OFFERED_MOVES])

    def is_on_board(self, vertex: str) -> bool:
        """True if it is this seat's turn, and the board has a point of this name."""
        return self.awaits is Awaited.TURN and self.game.spec.size.has(parse_point(vertex))

    def list_entry(self) -> dict[str, object]:
        """The game as JSON values in the notice of a list."""
        about = {"game": self.game.id, "seat": self.seat.value, "length": self.game.length}
        return {**about, **(self.seen or self.game.revisions)._asdict(), "awaits": self.awaits}


def open_games(games: GameService, address: str) -> list[GameView]:
    """The newest open games of an address, those that await its decision first."""
    me, summaries = address.casefold(), games.unit.games.summaries(address, OPEN_PHASES)
    rows = sorted(summaries, key=lambda row: row.updated, reverse=True)
    movers = {one.id: one.black if one.to_move == "black" else one.white for one in rows}
    rows.sort(key=lambda row: row.phase is Phase.PLAYING and movers[row.id].casefold() != me)
    readable = filter(None, (games.readable_game(row.id) for row in rows[:MAX_GAMES_WITH_BUTTONS]))
    views = filter(None, (view_of(game, address) for game in readable))
    return sorted(views, key=lambda one: one.awaits is None)


def games_by_name(games: GameService, address: str) -> dict[str, int]:
    """The open games of an address by the opponent's name or first name, if only one has it."""
    found: dict[str, set[int]] = {}
    for row in games.unit.games.summaries(address, OPEN_PHASES):
        for holder, name in ((row.black, row.black_name), (row.white, row.white_name)):
            if holder.casefold() != address.casefold():
                for known_name in {name.casefold(), *name.casefold().split()[:1]} - _NO_NAMES:
                    found.setdefault(known_name, set()).add(row.id)
    return {known_name: min(ids) for known_name, ids in found.items() if len(ids) == 1}


_NO_NAMES = {
    *("", "the", "a", "an", "my", "i", "you", "he", "she", "it", "we", "they", "me", "mr", "mrs"),
    *("ms", "dr", "hi", "hello", "hey", "dear", "thanks", "please", "yes", "no", "now", "time"),
}
"""First words of names that identify nobody."""


def last_ended_game(games: GameService, address: str) -> list[GameView]:
    """The game of an address that ended last, in a list; [] if there is none or it is damaged."""
    rows = games.unit.games.summaries(address, set(Phase) - OPEN_PHASES)
    last = max(rows, key=lambda row: row.updated, default=None)
    game = games.readable_game(last.id) if last else None
    found = view_of(game, address) if game else None
    return [found] if found else []


def list_entries(
    games: Sequence[GameView], lines_by_game: Mapping[int, list[str]]
) -> list[dict[str, object]]:
    """The entries of a list in its notice, with lines that the sender may have meant."""
    return [{**one.list_entry(), "meant": lines_by_game.get(one.game.id, [])} for one in games]


def likely_games(waits: Mapping[int, str | None], command: cmd.Command | None = None) -> list[int]:
    """The games that a command may be about: those that await it, else those that await anything.

    If no game waits, all of them.
    """
    waiting = [number for number, awaits in waits.items() if awaits]
    fitting = [one for one in waiting if answers_awaited(command, waits[one])]
    return fitting or waiting or list(waits)


def answers_awaited(command: cmd.Command | None, awaits: str | None) -> bool:
    """True if a command answers the decision that a game awaits."""
    return awaits is not None and isinstance(command, _ANSWERS[Awaited(awaits)])


def view_of(game: Game, address: str) -> GameView | None:
    """A game from the first seat of an address; None without one, or if it is not invited yet."""
    seats = game.seats_of(address)
    if not seats or (seats[0] is Seat.INVITED and not game.confirmed):
        return None
    return GameView(game, seats[0])
