"""`godaemon check-config` and `config`: what is wrong with a configuration, and what it says."""

from __future__ import annotations

import errno
import json as js
import os
import shutil
import socket
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from godaemon.cli.common import Row, load_settings, tell_rows
from godaemon.config.config_file import File, find_config, read_text
from godaemon.config.credentials import FileOption, Secret
from godaemon.config.mail_options import OwnAddress, Smtp
from godaemon.config.mistakes import key_lines
from godaemon.config.settings import Engines, Gtp, Settings, flatten
from godaemon.control.daemon_here import is_running
from godaemon.daemon.doctor_checks import systemd_listens
from godaemon.daemon.engine_roster import GAMES, roster_of
from godaemon.daemon.health import trouble
from godaemon.daemon.mail import dkim_signer
from godaemon.engine.network import load_network
from godaemon.errors import Busy, ConfigError, Corrupt, GodaemonError, Temporary, Unreadable
from godaemon.storage.connections import connect, read_url
from godaemon.storage.identity import require_all_parts, require_signed
from godaemon.system.durable_files import may_read
from godaemon.system.passed_sockets import format_host_port
from godaemon.system.signing_keys import read_key
from godaemon.system.sockets import group_number, listen_error, require_free
from godaemon.system.tls import Certificate

Option = tuple[str, ...]
Trial = Callable[[Any], object]
"""Tries the value of an option as the daemon will; raises `ConfigError`."""
_LOADED = {
    ("mail", "imap", "password"): "imap",
    ("mail", "outgoing", "smarthost_password"): "smarthost",
    ("mail", "outgoing", "dkim_key"): "dkim",
    ("mail", "token_key"): "token.key",
}
"""The credentials that the service's unit loads (config/systemd/godaemon.service)."""
_PLAIN = (
    "mail.plus_addressing: all emails are answered to {0}; who answers is known by the email"
    " that theirs refers to, and a click on the board by the tag in its subject."
)


def check_config(config: File | None) -> None:
    checked = load_settings(config)
    found = find_config(config, os.environ)
    try:
        faults = list(faults_of(found, checked))
    except Temporary as fault:
        why = trouble("store-unusable", why=full_sentence(fault)).sentence
        raise Temporary(f"{_location(found, ('database_url',))}: {why}") from fault
    if faults:
        raise ConfigError("\n".join(faults))
    for sentence in unread_files(checked):
        print(sentence)
    if not checked.mail.plus_addressing:
        print(_PLAIN.format(", ".join(one.address for one in checked.mail.own)))
    for sentence in [*defaults_notice(config)] or [f"{found} is right."]:
        print(sentence)


def config(effective: bool, json: bool, config: File | None) -> None:
    values = flatten(load_settings(config).model_dump(mode="json"))
    file = find_config(config, os.environ)
    lines = key_lines(read_text(file)) if file else {}
    rows = [
        {"option": option, "value": _mask_password(option, value), "line": _line_of(option, lines)}
        for option, value in values.items()
    ]
    shown = [row for row in rows if row["value"] is not None and (effective or row["line"])]
    tell_rows(shown, partial(_option_line, file), json=json)


def _line_of(option: str, lines: Mapping[Option, int]) -> int | None:
    """The line of an option, or of the table that was written inline in its place."""
    key = tuple(option.split("."))
    inline = key[-1] in {"file", "credential"}
    return lines.get(key) or (lines.get(key[:-1]) if inline else None)


def _mask_password(option: str, value: object) -> object:
    if option != "database_url":
        return value
    return read_url(str(value)).render_as_string()


def _option_line(file: str | None, row: Row) -> str:
    where = f"{file}:{row['line']}" if row["line"] else "default"
    return f"{row['option']} = {_toml(row['value'])}  # {where}"


def _toml(value: object) -> str:
    if isinstance(value, dict):
        pairs = (f"{js.dumps(key)} = {_toml(one)}" for key, one in value.items() if one is not None)
        return f"{{{', '.join(pairs)}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return js.dumps(value, ensure_ascii=False)


def defaults_notice(config: File | None) -> Iterator[str]:
    """A sentence if nothing is configured: the defaults are in force."""
    file = find_config(config, os.environ)
    if file is None or not flatten(tomllib.loads(read_text(file))):
        subject = f"Nothing is written in {file}" if file else "There is no configuration"
        yield f"{subject}: the defaults hold, which `godaemon config --effective` shows."


