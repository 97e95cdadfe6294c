"""godaemon.service in a real systemd: started, reloaded, killed, hung, misconfigured, stopped."""

import socket

import pytest

from tests.support import places
from tests.support.knocking import Stream
from tests.support.systemd_box import Box
from tests.support.waiting import until

pytestmark = pytest.mark.slow

CONFIGURATION = "etc/godaemon/godaemon.toml"
WORST_EXPOSURE = "11"  # systemd-analyze counts in tenths: 1.1


def test_units_are_hardened(box: Box) -> None:
    """Systemd's own exposure score is at most 1.1, and `systemd-analyze verify` finds no fault."""
    folder, measure = "/etc/systemd/system", f"--threshold={WORST_EXPOSURE}"
    services = [f"{folder}/godaemon{kind}.service" for kind in ("", "@", "-backup")]
    box.run("systemd-analyze", "security", "--offline=true", measure, *services)
    others = [f"{folder}/godaemon-{unit}" for unit in ("backup.timer", "gtp.socket")]
    assert box.run("systemd-analyze", "verify", *services, *others) == ""


def test_man_pages_are_installed(box: Box) -> None:
    """Every page is in the folder that `man` searches."""
    for page in (places.ROOT / "config" / "man").iterdir():
        folder = f"/usr/local/share/man/man{page.suffix[1:]}"
        assert box.run("cat", f"{folder}/{page.name}").strip() == page.read_text("utf-8").strip()


def test_log_keys_are_journal_fields(service: Box) -> None:
    """`journalctl EVENT=...` finds a line, and its message has the event too."""
    output = service.run("journalctl", "-u", "godaemon", "EVENT=daemon.ready", "-o", "json")
    assert '"STATE":"/var/lib/' in output
    assert "event=daemon.ready" in service.journal()


def test_a_reload_keeps_the_process(service: Box) -> None:
    """An invalid file fails the reload; the service keeps running."""
    before = service.property("MainPID")
    service.run("systemctl", "reload", "godaemon")
    file = service.root / CONFIGURATION
    right = file.read_text(encoding="utf-8")
    file.write_text("[mail]\naddres = 'go@x.example'\n", encoding="utf-8")
    try:
        with pytest.raises(AssertionError):
            service.run("systemctl", "reload", "godaemon")
    finally:
        file.write_text(right, encoding="utf-8")
    assert "did you mean mail.address?" in service.journal()
    assert service.property("ActiveState") == "active"
    assert service.property("MainPID") == before


def test_the_service_stops_cleanly(service: Box) -> None:
    """It stops within systemd's timeout, with result success."""
    service.run("systemctl", "stop", "godaemon")
    assert service.property("ActiveState") == "inactive"
    assert service.property("Result") == "success"


def test_the_start_is_retried_while_the_port_is_taken(service: Box, port: int) -> None:
    """The service becomes active once the port is free."""
    service.run("systemctl", "stop", "godaemon")
    until(lambda: Stream(port).knock() == "refused", "the unit of its socket has stopped too")
    with socket.create_server(("127.0.0.1", port)):
        service.run("systemctl", "start", "godaemon", check=False)
        until(lambda: service.property("NRestarts") != "0", "it is tried again")
    service.wait("ActiveState", "active")
    assert "status=75/TEMPFAIL" in service.journal()


def test_an_invalid_configuration_fails_the_start(service: Box) -> None:
    """The exit status is 78, the log names the line, and systemd does not restart the service."""
    service.run("systemctl", "stop", "godaemon")
    file = service.root / CONFIGURATION
    file.write_text("# mine\n[mail]\naddres = 'go@x.example'\n", encoding="utf-8")
    service.run("systemctl", "start", "godaemon", check=False)
    service.wait("ActiveState", "failed")
    assert service.property("ExecMainStatus") == "78"
    assert service.property("NRestarts") == "0"
    assert "/etc/godaemon/godaemon.toml:3: mail.addres" in service.journal()
