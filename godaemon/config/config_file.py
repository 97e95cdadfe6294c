"""The configuration file: finding it, its text, and the sockets that it names.

Imports the standard library and `godaemon.errors`, but not `pathlib`: `godaemon gtp`, which a GUI
starts for each game, uses this module and must start fast. A file that cannot be read raises
`ConfigError`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from godaemon.errors import ConfigError

SYSTEM_FILE = "/etc/godaemon/godaemon.toml"

File = str | os.PathLike[str]


def find_config(path: File | None, environ: Mapping[str, str]) -> str | None:
    """The file to use: `path`, else $GODAEMON_CONFIG, else the system's, else None."""
    if path is not None:
        return os.fspath(path)
    if named := environ.get("GODAEMON_CONFIG"):
        return named
    return os.fspath(SYSTEM_FILE) if os.path.exists(SYSTEM_FILE) else None


def service_environ(source: str | None, environ: Mapping[str, str]) -> Mapping[str, str]:
    """The environment, with the state folder of the service that uses this file (godaemon@NAME)."""
    folder, name = os.path.split(source or "")
    service = folder == os.path.dirname(SYSTEM_FILE) and name.startswith("godaemon@")
    if not service or environ.get("STATE_DIRECTORY"):
        return environ
    return {**environ, "STATE_DIRECTORY": f"/var/lib/{name.removesuffix('.toml')}"}


def socket_of(name: str, path: File | None, environ: Mapping[str, str]) -> str | None:
    """The socket of [gtp] or [control] in a file that was not validated; None if unclear."""
    source, data = find_config(path, environ), dict[str, object]()
    if source is not None:
        import tomllib  # noqa: PLC0415 - it takes as long as a seventh of a client's start

        try:
            data = tomllib.loads(read_text(source))
        except (ConfigError, ValueError):
            return None
    section = fill_defaults(data, service_environ(source, environ))[name]
    socket = section.get("socket") if isinstance(section, dict) else None
    return socket if isinstance(socket, str) else None


def read_text(source: File) -> str:
    """The text of a file; raises `ConfigError`."""
    try:
        with open(source, encoding="utf-8-sig") as file:  # some editors write a mark before it
            return file.read()
    except FileNotFoundError as error:
        raise ConfigError(f"{source}: there is no such file") from error
    except OSError as error:
        raise ConfigError(f"{source}: it cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise ConfigError(f"{source}:{line}: this is not UTF-8 text: save it as that") from error


def fill_defaults(data: dict[str, object], environ: Mapping[str, str]) -> dict[str, object]:
    """The options with every default that another option or the environment decides."""
    state = data.setdefault("state_directory", _state_directory(environ))
    # A wrong state folder is reported once, and not again for each path inside it.
    named = os.fspath(state) if isinstance(state, str | os.PathLike) else ""
    folder = os.path.join("/", named).rstrip("/") or "/"
    data.setdefault("database_url", f"sqlite:///{os.path.join(folder, 'godaemon.db')}")
    runtime = _first_path(environ, "RUNTIME_DIRECTORY") or _runtime_directory(folder)
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
    """Replace a section by a copy and return it; anything else is left for pydantic to reject."""
    section = data.get(name, {})
    if not isinstance(section, dict):
        return {}
    copy: dict[str, object] = dict(section)
    data[name] = copy
    return copy


def _state_directory(environ: Mapping[str, str]) -> str:
    """$STATE_DIRECTORY (systemd gives a list), else our folder in $XDG_STATE_HOME."""
    if given := _first_path(environ, "STATE_DIRECTORY"):
        return os.path.join(os.getcwd(), given)
    xdg = environ.get("XDG_STATE_HOME", "")
    if os.path.isabs(xdg):  # the XDG specification says to ignore a relative path
        return os.path.join(xdg, "godaemon")
    home = environ.get("HOME", "")
    if not os.path.isabs(home):
        home = os.path.expanduser("~")
    return os.path.join(home, ".local", "state", "godaemon")


def _runtime_directory(state: str) -> str:
    """The folder of a daemon's sockets, guessed from its state folder: a service's is in /run."""
    parent, name = os.path.split(state)
    return os.path.join("/run", name) if parent == "/var/lib" else state


def _first_path(environ: Mapping[str, str], name: str) -> str:
    return environ.get(name, "").split(":")[0]
