"""The configuration file: finds it, reads its text, and fills in defaults.

Does not import `pathlib`, because `godaemon gtp` uses this module and must start fast. Raises
`ConfigError` for a file that cannot be read.
"""

import os
from collections.abc import Mapping

from godaemon.errors import ConfigError

SYSTEM_FILE = "/etc/godaemon/godaemon.toml"

File = str | os.PathLike[str]


def find_config(path: File | None, environ: Mapping[str, str]) -> str | None:
    """`path`, else the file of $GODAEMON_CONFIG, else `SYSTEM_FILE` if it exists, else None."""
    if path is not None:
        return os.fspath(path)
    if name := environ.get("GODAEMON_CONFIG"):
        return name
    return os.fspath(SYSTEM_FILE) if os.path.exists(SYSTEM_FILE) else None


def service_environ(source: str | None, environ: Mapping[str, str]) -> Mapping[str, str]:
    """The environment; for a file of the service godaemon@NAME, with its $STATE_DIRECTORY."""
    folder, name = os.path.split(source or "")
    is_service = folder == os.path.dirname(SYSTEM_FILE) and name.startswith("godaemon@")
    if not is_service or environ.get("STATE_DIRECTORY"):
        return environ
    return {**environ, "STATE_DIRECTORY": f"/var/lib/{name.removesuffix('.toml')}"}


def socket_of(name: str, path: File | None, environ: Mapping[str, str]) -> str | None:
    """The socket of [gtp] or [control] in a file, without validation; None for a faulty file."""
    source, data = find_config(path, environ), dict[str, object]()
    if source is not None:
        import tomllib  # noqa: PLC0415 - it takes a seventh of a client's start

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
        with open(source, encoding="utf-8-sig") as file:  # some editors write a byte order mark
            return file.read()
    except FileNotFoundError as error:
        raise ConfigError(f"{source}: there is no such file") from error
    except OSError as error:
        raise ConfigError(f"{source}: it cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise ConfigError(f"{source}:{line}: this is not UTF-8: save the file as UTF-8") from error


def fill_defaults(data: dict[str, object], environ: Mapping[str, str]) -> dict[str, object]:
    """Add the defaults that depend on other options or on the environment; returns the options."""
    state = data.setdefault("state_directory", _state_directory(environ))
    # Report a wrong state folder once, and not again for each path inside it.
    text = os.fspath(state) if isinstance(state, str | os.PathLike) else ""
    folder = os.path.join("/", text).rstrip("/") or "/"
    data.setdefault("database_url", f"sqlite:///{os.path.join(folder, 'godaemon.db')}")
    parent, name = os.path.split(folder)
    place = os.path.join("/run", name) if parent == "/var/lib" else folder  # /run for a service
    runtime = _first_path(environ, "RUNTIME_DIRECTORY") or place
    for name in ("gtp", "control"):
        _section_of(data, name).setdefault("socket", os.path.join(runtime, f"{name}.sock"))
    for name in ("engines", "log", "metrics"):
        _section_of(data, name)
    mail = _section_of(data, "mail")
    outgoing = _section_of(mail, "outgoing")
    if not {"smarthost", "lmtp", "command"} & outgoing.keys():
        outgoing.setdefault("maildir", os.path.join(folder, "mail"))
    for name in ("smtp", "lmtp", "imap", "limits"):
        _section_of(mail, name)
    if _section_of(mail, "lmtp").get("listen") or _section_of(mail, "imap").get("host"):
        _section_of(mail, "smtp").setdefault("listen", "")
    return data


def _section_of(data: dict[str, object], name: str) -> dict[str, object]:
    """The section of a name, added if it is missing; pydantic rejects other values."""
    section = data.setdefault(name, {})
    return section if isinstance(section, dict) else {}


def _state_directory(environ: Mapping[str, str]) -> str:
    """The first path of $STATE_DIRECTORY, else our folder in $XDG_STATE_HOME."""
    if path := _first_path(environ, "STATE_DIRECTORY"):
        return os.path.join(os.getcwd(), path)
    xdg = environ.get("XDG_STATE_HOME", "")
    if os.path.isabs(xdg):  # the XDG specification says to ignore a relative path
        return os.path.join(xdg, "godaemon")
    home = environ.get("HOME", "")
    if not os.path.isabs(home):
        home = os.path.expanduser("~")
    return os.path.join(home, ".local", "state", "godaemon")


def _first_path(environ: Mapping[str, str], name: str) -> str:
    return environ.get(name, "").split(":")[0]
