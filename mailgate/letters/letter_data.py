"""The data of a letter: a notice, and the events of its game that it reports.

`load_letter_data` reads it in one transaction; `compose` makes the letter of it later, on any
thread.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Protocol

from godaemon.diagrams.board_style import BoardStyle
from godaemon.engine import Reading
from godaemon.engine.results import ScoreEstimate
from godaemon.games.events import Countered, Event, LogEntry, Marked
from godaemon.games.game_cache import GameCache
from godaemon.games.model import OPEN_PHASES, Game, Phase, Seat
from godaemon.games.notices import MAX_EXPORTED, DueNotice, Kind, Notice
from godaemon.games.player_settings import Profile
from godaemon.games.public_games import VISIBLE_EVENTS, spectator_view
from godaemon.games.state import replay
from godaemon.games.stored_values import GameSummary, Unit

WHICH_COUNT = "stale-count"
"""The reason of a refusal that asks which marks a `done` agreed to."""
MEANT_MOVE = "meant-move"
"""The reason of a refusal that asks whether held words are a move, which then carries them."""
OPINION_KINDS = (Kind.SCORING_STARTED, Kind.ESTIMATE)
"""The kinds that have our opinion on a count."""
_OPEN_COUNT_KINDS = (*OPINION_KINDS, Kind.REFUSED, Kind.SHOW, Kind.CHAT, Kind.HELP)
"""The kinds that may have it as long as nobody has marked stones or agreed."""
_COUNTING_KINDS = {*_OPEN_COUNT_KINDS, Kind.MARKS_CHANGED, Kind.DONE} - {Kind.HELP}
"""The kinds that always show what a `done` agrees to."""
MAX_WAITING = 30
"""Maximum number of games that a list shows with buttons."""
MAX_LISTED = 100
"""Maximum number of games that it shows without buttons."""


@dataclass(frozen=True, slots=True)
class LetterData:
    """The data of one letter, as it was when the notice was queued."""

    uid: str
    queued_at: datetime
    notice: Notice
    before: Game | None = None
    """The game before new marks or terms, for a letter about these; else None."""
    after: Game | None = None
    """The game as the letter shows it."""
    events: tuple[Event, ...] = ()
    """The events between the two."""
    games: Sequence[GameSummary] = ()
    """In the list of games: the recipient's open games, then the newest others."""
    total: int = 0
    """The number of the recipient's games."""
    waiting: tuple[tuple[Game, Seat], ...] = ()
    """In a list: the games with buttons, and the recipient's seat in each."""
    logs: tuple[tuple[int, tuple[LogEntry, ...]], ...] = ()
    """In an export: the numbers and logs of the recipient's games."""
    reader: Profile = field(default_factory=Profile)
    """The recipient's profile; if a letter is about settings, that of the seat's address."""
    paused: tuple[datetime, datetime, str] | None = None
    """The pause of all clocks: its start, its latest end, and the reason."""
    counted: bool = True
    """Whether a `done` may answer the letter (`LetterBlocks`)."""
    opinion: tuple[str, Reading] | None = None
    """An engine's opinion; None if the letter needs none, or none came. So are these two:"""
    review: str | None = None
    estimate: ScoreEstimate | None = None

    @property
    def clock_now(self) -> datetime:
        return min(self.queued_at, self.paused[0]) if self.paused else self.queued_at

    @property
    def boards(self) -> BoardStyle:
        return BoardStyle.of(self.reader.boards or "")


def load_letter_data(unit: Unit, due: DueNotice, cache: GameCache | None = None) -> LetterData:
    """Load the data of the letter for a claimed notice; a cached game is not replayed."""
    whose = due.notice.about.get("whose", due.notice.to)
    data, reader = _load(unit, due, cache), unit.players.profile(whose)
    if due.notice.kind is Kind.INVITATION and data.after is not None and reader == Profile():
        proposer = unit.players.profile(data.after.player(Seat.PROPOSER).address)
        reader = Profile(language=proposer.language)
    return replace(data, reader=reader)


