"""The state of a game, computed from its log: `apply` adds one event, `replay` a whole log.

`godaemon.games.decisions` checks what may happen, so `apply` never fails on its events. `replay`
changes one new game step by step; `apply` returns a changed copy.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from hashlib import sha256
from itertools import accumulate
from typing import Any

from godaemon.errors import Corrupt
from godaemon.games import events as ev
from godaemon.games.days_off import DaysOff
from godaemon.games.game_clock import GameClock
from godaemon.games.model import Game, Phase, Player, Remark, Revisions, Seat, Spec
from godaemon.games.opening import opening_from_words
from godaemon.games.planned_moves import PASS, remaining_lines
from godaemon.games.time_systems import TimeSettings
from godaemon.rules.points import Color, Size, parse_point
from godaemon.rules.position import Position
from godaemon.texts.catalogue import sentence

Plans = dict[Color, tuple[tuple[str, ...], ...]]
Changes = Mapping[str, object]
"""The new values of a game's fields."""


def begin(number: int, event: ev.Proposed) -> Game:
    """The game as it is after its proposal."""
    same: dict[str, Any] = {name: getattr(event, name) for name in _SHARED_FIELDS}
    size = Size(event.width, event.height)
    spec = Spec(
        size=size,
        proposer=Player(event.proposer, event.proposer_name),
        invited=Player(event.invited, event.invited_name),
        color=Color.named(event.color) if event.color else None,
        opening=opening_from_words(size, event.opening),
        time=TimeSettings.parse(event.time) if event.time else None,
        **same,
    )
    position = spec.starting_position()
    game = Game(id=number, spec=spec, position=position, passes=position.count_passes())
    _set_fields(game, since=(game.move_number, game.passes), **_common_changes(game, event))
    return game


_SHARED_FIELDS = {*ev.Proposed.__match_args__} & {*Spec.__slots__} - {
    *("proposer", "invited", "color", "opening", "time")
}
"""The fields that `Proposed` and `Spec` share."""


def apply(game: Game, event: ev.Event, now: datetime | None = None) -> Game:
    """The game after an event at the moment `now`; with None its clocks do not change."""
    on_board = type(event) in _BOARD_CHANGES
    copy = replace(game, position=game.position.copy() if on_board else game.position)
    _step(copy, event, now)
    return copy


def _step(game: Game, event: ev.Event, now: datetime | None) -> None:
    """Apply an event to a game in place; the game must not share its position with another."""
    move = _BOARD_CHANGES.get(type(event))
    if move is not None:
        move(game.position, event)
    _set_fields(game, **_APPLY[type(event)](game, event))
    if now is not None and game.spec.time is not None:
        _set_fields(game, clock=_clock_after(game, event, now))
    _set_fields(game, **_common_changes(game, event))


def _set_fields(game: Game, **changes: object) -> None:
    """Change a new game in place, before anything else refers to it."""
    for name, new in changes.items():
        object.__setattr__(game, name, new)


def replay(number: int, log: Iterable[ev.Event | ev.LogEntry]) -> Game:
    """The game of a log; entries, unlike bare events, also move its clocks. Raises `Corrupt`."""
    entries = map(_event_and_moment, log)
    first, _ = next(entries, (None, None))
    if not isinstance(first, ev.Proposed):
        raise Corrupt(sentence("record-damaged"), detail=f"game {number} begins with {first}")
    game = begin(number, first)
    try:
        for event, at in entries:
            _step(game, event, at)
    except Exception as fault:  # a damaged log can make the rules raise anything
        detail = f"game {number}, event {game.length}: {fault!r}"
        raise Corrupt(sentence("record-damaged"), detail=detail) from fault
    return game


def _event_and_moment(entry: ev.Event | ev.LogEntry) -> tuple[ev.Event, datetime | None]:
    return (entry.event, entry.at) if isinstance(entry, ev.LogEntry) else (entry, None)


def game_at_move(number: int, log: Sequence[ev.Event], move: int) -> Game:
    """The game after a move and the words said at that move."""
    game, found = replay(number, log[:1]), None
    for event in log[1:]:
        there = game.move_number >= move and game.phase is not Phase.PROPOSED and not game.to_place
        if there and found is None and not isinstance(event, (ev.Said, *ev.QUIET_EVENTS)):
            found = game
        game = apply(game, event)
        if game.move_number < move:  # the move was taken back
            found = None
    game = found or game
    position = game.position.copy()
    while position.move_number > move:  # a move of the starting record
        position.undo()
    return replace(game, position=position)


