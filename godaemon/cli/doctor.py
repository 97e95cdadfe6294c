"""`godaemon doctor`: checks everything that a godaemon needs; each finding has its remedy."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from godaemon import installed_version
from godaemon.cli import EXIT_UNAVAILABLE
from godaemon.cli.check_config import faults_of, in_full, says_nothing, unlooked
from godaemon.cli.common import ask, how_to_start, settings, tell
from godaemon.cli.operating import STATUSES
from godaemon.config.config_file import File, find_config
from godaemon.config.settings import Settings
from godaemon.control.daemon_here import is_running
from godaemon.daemon.dns_hints import looked_up
from godaemon.daemon.doctor import of_all, service_of
from godaemon.daemon.health import trouble
from godaemon.errors import ConfigError, GodaemonError, Temporary, Unknown
from godaemon.storage.identity import migration_hint
from godaemon.system.clock import Clock


def doctor(dns: str | None, json: bool, config: File | None) -> int:
    skipped, looked, runs = list[str](), ["the configuration"], False
    try:
        checked = settings(config)
    except ConfigError as fault:
        found = [_failure("configuration", line) for line in fault.public.splitlines()]
    else:
        runs = is_running(checked.control.socket)
        looked = _looked_at(config, checked, dns, runs)
        found = list(_findings(config, checked, dns))
        skipped += [*says_nothing(config), *unlooked(checked)]
        if not runs and all(one["name"] != "service-off" for one in found):
            skipped.append(how_to_start(checked))
    found = sorted(_once(found), key=lambda one: -STATUSES[one["severity"]])
    answer = {"findings": found, "looked": looked, "unlooked": skipped, "running": runs}
    tell(answer, _lines, json=json)
    worst = max((STATUSES[one["severity"]] for one in found), default=0)
    return worst or (0 if runs else EXIT_UNAVAILABLE)


def _looked_at(config: File | None, checked: Settings, dns: str | None, runs: bool) -> list[str]:
    file, mail = find_config(config, os.environ), checked.mail
    way_out = mail.outgoing.smarthost or mail.outgoing.lmtp
    unit, domains = service_of(file), looked_up(mail, dns)
    return [
        f"the configuration {file}" if file else "the defaults",
        f"permissions, disk, database and clock ({checked.state_directory})",
        *([f"the service {unit} and its backups"] if unit else []),
        *([f"the log-in at {way_out}"] if way_out else []),
        *([f"the mailbox at {mail.imap.host}"] if mail.imap.host else []),
        *([f"DNS of {', '.join(domains)}"] if domains else []),
        "the daemon that runs, and every game" if runs else "every game",
    ]


def _findings(
    config: File | None, checked: Settings, server: str | None
) -> Iterator[dict[str, Any]]:
    file = find_config(config, os.environ)
    try:
        yield from (_failure("configuration", line) for line in faults_of(file, checked))
    except GodaemonError as fault:
        yield trouble("store-unusable", why=in_full(fault)).told()
    yield from (one.told() for one in of_all(checked, file, os.environ, server).troubles())
    yield from _of_daemon(config, checked)


def _of_daemon(config: File | None, checked: Settings) -> Iterator[dict[str, Any]]:
    """The health of a running daemon, and all games, through the daemon or from the store."""
    try:
        if runs := is_running(checked.control.socket):
            status, ours = ask(config, "status"), installed_version()
            yield from status["troubles"]
            if status["version"] != ours:
                yield trouble("old-daemon", version=status["version"], ours=ours).told()
        elif why := migration_hint(checked.database_url):
            yield trouble("store-old", why=why).told()
            return
        now, page = Clock().now().isoformat(), {"before": None}
        while True:
            page = ask(config, "examine", now=now, before=page["before"], running=runs)
            yield from page["troubles"]
            if page["before"] is None:
                return
    except Unknown:
        pass  # no game was ever played
    except Temporary as fault:
        yield trouble("store-unusable", why=in_full(fault)).told()
    except GodaemonError as fault:
        yield _failure("store-unusable", fault.public)


def _once(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Drop findings whose sentence is part of another's."""
    distinct = {one["sentence"]: one for one in found}
    return [one for said, one in distinct.items() if sum(said in other for other in distinct) == 1]


def _failure(name: str, sentence: str) -> dict[str, Any]:
    return {"name": name, "severity": "failure", "sentence": sentence}


def _lines(said: dict[str, Any]) -> Iterator[str]:
    for one in said["findings"]:
        yield f"{one['severity']}: {one['sentence']}"
    yield f"Looked at: {'; '.join(said['looked'])}."
    yield from said["unlooked"]
    if not said["findings"]:
        yield "Nothing is wrong, as far as can be seen from here."
