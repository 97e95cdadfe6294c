"""`godaemon check-config` and `config`: the faults and the options of a configuration."""

import errno
import json as js
import os
import shutil
import socket
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from operator import methodcaller
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from godaemon.cli.common import Row, load_settings, print_rows
from godaemon.config.config_file import File, find_config, read_text, service_environ
from godaemon.config.loading import load_private, parse
from godaemon.config.mail_options import OwnAddress, Smtp
from godaemon.config.mistakes import key_lines
from godaemon.config.section import CREDENTIALS, UNIT_CREDENTIALS, FileOption, Secret, unit_edit
from godaemon.config.settings import Engines, Gtp, Settings, flatten
from godaemon.control.control_client import ask, is_running
from godaemon.daemon.doctor_checks import systemd_listens
from godaemon.daemon.engine_roster import GAMES_FOLDER, roster_of
from godaemon.daemon.health import Severity, Trouble, trouble, way_in_troubles
from godaemon.daemon.mail import dkim_signer
from godaemon.engine.network import load_network
from godaemon.errors import ConfigError, Corrupt, GodaemonError, NotPermitted, Temporary, Unreadable
from godaemon.storage.connections import connect, read_url
from godaemon.storage.identity import other_domain, require_all_parts, require_signed
from godaemon.storage.locks import unwritable_error
from godaemon.system.durable_files import may_read
from godaemon.system.passed_sockets import format_host_port
from godaemon.system.signing_keys import read_key
from godaemon.system.sockets import NO_SUCH_ADDRESS, group_number, listen_error, require_free
from godaemon.system.tls import Certificate

Option = tuple[str, ...]
Trial = Callable[[Any], object]
"""Tests the value of an option as the daemon will use it; raises `ConfigError`, `Unreadable`."""


def check_config(config: File | None) -> None:
    file = find_config(config, os.environ)
    try:
        settings = load_private(config, os.environ)
    except ConfigError as mistakes:
        more = (one.sentence for one in _other_faults(file, mistakes))
        raise ConfigError("\n".join([mistakes.public, *more])) from mistakes
    found = [*faults_of(file, settings), *way_in_troubles(settings.mail)]
    sentences = [one.sentence for one in found]
    if failures := {one.name for one in found if one.severity == Severity.FAILURE}:
        kind = Temporary if failures == {"store-unusable"} else ConfigError
        raise kind("\n".join(sentences))
    verdict = "can be used; see the warnings above" if found else "is right"
    notices = [*defaults_notice(config)] or [f"{file} {verdict}."]
    print(*unread_files(settings), *sentences, *notices, sep="\n")


def _other_faults(file: str | None, mistakes: ConfigError) -> Iterator[Trouble]:
    """The faults in the sections of a configuration whose form has no mistakes."""
    cause = mistakes.__cause__
    errors = cause.errors() if isinstance(cause, ValidationError) else []
    keys = [tuple(map(str, error["loc"])) for error in errors]
    faulty = {key[:2] if key[0] == "mail" else key[:1] for key in keys if key}
    with suppress(ConfigError):
        environ = service_environ(file, os.environ)
        settings = parse(read_text(file or ""), str(file), environ, without=faulty)
        yield from faults_of(file, settings, faulty | {("gtp", "engine")})


def config(effective: bool, json: bool, config: File | None) -> None:
    values = flatten(load_settings(config).model_dump(mode="json"))
    values["database_url"] = read_url(values["database_url"]).render_as_string()  # hides a password
    file = find_config(config, os.environ)
    lines = key_lines(read_text(file)) if file else {}
    rows = [
        {"option": option, "value": value, "line": _line_of(option, lines)}
        for option, value in values.items()
    ]
    visible = [row for row in rows if row["value"] is not None and (effective or row["line"])]
    print_rows(visible, partial(_option_line, file), json=json)


def _line_of(option: str, lines: Mapping[Option, int]) -> int | None:
    """The line of an option, or of an inline table in its place; None for a default."""
    key = tuple(option.split("."))
    inline = key[-1] in {"file", "credential"}
    return lines.get(key) or (lines.get(key[:-1]) if inline else None)


