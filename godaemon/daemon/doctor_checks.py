"""The checks of `godaemon doctor` on the machine; each finding is a `Trouble` with its remedy.

They do not repeat the check of the configuration or the health checks of a running daemon. They
change nothing, and return findings instead of raising errors.
"""

import asyncio
import os
import re
import shutil
import subprocess
from collections.abc import Awaitable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address, ip_network
from pathlib import Path

from asn1crypto import pem, x509

from godaemon.config.checks import split_host_port
from godaemon.config.mail_options import Mail
from godaemon.config.settings import Settings
from godaemon.daemon import health
from godaemon.daemon.doctor_dns import doctor_dns, is_public
from godaemon.daemon.health import Check, Measured, Trouble, trouble, trouble_if
from godaemon.daemon.mail import delivery, mailbox
from godaemon.errors import ConfigError, Corrupt, Temporary
from godaemon.storage.connections import read_url, sqlite_path
from godaemon.storage.sqlite_copy import check_live_file
from godaemon.system.clock import MAX_STEP, Clock
from godaemon.system.outages_and_pauses import CLOCK_FILE, TimeSeen
from mailgate.delivery.smarthost import SmarthostDelivery

EXPIRY_WARNING = timedelta(days=14)
"""A certificate that expires within this time should have been renewed."""
SERVICES, BACKUPS = Path("/etc/godaemon"), Path("/var/backups/godaemon")
"""The folders of the services' configurations and of the timer's backups."""
SYSTEMD_FOLDER, CONTAINER_FILE = Path("/run/systemd/system"), Path("/run/systemd/container")
"""Files that exist if systemd runs (sd_booted(3)), and if it runs in a container
(https://systemd.io/CONTAINER_INTERFACE)."""
TIMER = "godaemon-backup.timer"
MAX_BACKUP_AGE = timedelta(days=3)
"""The age from which the last backup is reported; the timer makes one a day."""


def systemd_listens(file: str | None, listener: str) -> bool:
    """True if systemd listens for the service of a configuration."""
    unit = service_of(file)
    socket = f"{unit}-{listener}.socket"
    return unit != "" and _run_tool("systemctl", "is-active", socket) == "active"


def service_of(file: str | None) -> str:
    """The systemd service of a configuration file, or ""."""
    service = file is not None and Path(file).parent == SERVICES and SYSTEMD_FOLDER.is_dir()
    return Path(str(file)).stem if service else ""


def machine_checks(
    settings: Settings, file: str | None, environ: Mapping[str, str], server: str | None
) -> tuple[Check, ...]:
    """All checks of the machine; `server` is the name server to ask, None for the machine's own."""
    now, mail = Clock().now(), settings.mail
    return (
        lambda: machine_troubles(settings, file, now),
        lambda: service_troubles(file, now),
        lambda: certificate_troubles(settings, environ, now),
        lambda: health.way_in_troubles(mail),
        lambda: way_out_troubles(settings),
        lambda: relay_troubles(mail),
        lambda: asyncio.run(log_in_troubles(mail, environ)),
        lambda: doctor_dns(mail, environ, server),
    )


def machine_troubles(settings: Settings, file: str | None, now: datetime) -> Iterator[Trouble]:
    """Troubles of permissions, disk, clock and the database file."""
    state = settings.state_directory
    yield from _permission_troubles(settings, file)
    folder = next(one for one in (state, *state.parents) if one.exists())
    disk = os.statvfs(folder)
    if disk.f_blocks:  # else it is no disk, which the check of the configuration reports
        measured = Measured(now, disk_free=disk.f_bavail * disk.f_frsize, state=folder)
        yield from health.measured_troubles(measured)
    with suppress(OSError):
        last = TimeSeen(state / CLOCK_FILE).last
        if last is not None and last > now + MAX_STEP:
            yield trouble("clock-behind", now=health.utc(now), last=health.utc(last))
    if SYSTEMD_FOLDER.is_dir() and not CONTAINER_FILE.exists():  # a container has its host's clock
        synchronized = _run_tool("timedatectl", "show", "--value", "--property=NTPSynchronized")
        yield from trouble_if(synchronized == "no", "clock-alone")
    yield from _database_troubles(settings)