def full_sentence(fault: GodaemonError) -> str:
    """The sentence of an error, with its detail, such as the words of a database server."""
    return f"{fault.public} ({' '.join(fault.detail.split())})" if fault.detail else fault.public


def faults_of(file: str | None, checked: Settings) -> Iterator[str]:
    """A line for each fault of what the configuration names; raises `Temporary`."""
    return (f"{_location(file, option)}: {why}" for option, why in _faults(file, checked))


def unread_files(checked: Settings) -> Iterator[str]:
    """A sentence for each file that only the service can read."""
    for option, (kept, _) in _file_options(checked).items():
        if is_for_service(kept):
            name = ".".join(option)
            yield f"{name}: the credential {kept.credential} is the service's; not looked at."


def _file_options(checked: Settings) -> dict[Option, tuple[FileOption, Trial]]:
    """The options that name a secret or a certificate, each with its value and its trial."""
    mail, gtp = checked.mail, checked.gtp
    smtp, out = mail.smtp, mail.outgoing
    named: dict[Option, tuple[FileOption | None, Trial]] = {
        ("mail", "smtp", "tls_certificate"): (smtp.tls_certificate, bool),  # tried with its key
        ("mail", "smtp", "tls_key"): (smtp.tls_key, partial(_try_key, smtp)),
        ("mail", "imap", "password"): (mail.imap.password, lambda kept: kept.read(os.environ)),
        ("mail", "outgoing", "smarthost_password"): (
            out.smarthost_password,
            lambda kept: kept.read(os.environ),
        ),
        ("mail", "outgoing", "dkim_key"): (out.dkim_key, partial(_try_dkim, mail.own[0])),
        ("mail", "token_key"): (mail.token_key, lambda kept: read_key(kept.path(os.environ))),
        ("gtp", "tls_certificate"): (gtp.tls_certificate, bool),
        ("gtp", "tls_key"): (gtp.tls_key, partial(_try_key, gtp)),
        **{
            ("mail", "addresses", str(number), "dkim_key"): (own.dkim_key, partial(_try_dkim, own))
            for number, own in enumerate(mail.own[1:])
        },
    }
    return {option: (kept, trial) for option, (kept, trial) in named.items() if kept is not None}


def is_for_service(kept: FileOption) -> bool:
    """True for a credential that only the service can read."""
    try:
        kept.path(os.environ)
    except ConfigError:
        return kept.credential is not None and "CREDENTIALS_DIRECTORY" not in os.environ
    return False


def _faults(file: str | None, checked: Settings) -> Iterator[tuple[Option, str]]:
    trials = dict[Option, tuple[Any, Trial]]()
    for option, (kept, trial) in _file_options(checked).items():
        if not is_for_service(kept):
            if why := _access_fault(option, kept, checked):
                yield option, why
            else:
                trials[option] = kept, trial
    trials |= _common_trials(checked) | _listener_trials(file, checked)
    for option, (value, trial) in trials.items():
        try:
            if value is not None:
                trial(value)
        except ConfigError as fault:
            yield option, fault.public


def _access_fault(option: Option, kept: FileOption, checked: Settings) -> str:
    """If we are root and the daemon's user is not: why that user cannot use a file, or ""."""
    path, state = kept.file, checked.state_directory
    if path is None or not path.exists() or os.geteuid() or not state.is_dir():
        return ""
    user = state.stat()
    hidden = not (isinstance(kept, Secret) and path.stat().st_mode & 0o007)
    if not user.st_uid or (hidden and may_read(path, user.st_uid, user.st_gid)):
        return ""
    name = _LOADED.get(option, path.name)
    edit = (
        f" run `systemctl edit godaemon`, write LoadCredential={name}:godaemon.{name} there below"
    )
    load = "" if option in _LOADED else f"{edit} [Service];"
    return (
        f"The service's user cannot read {path}, or others can, too. Make it a credential: run"
        f" `install -D -m 600 {path} /etc/credstore/godaemon.{name}`;{load}"
        f' and write {{ credential = "{name}" }} here.'
    )


def _common_trials(checked: Settings) -> dict[Option, tuple[Any, Trial]]:
    gtp, engines = checked.gtp, checked.engines
    programs: dict[Option, tuple[Any, Trial]] = {
        ("engines", name, "command"): (engine.command, _try_program)
        for name, engine in engines.named.items()
    }
    return {
        **programs,
        ("mail", "outgoing", "command"): (checked.mail.outgoing.command, _try_program),
        ("database_url",): (checked.database_url, _try_database),
        ("state_directory",): (checked, _try_store),
        ("gtp", "group"): (gtp.group, group_number),
        ("control", "group"): (checked.control.group, group_number),
        ("engines", "network"): (engines.network, _try_network),
        ("engines", "opinion"): (engines.opinion, partial(_try_engine, engines)),
        ("gtp", "engine"): (gtp.engine, partial(_try_engine, engines)),
    }


