"""Forgets a player: ends their games, then deletes everything that identifies them.

There are two steps, so that the last emails to opponents still name the player.
`begin_forgetting` ends the games; `forget_due` deletes, once those emails are out, or after a day.
A stored row records the first step, so that a restarted daemon continues. The deletion takes many
small transactions, because each one blocks all other writers.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from hashlib import sha256
from typing import NamedTuple

from godaemon.errors import Corrupt, Damaged
from godaemon.games import commands as cmd
from godaemon.games import events as ev
from godaemon.games import ratings
from godaemon.games.email_queue import FORGETTING
from godaemon.games.model import FORMER_NAME, FORMER_PREFIX, OPEN, OPEN_PHASES, Game, Phase, Seat
from godaemon.games.notices import Kind, Notice
from godaemon.games.people import mailbox, person
from godaemon.games.player_settings import Preferences
from godaemon.games.service import GameService
from godaemon.games.service_calls import Caller
from godaemon.games.state import apply, end_moment, replay
from godaemon.games.stored_values import Transfer, Unit
from godaemon.games.stranger_limits import count_today, hour_of
from godaemon.games.views import addresses_of, summary_of

_MAX_WAIT_FOR_EMAIL = timedelta(days=1)
"""The longest time that an unsent email delays the deletion."""


def was_forgotten_today(games: GameService, address: str) -> bool:
    """True if an address, with its counters, was forgotten within the last day."""
    return count_today(games.unit, _counter_key(address), games.now) > 0


def is_leaving(unit: Unit, address: str) -> bool:
    """True if the deletion of a person is confirmed, but not complete."""
    return any(person(one.old) == person(address) for one in unit.players.leaving_players())


def _counter_key(address: str) -> str:
    """The key of a forgotten person's counter, which does not reveal the address."""
    return f"forgotten {sha256(person(address).encode()).hexdigest()}"


def begin_forgetting(games: GameService, leaving: Transfer, caller: Caller) -> int:
    """End the games of a player who is to be forgotten; returns the number of games.

    If the operator asked, a person without games gets no email: the address may be a stranger's.
    """
    unit = games.unit
    unit.players.agree_transfer(leaving.id, new=False)
    unit.quotas.spend(_counter_key(leaving.old), hour_of(games.now))
    ended = _end_games(games, leaving.old)
    if not caller.address and not unit.games.summaries(leaving.old, limit=1):
        return ended
    about = {"done": True, "address": leaving.old, "open": ended}
    notice = Notice(Kind.FORGET, leaving.old, by=caller.address, about=about)
    unit.outbox.queue(replace(notice, answers=caller.message_id), games.now)
    return ended


class Forgetting(NamedTuple):
    """The progress of deleting a person."""

    address: str = ""
    """The address, casefolded; "" for none."""
    game: int = 0
    """The last game that was searched."""


def forget_due(games: GameService, progress: Forgetting) -> tuple[int, Forgetting]:
    """Take the next step in deleting the people whose last emails are sent.

    Returns the number of completed deletions, and the progress of the next one.
    """
    count, since = 0, games.now - _MAX_WAIT_FOR_EMAIL
    for leaving in games.unit.players.leaving_players():
        address = leaving.old.casefold()
        if _end_games(games, leaving.old) or games.unit.outbox.has_unsent(address, since):
            continue
        same = progress.address == address
        progress = _forget_step(games, progress if same else Forgetting(address))
        if progress.address:
            return count, progress
        count += 1
    return count, Forgetting()


def _end_games(games: GameService, address: str) -> int:
    """Resign games and end proposals of an address; returns their number."""
    ended, caller = 0, Caller(FORGETTING)
    for row in games.unit.games.summaries(address, OPEN_PHASES):
        try:
            game = games.game(row.id)
        except Damaged as fault:
            games.unit.games.set_aside(row.id, fault.detail)
            continue
        except Corrupt:
            continue
        seat = game.seat_held_by(address)
        if seat is None:
            continue
        # The player gets a single email about all games.
        silent = Preferences(receipts=False, emails=cmd.EmailLevel.NONE, reviews=False)
        games.unit.players.set_preferences(address, silent, game.id)
        if game.phase is Phase.PROPOSED:
            mine = game.side(seat) is Seat.PROPOSER
            games.add_event(game, ev.Withdrawn() if mine else ev.Declined(), seat, caller)
        else:
            games.act(game.id, seat, [cmd.Resign()], caller)
        ended += 1
    return ended


def _forget_step(games: GameService, progress: Forgetting) -> Forgetting:
    key = progress.address
    numbers, last = games.unit.games.games_naming(key, progress.game)
    for number in numbers:
        _forget_in_game(games, number, key, FORMER_PREFIX + games.randomness.nonce())
        games.cache.drop([number])
    if last is not None:
        return Forgetting(key, last)
    games.unit.players.forget(key, {key, person(key), mailbox(key)})
    return Forgetting()


