"""The engines that can be played against here: those of the configuration, and those of our own.

Imports the configuration and gtp's notion of a program. Never fails: a program that cannot be
found is offered all the same, and whoever plays it hears what is wrong.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from godaemon.config import Engine, Engines
from godaemon.engine.levels import DEFAULT_LEVEL, LEVELS, Level
from godaemon.games.engine_seats import Entrant, Roster
from gtp.engines.engine_process import EngineProgram

__all__ = ["EngineRoster", "roster_of"]

GAMES = "/usr/games"
"""Where Debian keeps GNU Go; the PATH of services and of root leaves it out."""
_OURS = str(Path(__file__).parents[1])
"""Where `python -m gtp` finds itself, wherever it is started."""

_NOTE = "a program that has been set up here"
_NOTES = {
    "house": f"our own program, at level {DEFAULT_LEVEL} of {len(LEVELS)}",
    "house1": "our own program at its weakest; house2, house3 and so on are in between",
    f"house{len(LEVELS)}": (
        f"our own program at its strongest: it takes up to {LEVELS[-1].seconds:g} seconds a move"
    ),
}


@dataclass(frozen=True, slots=True)
class EngineRoster:
    """The engines: how each is run, by its name, and what players may ask of whom."""

    programs: Mapping[str, EngineProgram]
    roster: Roster


def roster_of(engines: Engines, environ: Mapping[str, str]) -> EngineRoster:
    """All engines; one of the configuration stands in for one of ours of the same name."""
    path = f"{environ.get('PATH', '')}:{GAMES}"
    programs = {name: _configured(name, engine, path) for name, engine in engines.named.items()}
    entrants = {
        name: Entrant(name, engine.largest, engine.rectangular, engine.note or _NOTE)
        for name, engine in engines.named.items()
    }
    if "gnugo" not in programs and (gnugo := shutil.which("gnugo", path=path)):
        command = (gnugo, "--mode", "gtp", "--quiet")
        programs["gnugo"] = EngineProgram("gnugo", command, seconds=60.0, memory=2**30)
        entrants["gnugo"] = Entrant("gnugo", note="GNU Go, a program known for decades")
    for name, level in _houses():
        if name not in programs:
            programs[name] = _house(name, level)
            note = _NOTES.get(name, "")
            entrants[name] = Entrant(name, largest=25, rectangles=True, note=note)
    return EngineRoster(programs, Roster(tuple(entrants.values()), engines.games_per_player))


def _configured(name: str, engine: Engine, path: str) -> EngineProgram:
    first, *rest = engine.command
    return EngineProgram(
        name,
        (shutil.which(first, path=path) or first, *rest),
        seconds=engine.seconds,
        start_seconds=engine.start_seconds,
        memory=engine.memory_mib * 2**20,
        processes=engine.processes,
        idle_seconds=engine.idle_seconds,
        strikes=engine.strikes,
    )


def _houses() -> list[tuple[str, Level]]:
    return [
        ("house", LEVELS[DEFAULT_LEVEL - 1]),
        *((f"house{level.number}", level) for level in LEVELS),
    ]


def _house(name: str, level: Level) -> EngineProgram:
    """Our own engine in a process of its own; its level bounds a move, and we wait longer."""
    return EngineProgram(
        name,
        (sys.executable, "-m", "gtp", "--level", str(level.number)),
        seconds=2 * level.seconds + 20,
        memory=2**30,
        idle_seconds=60.0,
        environment={"PYTHONPATH": _OURS},
    )