def game_at(number: int, log: Sequence[ev.Event], revisions: Revisions) -> Game | None:
    """The game when it had these revisions; None if it never had them."""
    games = accumulate(log[1:], apply, initial=replay(number, log[:1]))
    return next((game for game in games if game.revisions == revisions), None)


def unseen_events(log: Sequence[ev.Event], seen: Revisions) -> Sequence[ev.Event]:
    """The events that changed the game's revisions after `seen`."""
    changes: Sequence[ev.Event] = [
        event for event in log if isinstance(event, _POSITION_EVENTS + _MARK_EVENTS)
    ]
    position = marks = 0
    for number, event in enumerate(changes, start=1):
        position += isinstance(event, _POSITION_EVENTS)
        marks += isinstance(event, _MARK_EVENTS)
        if (position, marks) == seen:
            return changes[number:]
    return changes


def end_moment(log: Sequence[ev.LogEntry]) -> datetime | None:
    """When a game, or its proposal, ended; None if it has not."""
    return next((entry.at for entry in log if isinstance(entry.event, _END_EVENTS)), None)


_END_EVENTS = (ev.Declined, ev.Withdrawn, ev.Expired, ev.Finished)
_POSITION_EVENTS = (
    *(ev.Proposed, ev.Confirmed, ev.Countered, ev.Taken, ev.Started),
    *(ev.Declined, ev.Withdrawn, ev.Expired),
    *(ev.Placed, ev.Moved, ev.Passed, ev.Undone, ev.Resumed, ev.Resigned, ev.Finished),
)
_MARK_EVENTS = (ev.Marked, ev.Resumed)


def _common_changes(game: Game, event: ev.Event) -> Changes:
    """The length, revisions and digest after an event; a new position also clears open requests."""
    before, position = game.revisions, isinstance(event, _POSITION_EVENTS)
    changes: dict[str, object] = {"length": game.length + 1}
    if position or isinstance(event, _MARK_EVENTS):
        was = event.was if isinstance(event, ev.DIGESTED_EVENTS) else ""
        lines = game.digest, ev.name(event), ev.encode(event)
        changes["digest"] = was or sha256("\n".join(lines).encode()).hexdigest()
        marks = before.marks + isinstance(event, _MARK_EVENTS)
        changes["revisions"] = Revisions(before.position + position, marks)
    if position:
        plans = _remaining_plans(game, event) if game.plans else {}
        changes.update(undo_asked=None, undo_refused=False, public_asked=None, plans=plans)
    return changes


def _remaining_plans(game: Game, event: ev.Event) -> Plans:
    """The plans that remain after an event: the lines that a move continues, or none."""
    mover = game.to_move
    if not isinstance(event, ev.Moved | ev.Passed) or mover is None:
        return {}
    word = event.point if isinstance(event, ev.Moved) else PASS
    plans = {
        color: remaining_lines(lines, word, game.position, mover)
        for color, lines in game.plans.items()
    }
    return {color: lines for color, lines in plans.items() if lines}


def _clock_after(game: Game, event: ev.Event, now: datetime) -> GameClock | None:
    """The clock after an event at the moment `now`; the rest of the game is changed already."""
    clock, settings = game.clock, game.spec.time
    length = game.length + 1
    if isinstance(event, ev.Started) and settings is not None:
        clock = GameClock(settings, dict.fromkeys(Color, settings.full), Color.BLACK, 0, None)
        return _new_turn(game, game.to_move or Color.BLACK, clock, length, now)
    if clock is None:
        return None
    if isinstance(event, ev.Paused):
        clock = clock.set_days_off(Color.named(event.to), now, _days_off(event, now))
    elif isinstance(event, ev.CLOCK_EVENTS):
        clock = _same_turn(clock, event, now) if event.to == clock.turn.word else clock
    elif game.phase.over:
        clock = clock.stop(now)
    elif (turn := _color_on_clock(game, event) or clock.turn) is not clock.turn:
        move = game.move_number if isinstance(event, ev.Moved | ev.Passed) else None
        ended = clock.end_turn(now, move, earns=not isinstance(event, ev.Undone))
        clock = _new_turn(game, turn, ended, length, now)
    elif isinstance(event, ev.Marked | ev.Resumed) and event.color != turn.word:
        clock = clock.wait_for_email(length, now)
    return clock


