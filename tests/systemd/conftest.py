"""One booted systemd container for all tests; each test starts the service anew."""

from collections.abc import Iterator

import pytest

from tests.support.daemon import free_port
from tests.support.systemd_box import Box, boot

SHORT_WATCHDOG = "[Service]\nWatchdogSec=10\n"


@pytest.fixture(scope="session")
def box(port: int) -> Iterator[Box]:
    """A real systemd with the service installed and a short watchdog time."""
    with boot() as booted:
        listen = f"[Socket]\nListenStream=\nListenStream=127.0.0.1:{port}\n"
        units = {"godaemon.service": SHORT_WATCHDOG, "godaemon-smtp.socket": listen}
        for unit, text in units.items():
            drop_in = booted.root / f"etc/systemd/system/{unit}.d/test.conf"
            drop_in.parent.mkdir()
            drop_in.write_text(text, encoding="utf-8")
        booted.run("systemctl", "daemon-reload")
        yield booted


@pytest.fixture(scope="session")
def port() -> int:
    """A free port; the box shares this machine's network."""
    return free_port()


@pytest.fixture
def service(box: Box, port: int) -> Iterator[Box]:
    """The box with godaemon.service running on the shipped configuration and our port."""
    file = box.root / "etc/godaemon/godaemon.toml"
    shipped = file.read_text(encoding="utf-8")
    listen = f'listen = "127.0.0.1:{port}"'
    file.write_text(shipped.replace('#listen = "127.0.0.1:8025"', listen), encoding="utf-8")
    box.run("systemctl", "reset-failed", "godaemon", check=False)
    box.run("systemctl", "start", "godaemon", check=False)
    box.wait("ActiveState", "active")
    yield box
    box.run("systemctl", "stop", "godaemon")
    file.write_text(shipped, encoding="utf-8")