def _permission_troubles(settings: Settings, file: str | None) -> Iterator[Trouble]:
    """Our files, except keys, that others can read or change, or that another user or group owns.

    The service cannot see the group of its control socket, because it has PrivateUsers=yes.
    """
    state = settings.state_directory
    ours = [(state, 0o077, "700"), *([(Path(file), 0o022, "go-w")] if file else [])]
    for path, mask, mode in ours:
        if path.exists() and (found := path.stat().st_mode & mask):
            do = "change" if found & 0o022 else "read"
            yield trouble("permissions", do=do, path=path, mode=mode)
    for path in sorted(state.iterdir()) if state.is_dir() and os.access(state, os.R_OK) else ():
        owner = state.stat().st_uid
        other = owner != path.lstat().st_uid
        yield from trouble_if(other, "permissions owner", path=path, owner=owner)
    socket, group = settings.control.socket, settings.control.group
    with suppress(OSError, KeyError):
        if group and (present := socket.group()) != group:
            yield trouble("control-group", socket=socket, found=present, group=group)


def _database_troubles(settings: Settings) -> list[Trouble]:
    file = sqlite_path(read_url(settings.database_url))
    if file is not None and file.exists():
        try:
            check_live_file(file)
        except Corrupt as fault:
            return [trouble("store-damaged", why=fault.detail)]
        except Temporary as fault:
            return [trouble("store-unusable", why=fault.public)]
    return []


def service_troubles(file: str | None, now: datetime) -> Iterator[Trouble]:
    """Troubles of the systemd service of a configuration, and of its backups."""
    if not (unit := service_of(file)):
        return
    active = _run_tool("systemctl", "is-active", unit)
    restarts = (
        _run_tool("systemctl", "show", "--property=SubState", "--value", unit) == "auto-restart"
    )
    if active == "failed" or restarts:
        state = "starts it over and over" if restarts else "has given it up"
        yield trouble("service-off failed", unit=unit, state=state)
    elif active == "inactive" or _run_tool("systemctl", "is-enabled", unit) == "disabled":
        yield trouble("service-off", unit=unit)
    if unit != "godaemon":
        return
    disabled = _run_tool("systemctl", "is-enabled", TIMER) == "disabled"
    yield from trouble_if(disabled, "no-backups", timer=TIMER)
    times = [one.stat().st_mtime for one in BACKUPS.iterdir()] if BACKUPS.is_dir() else []
    if times and now - (last := datetime.fromtimestamp(max(times), UTC)) > MAX_BACKUP_AGE:
        yield trouble("backup-old", folder=BACKUPS, last=f"{last:%Y-%m-%d}")


def _run_tool(program: str, *words: str) -> str:
    """The output of a systemd tool; "" if it is missing."""
    command = (shutil.which(program) or "/bin/false", *words)
    done = subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603 - of /etc
    return done.stdout.strip()


def certificate_troubles(
    settings: Settings, environ: Mapping[str, str], now: datetime
) -> Iterator[Trouble]:
    """Readable certificates that expire soon or are for another name."""
    shown = settings.gtp.public_address(settings.mail.own[0].domain)[0]
    host = split_host_port(shown)[0] if shown else ""  # Go programs connect to it
    for section, one in (("mail.smtp", settings.mail.smtp), ("gtp", settings.gtp)):
        if one.tls_certificate is None or one.tls_key is None:
            continue
        with suppress(ConfigError, OSError, ValueError):  # check-config reports it
            _, _, content = pem.unarmor(one.tls_certificate.path(environ).read_bytes())
            certificate = x509.Certificate.load(content)
            wrong = section == "gtp" and not _is_for_host(certificate, host)
            yield from trouble_if(wrong, "certificate-name", host=host)
            end = certificate.not_valid_after
            name = "certificate-ends ended" if end <= now else "certificate-ends"
            yield from trouble_if(
                end - now < EXPIRY_WARNING, name, section=section, end=health.utc(end)
            )


def _is_for_host(certificate: x509.Certificate, host: str) -> bool:
    found = certificate.subject_alt_name_value
    names = {str(name).casefold() for name in found.native} if found else set()
    return not host or bool({host.casefold(), "*." + host.partition(".")[2].casefold()} & names)