def _days_off(event: ev.Paused, now: datetime) -> DaysOff:
    away = event.away or (((now.isoformat(), event.until),) if event.until else ())
    spans = tuple((datetime.fromisoformat(one), datetime.fromisoformat(end)) for one, end in away)
    return DaysOff(tuple(one for one in spans if one[0] < one[1]), event.weekends)


def _same_turn(clock: GameClock, event: ev.Event, now: datetime) -> GameClock:
    match event:
        case ev.Reminded(_, number):
            return replace(clock, reminders=number)
        case ev.Credited(_, seconds):
            return clock.credit(now, timedelta(seconds=seconds))
    return clock.start_waiting_clock(now)


def _color_on_clock(game: Game, event: ev.Event) -> Color | None:
    """The colour whose clock runs after an event; None for no change.

    In a count it is the opponent of the player who acted last.
    """
    if game.to_move is not None:
        return game.to_move
    if isinstance(event, ev.Passed | ev.Marked | ev.Agreed):
        return Color.named(event.color).opponent
    return None


def _new_turn(game: Game, turn: Color, clock: GameClock, length: int, now: datetime) -> GameClock:
    """The clock of a new turn; that of an engine is stopped, because it runs on our machine."""
    new = clock.start_turn(turn, length, now)
    return (
        new if game.player(Seat.of(turn)).engine is None else new.start_waiting_clock(now).stop(now)
    )


def _countered(game: Game, event: ev.Countered) -> Changes:
    terms = ev.decode("proposed", ev.VERSION, event.terms)
    if not isinstance(terms, ev.Proposed):
        raise Corrupt(sentence("record-damaged"), detail=f"terms: {event.terms}")
    new = begin(game.id, terms)
    terms_now = {"spec": new.spec, "position": new.position, "since": new.since}
    return {**terms_now, "counters": game.counters + 1}


def _started(game: Game, event: ev.Started) -> Changes:
    proposer, invited = game.spec.proposer, game.spec.invited
    invited = Player(invited.address, event.invited_name)
    ranks = event.ranks or game.spec.ranks
    spec = replace(game.spec, invited=invited, ranks=ranks, former=event.former)
    black, white = (proposer, invited) if event.black == "proposer" else (invited, proposer)
    watchable = dict.fromkeys(Color, True) if spec.public else {}
    begun = {"phase": Phase.PLAYING, "black": black, "white": white, "watchable": watchable}
    return {"spec": spec, **begun}


def _placed(game: Game, event: ev.Placed) -> Changes:
    position = game.spec.starting_position(tuple(map(parse_point, event.stones)))
    return {"position": position, "voiding": frozenset()}


def _passed(game: Game, _: ev.Passed) -> Changes:
    passes = game.passes + 1
    stopped = passes >= game.spec.ruleset.passes
    phase = Phase.SCORING if stopped else game.phase
    return {"passes": passes, "phase": phase, "voiding": frozenset()}


def _undone(game: Game, event: ev.Undone) -> Changes:
    position = game.position if event.moves else game.spec.starting_position()
    number, earlier = game.since
    played, passes = position.move_number - number, position.count_passes()
    passes = min(passes, played) + (earlier if passes >= played else 0)
    moves = tuple(sentence("pass") if move == "pass" else move for move in event.moves)
    words = sentence("taken-moves", moves=moves) if moves else sentence("the-handicap-stones")
    undone = (*game.undone, Remark(Color.named(event.color), position.move_number, words))
    return {"position": position, "passes": passes, "voiding": frozenset(), "undone": undone}


def _estimated(game: Game, event: ev.Estimated) -> Changes:
    request = Remark(Color.named(event.color), game.move_number, "an estimate of the score")
    return {"estimates": (*game.estimates, request)}


def _marked(game: Game, event: ev.Marked) -> Changes:
    stones = frozenset(map(parse_point, event.stones))
    dead = game.dead | stones if event.dead else game.dead - stones
    return {"dead": dead, "agreed": {}}


def _agreed(game: Game, event: ev.Agreed) -> Changes:
    return {"agreed": {**game.agreed, Color.named(event.color): event.board}}


def _resumed(game: Game, _: ev.Resumed) -> Changes:
    stretch = {"since": (game.move_number, 0), "resumptions": game.resumptions + 1}
    return {"phase": Phase.PLAYING, "passes": 0, **stretch, "dead": frozenset(), "agreed": {}}


