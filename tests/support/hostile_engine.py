"""A GTP engine that tries to do harm; a program of its own.

    python hostile_engine.py SECRETS SOCKET PORT DAEMON

It answers `harm NAME` with what came of it: `done`, or the error that it met. SECRETS is a folder
that it has no business in, with `token.key`, SOCKET a Unix socket, PORT one of loopback that
somebody listens at, DAEMON a file with the number of a process of the same user. Where it can be
asked by its daemon alone, `komi N` and `genmove` do the Nth of `LOUD`; `komi 0` and `genmove` try
all that leave it alive, and say so to standard error, line by line.
"""

from __future__ import annotations

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
    """A system call of libc; raises `OSError`."""
    if LIBC.syscall(*words) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


# -- what others keep, their doors and their processes -------------------------------------------
def link_to_the_key() -> None:
    """By a symbolic link in our own folder."""
    Path("link").symlink_to(SECRETS / "token.key")
    Path("link").read_bytes()


def command_the_daemon() -> None:
    """A new key, by the control socket."""
    with socket.socket(socket.AF_UNIX) as door:
        door.connect(SOCKET)
        door.sendall(b'{"do": "rotate-key"}\n')


def write_by_a_pair() -> None:
    """A datagram to a socket's name, from a pair that needs no `socket`."""
    one, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    one.sendto(b"READY=1", SOCKET)


def notify_the_manager() -> None:
    """A message to systemd, or to its journal."""
    address = os.environ.get("NOTIFY_SOCKET", "/run/systemd/journal/socket")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as door:
        door.sendto(b"MESSAGE=from an engine\n", address)


def trace_it() -> None:
    """As a debugger does."""
    if LIBC.ptrace(16, DAEMON, 0, 0) < 0:  # PTRACE_ATTACH
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def inherit_files() -> None:
    """Files that were left open for us; an error where there is none."""
    if not any(Path(f"/proc/self/fd/{number}").is_symlink() for number in range(3, 256)):
        raise OSError(9, "no file was left open")


def see_the_environment() -> None:
    """Names that are not for us; an error where there is none."""
    usual = {"PATH", "HOME", "TMPDIR", "LANG", "LC_CTYPE", "PWD"}
    if not set(os.environ) - usual:
        raise OSError(2, "nothing of the daemon's")


# -- getting away ------------------------------------------------------------------------------
def leave_the_session() -> None:
    """To be out of reach of one signal."""
    if os.fork() == 0:
        try:
            os.setsid()
        except OSError:
            os._exit(1)
        time.sleep(1000)
    _, status = os.waitpid(-1, 0)
    if status:
        raise PermissionError(1, "no session of its own")


# -- taking all there is: these end us -----------------------------------------------------------
def write_much() -> None:
    """Half a gigabyte in one file."""
    with Path("much").open("wb") as file:
        file.writelines(bytes(1 << 20) for _ in range(512))


def write_many() -> None:
    for number in range(512):
        Path(f"many{number}").write_bytes(bytes(1 << 20))
        time.sleep(0.005)


def write_unseen() -> None:
    """The same in files without a name."""
    kept = []
    for number in range(128):
        kept.append(Path(f"unseen{number}").open("wb"))  # noqa: SIM115
        Path(f"unseen{number}").unlink()
        kept[-1].write(bytes(4 << 20))
        kept[-1].flush()
        time.sleep(0.02)


def dig() -> None:
    """Folders in folders, deeper than a recursion goes."""
    while True:
        Path("d").mkdir(0o300)
        os.chdir("d")


def fork_bomb() -> None:
    while True:
        with contextlib.suppress(OSError):
            os.fork()


def leave_forty() -> None:
    """Children that outlive us."""
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
    """Output without an end, and no input read."""
    while True:
        os.write(1, b"x" * 65536 + b"\n")
        os.write(2, b"x" * 65536 + b"\n")


def complain() -> None:
    """Errors without an end, counted by the 64 KiB."""
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
    "make_a_namespace": lambda: called(272, 0x10000000),  # to be root somewhere
    "use_the_ring": lambda: called(425, 4, ctypes.create_string_buffer(256)),  # unseen by filters
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
        name, _, what = command.partition(" ")
        text = "harm\ngenmove" if name == "list_commands" else ""
        if name == "harm":
            text = tried(by_name[what])
        if name == "write":
            text = tried(partial(write_to, what))
        if name == "babble":
            threading.Thread(target=complain, daemon=True).start()
        if name == "complaints":
            text = str(len(COMPLAINTS))
        if name == "komi":
            komi = float(what)
        if name == "genmove":
            chosen = [*LOUD][int(komi) - 1 :][:1] if komi else QUIET
            sys.stderr.write("".join(f"{one}: {tried(by_name[one])}\n" for one in chosen))
            text = "pass"
        sys.stdout.write(f"={number} {text}\n\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