def _option_line(file: str | None, row: Row) -> str:
    place = f"{file}:{row['line']}" if row["line"] else "default"
    return f"{row['option']} = {_toml(row['value'])}  # {place}"


def _toml(value: object) -> str:
    if isinstance(value, dict):
        pairs = (f"{js.dumps(key)} = {_toml(one)}" for key, one in value.items() if one is not None)
        return f"{{{', '.join(pairs)}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return js.dumps(value, ensure_ascii=False)


def defaults_notice(config: File | None) -> Iterator[str]:
    """A sentence if nothing is configured, so that the defaults apply."""
    file = find_config(config, os.environ)
    if file is None or not flatten(tomllib.loads(read_text(file))):
        subject = f"{file} has no options" if file else "There is no configuration file"
        yield f"{subject}: the defaults apply; to see them: godaemon config --effective"


def full_sentence(error: GodaemonError) -> str:
    """The sentence of an error with its detail, such as the message of a database server."""
    return f"{error.public} ({' '.join(error.detail.split())})" if error.detail else error.public


def faults_of(
    file: str | None, settings: Settings, without: Collection[Option] = ()
) -> Iterator[Trouble]:
    """A trouble for each fault of files, addresses and programs in options, with its line.

    The options in `without` are not checked; if there are any, defaults are not checked either.
    """
    lines = key_lines(read_text(file)) if file else {}
    for option, fault in _faults(file, settings):
        if without and (option not in lines or not {option[:1], option[:2]}.isdisjoint(without)):
            continue
        name, sentence, severity = "configuration", fault.public, Severity.FAILURE
        if isinstance(fault, Temporary) and option == ("database_url",):
            name = "store-unusable"
            sentence = trouble(name, why=full_sentence(fault)).sentence
        elif isinstance(fault, Temporary):  # an address that may come later
            severity = Severity.WARNING
        line = f":{lines[option]}" if option in lines else ""
        yield Trouble(name, f"{file}{line}: {'.'.join(option)}: {sentence}", severity)


def unread_files(settings: Settings) -> Iterator[str]:
    """A sentence for a missing state folder, and for all that only the service can read."""
    state = settings.state_directory
    try:
        os.scandir(state).close()
    except PermissionError:
        yield f"This user cannot look into {state}: its contents and sockets were not checked."
    except FileNotFoundError:
        yield f"The state folder {state} does not exist: the daemon will make it."
    except OSError:
        pass  # a fault
    for option, (value, _) in _trials(settings).items():
        if is_for_service(value):
            hidden = f"only the service can read the credential {value.credential}; not checked."
            yield f"{'.'.join(option)}: {hidden}"


def is_for_service(value: object) -> bool:
    """True for a credential that only the service can read."""
    if not isinstance(value, FileOption) or value.credential is None:
        return False
    try:
        value.path(os.environ)
    except ConfigError:
        return "CREDENTIALS_DIRECTORY" not in os.environ
    return False


def _faults(file: str | None, settings: Settings) -> Iterator[tuple[Option, GodaemonError]]:
    for option, (value, trial) in (_trials(settings) | _listener_trials(file, settings)).items():
        if is_for_service(value):
            continue
        if reason := _access_fault(option, value, settings):
            yield option, ConfigError(reason)
            continue
        try:
            trial(value)
        except Temporary as fault:  # an address may come later; the state folder is here
            yield ("database_url",) if option == ("state_directory",) else option, fault
        except (ConfigError, Unreadable) as fault:
            yield option, fault


def _access_fault(option: Option, value: object, settings: Settings) -> str:
    """The reason why the daemon's user cannot use a file, or ""; only root can find out."""
    path = value.file if isinstance(value, FileOption) else None
    state = settings.state_directory
    if path is None or not path.exists() or os.geteuid() or not state.is_dir():
        return ""
    owner = state.stat()
    is_private = not (isinstance(value, Secret) and path.stat().st_mode & 0o007)
    if not owner.st_uid or (is_private and may_read(path, owner.st_uid, owner.st_gid)):
        return ""
    name = UNIT_CREDENTIALS.get(option, ".".join(option))
    kept = CREDENTIALS / f"godaemon.{name}"
    install = "" if path == kept else f"run `install -D -m 600 {path} {kept}`"
    steps = [install, unit_edit(name), f'write {{ credential = "{name}" }} here.']
    return (
        f"The service's user cannot read {path}, or other users can too. Make it a credential:"
        f" {'; '.join(filter(None, steps))}"
    )


