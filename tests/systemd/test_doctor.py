"""The doctor in a booted system: what only a service of systemd can have wrong."""

from __future__ import annotations

import json
import os

import pytest

from tests.support.dkim_keys import private_key
from tests.support.systemd_box import Box

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

TIMER = "godaemon-backup.timer"


def found(box: Box) -> dict[str, str]:
    """The findings, each name with its sentence."""
    said = json.loads(box.run("godaemon", "doctor", "--json", check=False))
    return {one["name"]: one["sentence"] for one in said["findings"]}


def obey(box: Box, sentence: str) -> None:
    """Type what stands between the first backticks."""
    box.run("sh", "-c", sentence.split("`")[1])


def test_a_service_that_is_not_switched_on(service: Box) -> None:
    """Nor its backups, or none were made of late: what is said mends each, as it stands."""
    service.run("systemctl", "enable", "godaemon", TIMER)
    assert found(service) == {}
    service.run("systemctl", "disable", "--now", "godaemon", TIMER)
    old = service.root / "var/backups/godaemon/2020-01-01-000000"
    old.mkdir(parents=True)
    os.utime(old, (0, 0))
    told = found(service)
    assert told.keys() == {"service-off", "no-backups", "backup-old"}
    for name in ("service-off", "no-backups", "backup-old"):
        obey(service, told[name])
    service.wait("ActiveState", "active")
    assert found(service) == {}
    service.run("systemctl", "disable", "godaemon", TIMER)
    service.run("rm", "-r", "/var/backups/godaemon")


def test_a_key_that_the_service_cannot_read(service: Box) -> None:
    """Neither for all to read nor for root alone; obeyed, the service signs by it."""
    file, key = service.root / "etc/godaemon/godaemon.toml", service.root / "etc/godaemon/go.key"
    shipped = file.read_text("utf-8")
    signed = '[mail.outgoing]\ndkim_selector = "go"\ndkim_key = {{ {} }}\n'
    key.write_bytes(private_key())
    text = shipped.replace("[mail.outgoing]\n", signed.format('file = "/etc/godaemon/go.key"'))
    file.write_text(text, "utf-8")
    for mode in (0o644, 0o600):
        key.chmod(mode)
        told = found(service)["configuration"]
        assert "Make it a credential" in told
    with pytest.raises(AssertionError):
        service.run("systemctl", "restart", "godaemon")
    assert "`godaemon check-config`, as root, says what to do" in service.journal()
    obey(service, told)
    assert 'write { credential = "dkim" } here' in told
    text = shipped.replace("[mail.outgoing]\n", signed.format('credential = "dkim"'))
    file.write_text(text, "utf-8")
    service.run("systemctl", "restart", "godaemon")
    service.wait("ActiveState", "active")
    assert "not looked at" not in service.run("godaemon", "check-config")
    (service.root / "etc/credstore/godaemon.dkim").write_text("no key")
    assert "DKIM key cannot be used" in service.run("godaemon", "check-config", check=False)
    service.run("rm", "/etc/godaemon/go.key", "/etc/credstore/godaemon.dkim")