async def log_in_troubles(mail: Mail, environ: Mapping[str, str]) -> list[Trouble]:
    """The failed logins at the configured mail servers."""
    out, imap = mail.outgoing, mail.imap.host
    found = list[Trouble]()
    for name, used, kind, section, log_in in (
        ("smarthost", out.smarthost, "mail server", "mail.outgoing", _log_in_at_server),
        ("lmtp", out.lmtp, "mail server at", "mail.outgoing", _log_in_at_server),
        ("imap", imap, "mailbox at", "mail.imap", _log_in_at_mailbox),
    ):
        if used is not None and (why := await _log_in_fault(log_in(mail, environ))):
            remedy = next(text for words, text in _REMEDIES.items() if re.search(words, why))
            about = {"what": f"The {kind} {used}", "remedy": remedy.format(section=section)}
            found.append(replace(trouble("log-in", why=why, **about), name=name))
    return found


def relay_troubles(mail: Mail) -> list[Trouble]:
    """Listeners where any local user can pose as the trusted mail server."""
    relays = [ip_network(relay, strict=False) for relay in mail.smtp.relays]
    local = any(ip_address(one) in relay for one in ("127.0.0.1", "::1") for relay in relays)
    places = [mail.smtp.listen, None if mail.lmtp.path else mail.lmtp.listen] if local else []
    if (path := mail.lmtp.path) and path.exists() and path.stat().st_mode & 0o002:
        places.append(str(path))
    trusted = filter(None, places if mail.trusted_authserv_id else ())
    return [trouble("anybody-vouches", place=place) for place in trusted]


def way_out_troubles(settings: Settings) -> list[Trouble]:
    """A public address whose emails only go into our own folder."""
    folder = settings.mail.outgoing.maildir
    names = [one.domain for one in settings.mail.own if is_public(one.domain)]
    if folder is None or not names or not folder.is_relative_to(settings.state_directory):
        return []
    return [trouble("mail-kept-here", domain=names[0], folder=folder)]


_REMEDIES = {
    "Errno -": (  # of getaddrinfo(3)
        "There is no such host: is it spelled right in [{section}], and does DNS work here?"
    ),
    "Connect call failed": (
        "Nothing listens there: start that server, or correct its port in [{section}]."
    ),
    "STARTTLS extension": (
        "It offers no STARTTLS: write smtps:// in place of smtp+starttls://, or smtp:// without a"
        " password on this machine, in [{section}]."
    ),
    "STARTTLS": (
        "It wants an encrypted connection: write smtp+starttls:// in place of smtp:// in"
        " [{section}]."
    ),
    "WRONG_VERSION_NUMBER": (
        "It does not begin with TLS at that port: write smtp+starttls:// in place of smtps:// in"
        " [{section}], or another port."
    ),
    "CERTIFICATE_VERIFY_FAILED": (
        "This machine does not trust its certificate: write the name in [{section}] that the"
        " certificate is for; if your own authority has signed it, add that authority by"
        " `update-ca-certificates`, or name its file in the environment as SSL_CERT_FILE."
    ),
    "AUTH extension": (
        "It takes no password over this connection: take user and password out of [{section}], or"
        " encrypt it (smtp+starttls:// or smtps://)."
    ),
    r"^53\d|5\.7\.8|AUTH": (
        "It wants a user and a password, or does not accept those in [{section}]."
    ),
    "": "Is it running, and are its options in [{section}] right, user and password too?",
}
"""Remedies by patterns in the error message, of which the first applies."""


async def _log_in_fault(log_in: Awaitable[None]) -> str:
    """Why the login fails; "" if it works or no password is set."""
    try:
        await log_in
    except ConfigError:  # check-config reports it, or only the service can read it
        return ""
    except (Temporary, OSError, EOFError) as fault:
        message = getattr(fault, "detail", "") or str(fault) or type(fault).__name__
        return " ".join(message.split())  # an answer may have several lines
    return ""


async def _log_in_at_server(mail: Mail, environ: Mapping[str, str]) -> None:
    way = delivery(mail, environ)
    if isinstance(way, SmarthostDelivery):
        await way.log_in(mail.address)
        await way.close()


async def _log_in_at_mailbox(mail: Mail, environ: Mapping[str, str]) -> None:
    box = mailbox(mail.imap, environ)
    try:
        await box.connect()
    finally:
        await box.close()
