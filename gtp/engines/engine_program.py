"""An engine's program with its rights and limits, and the command that starts it contained.

`sandbox` enforces them. Imports no room. Features that the kernel lacks are left out;
`kernel_features` lists the others.
"""

import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from glob import glob
from pathlib import Path
from typing import Any

from gtp.engines.sandbox import landlock_version
from gtp.engines.seccomp_filter import ARCHITECTURES

_ROOT = str(Path(__file__).parents[2])
_START = f"import sys; sys.path.append({_ROOT!r}); from gtp.engines.sandbox import main; main()"

_SYSTEM = (
    *("/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin", "/nix/store"),
    *("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/ld.so.preload"),
    *("/etc/alternatives", "/etc/localtime", "/etc/nsswitch.conf", "/etc/passwd", "/etc/group"),
    *("/etc/hosts", "/etc/resolv.conf", "/etc/ssl/certs", "/etc/ssl/openssl.cnf", "/etc/OpenCL"),
    *("/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/version", "/proc/filesystems"),
    *("/proc/sys/vm", "/sys/devices/system", "/sys/fs/cgroup/cpu.max"),
)
"""Readable for every engine: programs and libraries, and facts about the machine."""
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
_GRAPHICS_READ = ("/sys", "/proc/driver", "/proc/devices", "/proc/modules", "/etc/vulkan")
_GRAPHICS = ("/dev/nvidia*", "/dev/dri", "/dev/kfd")


@dataclass(frozen=True, slots=True)
class EngineProgram:
    """An engine, its limits and its rights, as in godaemon.toml(5). Times are in seconds."""

    name: str
    command: Sequence[str]
    seconds: float
    """Timeout of a move, and of each other command."""
    start_seconds: float
    """Timeout of the first answer after the start."""
    memory_mib: int
    """The limit on memory of each process; 0 for none."""
    processes: int
    idle_seconds: float
    """Timeout of an idle process."""
    strikes: int
    """The number of consecutive failures at one move after which it resigns."""
    contained: bool = True
    """If False, it has our user's access to files, sockets and processes."""
    disk_mib: int = 64
    """The limit on its working folder; 0 for none."""
    tasks: int = 64
    """The limit on its processes and threads together."""
    network: bool = False
    gpu: bool = False
    read: Sequence[str] = ()
    """Files and folders that it may read, besides the system's and those in its command."""
    write: Sequence[str] = ()
    """Files and folders that it may write, besides its working folder."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """Its environment, besides PATH, HOME, TMPDIR and LANG."""
    hidden_folder: Path | None = None
    """The folder of the games and the key: hidden, even inside a readable folder."""


def kernel_features() -> dict[str, Any]:
    """The features of this kernel that contain engines, except control groups."""
    return {"landlock": landlock_version(), "seccomp": platform.machine() in ARCHITECTURES}


def contained_command(program: EngineProgram, folder: Path, group: Path | None) -> list[str]:
    """The command that starts a program contained, in its own folder; reads the disk."""
    terms: dict[str, object] = {
        "memory": program.memory_mib << 20,
        "disk": program.disk_mib << 20,
        "tasks": program.tasks,
        "folder": folder,
        "note": reason_file(folder),
        "group": group or "",
    }
    if program.contained:
        machine = platform.machine()
        terms["landlock"] = landlock_version()
        terms["seccomp"] = machine if machine in ARCHITECTURES else ""
        terms["network"] = int(program.network)
    words = [f"{key}={value}" for key, value in terms.items()]
    words += [f"read={path}" for path in _readable_paths(program)]
    words += [f"write={path}" for path in (*_writable_paths(program), folder)]
    return [sys.executable, "-I", "-S", "-c", _START, *words, "--", *program.command]


def reason_file(folder: Path) -> Path:
    """The file with the reason why the process of a folder was ended, out of its reach."""
    return folder.with_name(f"{folder.name}.reason")


def _readable_paths(program: EngineProgram) -> Iterator[Path]:
    graphics = _GRAPHICS_READ if program.gpu else ()
    for path in (*_SYSTEM, *graphics, *program.read):
        yield from _paths_without(Path(path), program.hidden_folder)
    for path in _named_paths(program.command):
        yield from _paths_without(path, program.hidden_folder)
        if path.parent.name == "bin":
            for name in ("lib", "lib64", "pyvenv.cfg"):
                yield from _paths_without(path.parents[1] / name, program.hidden_folder)


def _writable_paths(program: EngineProgram) -> Iterator[Path]:
    for pattern in (*_DEVICES, *(_GRAPHICS if program.gpu else ()), *program.write):
        for path in glob(pattern):  # noqa: PTH207 - an absolute path, perhaps a pattern
            yield from _paths_without(Path(path), program.hidden_folder)


def _named_paths(command: Sequence[str]) -> Iterator[Path]:
    """The files and folders in a command, its program first, and the targets of links."""
    first = shutil.which(command[0]) or command[0]
    for word in (first, *(part for rest in command[1:] for part in re.split("[=:,]", rest))):
        if word.startswith("/") and os.path.lexists(word):
            yield Path(word)
            if (real := Path(os.path.realpath(word))) != Path(word):
                yield real


def _paths_without(path: Path, hidden_folder: Path | None) -> Iterator[Path]:
    """The path itself; if it contains the secret folder, its entries without that folder.

    Symbolic links are followed first, because a service's state folder is usually a link.
    """
    real = Path(os.path.realpath(path))
    hidden = hidden_folder and Path(os.path.realpath(hidden_folder))
    if hidden is None or not hidden.is_relative_to(real):
        yield path
    elif real != hidden:
        for inside in path.iterdir():
            yield from _paths_without(inside, hidden_folder)


def remove_tree(folder: Path) -> None:
    """Remove a folder and everything in it, even if it is deep or unreadable; never fails.

    `shutil.rmtree` fails on such folders. Links are not followed.
    """
    if folder.is_symlink():
        folder.unlink(missing_ok=True)
        return
    for command in (("chmod", "-R", "u+rwx"), ("rm", "-rf")):
        subprocess.run([*command, "--", folder], check=False, stderr=subprocess.DEVNULL)  # noqa: S603
