"""Sockets from a service manager: used at their addresses, or reported."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from godaemon.errors import ConfigError
from godaemon.system.passed_sockets import PassedSockets

PRINT_SOCKETS = """
import os, sys
from pathlib import Path
from godaemon.system.passed_sockets import PassedSockets
passed = PassedSockets.from_environ(os.environ, os.getpid())
for each in passed.sockets:
    print(each.getsockname(), os.get_inheritable(each.fileno()), each.getblocking())
"""


def run_with_sockets(script: str, *listeners: socket.socket) -> list[str]:
    """The output of a script that gets sockets as from systemd: from descriptor 3 on."""
    moves = "; ".join(f"exec {3 + n}<&{each.fileno()}" for n, each in enumerate(listeners))
    done = subprocess.run(
        ["bash", "-c", f'{moves}; LISTEN_PID=$$ exec "$@"', "bash", sys.executable, "-c", script],
        env={**os.environ, "LISTEN_FDS": str(len(listeners))},
        pass_fds=[each.fileno() for each in listeners],
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


def test_sockets_are_taken_over_by_descriptor(tmp_path: Path) -> None:
    """In order, not inheritable and not blocking."""
    with (
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as unix,
    ):
        unix.bind(str(tmp_path / "s"))
        unix.listen()
        assert run_with_sockets(PRINT_SOCKETS, tcp, unix) == [
            f"{tcp.getsockname()} False False",
            f"{tmp_path / 's'} False False",
        ]


@pytest.mark.parametrize(
    "environ",
    [{}, {"LISTEN_FDS": "1"}, {"LISTEN_FDS": "1", "LISTEN_PID": "1"}, {"LISTEN_PID": "7"}],
)
def test_sockets_of_another_process_are_ignored(environ: dict[str, str]) -> None:
    """Nor are there any without a service manager."""
    assert PassedSockets.from_environ(environ, 7).sockets == ()


def test_a_listener_takes_the_socket_at_its_address(tmp_path: Path) -> None:
    """The address may be a host's name, or another path to the folder."""
    (tmp_path / "other").symlink_to(tmp_path)
    with (
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.create_server(("::1", 0), family=socket.AF_INET6) as six,
        socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as unix,
    ):
        unix.bind(str(tmp_path / "s"))
        passed = PassedSockets((tcp, six, unix))
        port = tcp.getsockname()[1]
        assert passed.at(("127.0.0.1", port)) is passed.at(("localhost", port)) is tcp
        assert passed.at(("::1", six.getsockname()[1])) is six
        assert passed.at(tmp_path / "other/s") is passed.at(tmp_path / "s") is unix
        assert passed.at(tmp_path / "t") is passed.at(("0.0.0.0", port)) is None
        assert passed.at(("no.such.name.invalid", port)) is None


def test_an_unused_socket_is_an_error(tmp_path: Path) -> None:
    """As when an address was changed in the configuration alone; the error has the remedy."""
    with socket.create_server(("127.0.0.1", 0)) as tcp:
        address = ("127.0.0.1", tcp.getsockname()[1])
        passed = PassedSockets((tcp,))
        passed.require_wanted([tmp_path / "s", address])
        with pytest.raises(ConfigError, match=rf"127\.0\.0\.1:{address[1]} .*install-units"):
            passed.require_wanted([tmp_path / "s", ("127.0.0.1", 25)])


def test_a_passed_descriptor_must_be_a_socket(tmp_path: Path) -> None:
    """A descriptor of something else."""
    script = PRINT_SOCKETS.replace("passed =", "os.dup2(os.open('/dev/null', 0), 3); passed =")
    with (
        socket.create_server(("127.0.0.1", 0)) as tcp,
        pytest.raises(subprocess.CalledProcessError) as fault,
    ):
        run_with_sockets(script, tcp)
    assert "descriptor 3, which is not a socket" in fault.value.stderr