def _forget_in_game(games: GameService, number: int, key: str, stand_in: str) -> None:
    """Forget a player in one game, or delete the game if nobody else needs it."""
    store = games.unit.games
    try:
        log = store.log(number)
        game = replay(number, log)
    except Corrupt as fault:
        if isinstance(fault, Damaged):
            store.set_aside(number, fault.detail)
        # The log cannot be interpreted, so the address is replaced wherever it occurs.
        store.replace_text(number, key, stand_in)
        return
    former = _FormerPlayer.of(game, key, stand_in)
    if former.sides and (at := end_moment(log)):
        side = Seat.named(next(iter(former.sides)))
        former = replace(former, rated=ratings.former_rating(games.unit, game, side, at))
    if former.is_only_party(game):
        store.erase(number)
        return
    names = {game.player(Seat.named(side)).name for side in former.sides}
    entries = _anonymise_log(number, log, former)
    if not former.sides and [one.event for one in entries] == [one.event for one in log]:
        return  # a longer address begins with this one
    store.rewrite(number, entries)
    after = replay(number, entries)
    store.set_summary(summary_of(after, log[-1].at), addresses_of(after))
    games.unit.outbox.forget_names(number, names)


@dataclass(frozen=True, slots=True)
class _FormerPlayer:
    """A forgotten player in one game: the casefolded address, its replacement, and the seats."""

    key: str
    stand_in: str
    sides: frozenset[str]
    """The words "proposer" and "invited"."""
    colors: frozenset[str]
    rated: tuple[float, ...] = ()
    """Rating and deviation when the game ended, if it counted."""

    @classmethod
    def of(cls, game: Game, key: str, stand_in: str) -> "_FormerPlayer":
        """The address in a game, with its seats: none if it was only a player's other address."""
        seats = [seat for seat in game.seats if game.player(seat).address.casefold() == key]
        sides = {Seat.PROPOSER, Seat.INVITED} if len(seats) == 2 else set(map(game.side, seats))
        colors = {color.word for seat in seats if (color := game.color_of(seat))}
        return cls(key, stand_in, frozenset(side.word for side in sides), frozenset(colors))

    def is_only_party(self, game: Game) -> bool:
        """True if no other person needs the game."""
        others = [
            game.player(seat) for seat in game.seats if game.side(seat).word not in self.sides
        ]
        known = game.confirmed or game.black is not None
        return bool(self.sides) and not (known and any(one.gets_email for one in others))

    def is_named(self, address: str) -> bool:
        return address.casefold() == self.key

    def anonymise(self, event: ev.Event) -> ev.Event:  # noqa: PLR0911 - one for each kind of event
        match event:
            case ev.Proposed():
                return self._anonymise_proposal(event)
            case ev.Countered():
                terms = ev.decode("proposed", ev.VERSION, event.terms)
                words = "" if event.side in self.sides else event.words
                return replace(event, terms=ev.encode(self.anonymise(terms)), words=words)
            case ev.Taken() if "invited" in self.sides or self.is_named(event.address):
                return replace(event, address=self.stand_in, name=FORMER_NAME)
            case ev.Started() if self.sides:
                event = replace(event, former=self.rated)
                mine = "invited" in self.sides
                return replace(event, invited_name=FORMER_NAME) if mine else event
            case ev.Declined() if event.side in self.sides:
                return replace(event, words="")
            case ev.Said() | ev.Noted() if event.color in self.colors:
                return replace(event, text="")
            case ev.Planned() if event.color in self.colors:
                return replace(event, lines=())
            case ev.Recognised() | ev.Transferred():
                if event.side in self.sides or self.is_named(event.address):
                    return replace(event, address=self.stand_in)
        return event

    def _anonymise_proposal(self, event: ev.Proposed) -> ev.Proposed:
        if "proposer" in self.sides or self.is_named(event.proposer):
            event = replace(event, proposer=self.stand_in, proposer_name=FORMER_NAME, words="")
        mine = "invited" in self.sides and event.invited != OPEN
        if mine or self.is_named(event.invited):
            event = replace(event, invited=self.stand_in, invited_name=FORMER_NAME)
        return event


def _anonymise_log(
    number: int, log: Sequence[ev.LogEntry], former: _FormerPlayer
) -> list[ev.LogEntry]:
    """The log without a former player's name and words; the digests stay the same."""
    entries, game = list[ev.LogEntry](), None
    for entry in log:
        event = former.anonymise(entry.event)
        game = replay(number, [entry]) if game is None else apply(game, entry.event, entry.at)
        if event != entry.event and isinstance(event, ev.DIGESTED_EVENTS):
            event = replace(event, was=game.digest)
        entries.append(ev.LogEntry(event, entry.at, entry.cause.partition(":")[0]))
    return entries
