"""Games played by commands, without incoming mail; their letters are composed.

games = PlayedGames()
games.propose("alice", Propose("bob@players.example", Size(9, 9)))
games.act(PROPOSER, Yes())
letters = games.letters()
"""

from dataclasses import dataclass, replace
from datetime import timedelta
from email.message import EmailMessage
from functools import cached_property

from godaemon.games import commands as cmd
from godaemon.games.game_cache import GameCache
from godaemon.games.model import Game, Seat
from godaemon.games.notices import Kind, Notice
from godaemon.games.service import GameService, Randomness
from godaemon.games.service_calls import Caller
from godaemon.rules.points import Color, parse_point
from mailgate.handling.player_games import list_entries, open_games
from mailgate.letters.compose import Composed, Composer
from mailgate.letters.letter_data import LetterData, load_letter_data
from mailgate.letters.letter_view import GtpAccess
from tests.support.letters import parsed, part
from tests.support.limits import Limits
from tests.support.memory_store import MemoryUnit, MemoryWriter
from tests.support.stores import NOW

KEY = b"k" * 32
ADDRESS = "go@go.example"
PEOPLE = {"alice": "Alice", "bob": "Bob"}


@dataclass(frozen=True)
class PostedLetter:
    """A letter and its data; composed on demand."""

    data: LetterData
    composer: Composer

    @cached_property
    def composed(self) -> Composed:
        return self.composer.compose(self.data)

    @cached_property
    def letter(self) -> EmailMessage:
        return parsed(self.composed.raw)

    @property
    def kind(self) -> str:
        return self.data.notice.kind.value

    @property
    def text(self) -> str:
        return part(self.letter, "plain")

    @property
    def html(self) -> str:
        return part(self.letter, "html")


def composer() -> Composer:
    """A composer with fixed settings, for reproducible letters."""
    return Composer(
        KEY, ADDRESS, "Go by mail", invitation_days=14, gtp_access=GtpAccess("go.example:7000")
    )


class PlayedGames:
    """Games in memory. The clock advances a minute with each command."""

    def __init__(self) -> None:
        self.writer = MemoryWriter()
        self.composer = composer()
        self.now = NOW
        self._cache = GameCache()
        self._written = 0

    def _open(self, unit: MemoryUnit) -> GameService:
        self.now += timedelta(minutes=1)
        chance = Randomness(lambda: Color.BLACK, lambda: "nonce")
        return GameService(unit, self._cache, self.now, chance, Limits())

    def propose(self, who: str, wanted: cmd.Propose, *, name: str | None = None) -> Game:
        """A proposal by `who`@players.example, not confirmed yet."""
        caller = self._caller(who, name)
        return self.writer.run_sync(
            lambda unit: self._open(unit).propose(wanted, caller, vouched=False).after
        )

    def act(self, seat: Seat, *commands: cmd.Action, game: int = 1) -> Game:
        """Carry out a seat's commands; raises a `Refusal`."""

        def work(unit: MemoryUnit) -> Game:
            games = self._open(unit)
            holder = games.game(game).player(seat)
            who = holder.address.partition("@")[0]
            return games.act(game, seat, commands, self._caller(who, None)).after

        return self.writer.run_sync(work)

    def start(self, wanted: cmd.Propose, who: str = "alice") -> Game:
        """Start a game; the proposer is Black."""
        self.propose(who, wanted)
        self.act(Seat.PROPOSER, cmd.Yes())
        return self.act(Seat.INVITED, cmd.Yes())

    def play(self, moves: str, game: int = 1) -> Game:
        """Play alternating moves: `E5 C3 pass`."""
        after = None
        for word in moves.split():
            command = cmd.Pass() if word == "pass" else cmd.Play(parse_point(word))
            after = self.act(self.mover(game), command, game=game)
        assert after is not None
        return after

    def mover(self, game: int = 1) -> Seat:
        to_move = self.writer.run_sync(lambda unit: self._open(unit).game(game)).to_move
        assert to_move is not None
        return Seat.of(to_move)

    def queue(self, notice: Notice) -> None:
        self.writer.run_sync(lambda unit: unit.outbox.queue(notice, self.now))

    def queue_list(self, who: str) -> None:
        """Queue a player's list of games, as `games` does."""
        address = f"{who}@players.example"

        def work(unit: MemoryUnit) -> None:
            listed = list_entries(open_games(self._open(unit), address), {})
            about = {"listed": listed}
            unit.outbox.queue(Notice(Kind.GAMES, address, answers="<9@x>", about=about), self.now)

        self.writer.run_sync(work)

    def letters(self) -> list[PostedLetter]:
        """The letters queued since the last call."""
        later = self.now + timedelta(seconds=1)
        due = self.writer.run_sync(lambda unit: unit.outbox.claim(later, 1e9, 1000))
        return [self._post(gathered) for gathered in map(self._gather, due)]

    def _gather(self, due: object) -> LetterData:
        data = self.writer.run_sync(lambda unit: load_letter_data(unit, due))  # type: ignore[arg-type]
        self._written += 1
        return replace(data, uid=f"{self._written:016x}")

    def _post(self, data: LetterData) -> PostedLetter:
        return PostedLetter(data, self.composer)

    def _caller(self, player: str, name: str | None) -> Caller:
        known = PEOPLE.get(player, "") if name is None else name
        return Caller(
            "letter:<1@x>", f"{player}@players.example", known, message_id=f"<{player}.1@x>"
        )
