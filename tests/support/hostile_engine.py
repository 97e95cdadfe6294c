"""A GTP engine that attacks its host.

    python hostile_engine.py SECRETS SOCKET PORT DAEMON

`harm NAME` runs an attack and answers `done` or the error. SECRETS is a forbidden folder with
`token.key`, SOCKET a Unix socket, PORT an open port on loopback, DAEMON a file with the pid of a
process of the same user. `komi N` and `genmove` run attack N of `LOUD`; `komi 0` and `genmove` run
all of `QUIET` and print the results to standard error, one a line.
"""

import contextlib
import ctypes
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

SECRETS, SOCKET, PORT = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
COMPLAINTS: list[int] = []
LIBC = ctypes.CDLL(None, use_errno=True)
DAEMON, KEEPER = int(Path(sys.argv[4]).read_text("ascii")), os.getppid()


def called(*words: object) -> None:
    """Make a system call by libc; raises `OSError`."""
    if LIBC.syscall(*words) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


# -- other people's files, sockets and processes -------------------------------------------------
def link_to_the_key() -> None:
    """Read the key through a symbolic link in our own folder."""
    Path("link").symlink_to(SECRETS / "token.key")
    Path("link").read_bytes()


def command_the_daemon() -> None:
    """Rotate the key through the control socket."""
    with socket.socket(socket.AF_UNIX) as door:
        door.connect(SOCKET)
        door.sendall(b'{"do": "rotate-key"}\n')


def write_by_a_pair() -> None:
    """Send a datagram to the socket from a socket pair, without calling `socket`."""
    pair, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    pair.sendto(b"READY=1", SOCKET)


def notify_the_manager() -> None:
    """Send a message to systemd or its journal."""
    address = os.environ.get("NOTIFY_SOCKET", "/run/systemd/journal/socket")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as door:
        door.sendto(b"MESSAGE=from an engine\n", address)


def trace_it() -> None:
    """Attach to the daemon as a debugger does."""
    if LIBC.ptrace(16, DAEMON, 0, 0) < 0:  # PTRACE_ATTACH
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def inherit_files() -> None:
    """Find inherited file descriptors; raises `OSError` if there are none."""
    if not any(Path(f"/proc/self/fd/{number}").is_symlink() for number in range(3, 256)):
        raise OSError(9, "no file was left open")


def see_the_environment() -> None:
    """Find environment variables of the daemon; raises `OSError` if there are none."""
    usual = {"PATH", "HOME", "TMPDIR", "LANG", "LC_CTYPE", "PWD"}
    if not set(os.environ) - usual:
        raise OSError(2, "nothing of the daemon's")


# -- escaping ----------------------------------------------------------------------------------
def leave_the_session() -> None:
    """Start a session of its own, out of reach of a signal to the process group."""
    if os.fork() == 0:
        try:
            os.setsid()
        except OSError:
            os._exit(1)
        time.sleep(1000)
    _, status = os.waitpid(-1, 0)
    if status:
        raise PermissionError(1, "no session of its own")


# -- exhausting resources: these end this process ------------------------------------------------
def write_much() -> None:
    """Write half a gigabyte to one file."""
    with Path("much").open("wb") as file:
        file.writelines(bytes(1 << 20) for _ in range(512))


def write_many() -> None:
    for number in range(512):
        Path(f"many{number}").write_bytes(bytes(1 << 20))
        time.sleep(0.005)


def write_unseen() -> None:
    """Write half a gigabyte to deleted files."""
    kept = []
    for number in range(128):
        kept.append(Path(f"unseen{number}").open("wb"))  # noqa: SIM115
        Path(f"unseen{number}").unlink()
        kept[-1].write(bytes(4 << 20))
        kept[-1].flush()
        time.sleep(0.02)


def dig() -> None:
    """Nest folders deeper than a recursion can follow."""
    while True:
        Path("d").mkdir(0o300)
        os.chdir("d")


def fork_bomb() -> None:
    while True:
        with contextlib.suppress(OSError):
            os.fork()


def leave_forty() -> None:
    """Leave forty children running."""
    for _ in range(40):
        subprocess.Popen(["sleep", "1000"], stdin=-3, stdout=-3, stderr=-3)
    os._exit(0)


