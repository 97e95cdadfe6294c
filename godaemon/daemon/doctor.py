"""The doctor: looks at all that a godaemon stands on; each finding is a `Trouble` with its remedy.

What the check of the configuration and the health of a running daemon tell is not looked for again.
Changes nothing, and raises nothing of what it looks for.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import ssl
import subprocess
from collections.abc import Awaitable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any

from godaemon.config.checks import split_host_port
from godaemon.config.mail_options import Mail
from godaemon.config.section import Kept
from godaemon.config.settings import Settings
from godaemon.daemon import health
from godaemon.daemon.dns_hints import is_public
from godaemon.daemon.health import Measured, Severity, Trouble
from godaemon.daemon.mail_delivery import delivery
from godaemon.daemon.mail_listeners import mailbox
from godaemon.errors import ConfigError, Corrupt, Temporary
from godaemon.storage.connections import read_url
from godaemon.storage.sqlite_copy import look
from godaemon.system.clock import FILE as CLOCK
from godaemon.system.clock import STEP, TimeSeen
from mailgate.delivery.smarthost import SmarthostDelivery

SOON = timedelta(days=14)
"""A certificate that ends within so long should have been renewed by now."""
PATIENCE = 30.0
"""Seconds in which a mail server must answer."""
SERVICES, BACKUPS = Path("/etc/godaemon"), Path("/var/backups/godaemon")
"""Where the configurations of services are, and the backups of the timer."""
MANAGED, CONTAINED = Path("/run/systemd/system"), Path("/run/systemd/container")
"""What there is where systemd runs, and where it does so in a container (sd_booted(3), and
https://systemd.io/CONTAINER_INTERFACE)."""
TIMER = "godaemon-backup.timer"
STALE = timedelta(days=3)
"""The timer makes a backup each day."""
_NO_CHECK_TIME = 0x200000
"""X509_V_FLAG_NO_CHECK_TIME of OpenSSL, which Python has no name for."""


def held_by_systemd(file: str | None, listener: str) -> bool:
    """Whether systemd listens for the service of a configuration in /etc."""
    unit = service_of(file)
    return unit != "" and _says("systemctl", "is-active", f"{unit}-{listener}.socket") == "active"


def service_of(file: str | None) -> str:
    """The service of systemd's whose configuration that is; "" where there is none."""
    ours = file is not None and Path(file).parent == SERVICES and MANAGED.is_dir()
    return Path(str(file)).stem if ours else ""


def of_machine(settings: Settings, file: str | None, now: datetime) -> Iterator[Trouble]:
    """Permissions, disk, clock and the database file."""
    state = settings.state_directory
    yield from _open_to_others(settings, file)
    there = next(one for one in (state, *state.parents) if one.exists())
    disk = os.statvfs(there)
    if disk.f_blocks:  # else it is no disk, and the check of the configuration tells of it
        yield from health.judge(Measured(now, disk_free=disk.f_bavail * disk.f_frsize, state=there))
    with suppress(OSError):
        last = TimeSeen(state / CLOCK).last
        if last is not None and last > now + STEP:
            sentence = (
                f"The clock is wrong: it says {now:%Y-%m-%d %H:%M} UTC, and godaemon ran at"
                f" {last:%Y-%m-%d %H:%M} UTC already. Set it right (`timedatectl set-ntp true`)"
                " before you start the daemon."
            )
            yield Trouble("clock-behind", sentence, Severity.FAILURE)
    yield from _time_server()
    yield from _database(settings)


def _time_server() -> Iterator[Trouble]:
    """That nothing keeps the clock right, where systemd knows; a container has its host's."""
    if not MANAGED.is_dir() or CONTAINED.exists():
        return
    if _says("timedatectl", "show", "--value", "--property=NTPSynchronized") == "no":
        sentence = (
            "No time server keeps the clock of this machine right, by which games are lost on time:"
            " run `timedatectl set-ntp true` (and `apt install systemd-timesyncd` before, where it"
            " is not supported). Where that is done, `timedatectl timesync-status` says why it has"
            " no effect."
        )
        yield Trouble("clock-alone", sentence)


def _open_to_others(settings: Settings, file: str | None) -> Iterator[Trouble]:
    """Files of ours that others can read or change, or that are another user's; not the keys."""
    state = settings.state_directory
    ours = [(state, 0o077, "700"), *([(Path(file), 0o022, "go-w")] if file else [])]
    for path, mask, mode in ours:
        if path.exists() and (found := path.stat().st_mode & mask):
            what = "change" if found & 0o022 else "read"
            sentence = f"Others on this machine can {what} {path}: run `chmod {mode} {path}`"
            yield Trouble("permissions", sentence, Severity.FAILURE)
    secret = read_url(settings.database_url).password is not None and file is not None
    if secret and Path(str(file)).stat().st_mode & 0o004:
        sentence = (
            f"Others on this machine can read {file}, in which the database's password is: run"
            f" `chown root:godaemon-gtp {file} && chmod 640 {file}`"
        )
        yield Trouble("permissions", sentence, Severity.FAILURE)
    for path in sorted(state.iterdir()) if state.is_dir() and os.access(state, os.R_OK) else ():
        if (owner := state.stat().st_uid) != path.lstat().st_uid:
            sentence = f"{path} is another user's than its folder: run `chown {owner} {path}`"
            yield Trouble("permissions", sentence, Severity.FAILURE)


def _database(settings: Settings) -> Iterator[Trouble]:
    place = read_url(settings.database_url)
    file = Path(place.database or "")
    if place.get_backend_name() != "sqlite" or not file.exists():
        return
    try:
        look(file)
    except Corrupt as fault:
        sentence = (
            f"The database is damaged ({fault.detail}). `godaemon backup NEW` saves what can be"
            " read of it; then stop the daemon, and `godaemon restore BACKUP --move-aside`. Look at"
            " the machine's disk and memory."
        )
        yield Trouble("store-damaged", sentence, Severity.FAILURE)
    except Temporary as fault:
        yield health.store_unusable(fault.public)


def of_service(file: str | None, now: datetime) -> Iterator[Trouble]:
    """Whether systemd starts the service of a configuration in /etc, and its backups are made."""
    if not (unit := service_of(file)):
        return
    active = _says("systemctl", "is-active", unit)
    again = _says("systemctl", "show", "--property=SubState", "--value", unit) == "auto-restart"
    if active == "failed" or again:
        state = "starts it over and over" if again else "has given it up"
        sentence = (
            f"The service {unit} does not run: systemd {state}. What went wrong is in `journalctl"
            f" -u {unit}`; then run `systemctl restart {unit}`."
        )
        yield Trouble("service-off", sentence, Severity.FAILURE)
    elif active == "inactive" or _says("systemctl", "is-enabled", unit) == "disabled":
        sentence = (
            f"The service {unit} does not run, or does not start with the machine: run `systemctl"
            f" enable --now {unit}`."
        )
        yield Trouble("service-off", sentence)
    if unit != "godaemon":
        return
    if _says("systemctl", "is-enabled", TIMER) == "disabled":
        sentence = f"No backups are made: run `systemctl enable --now {TIMER}`."
        yield Trouble("no-backups", sentence)
    made = [one.stat().st_mtime for one in BACKUPS.iterdir()] if BACKUPS.is_dir() else []
    if made and now - (last := datetime.fromtimestamp(max(made), UTC)) > STALE:
        sentence = (
            f"The last backup in {BACKUPS} is of {last:%Y-%m-%d}: run `systemctl start"
            " godaemon-backup`; what went wrong is in `journalctl -u godaemon-backup`."
        )
        yield Trouble("backup-old", sentence)


def _says(program: str, *words: str) -> str:
    """What a program of systemd's says, in a word; "" where it is not there."""
    command = (shutil.which(program) or "/bin/false", *words)
    done = subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603 - of /etc
    return done.stdout.strip()


def of_certificates(
    settings: Settings, environ: Mapping[str, str], now: datetime
) -> Iterator[Trouble]:
    """The days that are left to the certificates that we can read."""
    smtp, gtp = settings.mail.smtp, settings.gtp
    for section, one, key in (
        ("mail.smtp", smtp.tls_certificate, smtp.tls_key),
        ("gtp", gtp.tls_certificate, gtp.tls_key),
    ):
        with suppress(ConfigError, OSError):  # the check of the configuration tells of these
            if one is None or key is None:
                continue
            shown = _shown(one, key, environ)
            if section == "gtp" and not _names(shown, host := _host_of(settings)):
                sentence = (
                    f"The certificate of [gtp] is not for {host}, where Go programs look for us:"
                    " have one made for that name, or write the one that it is for in [gtp]:"
                    ' public = "NAME:PORT".'
                )
                yield Trouble("certificate-name", sentence, Severity.FAILURE)
            ends = datetime.fromtimestamp(ssl.cert_time_to_seconds(str(shown["notAfter"])), UTC)
            if ends - now < SOON:
                over = ends <= now
                when = f"{'ended' if over else 'ends'} on {ends:%Y-%m-%d %H:%M} UTC"
                sentence = (
                    f"The certificate of [{section}] {when}: have it renewed, by `certbot renew` or"
                    " as you got it. New files are put in force by themselves."
                )
                severity = Severity.FAILURE if over else Severity.WARNING
                yield Trouble("certificate-ends", sentence, severity)


def _host_of(settings: Settings) -> str:
    """By what name Go programs know us."""
    shown = settings.gtp.reached_at(settings.mail.own[0].domain)[0]
    return split_host_port(shown)[0] if shown else ""


def _names(shown: Mapping[str, Any], host: str) -> bool:
    """Whether a certificate is for a host; "" is nobody's."""
    names = {name.casefold() for _, name in shown.get("subjectAltName", ())}
    return not host or bool({host.casefold(), "*." + host.partition(".")[2].casefold()} & names)


def _shown(certificate: Kept, key: Kept, environ: Mapping[str, str]) -> Mapping[str, Any]:
    """A certificate, as a client is told that believes it."""
    file = certificate.path(environ)
    ours, theirs = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    ours.load_cert_chain(file, key.path(environ), password=str)
    theirs.check_hostname = False
    theirs.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN | _NO_CHECK_TIME
    theirs.load_verify_locations(file)
    up, down = ssl.MemoryBIO(), ssl.MemoryBIO()
    client, server = theirs.wrap_bio(down, up), ours.wrap_bio(up, down, server_side=True)
    for side in (client, server, client):
        with suppress(ssl.SSLWantReadError):
            side.do_handshake()
    return client.getpeercert() or {}


async def of_log_ins(mail: Mail, environ: Mapping[str, str]) -> list[Trouble]:
    """Whether the mail servers that we use let us in, or the program is there."""
    out, found = mail.outgoing, list[Trouble]()
    for name, used, what, section, log_in in (
        (
            "smarthost",
            out.smarthost,
            f"The mail server {out.smarthost}",
            "mail.outgoing",
            _smarthost,
        ),
        ("lmtp", out.lmtp, f"The mail server at {out.lmtp}", "mail.outgoing", _lmtp),
        ("imap", mail.imap.host, f"The mailbox at {mail.imap.host}", "mail.imap", _mailbox),
    ):
        if used is not None and (why := await _refused(log_in(mail, environ))):
            sentence = f"{what} does not let us in ({why}). {_remedy(why, section)}"
            found.append(Trouble(name, sentence, Severity.FAILURE))
    if out.command is not None and not os.access(out.command[0], os.X_OK):
        sentence = (
            f"{out.command[0]} cannot be run, by which emails go out: install it, or put its path"
            " right in command of [mail.outgoing]."
        )
        found.append(Trouble("command", sentence, Severity.FAILURE))
    return found


def of_bringers(mail: Mail) -> Iterator[Trouble]:
    """Where any user of this machine may bring emails as the mail server that is believed."""
    relays = [ip_network(relay, strict=False) for relay in mail.smtp.relays]
    local = any(ip_address(one) in relay for one in ("127.0.0.1", "::1") for relay in relays)
    places = [mail.smtp.listen, None if mail.lmtp.path else mail.lmtp.listen] if local else []
    if (path := mail.lmtp.path) and path.exists() and path.stat().st_mode & 0o002:
        places.append(str(path))
    for place in filter(None, places if mail.trusted_authserv_id else ()):
        sentence = (
            f"Any user of this machine can bring emails to {place} and vouch for whom they name"
            " (Authentication-Results). Have your mail server deliver to a socket of its group, by"
            " [mail.lmtp], and write relays = [] in [mail.smtp]."
        )
        yield Trouble("anybody-vouches", sentence)


def of_way_out(settings: Settings) -> Iterator[Trouble]:
    """That the emails of a domain which others can write to go nowhere but into our own folder."""
    folder = settings.mail.outgoing.maildir
    names = [one.domain for one in settings.mail.own if is_public(one.domain)]
    if folder is not None and folder.is_relative_to(settings.state_directory) and names:
        sentence = (
            f"No player gets an email: those of {names[0]} are only put into Maildirs in {folder}."
            " Name the mail server that takes them as smarthost in [mail.outgoing]."
        )
        yield Trouble("mail-kept-here", sentence)


def _remedy(why: str, section: str) -> str:
    """What to do, by what was said."""
    if "Errno -" in why:  # of getaddrinfo(3)
        return f"Nobody has that name: is it spelled right in [{section}], and does DNS work here?"
    if "Connect call failed" in why:
        return f"Nothing listens there: start that server, or put its port right in [{section}]."
    for said, remedy in _REMEDIES.items():
        if said in why:
            return remedy.format(section=section)
    if re.search(r"^53\d|5\.7\.8|AUTH", why):
        return f"It wants a name and a password, or others than those that [{section}] has."
    return f"Is it running, and is what [{section}] says of it right, name and password too?"


_REMEDIES = {
    "STARTTLS": (
        "It wants to be spoken to encrypted: write smtp+starttls:// in place of smtp:// in"
        " [{section}]."
    ),
    "WRONG_VERSION_NUMBER": (
        "It does not begin with TLS at that port: write smtp+starttls:// in place of smtps:// in"
        " [{section}], or another port."
    ),
    "CERTIFICATE_VERIFY_FAILED": (
        "This machine does not trust its certificate: write the name in [{section}] that the"
        " certificate is for; where an authority of your own has signed it, add that one by"
        " `update-ca-certificates`, or name its file in the environment as SSL_CERT_FILE."
    ),
    "AUTH extension": (
        "It takes no password over this connection: take user and password out of [{section}], or"
        " encrypt it (smtp+starttls:// or smtps://)."
    ),
}
"""What to do, by a word of what a library or a server has said."""


async def _refused(log_in: Awaitable[None]) -> str:
    """Why nobody lets us in; "" where they do, or where we have no password to try."""
    try:
        await log_in
    except ConfigError:  # the check of the configuration tells of it, or it is the service's
        return ""
    except (Temporary, OSError, EOFError) as fault:
        said = getattr(fault, "detail", "") or str(fault) or type(fault).__name__
        return " ".join(said.split())  # a server's words may have several lines
    return ""


async def _smarthost(mail: Mail, environ: Mapping[str, str]) -> None:
    way = delivery(mail, environ)
    if isinstance(way, SmarthostDelivery):
        await way.log_in(mail.address)
        await way.close()


async def _lmtp(mail: Mail, _environ: Mapping[str, str]) -> None:
    host, port = mail.outgoing.lmtp_address
    opened = asyncio.open_connection(host, port) if port else asyncio.open_unix_connection(host)
    _, writer = await asyncio.wait_for(opened, PATIENCE)
    writer.close()


async def _mailbox(mail: Mail, environ: Mapping[str, str]) -> None:
    box = mailbox(mail.imap, environ)
    try:
        await box.connect()
    finally:
        await box.close()
