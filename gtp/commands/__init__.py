"""The commands, a module for each family, all in the tables of `gtp.commands.host`."""

from __future__ import annotations

from gtp.commands import administrative, game, gogui, gomill, inspect, kata, kgs, play, setup
from gtp.commands.host import ANY, FREE, FreeHost, Host

__all__ = [
    "ANY",
    "FREE",
    "FreeHost",
    "Host",
    "administrative",
    "game",
    "gogui",
    "gomill",
    "inspect",
    "kata",
    "kgs",
    "play",
    "setup",
]