def _opened(game: Game, event: ev.Opened) -> Changes:
    """A no cancels both players' yes; both must agree again."""
    mine = Color.named(event.color)
    new = {mine: event.wanted, **({mine.opponent: event.wanted} if game.spec.teaching else {})}
    kept = {one: yes for one, yes in game.watchable.items() if event.wanted or not yes}
    asks = event.wanted and not game.watchable.get(mine.opponent)
    return {"watchable": {**kept, **new}, "public_asked": mine if asks else None}


def _finished(_game: Game, event: ev.Finished) -> Changes:
    ended = {"result": event.result, "counted": event.black is not None, "why": event.why}
    return {"phase": Phase.FINISHED, **ended}


def _said(game: Game, event: ev.Said) -> Changes:
    if not event.text:  # the writer was forgotten
        return {}
    words = Remark(Color.named(event.color), game.move_number, event.text)
    return {"chat": (*game.chat, words)}


def _noted(game: Game, event: ev.Noted) -> Changes:
    if not event.text:
        return {}
    note = Remark(Color.named(event.color), game.move_number, event.text, event.hidden)
    return {"remarks": (*game.remarks, note)}


def _recognised(game: Game, event: ev.Recognised) -> Changes:
    side = Seat.named(event.side)
    known = game.addresses.get(side, frozenset()) | {event.address}
    return {"addresses": {**game.addresses, side: known}}


def _transferred(game: Game, event: ev.Transferred) -> Changes:
    """The side's player gets the new address; the old one and confirmed ones are dropped."""
    side = Seat.named(event.side)
    sides = (Seat.PROPOSER, Seat.INVITED) if game.spec.teaching else (side,)
    holders = {
        one: replace(game.player(one), address=event.address) if one in sides else game.player(one)
        for one in (Seat.PROPOSER, Seat.INVITED)
    }
    proposer, invited = holders[Seat.PROPOSER], holders[Seat.INVITED]
    spec = replace(game.spec, proposer=proposer, invited=invited)
    black, white = game.black, game.white
    if black is not None:
        first = game.color_of(Seat.PROPOSER) is Color.BLACK
        black, white = (proposer, invited) if first else (invited, proposer)
    known = {one: addresses for one, addresses in game.addresses.items() if one is not side}
    return {"spec": spec, "black": black, "white": white, "addresses": known}


def _undo(position: Position, event: ev.Undone) -> None:
    for _ in event.moves:
        position.undo()


_BOARD_CHANGES: dict[type, Callable[[Position, Any], object]] = {
    ev.Moved: lambda board, event: board.play(Color.named(event.color), parse_point(event.point)),
    ev.Passed: lambda board, event: board.pass_(Color.named(event.color)),
    ev.Undone: _undo,
    ev.Resumed: lambda board, event: board.give_turn(Color.named(event.to_move)),
}
"""The changes of the position, which come before all other changes."""
_APPLY: dict[type, Callable[[Game, Any], Changes]] = {
    ev.Confirmed: lambda _game, _: {"confirmed": True},
    ev.Countered: _countered,
    ev.Taken: lambda game, event: {
        "spec": replace(game.spec, invited=Player(event.address, event.name))
    },
    ev.Started: _started,
    ev.Declined: lambda *_: {"phase": Phase.DECLINED},
    ev.Withdrawn: lambda *_: {"phase": Phase.WITHDRAWN},
    ev.Expired: lambda *_: {"phase": Phase.EXPIRED},
    ev.Placed: _placed,
    ev.Moved: lambda _game, _: {"passes": 0, "voiding": frozenset()},
    ev.Passed: _passed,
    ev.UndoAsked: lambda _game, event: {"undo_asked": Color.named(event.color)},
    ev.UndoRefused: lambda _game, _: {"undo_asked": None, "undo_refused": True},
    ev.Undone: _undone,
    ev.Planned: lambda game, event: {
        "plans": {**game.plans, Color.named(event.color): event.lines}
    },
    ev.Estimated: _estimated,
    ev.Marked: _marked,
    ev.Agreed: _agreed,
    ev.Disagreed: lambda _game, _: {"agreed": {}},
    ev.Resumed: _resumed,
    ev.Voided: lambda game, event: {
        "voiding": game.voiding | {Color.named(event.color)} if event.wanted else frozenset()
    },
    ev.Opened: _opened,
    ev.Resigned: lambda *_: {},
    ev.Finished: _finished,
    ev.Unrated: lambda game, _: {"spec": replace(game.spec, rated=False)},
    **dict.fromkeys(ev.CLOCK_EVENTS, lambda *_: {}),
    ev.Said: _said,
    ev.Noted: _noted,
    ev.Recognised: _recognised,
    ev.Transferred: _transferred,
}
