"""`godaemon doctor`: checks everything that a daemon needs; each finding has a remedy."""

import os
from collections.abc import Iterator
from typing import Any

from godaemon import installed_version
from godaemon.cli import EXIT_UNAVAILABLE
from godaemon.cli.check_config import defaults_notice, faults_of, full_sentence, unread_files
from godaemon.cli.common import ask, load_settings, print_value, start_hint
from godaemon.cli.operating import STATUSES
from godaemon.config.config_file import File, find_config
from godaemon.config.loading import require_private
from godaemon.config.settings import Settings
from godaemon.control.control_client import is_running
from godaemon.daemon.doctor_checks import machine_checks, service_of
from godaemon.daemon.doctor_dns import domains_to_check
from godaemon.daemon.health import find_troubles, trouble
from godaemon.errors import ConfigError, GodaemonError, Temporary, Unknown
from godaemon.storage.identity import migration_hint
from godaemon.system.clock import Clock


def doctor(dns: str | None, json: bool, config: File | None) -> int:
    skipped = list[str]()
    subjects = ["the configuration"]
    running = False
    file = find_config(config, os.environ)
    try:
        settings = load_settings(config)
    except ConfigError as fault:
        findings = [_failure("configuration", line) for line in fault.public.splitlines()]
    else:
        running = is_running(settings.control.socket)
        subjects = _subjects(file, settings, dns, running)
        findings = [*_findings(file, settings, dns), *_daemon_findings(config, settings)]
        try:
            require_private(file, settings)
        except ConfigError as fault:
            findings.append(_failure("configuration", fault.public))
        skipped += [*defaults_notice(config), *unread_files(settings)]
        if not running and all(finding["name"] != "service-off" for finding in findings):
            skipped.append(start_hint(settings))
    findings = sorted(_drop_repeated(findings), key=lambda finding: -STATUSES[finding["severity"]])
    answer = {"findings": findings, "looked": subjects, "unlooked": skipped, "running": running}
    print_value(answer, _report_lines, json=json)
    status = max((STATUSES[finding["severity"]] for finding in findings), default=0)
    return status or (0 if running else EXIT_UNAVAILABLE)


def _subjects(file: str | None, settings: Settings, dns: str | None, running: bool) -> list[str]:
    mail = settings.mail
    outgoing = mail.outgoing.smarthost or mail.outgoing.lmtp
    unit, domains = service_of(file), domains_to_check(mail, dns)
    return [
        f"the configuration {file}" if file else "the defaults",
        f"permissions, disk, database and clock ({settings.state_directory})",
        *([f"the service {unit} and its backups"] if unit else []),
        *([f"the log-in at {outgoing}"] if outgoing else []),
        *([f"the mailbox at {mail.imap.host}"] if mail.imap.host else []),
        *([f"DNS of {', '.join(domains)}"] if domains else []),
        "the running daemon, and every game" if running else "every game",
    ]


def _findings(file: str | None, settings: Settings, server: str | None) -> Iterator[dict[str, Any]]:
    yield from (finding.as_dict() for finding in faults_of(file, settings))
    checks = machine_checks(settings, file, os.environ, server)
    yield from (finding.as_dict() for finding in find_troubles(checks))


def _daemon_findings(config: File | None, settings: Settings) -> Iterator[dict[str, Any]]:
    """The troubles of a running daemon, and of all games, read by the daemon or from the store."""
    try:
        if running := is_running(settings.control.socket):
            status, version = ask(config, "status"), installed_version()
            yield from status["troubles"]
            if status["version"] != version:
                yield trouble("old-daemon", version=status["version"], ours=version).as_dict()
        elif hint := migration_hint(settings.database_url):
            yield trouble("store-old", why=hint).as_dict()
            return
        now, page = Clock().now().isoformat(), {"before": None}
        while True:
            page = ask(config, "examine", now=now, before=page["before"], running=running)
            yield from page["troubles"]
            if page["before"] is None:
                return
    except Unknown:
        pass  # no game was ever played
    except Temporary as fault:
        yield trouble("store-unusable", why=full_sentence(fault)).as_dict()
    except GodaemonError as fault:
        yield _failure("store-unusable", fault.public)


def _drop_repeated(findings: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Drop findings whose sentence is part of another finding's."""
    distinct = {finding["sentence"]: finding for finding in findings}
    return [
        finding
        for sentence, finding in distinct.items()
        if sum(sentence in other for other in distinct) == 1
    ]


def _failure(name: str, sentence: str) -> dict[str, Any]:
    return {"name": name, "severity": "failure", "sentence": sentence}


def _report_lines(report: dict[str, Any]) -> Iterator[str]:
    for finding in report["findings"]:
        yield f"{finding['severity']}: {finding['sentence']}"
    yield f"Checked: {'; '.join(report['looked'])}."
    yield from report["unlooked"]
    if not report["findings"]:
        yield "No trouble was found."
