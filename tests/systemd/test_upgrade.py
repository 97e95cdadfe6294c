"""The commands of godaemon-operating(7) to upgrade and remove godaemon."""

import json
from collections.abc import Iterator

import pytest

from tests.support.knocking import Stream
from tests.support.mailgame import begin
from tests.support.systemd_box import Box, commands_after

pytestmark = pytest.mark.slow


def run_documented(box: Box, heading: str) -> None:
    """Run the commands below a heading of the manual in the clone."""
    lines = commands_after(heading, "config/man/godaemon-operating.7")
    assert lines
    for line in lines:
        box.run("sh", "-ec", f"cd /opt/src && {line}")


@pytest.fixture
def restored_service(service: Box) -> Iterator[Box]:
    """The service; installed again afterwards."""
    service.run("cp", "-a", "/opt/godaemon", "/opt/godaemon.kept")
    yield service
    service.run("mv", "/opt/godaemon.kept", "/opt/godaemon")
    service.run("/opt/godaemon/bin/godaemon", "install-units")
    service.run("systemctl", "daemon-reload")


def test_the_documented_upgrade_and_removal(restored_service: Box, port: int) -> None:
    """Games continue after the upgrade; the removal leaves no file of ours."""
    alice, bob = restored_service.people(port, "up")
    number = begin(alice, bob, "9x9")
    before = restored_service.property("MainPID")
    unit = restored_service.root / "etc/systemd/system/godaemon.service"
    unit.write_text(unit.read_text("utf-8").replace("Play Go", "Play chess"), "utf-8")
    with Stream(port) as stream:
        run_documented(restored_service, ".SH UPGRADING")
        restored_service.wait("ActiveState", "active")
    assert stream.counts["refused"] == 0
    assert restored_service.property("MainPID") != before
    assert restored_service.property("Description").startswith("Play Go"), (
        "the unit is the new version's"
    )
    alice.reply("E5")
    bob.expect("your-turn")
    assert (
        json.loads(restored_service.run("godaemon", "show", str(number), "--json"))["last"]
        == "black E5"
    )
    restored_service.run("sh", "-c", "test -f /var/backups/godaemon/before-upgrade-*/godaemon.db")
    run_documented(restored_service, ".SH REMOVING")
    restored_service.run("test", "!", "-e", "/opt/godaemon")
    left = restored_service.run(
        *("find", "/etc", "/usr/local", "/var/lib", "/var/backups", "-name", "*godaemon*"),
        *("-not", "-path", "/etc/postfix/*"),  # another test's
    )
    ours = {"/etc/godaemon", "/etc/godaemon/godaemon.toml"}  # with the tests' port in it
    ours |= {f"/etc/systemd/system/godaemon{unit}.d" for unit in (".service", "-smtp.socket")}
    assert set(left.splitlines()) == ours
