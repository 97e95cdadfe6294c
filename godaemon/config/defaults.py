"""The defaults that depend on the environment or on the state folder.

Pure but for the question where the home folder is; imports the standard library alone, and no
`pathlib`, which takes longer to load than all that waits for this.
"""

from __future__ import annotations

import os
from collections.abc import Mapping


def filled(data: dict[str, object], environ: Mapping[str, str]) -> dict[str, object]:
    """The options with every default that another option or the environment decides."""
    state = data.setdefault("state_directory", _state_directory(environ))
    # A state folder that is refused for itself must not be refused again for what is in it.
    named = os.fspath(state) if isinstance(state, str | os.PathLike) else ""
    folder = os.path.join("/", named).rstrip("/") or "/"
    data.setdefault("database_url", f"sqlite:///{os.path.join(folder, 'godaemon.db')}")
    runtime = _first(environ, "RUNTIME_DIRECTORY") or _runtime_directory(folder)
    for name in ("gtp", "control"):
        _section(data, name).setdefault("socket", os.path.join(runtime, f"{name}.sock"))
    for name in ("engines", "log", "metrics"):
        _section(data, name)
    mail = _section(data, "mail")
    outgoing = _section(mail, "outgoing")
    if not {"smarthost", "lmtp", "command"} & outgoing.keys():
        outgoing.setdefault("maildir", os.path.join(folder, "mail"))
    for name in ("smtp", "lmtp", "imap", "limits"):
        _section(mail, name)
    if _section(mail, "lmtp").get("listen") or _section(mail, "imap").get("host"):
        _section(mail, "smtp").setdefault("listen", "")
    return data


def _section(data: dict[str, object], name: str) -> dict[str, object]:
    """A copy of a section, put in its place; what is not a section is left for pydantic to name."""
    section = data.get(name, {})
    if not isinstance(section, dict):
        return {}
    copy: dict[str, object] = dict(section)
    data[name] = copy
    return copy


def _state_directory(environ: Mapping[str, str]) -> str:
    """$STATE_DIRECTORY (systemd gives a list), else our folder in $XDG_STATE_HOME."""
    if given := _first(environ, "STATE_DIRECTORY"):
        return os.path.join(os.getcwd(), given)
    xdg = environ.get("XDG_STATE_HOME", "")
    if os.path.isabs(xdg):  # the XDG specification says to ignore another
        return os.path.join(xdg, "godaemon")
    home = environ.get("HOME", "")
    if not os.path.isabs(home):
        home = os.path.expanduser("~")
    return os.path.join(home, ".local", "state", "godaemon")


def _runtime_directory(state: str) -> str:
    """The folder of a daemon's sockets as found from outside: a service's are in /run."""
    parent, name = os.path.split(state)
    return os.path.join("/run", name) if parent == "/var/lib" else state


def _first(environ: Mapping[str, str], name: str) -> str:
    """The first of a list of folders with colons between."""
    return environ.get(name, "").split(":")[0]
