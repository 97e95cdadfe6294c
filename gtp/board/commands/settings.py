"""Time, rules and our player's settings on a free board (GTP 2 draft 2, 6.3.4; KataGo's).

A cleared board keeps them.
"""

from __future__ import annotations

from datetime import timedelta
from math import inf
from typing import TYPE_CHECKING

from godaemon.errors import Refusal, Unreadable
from godaemon.games.time_systems import TimeSettings
from godaemon.rules.named_rulesets import RULESETS, parse_ruleset
from godaemon.rules.points import Color
from gtp import argument_readers as read
from gtp.argument_readers import SYNTAX_ERROR
from gtp.board.commands.play import BOARD_COMMANDS
from gtp.client.syntax import Arguments

if TYPE_CHECKING:  # it imports this module
    from gtp.board.board_session import BoardSession


@BOARD_COMMANDS.command("time_settings", read.seconds, read.seconds, read.integer, slow=True)
def time_settings(session: BoardSession, main: timedelta, overtime: timedelta, number: int) -> None:
    """Set the time limits (6.3.4); our player keeps them.

    Arguments: float main time, float byo-yomi time, both in seconds, int byo-yomi stones. Byo-yomi
        time without stones means no limits, and so do three zeros.
    Example: `time_settings 300 30 5` -> `=`
    """
    session.board.set_time_limits(_with_overtime(main, overtime, number))


@BOARD_COMMANDS.command("time_left", read.color, read.decimal, read.integer, slow=True)
def time_left(session: BoardSession, side: Color, left: float, number: int) -> None:
    """Set the time that a colour has left (6.3.4).

    Arguments: color, float seconds (below 0 is 0), int stones (0 while main time runs).
    Example: `time_left black 120 0` -> `=`
    """
    session.board.time.set_left(side, read.time_span(left), number)


@BOARD_COMMANDS.command("kgs-time_settings", read.words, slow=True)
@BOARD_COMMANDS.command("kata-time_settings", read.words, slow=True)
def kata_time_settings(session: BoardSession, system: Arguments) -> None:
    """Set the time limits; our player keeps them (KataGo's extension).

    Arguments: none; or absolute and seconds; or canadian, main time, byo-yomi time and stones; or
        byoyomi, main time, byo-yomi time and periods, which `time_left` then calls stones; or
        fischer, main time and increment; or fischer-capped, main time, increment, the limit on a
        clock and the limit on one move (-1 for none).
    Fails: `syntax error`.
    Example: `kgs-time_settings byoyomi 300 30 5` -> `=`
    """
    session.board.set_time_limits(*_parse_limits(system))


def _parse_limits(system: Arguments) -> tuple[TimeSettings | None, float]:
    """A time system, None for no limits, and the limit on the seconds of one move."""
    kind = read.word(system, 0)
    if kind == "none":
        return None, inf
    if kind == "absolute":
        return TimeSettings(read.seconds(system, 1), canadian=True), inf
    if kind == "fischer":
        return _fischer(read.seconds(system, 1), read.seconds(system, 2)), inf
    if kind == "fischer-capped":
        main, increment = read.seconds(system, 1), read.seconds(system, 2)
        caps = read.decimal(system, 3), read.decimal(system, 4)
        clock_cap, move_cap = (inf if cap < 0 else cap for cap in caps)
        return _fischer(main, increment, clock_cap), move_cap
    if kind not in {"canadian", "byoyomi"}:
        raise Unreadable(SYNTAX_ERROR)
    overtime = read.seconds(system, 1), read.seconds(system, 2), read.integer(system, 3)
    return _with_overtime(*overtime, canadian=kind == "canadian"), inf


def _fischer(main: timedelta, increment: timedelta, cap: float = inf) -> TimeSettings:
    limit = read.time_span(cap)
    return TimeSettings(min(main, limit), increment, limit, canadian=True)


def _with_overtime(
    main: timedelta, overtime: timedelta, number: int, *, canadian: bool = True
) -> TimeSettings | None:
    """Canadian overtime is GTP's own time system: without stones it has no limits (6.3.4)."""
    if canadian and not number and (overtime or not main):
        return None
    if not (overtime and number):
        return TimeSettings(main, canadian=True)
    return TimeSettings(main, overtime=overtime, number=number, canadian=canadian)


@BOARD_COMMANDS.command("kgs-rules", read.word)
def kgs_rules(session: BoardSession, name: str) -> None:
    """Choose the rules; stones, moves, prisoners and komi stay as they are.

    Arguments: japanese, chinese (with superko), aga or new_zealand, as on KGS; or another name
        from `kata-set-rules`.
    Fails: for unknown rules, with the known ones.
    Example: `kgs-rules japanese` -> `=`
    """
    chinese = name.casefold() == "chinese"
    session.board.set_rules(RULESETS["chinese-superko"] if chinese else parse_ruleset(name))


