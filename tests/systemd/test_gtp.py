"""The groups of the service's sockets: one for players, one for operators."""

import pytest

from tests.support.systemd_box import Box

pytestmark = pytest.mark.slow

GODAEMON = "/opt/godaemon/bin/godaemon"


def speak_gtp(box: Box, user: str) -> str:
    """The answers of `godaemon gtp` to a user of the machine."""
    command = f"printf 'name\\nplay b D4\\nquit\\n' | {GODAEMON} gtp"
    return box.run("runuser", "-u", user, "--", "sh", "-c", command, check=False)


def test_sockets_have_their_groups(service: Box) -> None:
    """Players may open the GTP socket, operators the control socket, and neither the store."""
    assert service.run("stat", "--format=%G %a", "/run/godaemon/gtp.sock") == "godaemon-gtp 660"
    service.run("systemctl", "stop", "godaemon")
    service.run("groupadd", "operators")
    file = service.root / "etc/godaemon/godaemon.toml"
    text = file.read_text("utf-8")
    file.write_text(text.replace('#: group = "adm"', 'group = "operators"'), "utf-8")
    service.run(GODAEMON, "install-units")
    service.run("systemctl", "daemon-reload")
    service.run("systemctl", "start", "godaemon")
    assert service.run("stat", "--format=%G %a", "/run/godaemon/control.sock") == "operators 660"
    assert service.run("stat", "--format=%a", "/var/lib/private/godaemon") == "700"
    service.run("useradd", "--groups", "godaemon-gtp", "member")
    service.run("useradd", "--groups", "operators", "umpire")
    service.run("useradd", "stranger")
    output = service.run("runuser", "-u", "umpire", "--", GODAEMON, "status", "--json", check=False)
    assert '"address": "go@' in output
    assert service.run("runuser", "-u", "umpire", "--", GODAEMON, "mail", "queue")
    for user in ("member", "stranger"):
        refused = service.run("runuser", "-u", user, "--", GODAEMON, "status", check=False)
        assert "you may not open" in refused
    boards = service.run(GODAEMON, "boards")
    assert speak_gtp(service, "member") == "= godaemon\n\n= \n\n="
    assert service.run(GODAEMON, "boards") != boards, "its group is seen from inside the service"
    assert ". Try: sudo godaemon gtp" in speak_gtp(service, "stranger")