def _trials(settings: Settings) -> dict[Option, tuple[Any, Trial]]:
    """The options with a value that can be tested, except listeners; files come first."""
    mail, gtp, engines = settings.mail, settings.gtp, settings.engines
    smtp, outgoing = mail.smtp, mail.outgoing
    read_secret, try_engine = methodcaller("read", os.environ), partial(_try_engine, engines)
    options: dict[Option, tuple[Any, Trial]] = {
        ("mail", "smtp", "tls_certificate"): (smtp.tls_certificate, partial(_try_tls, smtp)),
        ("mail", "smtp", "tls_key"): (smtp.tls_key, partial(_try_tls, smtp)),
        ("mail", "imap", "password"): (mail.imap.password, read_secret),
        ("mail", "outgoing", "smarthost_password"): (outgoing.smarthost_password, read_secret),
        ("mail", "outgoing", "dkim_key"): (outgoing.dkim_key, partial(_try_dkim, mail.own[0])),
        ("mail", "token_key"): (mail.token_key, lambda value: read_key(value.path(os.environ))),
        ("gtp", "tls_certificate"): (gtp.tls_certificate, partial(_try_tls, gtp)),
        ("gtp", "tls_key"): (gtp.tls_key, partial(_try_tls, gtp)),
        **{
            ("mail", "addresses", str(number), "dkim_key"): (own.dkim_key, partial(_try_dkim, own))
            for number, own in enumerate(mail.own[1:])
        },
        **{
            ("engines", name, "command"): (engine.command, _try_program)
            for name, engine in engines.named.items()
        },
        ("mail", "outgoing", "command"): (outgoing.command, _try_program),
        ("database_url",): (settings.database_url, _try_database),
        ("state_directory",): (settings, _try_store),
        ("mail", "address"): (settings, _try_own_addresses),
        ("gtp", "group"): (gtp.group, group_number),
        ("control", "group"): (settings.control.group, group_number),
        ("engines", "network"): (engines.network, load_network),
        ("engines", "opinion"): (engines.opinion, try_engine),
        ("gtp", "engine"): (gtp.engine, try_engine),
    }
    return {option: trial for option, trial in options.items() if trial[0] is not None}


def _listener_trials(file: str | None, settings: Settings) -> dict[Option, tuple[Any, Trial]]:
    """The listeners, except where systemd listens, or perhaps a daemon that does not answer."""
    options = {
        "smtp": ("mail", "smtp", "listen"),
        "lmtp": ("mail", "lmtp", "listen"),
        "gtp": ("gtp", "socket"),
        "gtp-tcp": ("gtp", "listen"),
        "control": ("control", "socket"),
        "metrics": ("metrics", "listen"),
    }
    daemon = _running_daemon(settings)
    names = ("smtp", "lmtp", "gtp_tcp", "metrics")
    own_ports = {str(daemon.get(name)).rpartition(":")[2] for name in names}
    unknown = daemon.keys() == {"unknown"}
    return {
        options[name]: (place, partial(_try_listener, own_ports=own_ports))
        for name, place in settings.listeners.items()
        if not (isinstance(place, tuple) and (unknown or systemd_listens(file, name)))
    }


def _try_database(url: str) -> None:
    connect(read_url(url)).dispose()


