"""`godaemon check-config`: the check of the configuration, and of the files that it names."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

import typer

from godaemon.cli.common import Config, settings

if TYPE_CHECKING:  # --help loads no configuration
    from pathlib import Path

    from godaemon.config.gtp_options import Gtp
    from godaemon.config.mail_options import OwnAddress, Smtp
    from godaemon.config.section import Kept
    from godaemon.config.settings import Settings

Option = tuple[str, ...]
Trial = Callable[[], object]
"""Does what the daemon will with an option; raises `ConfigError`."""
_LOADED = {
    ("mail", "imap", "password"): "imap",
    ("mail", "outgoing", "smarthost_password"): "smarthost",
    ("mail", "outgoing", "dkim_key"): "dkim",
    ("mail", "token_key"): "token.key",
}
"""The credentials that the service's unit loads (config/systemd/godaemon.service)."""
_PLAIN = (
    "mail.plus_addressing: all letters are answered to {0}; who answers is known by the letter"
    " that theirs refers to, and a click on the board by the tag in its subject."
)


def check_config(config: Config = None) -> None:
    """Read the configuration and say what is wrong with it, line by line (exit 78)."""
    from godaemon.config.config_file import find
    from godaemon.errors import ConfigError

    checked = settings(config)
    found = find(config, os.environ)
    if faults := list(faults_of(found, checked)):
        raise ConfigError("\n".join(faults))
    for sentence in unlooked(checked):
        typer.echo(sentence)
    if not checked.mail.plus_addressing:
        typer.echo(_PLAIN.format(", ".join(one.address for one in checked.mail.own)))
    typer.echo(f"{found} is right." if found else "There is no configuration: the defaults hold.")


def faults_of(file: str | None, checked: Settings) -> Iterator[str]:
    """A line for each fault of the files that the configuration names; raises `Temporary`."""
    return (f"{_where(file, option)}: {why}" for option, why in _faults(checked))


def unlooked(checked: Settings) -> Iterator[str]:
    """A sentence for each file that only the service can read."""
    for option, (kept, _) in _named(checked).items():
        if elsewhere(kept):
            name = ".".join(option)
            yield f"{name}: the credential {kept.credential} is the service's; not looked at."


def _named(checked: Settings) -> dict[Option, tuple[Kept, Trial]]:
    """The options that name a file with a secret or a certificate in it: that, and its trial."""
    mail, gtp = checked.mail, checked.gtp
    smtp, out = mail.smtp, mail.outgoing
    named: dict[Option, tuple[Kept | None, Trial]] = {
        ("mail", "smtp", "tls_certificate"): (smtp.tls_certificate, bool),  # tried with its key
        ("mail", "smtp", "tls_key"): (smtp.tls_key, partial(_pair, smtp)),
        ("mail", "imap", "password"): (mail.imap.password, partial(_secret, mail.imap.password)),
        ("mail", "outgoing", "smarthost_password"): (
            out.smarthost_password,
            partial(_secret, out.smarthost_password),
        ),
        ("mail", "outgoing", "dkim_key"): (out.dkim_key, partial(_signer, mail.own[0])),
        ("mail", "token_key"): (mail.token_key, partial(_token_key, mail.token_key)),
        ("gtp", "tls_certificate"): (gtp.tls_certificate, bool),
        ("gtp", "tls_key"): (gtp.tls_key, partial(_pair, gtp)),
        **{
            ("mail", "addresses", str(number), "dkim_key"): (own.dkim_key, partial(_signer, own))
            for number, own in enumerate(mail.own[1:])
        },
    }
    return {option: (kept, trial) for option, (kept, trial) in named.items() if kept is not None}


def elsewhere(kept: Kept) -> bool:
    """True where only the service can read it."""
    from godaemon.errors import ConfigError

    try:
        kept.path(os.environ)
    except ConfigError:
        return kept.credential is not None and "CREDENTIALS_DIRECTORY" not in os.environ
    return False


def _faults(checked: Settings) -> Iterator[tuple[Option, str]]:
    """The faults of the files that the configuration names, each tried as the daemon will."""
    from godaemon.errors import ConfigError

    trials = dict[Option, Trial]()
    for option, (kept, trial) in _named(checked).items():
        if not elsewhere(kept):
            if why := _barred(option, kept, checked):
                yield option, why
            else:
                trials[option] = trial
    for name, engine in checked.engines.named.items():
        if shutil.which(engine.command[0], path=f"{os.environ.get('PATH', '')}:/usr/games") is None:
            yield ("engines", name, "command"), f"there is no program {engine.command[0]} here."
    for option, trial in {**trials, **_always(checked)}.items():
        try:
            trial()
        except ConfigError as fault:
            yield option, fault.public