def _load(unit: Unit, due: DueNotice, cache: GameCache | None) -> LetterData:
    notice, data = due.notice, LetterData(due.uid, due.queued_at, due.notice)
    if notice.kind is Kind.GAMES:
        rows = unit.games.summaries(notice.to, OPEN_PHASES)
        others = unit.games.summaries(notice.to, set(Phase) - OPEN_PHASES, MAX_LISTED)
        listed = [entry for entry in notice.about.get("listed", ()) if entry["awaits"]]
        seats = [Seat(entry["seat"]) for entry in listed]
        loaded = [_load_listed_game(unit, one, cache) for one in listed[:MAX_WAITING]]
        total, waiting = unit.games.count_games(notice.to), zip(loaded, seats, strict=False)
        return replace(data, games=[*rows, *others], total=total, waiting=tuple(waiting))
    if notice.kind in (Kind.CHALLENGES, Kind.PUBLIC_GAMES):
        found = [_load_listed_game(unit, one, cache) for one in notice.about.get("open", ())]
        view_of = spectator_view if notice.kind is Kind.PUBLIC_GAMES else lambda game: game
        games = tuple((view_of(game), Seat.PROPOSER) for game in found)
        return replace(data, waiting=games)
    if notice.kind is Kind.EXPORT:
        numbers = (row.id for row in unit.games.summaries(notice.to, limit=MAX_EXPORTED))
        return replace(data, logs=tuple((one, tuple(unit.games.log(one))) for one in numbers))
    if notice.game is None:
        return data
    before, after, events = _load_shown_game(unit, notice, notice.game, cache)
    if notice.kind is Kind.WATCH and after is not None:
        visible = tuple(event for event in events if isinstance(event, VISIBLE_EVENTS))
        return replace(data, after=spectator_view(after), events=visible)
    return replace(data, before=before, after=after, events=events)


def _load_shown_game(
    unit: Unit, notice: Notice, number: int, cache: GameCache | None
) -> tuple[Game | None, Game | None, tuple[Event, ...]]:
    """A game before and after the events of a letter; None before if the letter shows one."""
    known = _cached_game(cache, number, notice.until)
    first = notice.since if known else 0
    log = unit.games.log(number, first)[: notice.until - first]
    events = tuple(entry.event for entry in log[notice.since - first :])
    if any(isinstance(event, Marked | Countered) for event in events):
        log = unit.games.log(number)[: notice.until]
        return replay(number, log[: notice.since]), replay(number, log), events
    return None, known or (replay(number, log) if log else None), events


def _cached_game(cache: GameCache | None, number: int, length: int) -> Game | None:
    """A game in the cache, if it has this length there."""
    game = cache.peek(number) if cache is not None else None
    return game if game is not None and game.length == length else None


def _load_listed_game(unit: Unit, entry: Mapping[str, Any], cache: GameCache | None) -> Game:
    """A game of a list, as it was when the list was queued."""
    number, length = entry["game"], entry["length"]
    known = _cached_game(cache, number, length)
    return known or replay(number, unit.games.log(number)[:length])


def reason_key(about: Mapping[str, Any]) -> str:
    """The key of the sentence that says why a letter was refused; "" if there is none."""
    reason = about.get("reason")
    return reason["say"] if isinstance(reason, dict) else ""


def asks_about_move(about: Mapping[str, Any]) -> bool:
    """True if a letter asks whether its one hint, a move or a pass, was meant."""
    return reason_key(about) == MEANT_MOVE


def is_count_open(game: Game | None) -> bool:
    """True while a score is counted, if nobody has marked stones or agreed to it."""
    return game is not None and game.phase is Phase.SCORING and not (game.dead or game.agreed)


def leaves_count_open(data: LetterData) -> bool:
    """True for a letter that does not show what a `done` would agree to in an open count."""
    return data.notice.kind not in _COUNTING_KINDS and is_count_open(data.after)


class EngineAnswers(Protocol):
    """Answers questions about a game by engines, with None if none answers."""

    async def opinion(self, game: Game) -> tuple[str, Reading] | None:
        """An engine's name ("" for ours) and its opinion on dead stones."""

    async def review(self, game: Game) -> str | None:
        """Our player's review of a game (`godaemon.engine.results`)."""

    async def estimate(self, game: Game) -> ScoreEstimate | None:
        """Our player's estimate of the score."""


async def with_engine_answer(data: LetterData, engines: EngineAnswers) -> LetterData:
    """The data with the answer of an engine, if the letter needs one."""
    game, kind = data.after, data.notice.kind
    if game is None:
        return data
    if kind is Kind.REVIEW:
        return replace(data, review=await engines.review(game))
    if kind is Kind.SCORE and game.phase is Phase.PLAYING:
        return replace(data, estimate=await engines.estimate(game))
    is_open = is_count_open(game) or reason_key(data.notice.about) == WHICH_COUNT
    kinds = _OPEN_COUNT_KINDS if is_open else OPINION_KINDS
    if kind in kinds and game.phase is Phase.SCORING:
        return replace(data, opinion=await engines.opinion(game))
    return data