def eat() -> None:
    eaten = []
    while True:
        eaten.append(b"x" * (1 << 20))


def eat_in_company() -> None:
    for _ in range(7):
        if os.fork() == 0:
            break
    eaten = bytearray(b"x" * (100 << 20))
    time.sleep(1000)
    del eaten


def spin() -> None:
    for _ in range(8):
        threading.Thread(target=spin_one, daemon=True).start()
    spin_one()


def spin_one() -> None:
    while True:
        pass


def babble() -> None:
    """Write endless output, and read no input."""
    while True:
        os.write(1, b"x" * 65536 + b"\n")
        os.write(2, b"x" * 65536 + b"\n")


def complain() -> None:
    """Write endless errors; counts blocks of 64 KiB."""
    while True:
        os.write(2, b"x" * 65536)
        COMPLAINTS.append(1)


QUIET: dict[str, Callable[[], object]] = {
    "read_the_key": (SECRETS / "token.key").read_bytes,
    "list_the_folder": lambda: list(SECRETS.iterdir()),
    "write_there": lambda: (SECRETS / "mine").write_text("x", encoding="ascii"),
    "cut_the_key": lambda: os.truncate(SECRETS / "token.key", 0),
    "open_the_key_to_all": lambda: (SECRETS / "token.key").chmod(0o777),
    "link_to_the_key": link_to_the_key,
    "link_hard_to_the_key": lambda: Path("hard").hardlink_to(SECRETS / "token.key"),
    "read_home": lambda: list(Path("/proc/self/cwd").resolve().parent.iterdir()),
    "command_the_daemon": command_the_daemon,
    "write_by_a_pair": write_by_a_pair,
    "connect_out": lambda: socket.create_connection(("127.0.0.1", PORT), 5).close(),
    "listen": lambda: socket.create_server(("127.0.0.1", 0)).close(),
    "notify_the_manager": notify_the_manager,
    "stop_the_daemon": lambda: os.kill(DAEMON, signal.SIGCONT),
    "stop_the_keeper": lambda: os.kill(KEEPER, signal.SIGCONT),
    "read_its_environment": Path(f"/proc/{DAEMON}/environ").read_bytes,
    "read_its_memory": lambda: Path(f"/proc/{DAEMON}/mem").open("rb").close(),
    "trace_it": trace_it,
    "starve_it": lambda: resource.prlimit(DAEMON, resource.RLIMIT_NOFILE, (1, 1)),
    "inherit_files": inherit_files,
    "see_the_environment": see_the_environment,
    "leave_the_session": leave_the_session,
    "make_a_namespace": lambda: called(272, 0x10000000),  # to become root in it
    "use_the_ring": lambda: called(425, 4, ctypes.create_string_buffer(256)),  # io_uring
}
"""Attacks that this process survives."""
_TAKING = (
    *(write_much, write_many, write_unseen, dig, fork_bomb, leave_forty),
    *(eat, eat_in_company, spin, babble),
)
LOUD: dict[str, Callable[[], object]] = {harm.__name__: harm for harm in _TAKING}


def write_to(folder: str) -> None:
    (Path(folder) / "allowed").write_text("x", encoding="ascii")
    (Path(folder) / "allowed").replace(Path(folder) / "renamed")


def tried(harm: Callable[[], object]) -> str:
    try:
        harm()
    except (OSError, MemoryError) as fault:
        return f"{type(fault).__name__} {fault}"
    return "done"


def main() -> None:
    komi = 0.0
    by_name = QUIET | LOUD
    for line in sys.stdin:
        number, _, command = line.strip().partition(" ")
        name, _, argument = command.partition(" ")
        text = "harm\ngenmove" if name == "list_commands" else ""
        if name == "harm":
            text = tried(by_name[argument])
        if name == "write":
            text = tried(partial(write_to, argument))
        if name == "babble":
            threading.Thread(target=complain, daemon=True).start()
        if name == "complaints":
            text = str(len(COMPLAINTS))
        if name == "komi":
            komi = float(argument)
        if name == "genmove":
            chosen = [*LOUD][int(komi) - 1 :][:1] if komi else QUIET
            sys.stderr.write("".join(f"{one}: {tried(by_name[one])}\n" for one in chosen))
            text = "pass"
        sys.stdout.write(f"={number} {text}\n\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