def _barred(option: Option, kept: Kept, checked: Settings) -> str:
    """Why the daemon's own user, where we are root and it is not, may not have a file; or ""."""
    from godaemon.config.section import Secret
    from godaemon.system.file_ownership import may_read

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


def _always(checked: Settings) -> dict[Option, Trial]:
    """What is tried whichever files are named."""
    gtp, control = checked.gtp, checked.control
    return {
        ("database_url",): partial(_database, checked),
        ("state_directory",): partial(_store, checked),
        ("gtp", "socket"): partial(_socket, gtp.socket, gtp.group),
        ("control", "socket"): partial(_socket, control.socket, control.group),
        ("engines", "network"): partial(_network, checked),
        ("engines", "opinion"): partial(_engine, checked, checked.engines.opinion),
        ("gtp", "engine"): partial(_engine, checked, gtp.engine),
    }


def _database(checked: Settings) -> None:
    from godaemon.storage.connections import connect, read_url

    connect(read_url(checked.database_url)).dispose()


def _socket(path: Path, group: str | None) -> None:
    from godaemon.system.sockets import group_number, hold_free

    hold_free(path)
    if group is not None:
        group_number(group)


def _store(checked: Settings) -> None:
    """The state folder and what is in it, as far as one can look without making anything.

    Not while a daemon runs, whose status tells of it: it has open what is gone from there.
    """
    from godaemon.control.daemon_here import running
    from godaemon.errors import Busy, ConfigError, Corrupt
    from godaemon.storage.identity import hold_signed, hold_there

    with suppress(Busy):
        if running(checked.control.socket):
            return
    try:
        _database(checked)
    except ConfigError:
        return  # that is told of the option
    state = checked.state_directory
    there = next(one for one in (state, *state.parents) if os.path.lexists(one))
    if not (there.is_dir() and os.access(there, os.W_OK | os.X_OK)):
        raise ConfigError(f"{state} cannot be made or written to by this user, because of {there}.")
    try:
        keys = hold_there(checked.database_url, state)
        if keys or checked.mail.token_key is None:
            hold_signed(checked.database_url, state, keys)
    except Corrupt as fault:
        raise ConfigError(fault.public) from fault


def _network(checked: Settings) -> None:
    from godaemon.errors import ConfigError, Unreadable

    if checked.engines.network is not None:
        from godaemon.engine.network import load

        try:
            load(checked.engines.network)
        except Unreadable as fault:
            message = f"{fault.public} Leave the option out to play by the one that comes with us."
            raise ConfigError(message) from fault


def _engine(checked: Settings, name: str | None) -> None:
    from godaemon.daemon.engine_roster import roster_of
    from godaemon.errors import ConfigError

    known = roster_of(checked.engines, os.environ).programs
    if name is not None and name not in known:
        raise ConfigError(f"There is no such engine here; one of these is: {', '.join(known)}.")


def _pair(section: Smtp | Gtp) -> None:
    from godaemon.system.tls import Certificate

    certificate, key = section.tls_certificate, section.tls_key
    if certificate is not None and key is not None and not elsewhere(certificate):
        Certificate(certificate.path(os.environ), key.path(os.environ))


def _secret(kept: Kept | None) -> None:
    from godaemon.config.section import Secret

    if isinstance(kept, Secret):
        kept.read(os.environ)


def _token_key(kept: Kept | None) -> None:
    from godaemon.system.signing_keys import read_key

    if kept is not None:
        read_key(kept.path(os.environ))


def _signer(own: OwnAddress) -> None:
    from godaemon.daemon.mail_delivery import dkim_signer

    dkim_signer(own, os.environ)


def _where(file: str | None, option: Option) -> str:
    """The file, the line and the option, as in the other faults."""
    from godaemon.config.config_file import read_text
    from godaemon.config.report import key_lines

    lines = key_lines(read_text(file)) if file else {}
    line = f":{lines[option]}" if option in lines else ""
    return f"{file}{line}: {'.'.join(option)}"