def _listener_trials(file: str | None, checked: Settings) -> dict[Option, tuple[Any, Trial]]:
    """The places to listen at; without TCP ports that the daemon or systemd already listens at."""
    runs = _daemon_runs(checked)
    return {
        _LISTENERS[name]: (place, _try_listener)
        for name, place in checked.listeners.items()
        if not (isinstance(place, tuple) and (runs or systemd_listens(file, name)))
    }


_LISTENERS = {
    "smtp": ("mail", "smtp", "listen"),
    "lmtp": ("mail", "lmtp", "listen"),
    "gtp": ("gtp", "socket"),
    "gtp-tcp": ("gtp", "listen"),
    "control": ("control", "socket"),
    "metrics": ("metrics", "listen"),
}


def _try_database(url: str) -> None:
    connect(read_url(url)).dispose()


def _try_listener(place: Path | tuple[str, int]) -> None:
    if not isinstance(place, tuple):
        require_free(place)
        return
    try:
        for family, *_, address in socket.getaddrinfo(*place, type=socket.SOCK_STREAM):
            with socket.socket(family, socket.SOCK_STREAM) as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind(address)
    except OSError as fault:
        if fault.errno not in {errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT}:  # it may come up later
            where = f"Nothing can listen at {format_host_port(*place)}"
            raise ConfigError(listen_error(where, fault).public) from fault


def _daemon_runs(checked: Settings) -> bool:
    """Whether a daemon runs, even if we may not open its socket."""
    with suppress(Busy):
        return is_running(checked.control.socket)
    return True


def _try_store(checked: Settings) -> None:
    """Check the state folder and its contents without creating anything.

    Skipped while a daemon runs: `godaemon status` reports on it, and the daemon may have files open
    that are gone from the folder.
    """
    if _daemon_runs(checked):
        return
    try:
        _try_database(checked.database_url)
    except ConfigError:
        return  # reported for database_url
    state = checked.state_directory
    if why := _folder_fault(state):
        raise ConfigError(
            f"{state} cannot be made or written to by this user ({why}): name another folder, or"
            " give that one to the user who runs the daemon."
        )
    try:
        keys = require_all_parts(checked.database_url, state)
        if keys or checked.mail.token_key is None:
            require_signed(checked.database_url, state, keys)
    except Corrupt as fault:
        raise ConfigError(fault.public) from fault


def _folder_fault(folder: Path) -> str:
    """Why a folder cannot be made or written to, or ""; removes the folders made for the test."""
    created = [one for one in (folder, *folder.parents) if not os.path.lexists(one)]
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return "" if os.access(folder, os.W_OK | os.X_OK) else "permission denied"
    except OSError as fault:
        return fault.strerror or str(fault)
    finally:
        with suppress(OSError):
            for one in created:
                one.rmdir()


def _try_network(file: Path) -> None:
    try:
        load_network(file)
    except Unreadable as fault:
        message = f"{fault.public} Leave the option out to play by the one that comes with us."
        raise ConfigError(message) from fault


def _try_program(command: Sequence[str]) -> None:
    if shutil.which(command[0], path=f"{os.environ.get('PATH', '')}:{GAMES}") is None:
        raise ConfigError(f"There is no program {command[0]} here that can be run.")


def _try_engine(engines: Engines, name: str) -> None:
    if name not in (known := roster_of(engines, os.environ).programs):
        raise ConfigError(f"There is no such engine here; one of these is: {', '.join(known)}.")


def _try_key(section: Smtp | Gtp, key: Secret) -> None:
    certificate = section.tls_certificate
    if certificate is not None and not is_for_service(certificate):
        Certificate(certificate.path(os.environ), key.path(os.environ))


def _try_dkim(own: OwnAddress, _: Secret) -> None:
    dkim_signer(own, os.environ)


def _location(file: str | None, option: Option) -> str:
    lines = key_lines(read_text(file)) if file else {}
    line = f":{lines[option]}" if option in lines else ""
    return f"{file}{line}: {'.'.join(option)}"
