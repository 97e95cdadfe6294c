"""The GTP doors of the service: its group, who is let in by the socket, and a certificate."""

from __future__ import annotations

import pytest

from tests.support.systemd_box import Box

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

GODAEMON = "/opt/godaemon/bin/godaemon"


def speak(box: Box, user: str) -> str:
    """What a user of the machine is answered by the program that their GUI would start."""
    command = f"printf 'name\\nquit\\n' | {GODAEMON} gtp"
    return box.run("runuser", "-u", user, "--", "sh", "-c", command, check=False)


def test_the_group(service: Box) -> None:
    """The socket is the group's, whether there is one for good or only while the service runs."""
    assert service.run("stat", "--format=%G %a", "/run/godaemon/gtp.sock") == "godaemon-gtp 660"
    service.run("systemctl", "stop", "godaemon")
    service.run("systemd-sysusers", "/opt/src/config/sysusers.d/godaemon.conf")
    assert service.run("getent", "group", "godaemon-gtp")
    service.run("systemctl", "start", "godaemon")
    service.wait("ActiveState", "active")
    assert service.run("stat", "--format=%G %a", "/run/godaemon/gtp.sock") == "godaemon-gtp 660"
    assert service.run("stat", "--format=%a", "/var/lib/private/godaemon") == "700"
    service.run("useradd", "--groups", "godaemon-gtp", "member")
    service.run("useradd", "stranger")
    assert speak(service, "member") == "= godaemon\n\n="
    assert "not yours to open. Try: sudo godaemon gtp" in speak(service, "stranger")
    assert "known=True" in service.journal(), "its group is seen from inside the service"
