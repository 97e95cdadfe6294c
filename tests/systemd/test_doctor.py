"""The doctor in a booted system: faults that only a systemd service can have."""

import json
import os
import smtplib

import pytest

from tests.support import stores
from tests.support.certificate import make_certificate
from tests.support.daemon import free_port
from tests.support.dkim_keys import private_key
from tests.support.mailgame import begin
from tests.support.systemd_box import Box
from tests.support.waiting import PATIENCE, until

pytestmark = pytest.mark.slow

TIMER = "godaemon-backup.timer"
TLS = {"certificate": "crt", "key": "key"}


REMEDIES = {
    "service-off": "`systemctl enable --now godaemon`",
    "no-backups": "`systemctl enable --now godaemon-backup.timer`",
    "backup-old": "`systemctl start godaemon-backup`",
    "permissions": "`chmod 700 /var/lib/godaemon`",
    "quarantine": "`godaemon mail retry N`",
    "game-damaged": "`godaemon restore BACKUP --move-aside`",
    "game-stuck": "`godaemon adjudicate {1} RESULT`",
    "certificate-ends": "`certbot renew`",
    "smarthost": "correct its port in [mail.outgoing]",
    "address-unknown": 'write address = "go@old.example" in [mail]',
}
"""The remedy in each finding: a command, or a line to change."""


def findings_of(box: Box) -> dict[str, str]:
    report = json.loads(box.run("godaemon", "doctor", "--json", check=False))
    return {one["name"]: one["sentence"] for one in report["findings"]}


def run_remedy(box: Box, sentence: str) -> None:
    """Run the command between the first backticks of a finding."""
    box.run("sh", "-c", sentence.split("`")[1])


def plant_faults(box: Box, port: int, games: list[int]) -> None:
    """Cause ten faults in a running service with two games."""
    state, backups = (box.root / f"var/{one}/godaemon" for one in ("lib/private", "backups"))
    box.run("godaemon", "backup", "/var/backups/godaemon/old")
    os.utime(backups / "old", (0, 0))
    box.run("systemctl", "disable", "godaemon", TIMER)
    state.chmod(0o755)
    stores.run_on(
        state, "UPDATE event SET payload = '{}' WHERE game = :n AND number = 0", n=games[0]
    )
    stores.run_on(state, "UPDATE game SET alarm = NULL WHERE id = :n", n=games[1])
    stores.put_in_quarantine(state, "a@x.example")
    (kept := box.root / "etc/credstore").mkdir(mode=0o700, exist_ok=True)
    make_certificate(kept, "godaemon.go")
    file = box.root / "etc/godaemon/godaemon.toml"
    pair = (f'tls_{one} = {{ credential = "go.{end}" }}\n' for one, end in TLS.items())
    text = file.read_text("utf-8").replace("[mail.smtp]\n", "[mail.smtp]\n" + "".join(pair))
    way = f'[mail.outgoing]\nsmarthost = "smtp://127.0.0.1:{free_port()}"\n'
    file.write_text(text.replace("[mail.outgoing]\n", way), "utf-8")
    with smtplib.SMTP("127.0.0.1", port, timeout=PATIENCE) as relay:
        relay.ehlo()
        relay.mail("alice@a.example")
        assert {relay.rcpt("go@old.example")[0] for _ in range(3)} == {550}


def test_the_doctor_finds_ten_faults(service: Box, port: int) -> None:
    """Each fault is found with its remedy; after the remedies there are no findings."""
    shipped = (service.root / "etc/godaemon/godaemon.toml").read_text("utf-8")
    service.run("systemctl", "enable", "godaemon", TIMER)
    alice, bob = service.people(port, "ten")
    games = [begin(alice, bob, "9x9"), begin(alice, bob, "9x9")]
    until(lambda: findings_of(service) == {}, "all is well")
    plant_faults(service, port, games)
    until(lambda: "quarantine" in findings_of(service), "what is measured is seen")
    findings = findings_of(service)
    assert findings.keys() == REMEDIES.keys(), findings
    untold = {name for name, one in REMEDIES.items() if one.format(*games) not in findings[name]}
    assert untold == set(), findings
    for name in ("service-off", "no-backups", "permissions"):
        run_remedy(service, findings[name])
    (service.root / "etc/godaemon/godaemon.toml").write_text(shipped, "utf-8")
    service.run("godaemon", "mail", "retry", "1")
    alice.write("help")
    alice.expect("help")
    service.run("systemctl", "stop", "godaemon")
    service.run("godaemon", "restore", "/var/backups/godaemon/old", "--move-aside")
    service.run("systemctl", "start", "godaemon")
    run_remedy(service, findings["backup-old"])
    until(lambda: findings_of(service) == {}, "all is mended")
    service.run("systemctl", "disable", "godaemon", TIMER)
    service.run("sh", "-c", "rm -r /var/backups/godaemon /etc/credstore/godaemon.go.*")


def test_the_doctor_makes_an_unreadable_dkim_key_a_credential(service: Box) -> None:
    """A key that others may read, or only root, is reported; with the remedy the service signs."""
    file, key = service.root / "etc/godaemon/godaemon.toml", service.root / "etc/godaemon/go.key"
    shipped = file.read_text("utf-8")
    signed = '[mail.outgoing]\ndkim_selector = "go"\ndkim_key = {{ {} }}\n'
    key.write_bytes(private_key())
    text = shipped.replace("[mail.outgoing]\n", signed.format('file = "/etc/godaemon/go.key"'))
    file.write_text(text, "utf-8")
    for mode in (0o644, 0o600):
        key.chmod(mode)
        finding = findings_of(service)["configuration"]
        assert "Make it a credential" in finding
    with pytest.raises(AssertionError):
        service.run("systemctl", "restart", "godaemon")
    assert "for the remedy, run `godaemon check-config` as root" in service.journal()
    run_remedy(service, finding)
    assert 'write { credential = "dkim" } here' in finding
    text = shipped.replace("[mail.outgoing]\n", signed.format('credential = "dkim"'))
    file.write_text(text, "utf-8")
    service.run("systemctl", "restart", "godaemon")
    service.wait("ActiveState", "active")
    assert "not looked at" not in service.run("godaemon", "check-config")
    (service.root / "etc/credstore/godaemon.dkim").write_text("no key")
    assert "DKIM key cannot be used" in service.run("godaemon", "check-config", check=False)
    service.run("rm", "/etc/godaemon/go.key", "/etc/credstore/godaemon.dkim")
