"""`godaemon doctor`: checks everything that a godaemon needs; each finding has its remedy."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from godaemon import installed_version
from godaemon.cli.check_config import defaults_notice, faults_of, full_sentence, unread_files
from godaemon.cli.common import ask, load_settings, start_hint, tell
from godaemon.cli.exit_statuses import EXIT_UNAVAILABLE
from godaemon.cli.operating import STATUSES
from godaemon.config.config_file import File, find_config
from godaemon.config.settings import Settings
from godaemon.control.daemon_here import is_running
from godaemon.daemon.doctor_checks import machine_checks, service_of
from godaemon.daemon.doctor_dns import domains_to_check
from godaemon.daemon.health import find_troubles, trouble
from godaemon.errors import ConfigError, GodaemonError, Temporary, Unknown
from godaemon.storage.identity import migration_hint
from godaemon.system.clock import Clock


def doctor(dns: str | None, json: bool, config: File | None) -> int:
    skipped, looked, runs = list[str](), ["the configuration"], False
    try:
        checked = load_settings(config)
    except ConfigError as fault:
        found = [_failure("configuration", line) for line in fault.public.splitlines()]
    else:
        runs = is_running(checked.control.socket)
        looked = _subjects(config, checked, dns, runs)
        found = list(_findings(config, checked, dns))
        skipped += [*defaults_notice(config), *unread_files(checked)]
        if not runs and all(one["name"] != "service-off" for one in found):
            skipped.append(start_hint(checked))
    found = sorted(_drop_repeated(found), key=lambda one: -STATUSES[one["severity"]])
    answer = {"findings": found, "looked": looked, "unlooked": skipped, "running": runs}
    tell(answer, _report_lines, json=json)
    worst = max((STATUSES[one["severity"]] for one in found), default=0)
    return worst or (0 if runs else EXIT_UNAVAILABLE)


def _subjects(config: File | None, checked: Settings, dns: str | None, runs: bool) -> list[str]:
    file, mail = find_config(config, os.environ), checked.mail
    way_out = mail.outgoing.smarthost or mail.outgoing.lmtp
    unit, domains = service_of(file), domains_to_check(mail, dns)
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
        yield trouble("store-unusable", why=full_sentence(fault)).as_dict()
    checks = machine_checks(checked, file, os.environ, server)
    yield from (one.as_dict() for one in find_troubles(checks))
    yield from _daemon_findings(config, checked)


def _daemon_findings(config: File | None, checked: Settings) -> Iterator[dict[str, Any]]:
    """The health of a running daemon, and all games, through the daemon or from the store."""
    try:
        if runs := is_running(checked.control.socket):
            status, ours = ask(config, "status"), installed_version()
            yield from status["troubles"]
            if status["version"] != ours:
                yield trouble("old-daemon", version=status["version"], ours=ours).as_dict()
        elif why := migration_hint(checked.database_url):
            yield trouble("store-old", why=why).as_dict()
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
        yield trouble("store-unusable", why=full_sentence(fault)).as_dict()
    except GodaemonError as fault:
        yield _failure("store-unusable", fault.public)


def _drop_repeated(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Drop findings whose sentence is part of another's."""
    distinct = {one["sentence"]: one for one in found}
    return [
        one
        for sentence, one in distinct.items()
        if sum(sentence in other for other in distinct) == 1
    ]


def _failure(name: str, sentence: str) -> dict[str, Any]:
    return {"name": name, "severity": "failure", "sentence": sentence}


def _report_lines(report: dict[str, Any]) -> Iterator[str]:
    for one in report["findings"]:
        yield f"{one['severity']}: {one['sentence']}"
    yield f"Looked at: {'; '.join(report['looked'])}."
    yield from report["unlooked"]
    if not report["findings"]:
        yield "Nothing is wrong, as far as can be seen from here."
