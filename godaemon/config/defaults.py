"""The defaults that depend on the environment or on the state folder.

Pure but for the question where the home folder is; imports the standard library alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any


def filled(data: dict[str, Any], environ: Mapping[str, str]) -> dict[str, Any]:
    """The options with every default that another option or the environment decides."""
    state = data.setdefault("state_directory", str(_state_directory(environ)))
    # A state folder that is refused for itself must not be refused again for what is in it.
    folder = Path("/") / state if isinstance(state, str | Path) else Path("/")
    data.setdefault("database_url", f"sqlite:///{folder / 'godaemon.db'}")
    runtime = Path(_first(environ, "RUNTIME_DIRECTORY") or _runtime_directory(folder))
    for name in ("gtp", "control"):
        _section(data, name).setdefault("socket", str(runtime / f"{name}.sock"))
    for name in ("engines", "log"):
        _section(data, name)
    mail = _section(data, "mail")
    outgoing = _section(mail, "outgoing")
    if not {"smarthost", "lmtp", "command"} & outgoing.keys():
        outgoing.setdefault("maildir", str(folder / "mail"))
    for name in ("smtp", "lmtp", "imap", "limits"):
        _section(mail, name)
    return data


def _section(data: dict[str, Any], name: str) -> dict[str, Any]:
    """A copy of a section, put in its place; what is not a section is left for pydantic to name."""
    section = data.get(name, {})
    if not isinstance(section, dict):
        return {}
    copy: dict[str, Any] = dict(section)
    data[name] = copy
    return copy


def _state_directory(environ: Mapping[str, str]) -> Path:
    """$STATE_DIRECTORY (systemd gives a list), else our folder in $XDG_STATE_HOME."""
    if given := _first(environ, "STATE_DIRECTORY"):
        return Path(given).absolute()
    xdg = Path(environ.get("XDG_STATE_HOME", ""))
    if xdg.is_absolute():  # the XDG specification says to ignore another
        return xdg / "godaemon"
    home = Path(environ.get("HOME", ""))
    return (home if home.is_absolute() else Path.home()) / ".local" / "state" / "godaemon"


def _runtime_directory(state: Path) -> Path:
    """The folder of a daemon's sockets as found from outside: a service's are in /run."""
    return Path("/run") / state.name if state.parent == Path("/var/lib") else state


def _first(environ: Mapping[str, str], name: str) -> str:
    """The first of a list of folders with colons between."""
    return environ.get(name, "").split(":")[0]
