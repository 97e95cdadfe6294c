"""The engines that people can play against: those in the configuration, GNU Go, and our own.

Imports the configuration and `EngineProgram` of gtp. Raises nothing: an engine whose program is
missing stays in its games, but is not offered for new ones.
"""

import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from godaemon.config.settings import Engine, Engines
from godaemon.engine.levels import DEFAULT_LEVEL, LEVELS
from godaemon.games.engine_seats import Roster, RosterEntry
from godaemon.texts.catalogue import sentence
from gtp.engines.engine_program import EngineProgram

GAMES_FOLDER = "/usr/games"
"""The folder where Debian installs GNU Go; the PATH of services and of root lacks it."""
_OURS = str(Path(__file__).parents[1])
"""The folder that makes `python -m godaemon` work from any working directory."""
_READABLE = (
    _OURS,
    sys.prefix,
    sys.base_prefix,
    *(path for path in sys.path if path.startswith("/")),
)
"""The folders that our own engine may read: our modules and their libraries."""

_NOTES = {
    "gnugo": sentence("program-gnugo"),
    "house": sentence("program-house", level=DEFAULT_LEVEL, levels=len(LEVELS)),
    "house1": sentence("program-weakest"),
    f"house{len(LEVELS)}": sentence("program-strongest", seconds=int(LEVELS[-1].seconds)),
}
"""The descriptions of engines that are not configured; the help leaves the other levels out."""


@dataclass(frozen=True, slots=True)
class EngineRoster:
    """The engines by name: how to run each, and the terms that it accepts."""

    programs: Mapping[str, EngineProgram]
    roster: Roster


def roster_of(
    engines: Engines, environ: Mapping[str, str], hidden_folder: Path | None = None
) -> EngineRoster:
    """All engines; a configured one replaces our own of the same name.

    None of them can read `hidden_folder`.
    """
    path = f"{environ.get('PATH', '')}:{GAMES_FOLDER}"
    named, houses = engines.named, _houses(engines.network)
    found: dict[str, Engine] = {}
    if gnugo := shutil.which("gnugo", path=path):
        command = [gnugo, "--mode", "gtp", "--quiet"]
        found["gnugo"] = Engine(command=command, seconds=60)
    every = {**named, **found, **houses, **named}  # configured ones first; they replace others
    programs = {
        name: _program(name, engine, path, hidden_folder, ours=engine is houses.get(name))
        for name, engine in every.items()
    }
    entries = tuple(
        RosterEntry(
            name,
            engine.largest,
            engine.rectangular,
            engine.note or (sentence("program-set-up") if name in named else _NOTES.get(name, "")),
        )
        for name, engine in every.items()
        if shutil.which(programs[name].command[0])
    )
    return EngineRoster(programs, Roster(entries, engines.games_per_player))


def _program(
    name: str, engine: Engine, path: str, hidden_folder: Path | None, *, ours: bool
) -> EngineProgram:
    first, *rest = engine.command
    options = engine.model_dump(exclude={"largest", "rectangular", "note"})
    options |= {
        "command": (shutil.which(first, path=path) or first, *rest),
        "hidden_folder": hidden_folder,
    }
    if engine.gpu:  # graphics drivers map more memory than they use
        options["memory_mib"] = 0
    if ours:
        options |= {"read": (*engine.read, *_READABLE), "environment": {"PYTHONPATH": _OURS}}
    return EngineProgram(name, **options)


def _houses(network: Path | None) -> dict[str, Engine]:
    """Our own engine at every level, in a process of its own.

    The level limits the time of a move; our timeout is longer. `network` is its network's file.
    """
    by = [] if network is None else ["--network", str(network)]
    levels = {f"house{level.number}": level for level in LEVELS}
    return {
        name: Engine(
            command=[sys.executable, "-m", "godaemon", "gtp", "--level", str(level.number), *by],
            seconds=2 * level.seconds + 20,
            idle_seconds=60,
            largest=25,
            rectangular=True,
        )
        for name, level in {"house": LEVELS[DEFAULT_LEVEL - 1], **levels}.items()
    }