def _try_listener(place: Path | tuple[str, int], own_ports: Collection[str]) -> None:
    """Check that the daemon can listen there, or listens at that port already."""
    if not isinstance(place, tuple):
        require_free(place)
        return
    missing = list[OSError]()
    try:
        addresses = socket.getaddrinfo(*place, type=socket.SOCK_STREAM)
        for family, *_, address in addresses:
            try:
                with socket.socket(family, socket.SOCK_STREAM) as probe:
                    probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                    probe.bind(address)  # without listening, so that the daemon can start meanwhile
            except OSError as fault:
                if fault.errno not in NO_SUCH_ADDRESS or len(missing) + 1 == len(addresses):
                    raise
                missing.append(fault)
    except OSError as fault:
        if fault.errno in {errno.EADDRINUSE, errno.EACCES} and str(place[1]) in own_ports:
            return
        error = listen_error(f"Nothing can listen at {format_host_port(*place)}", fault)
        raise (ConfigError(error.public) if fault.errno == errno.EADDRINUSE else error) from fault


def _running_daemon(settings: Settings) -> Mapping[str, Any]:
    """The status of the running daemon: empty if none runs, "unknown" if it does not answer."""
    try:
        running = is_running(settings.control.socket)
        return ask(settings.control.socket, "status", patience=5.0) if running else {}
    except (NotPermitted, Temporary):
        return {"unknown": True}


def _try_store(settings: Settings) -> None:
    """Check the state folder and its contents without creating anything.

    Skipped while a daemon uses it: `godaemon status` reports its faults, and it may have open files
    that the folder no longer has.
    """
    daemon, state = _running_daemon(settings), settings.state_directory
    if daemon and daemon.get("state", str(state)) == str(state):
        return
    try:
        _try_database(settings.database_url)
    except ConfigError:
        return  # reported for database_url
    try:
        _require_writable(state)
    except OSError as fault:
        raise unwritable_error(state, fault) from fault
    try:
        keys = require_all_parts(settings.database_url, state)
        if keys or settings.mail.token_key is None:
            require_signed(settings.database_url, state, keys)
    except Corrupt as fault:
        raise ConfigError(fault.public) from fault


def _try_own_addresses(settings: Settings) -> None:
    """Raise `Temporary` if players may have emails from an address that is not ours.

    The store only knows the domain; the running daemon knows its address.
    """
    own, daemon, lost = settings.mail.own, _running_daemon(settings), ""
    with suppress(GodaemonError, OSError):  # reported for database_url or state_directory
        if domain := other_domain(settings.database_url, [one.domain for one in own]):
            lost = f"an address at {domain}"
    letters = daemon.get("letters") or {}
    if letters.get("sent") and daemon["address"] not in [one.address for one in own]:
        lost = daemon["address"]
    if lost:
        raise Temporary(
            f"Players may still have emails from {lost}, which is not ours: their replies are"
            " refused. Write a section [[mail.addresses]] with that address and retired = true."
        )


def _require_writable(folder: Path) -> None:
    """Raise `OSError` if a folder cannot be created or written to; leaves no new folders."""
    missing = [one for one in (folder, *folder.parents) if not os.path.lexists(one)]
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK | os.X_OK):
            is_read_only = os.statvfs(folder).f_flag & os.ST_RDONLY
            number = errno.EROFS if is_read_only else errno.EACCES
            raise OSError(number, os.strerror(number))
    finally:
        with suppress(OSError):
            for one in missing:
                one.rmdir()


def _try_program(command: Sequence[str]) -> None:
    if shutil.which(command[0], path=f"{os.environ.get('PATH', '')}:{GAMES_FOLDER}") is None:
        raise ConfigError(f"There is no program {command[0]} here that can be run.")


def _try_engine(engines: Engines, name: str) -> None:
    if name not in (names := roster_of(engines, os.environ).programs):
        raise ConfigError(f"There is no such engine; write one of: {', '.join(names)}.")


def _try_tls(section: Smtp | Gtp, half: FileOption) -> None:
    """Test a key with its certificate; read either alone if only the service can read the other."""
    certificate, key = section.tls_certificate, section.tls_key
    if is_for_service(certificate) or is_for_service(key):
        path = half.path(os.environ)
        try:
            path.read_bytes()
        except OSError as fault:
            raise ConfigError(f"{path} cannot be read: {fault.strerror}.") from fault
    elif certificate is not None and half is key:
        Certificate(certificate.path(os.environ), half.path(os.environ))


def _try_dkim(own: OwnAddress, _: Secret) -> None:
    dkim_signer(own, os.environ)
