"""Views of a game: its record, its summary row, times in words, and plain JSON values."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from godaemon.games.game_clock import MAX_AHEAD
from godaemon.games.model import PUBLIC, Game, Phase, Player, Seat, shown_address
from godaemon.games.stored_values import Alarm, GameSummary
from godaemon.games.time_systems import TimeSettings
from godaemon.records.record import ClockReading, Record
from godaemon.rules.named_rulesets import sgf_ruleset
from godaemon.rules.points import Color
from godaemon.texts.catalogue import say


def game_record(game: Game, *, date: str | None = None, reader: Color | None = None) -> Record:
    """The game's record; the players' words are comments at the moves where they were said.

    It includes the notes that the player of colour `reader` may see.
    """
    spec, position = game.spec, game.position
    handicap_turn = Color.WHITE if position.handicap else None
    return Record(
        size=spec.size,
        komi=spec.komi,
        handicap=spec.handicap,
        rules=sgf_ruleset(spec.ruleset),
        black=game.black.name if game.black else "",
        white=game.white.name if game.white else "",
        setup_black=position.handicap,
        setup_white=position.set_up_white,
        moves=position.moves,
        comments=_comments(game, reader),
        result=game.result,
        rows=game.rows() if game.ended_by_count else None,
        date=date,
        name=f"godaemon {game.id}",
        main_time=spec.time.main.total_seconds() if spec.time else None,
        overtime=spec.time.sgf_overtime if spec.time else "",
        clocks=_readings(game),
        info={
            name: rank
            for name, color in (("BR", Color.BLACK), ("WR", Color.WHITE))
            if (rank := game.rank_of(color))
        },
        to_move=spec.opening.to_move if spec.opening else handicap_turn,
    )


def _readings(game: Game) -> Mapping[int, ClockReading]:
    readings = game.clock.readings if game.clock else ()
    return {
        move: ClockReading(left.main.total_seconds())
        if left.main
        else ClockReading(left.overtime.total_seconds(), left.number or None)
        for move, left in readings
    }


def _comments(game: Game, reader: Color | None) -> Mapping[int, str]:
    words: dict[int, list[str]] = {}
    notes = game.notes_for(reader)
    for key, group in (
        *(("comment-said", game.chat), ("comment-undid", game.undone), ("comment-noted", notes)),
        ("comment-estimate", game.estimates),
    ):
        for one in group:
            name = game.player(Seat.of(one.color)).name
            move = min(one.move_number, game.move_number)  # the move may have been taken back
            words.setdefault(move, []).append(say(key, who=name, words=one.text))
    return {number: "\n".join(lines) for number, lines in words.items()}


_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
_CHECK_INTERVAL = timedelta(days=28)
"""The time between two checks of a game without a clock."""


def addresses_of(game: Game) -> set[str]:
    """The addresses whose lists show a game."""
    known = {game.spec.proposer.address}
    if game.confirmed and not (game.spec.open and game.phase.over):
        known.add(game.spec.invited.address)
    if game.public:
        known.add(PUBLIC)
    return known.union(*game.addresses.values())


def summary_of(game: Game, now: datetime) -> GameSummary:
    black: Player = game.black or game.spec.proposer
    white: Player = game.white or game.spec.invited
    return GameSummary(
        id=game.id,
        phase=game.phase,
        size=str(game.spec.size),
        rules=game.spec.rules,
        black=black.address,
        white=white.address,
        move_number=game.move_number,
        to_move=game.to_move.word if game.to_move else None,
        result=game.result,
        updated=now,
        black_name=black.name,
        white_name=white.name,
        **alarms_of(game, now)._asdict(),
    )


def alarms_of(game: Game, now: datetime) -> Alarm:
    """When the flag falls, and when to check the clock next: within `MAX_AHEAD` from now.

    So a stored alarm further ahead shows that the machine's clock was wrong.
    """
    clock = game.clock
    alarm = clock.next_alarm if clock else None
    if alarm is None and game.phase in {Phase.PLAYING, Phase.SCORING}:
        alarm = next_look(game.id, now)
    return Alarm(clock.soonest_deadline if clock else None, alarm and min(alarm, now + MAX_AHEAD))


def next_look(number: int, now: datetime) -> datetime:
    """The next moment to check whether a game without a clock has waited too long.

    It depends only on the game's number, so nothing in the game can postpone it.
    """
    first = _EPOCH + number * timedelta(hours=1)
    return first + _CHECK_INTERVAL * ((now - first) // _CHECK_INTERVAL + 1)


_UNITS = (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1))
_ROUNDING = ((2 * 86_400, 3_600), (3_600, 60))
"""Pairs in seconds: spans of at least the first are rounded to multiples of the second."""


def largest_units(time: timedelta) -> list[tuple[int, str]]:
    """A span rounded to its two largest units; in hours below two days.

    >>> largest_units(timedelta(days=9, hours=4)), largest_units(timedelta(hours=36))
    ([(9, 'day'), (4, 'hour')], [(36, 'hour')])
    """
    seconds, parts = round(time.total_seconds()), list[tuple[int, str]]()
    last = next((length for whole, length in _ROUNDING if seconds >= whole), 1)
    seconds = (seconds + last // 2) // last * last
    for name, length in _UNITS[int(86_400 < seconds < 2 * 86_400) :]:
        number, seconds = divmod(seconds, length)
        if number or parts:
            parts.append((number, name))
    return [part for part in parts[:2] if part[0]] or [(0, "second")]


def span_text(time: timedelta) -> str:
    """A span of time in words.

    >>> span_text(timedelta(hours=36)), span_text(timedelta(days=10, seconds=-1))
    ('36 hours', '10 days')
    """
    parts = [say(f"span-{unit}", count=number) for number, unit in largest_units(time)]
    return say("span-of-two", larger=parts[0], smaller=parts[1]) if len(parts) > 1 else parts[0]


def time_settings_text(settings: TimeSettings | None) -> str:
    """Time settings in words: `3 days a move`."""
    if settings is None:
        return say("time-none")
    main, each = span_text(settings.main), span_text(settings.overtime)
    if settings.increment:
        bonus, cap = span_text(settings.increment), span_text(settings.cap)
        return say("time-fischer", main=main, bonus=bonus, cap=cap)
    if not settings.number:
        return say("time-absolute", main=main)
    kind = "each-move" if settings.number == 1 else "byo-yomi"
    kind = "canadian" if settings.canadian else kind
    overtime = say(f"time-{kind}", each=each, count=settings.number)
    return say("time-then", main=main, overtime=overtime) if settings.main else overtime


# -- plain JSON values, for `--json` and the control socket -------------------------------------
def snapshot(game: Game) -> dict[str, Any]:
    """A game as plain JSON values; godaemon(1) explains each key."""
    position, spec = game.position, game.spec
    prisoners, last = position.prisoners, position.last
    deadline = game.clock.deadline if game.clock else None
    score = game.score() if game.phase is Phase.SCORING or game.ended_by_count else None
    return {
        "id": game.id,
        "width": spec.size.width,
        "height": spec.size.height,
        "komi": spec.komi,
        "handicap": spec.handicap,
        "rules": spec.rules,
        "phase": game.phase.value,
        "to_move": game.to_move.word if game.to_move else None,
        "move_number": game.move_number,
        "position_number": game.revisions.position,
        "scoring_number": game.revisions.marks,
        "black": shown_address(game.black.address) if game.black else None,
        "white": shown_address(game.white.address) if game.white else None,
        "proposer": shown_address(spec.proposer.address),
        "invited": shown_address(spec.invited.address),
        "prisoners": {color.word: prisoners[color] for color in Color},
        "board": list(game.rows()),
        "last": f"{last.color.word} {last.point or 'pass'}" if last else None,
        "done": [color.word for color in Color if color in game.agreed],
        "score": {"black": score.black.total, "white": score.white.total} if score else None,
        "result": game.result,
        "rated": spec.rated,
        "time": str(spec.time) if spec.time else None,
        "estimates": spec.estimable,
        "deadline": iso(deadline),
        "chat": [
            {"move": words.move_number, "color": words.color.word, "text": words.text}
            for words in game.chat
        ],
    }


def iso(moment: datetime | None) -> str | None:
    """A moment in JSON (ISO 8601, to the second)."""
    return moment.isoformat(timespec="seconds") if moment else None


def summary_values(summary: GameSummary) -> dict[str, Any]:
    return {
        "id": summary.id,
        "phase": summary.phase.value,
        "size": summary.size,
        "rules": summary.rules,
        "black": shown_address(summary.black),
        "white": shown_address(summary.white),
        "move_number": summary.move_number,
        "to_move": summary.to_move,
        "result": summary.result,
        "updated": iso(summary.updated),
        "deadline": iso(summary.deadline),
    }