@BOARD_COMMANDS.command("kata-set-rules", read.word, read.words)
def kata_set_rules(session: BoardSession, name: str, rest: Arguments) -> None:
    """Choose the rules; stones, moves, prisoners and komi stay as they are (KataGo's extension).

    Arguments: a name (japanese, chinese, chinese-ogs, aga, bga, new-zealand, ing, tromp-taylor,
        stone-scoring ...), optionally with differences (`chinese suicide=yes`); or a JSON object
        like that of `kata-get-rules`, whose missing keys stay unchanged.
    Fails: for unknown rules, with the known ones.
    Example: `kata-set-rules tromp-taylor` -> `=`
    """
    from godaemon.rules import kata_rules  # noqa: PLC0415 - few sessions ask

    session.board.set_rules(
        kata_rules.parse_kata_rules(" ".join((name, *rest)), session.board.ruleset)
    )


@BOARD_COMMANDS.command("kata-set-rule", read.word, read.word)
def kata_set_rule(session: BoardSession, key: str, value: str) -> None:
    """Change one of the rules (KataGo's extension).

    Arguments: a key and its value: ko SIMPLE, POSITIONAL or SITUATIONAL; scoring AREA or
        TERRITORY; tax NONE, SEKI or ALL; suicide, friendlyPassOk and hasButton true or false (there
        is no button here); whiteHandicapBonus 0, N-1 or N.
    Fails: for any other key or value, with the known ones.
    Example: `kata-set-rule ko SIMPLE` -> `=`
    """
    from godaemon.rules import kata_rules  # noqa: PLC0415 - few sessions ask

    session.board.set_rules(kata_rules.change_kata_rules(session.board.ruleset, {key: value}))


@BOARD_COMMANDS.command("level", read.optional(read.integer), slow=True)
def level(session: BoardSession, number: int | None) -> str:
    """Return or set our player's level.

    Arguments: optional int level, from 1 (the quickest and weakest).
    Fails: if there is no such level, with the known ones.
    Returns: the level if none was given.
    Example: `level 5` -> `=`
    """
    from godaemon.engine.levels import level as find_level  # noqa: PLC0415 - few sessions ask

    if number is None:
        return str(session.board.level)
    session.board.level = find_level(number).number
    session.board.drop_player()
    return ""


@BOARD_COMMANDS.command("kata-list-params", slow=True)
def kata_list_params(session: BoardSession) -> str:
    """The parameters that can be set (KataGo's extension).

    Returns: their names: maxTime, seconds per move; and maxVisits, positions per move, if our
        player plays.
    Example: `kata-list-params` -> `= maxTime maxVisits`
    """
    return " ".join(session.board.params)


@BOARD_COMMANDS.command("kata-get-param", read.word, slow=True)
def kata_get_param(session: BoardSession, name: str) -> str:
    """The value of a parameter (KataGo's extension).

    Arguments: its name.
    Fails: for an unknown one, with the known ones.
    Returns: the value, or that of the level if none was set.
    Example: `kata-get-param maxTime` -> `= 5`
    """
    return f"{_param(session, name):g}"


@BOARD_COMMANDS.command("kata-set-param", read.word, read.decimal, slow=True)
def kata_set_param(session: BoardSession, name: str, value: float) -> None:
    """Set a parameter (KataGo's extension); a cleared board keeps it.

    Arguments: its name, and a number above 0.
    Fails: for an unknown one, with the known ones; for an invalid number.
    Example: `kata-set-param maxTime 2.5` -> `=`
    """
    _param(session, name)
    if value <= 0 or (name == "maxVisits" and value != int(value)):
        raise Refusal(f"{name} cannot be {value:g}")
    session.board.chosen_params[name] = value
    session.board.drop_player()


def _param(session: BoardSession, name: str) -> float:
    """The value of a parameter; raises `Refusal`."""
    params = session.board.params
    if name not in params:
        raise Refusal(f"unknown parameter {name}: use {', '.join(params)}")
    return params[name]


@BOARD_COMMANDS.command("set_random_seed", read.integer)
def set_random_seed(session: BoardSession, seed: int) -> None:
    """Seed our player's random choices (GNU Go's, for its twogtp).

    The same commands then have the same answers, unless the clock ends the thinking.

    Arguments: int seed.
    Example: `set_random_seed 42` -> `=`
    """
    session.board.reseed(seed)


@BOARD_COMMANDS.command("clear_cache", slow=True)
def clear_cache(session: BoardSession) -> None:
    """Clear our player's cache and opinions."""
    session.board.drop_player()
