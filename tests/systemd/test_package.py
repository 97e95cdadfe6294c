"""The Debian package: a game survives upgrade and removal, and ends with purge."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import places
from tests.support.daemon import free_port
from tests.support.knocking import Stream
from tests.support.mailgame import begin
from tests.support.systemd_box import Box
from tests.support.waiting import until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900), pytest.mark.peer("dpkg-deb")]

DPKG = ("dpkg", "--force-confold", "--force-unsafe-io", "--no-triggers")  # man-db's takes long
TIMER, EAST = "godaemon-backup.timer", "godaemon@east"


def run(*command: str | Path) -> str:
    """The output of a command on this machine."""
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture
def packages(tmp_path: Path) -> list[Path]:
    """The package of this commit, and one that differs by its version and a unit's description."""
    run(places.ROOT / ".ci/deb", tmp_path / "built")
    (built,) = (tmp_path / "built").iterdir()
    tree = tmp_path / "tree"
    run("dpkg-deb", "-R", built, tree)
    for file, old, new in (
        ("DEBIAN/control", "Version: ", "Version: 1:"),
        ("usr/lib/systemd/system/godaemon.service", "Play Go", "Play more Go"),
    ):
        text = (tree / file).read_text("utf-8")
        (tree / file).write_text(text.replace(old, new), "utf-8")
    newer = tmp_path / "newer.deb"
    run("dpkg-deb", "-Znone", "--root-owner-group", "-b", tree, newer)
    return [built, newer]


@pytest.fixture
def empty(service: Box) -> Iterator[Box]:
    """The box without godaemon, but with the operator's configuration."""
    service.run("systemctl", "stop", "godaemon")
    service.run("/opt/godaemon/bin/godaemon", "install-units", "--remove")
    service.run("sh", "-c", "rm -rf /var/lib/private/godaemon /var/backups/godaemon")
    (service.root / "usr/sbin/policy-rc.d").unlink(missing_ok=True)  # containers start no services
    yield service
    service.run(*DPKG, "--purge", "godaemon", check=False)
    service.run("/opt/godaemon/bin/godaemon", "install-units")
    service.run("systemctl", "daemon-reload")


def install(box: Box, package: Path) -> None:
    """Install a package, and wait until the service is active."""
    (box.root / "opt/package.deb").write_bytes(package.read_bytes())
    box.run(*DPKG, "--install", "/opt/package.deb")
    box.wait("ActiveState", "active")


def start_second_daemon(box: Box) -> str:
    """Start a second, named daemon; returns its pid."""
    file = box.root / "etc/godaemon/godaemon@east.toml"
    file.write_text(f'[mail.smtp]\nlisten = "127.0.0.1:{free_port()}"\n', encoding="utf-8")
    box.run("godaemon", "install-units", "--sockets")
    box.run("systemctl", "daemon-reload")
    box.run("systemctl", "enable", "--now", EAST)
    return box.property("MainPID", EAST)


def last_move(box: Box, number: int) -> str:
    return str(json.loads(box.run("godaemon", "show", str(number), "--json"))["last"])


def test_games_survive_upgrade_and_removal_of_the_package(
    empty: Box, port: int, packages: list[Path]
) -> None:
    """Purging the package deletes the games, and leaves a backup."""
    first, newer = packages
    alice, bob = empty.people(port, "deb")
    install(empty, first)
    assert empty.run("systemctl", "is-enabled", "godaemon", TIMER).split() == ["enabled"] * 2
    program = empty.run("readlink", "/usr/bin/godaemon")
    assert empty.run(program, "--version") == empty.run("godaemon", "--version")
    number = begin(alice, bob, "9x9")
    alice.reply("E5")
    bob.expect("your-turn")
    before = empty.property("MainPID")
    east = start_second_daemon(empty)

    empty.run("systemctl", "disable", TIMER)
    with Stream(port) as stream:
        install(empty, newer)
    assert stream.counts["refused"] == 0, stream.counts
    assert stream.counts["greeted"] > 1
    assert empty.property("MainPID") != before
    assert empty.property("Description").startswith("Play more Go")
    until(lambda: empty.property("MainPID", EAST) not in {east, "0"}, "it is restarted, too")
    assert empty.run("systemctl", "is-enabled", TIMER, check=False) == "disabled"
    assert empty.run("sh", "-c", "ls /var/backups/godaemon/*/godaemon.db").count("\n") == 0
    bob.reply("D4")
    alice.expect("your-turn")

    empty.run(*DPKG, "--remove", "godaemon")
    assert empty.property("ActiveState") == empty.property("ActiveState", EAST) == "inactive"
    install(empty, newer)
    assert last_move(empty, number) == "white D4"

    elsewhere = empty.root / "var/lib/private/godaemon@east"
    (elsewhere / "godaemon.db").unlink()  # as where the games are in PostgreSQL
    key = (elsewhere / "token.key").read_bytes()
    empty.run(*DPKG, "--purge", "godaemon")
    backups = empty.root / "var/backups/godaemon"
    assert [file.name for file in backups.glob("*.key")] == ["godaemon@east.token.key"]
    assert (backups / "godaemon@east.token.key").read_bytes() == key
    left = empty.run(
        *("find", "/etc", "/usr", "/var/lib", "-xdev", "-name", "*godaemon*"),
        *("-not", "-path", "/etc/postfix/*"),  # another test's
    )
    ours = {f"/etc/systemd/system/godaemon{unit}.d" for unit in (".service", "-smtp.socket")}
    assert set(left.splitlines()) == ours, "the operator's drop-ins alone stay"
    assert "godaemon.db" in empty.run("sh", "-c", "ls /var/backups/godaemon/*")
