"""Runs one engine so that it can do no harm: `sandbox.py KEY=VALUE ... -- PROGRAM ARGUMENT ...`.

The daemon starts the *keeper*. The engine is its child, in the same process group: it drops its
rights, then executes the program. Four times a second the keeper checks whether the engine exceeds
a limit, has ended, or has lost its daemon, and then kills the group. Imports are few, because each
start waits for them. The engine does not start if a feature of the kernel cannot be enabled.

Keys, some of which can be repeated:

    read, write     a file or folder that it may read; that it may also write
    landlock        the version of Landlock to use; 0 for none
    seccomp         the machine (uname -m) of the system call filter; empty for none
    network         1: it may open Internet connections
    memory, disk    limits in bytes, in total and for one process or file; 0 for none
    tasks           the limit on processes and threads, in total
    folder          the working folder, whose contents count against `disk`
    group           the control group, if any
    note            the file for the reason why it was ended or not started

Landlock: https://docs.kernel.org/userspace-api/landlock.html.
"""

import ctypes
import os
import resource
import select
import stat
import struct
import sys
from collections.abc import Iterator

from gtp.engines.seccomp_filter import ARCHITECTURES, seccomp_filter

CHECK_MS = 250
"""Milliseconds between two checks of the keeper."""
NICENESS = 5
"""The nice value of an engine (nice(2))."""
OPEN_FILES = 512
SIGKILL = 9  # importing `signal` takes seven milliseconds

_READ = 0x1 | 0x4 | 0x8
"""LANDLOCK_ACCESS_FS_EXECUTE, READ_FILE, READ_DIR."""
_WRITE = _READ | 0x2 | 0x10 | 0x20 | 0x80 | 0x100 | 0x400 | 0x1000 | 0x2000 | 0x4000 | 0x8000
"""`_READ`, WRITE_FILE, and all others but the creation of devices and sockets."""
_FILE_RIGHTS = 0x1 | 0x2 | 0x4 | 0x4000 | 0x8000
"""The rights that a rule for a file can grant."""
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_SIGNALS_SCOPED = 6
"""The first version of Landlock that blocks signals to other processes."""
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER, _PR_SET_NO_NEW_PRIVS = 1, 36, 38
_PR_CAPBSET_DROP, _PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL = 24, 47, 4
_FILTER, _SPEC_ALLOW = 1, 4
"""SECCOMP_SET_MODE_FILTER; SECCOMP_FILTER_FLAG_SPEC_ALLOW avoids a slow mitigation of Spectre."""
_SECCOMP = (317, 277)
_MIN_SIZE = 16384
"""The minimum size in bytes of a file or folder: even empty ones take time to remove."""

_libc = ctypes.CDLL(None, use_errno=True)


def landlock_version() -> int:
    """The version of the kernel's Landlock; 0 if it is missing or disabled."""
    return max(0, int(_libc.syscall(_CREATE_RULESET, None, 0, 1)))


class SandboxOptions:
    """The keys of the command line, and the program after them."""

    def __init__(self, words: list[str]) -> None:
        at = words.index("--")
        pairs = [word.partition("=")[::2] for word in words[:at]]
        self.program = words[at + 1 :]
        self.read = [value for key, value in pairs if key == "read"]
        self.write = [value for key, value in pairs if key == "write"]
        self._values = dict(pairs)

    def text(self, key: str) -> str:
        """The value of a key; "" if it is missing."""
        return self._values.get(key, "")

    def number(self, key: str) -> int:
        """The value of a key as a number; 0 if it is missing."""
        return int(self._values.get(key) or 0)


def main() -> None:
    """Run the engine of `sys.argv` and watch it; never returns."""
    _close_files()
    options = SandboxOptions(sys.argv[1:])
    daemon = os.getppid()
    keeper = os.getpid()
    if os.getpgrp() != keeper:  # we kill our own group later
        os.setsid()
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    engine = os.fork()
    if engine == 0:
        try:
            _become_engine(options, keeper)
        except BaseException as fault:  # noqa: BLE001 - no caller could report it
            _write_text(options.text("note"), f"could not be started: {fault}")
            os._exit(126)
    devnull = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):  # or our copies of the pipes hide the engine's end from the daemon
        os.dup2(devnull, stream)
    try:
        reason = _watch(options, engine, daemon)
    except Exception as fault:  # noqa: BLE001 - no engine may run without a keeper
        reason = f"its keeper failed: {fault!r}"
    try:
        if reason:
            _write_text(options.text("note"), reason)
    finally:
        os.killpg(0, SIGKILL)


def _close_files() -> None:
    """Close all files but the standard streams; uvloop leaves copies of these."""
    for number in map(int, os.listdir("/proc/self/fd")):
        if number > 2:
            try:
                os.close(number)
            except OSError:  # the descriptor of the list, closed already
                continue


# -- the keeper ----------------------------------------------------------------------------------
def _watch(options: SandboxOptions, engine: int, daemon: int) -> str:
    """Wait for the end; returns an exceeded limit, or "" if the engine or daemon has ended."""
    ended = select.poll()
    ended.register(os.pidfd_open(engine), select.POLLIN)
    while not ended.poll(CHECK_MS) and os.getppid() == daemon:
        if reason := _excess(options, engine):
            return reason
    return ""


def _excess(options: SandboxOptions, engine: int) -> str:
    """The exceeded limit of the engine and its children, in words; "" for none."""
    tasks = memory = 0
    hidden: dict[int, int] = {}
    limit = options.number("tasks")
    for pid in _descendants(os.getpid()):
        try:
            tasks += len(os.listdir(f"/proc/{pid}/task"))
            memory += _memory_of(pid)
            hidden.update(_unnamed_files(pid))
        except OSError:  # it has ended, or is a zombie
            if pid != engine:
                _reap(pid)
        if tasks > limit:  # before the next one: there may be thousands
            return f"it exceeded its limit of {limit} processes and threads"
    if (limit := options.number("memory")) and memory > limit:
        return f"it exceeded its limit of {limit >> 20} MiB of memory"
    limit = options.number("disk")
    if limit and sum(hidden.values()) + _disk_usage(options.text("folder"), limit) > limit:
        return f"it exceeded its limit of {limit >> 20} MiB of disk space"
    return ""


def _descendants(pid: int) -> Iterator[int]:
    pids = [pid]
    for parent in pids:
        try:
            for task in os.listdir(f"/proc/{parent}/task"):
                with open(f"/proc/{parent}/task/{task}/children", encoding="ascii") as children:
                    below = [int(child) for child in children.read().split()]
                pids += below
                yield from below
        except OSError:
            continue


def _memory_of(pid: int) -> int:
    """The private memory of a process, in bytes (proc_pid_statm(5))."""
    with open(f"/proc/{pid}/statm", encoding="ascii") as statm:
        _, resident, shared, *_ = statm.read().split()
    return (int(resident) - int(shared)) * resource.getpagesize()


def _reap(pid: int) -> None:
    try:
        os.waitpid(pid, os.WNOHANG)
    except ChildProcessError:
        return


def _unnamed_files(pid: int) -> Iterator[tuple[int, int]]:
    """The inode and the bytes of each open but deleted file of a process."""
    for number in os.listdir(f"/proc/{pid}/fd"):
        try:
            found = os.stat(f"/proc/{pid}/fd/{number}")
        except OSError:
            continue
        if stat.S_ISREG(found.st_mode) and not found.st_nlink:
            yield found.st_ino, found.st_blocks * 512


def _disk_usage(folder: str, limit: int) -> int:
    """The bytes in a folder; more than `limit` if it exceeds that or is unreadable."""
    used, folders = 0, [folder]
    while folders and used <= limit:
        try:
            with os.scandir(folders.pop()) as entries:
                for entry in entries:
                    found = entry.stat(follow_symlinks=False)
                    used += max(_MIN_SIZE, found.st_blocks * 512)
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
        except FileNotFoundError:
            continue  # gone since it was listed
        except OSError:  # unreadable or too deep, which no honest engine needs
            return limit + 1
    return used


# -- the engine ----------------------------------------------------------------------------------
def _become_engine(options: SandboxOptions, keeper: int) -> None:
    """Drop all rights that an engine does not need, then execute it; raises `OSError`."""
    _prctl(_PR_SET_PDEATHSIG, SIGKILL)
    if os.getppid() != keeper:
        os._exit(126)
    if group := options.text("group"):
        _write_text(f"{group}/cgroup.procs", "0")
    _write_text("/proc/self/oom_score_adj", "1000")  # the kernel kills it first if memory runs out
    _lower_priority()
    _set_limits(options)
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)
    _drop_capabilities()
    if version := options.number("landlock"):
        _restrict_files(options, version)
    if machine := options.text("seccomp"):
        _restrict_calls(options, machine, signals=version >= _SIGNALS_SCOPED)
    os.execvp(options.program[0], options.program)  # noqa: S606


def _lower_priority() -> None:
    try:
        os.nice(NICENESS)
    except PermissionError:  # the service manager's system call filter forbids it
        return


def _set_limits(options: SandboxOptions) -> None:
    """Limit each process (setrlimit(2)), and all processes of our user."""
    limits = {resource.RLIMIT_CORE: 0, resource.RLIMIT_NOFILE: OPEN_FILES}
    if memory := options.number("memory"):
        limits[resource.RLIMIT_AS] = memory
    if disk := options.number("disk"):
        limits[resource.RLIMIT_FSIZE] = disk
    for kind, limit in limits.items():
        resource.setrlimit(kind, (limit, limit))
    _limit_tasks(options.number("tasks"))


def _limit_tasks(limit: int) -> None:
    """Allow this many more processes and threads than our user has now.

    The kernel also counts the user's processes in other containers. If it counts more than we see,
    or the user is root, only the keeper limits them.
    """
    if os.getuid() == 0:
        return
    before = resource.getrlimit(resource.RLIMIT_NPROC)
    limit += sum(_threads(os.getuid()))
    if before[1] not in (resource.RLIM_INFINITY, -1):
        limit = min(limit, before[1])
    resource.setrlimit(resource.RLIMIT_NPROC, (limit, before[1]))
    try:
        child = os.fork()
    except BlockingIOError:
        resource.setrlimit(resource.RLIMIT_NPROC, before)
        return
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    resource.setrlimit(resource.RLIMIT_NPROC, (limit, limit))


def _threads(uid: int) -> Iterator[int]:
    """The number of threads of each process of a user: links of its folder of tasks."""
    for name in os.listdir("/proc"):
        if name.isdecimal():
            try:
                found = os.stat(f"/proc/{name}/task")
            except OSError:
                continue
            if found.st_uid == uid:
                yield found.st_nlink - 2


def _drop_capabilities() -> None:
    """Drop all privileges of root; other users lose theirs by execve (capabilities(7))."""
    for capability in range(64):
        _libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)  # fails without the right
    _libc.prctl(_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
    header, none = struct.pack("Ii", 0x20080522, 0), bytes(24)
    if os.getuid() == 0:
        _require_success(_libc.capset(header, none))


def _restrict_files(options: SandboxOptions, version: int) -> None:
    """Restrict this process to the granted files; from version 4 also TCP, from 6 signals."""
    handled = 0x1FFF | (version >= 2) << 13 | (version >= 3) << 14 | (version >= 5) << 15
    sockets = 0 if options.number("network") else 3
    attributes = struct.pack("QQQ", handled, sockets, 3)
    size = 24
    if version < 4:
        size = 8
    elif version < _SIGNALS_SCOPED:
        size = 16
    rules = _system_call(_CREATE_RULESET, attributes, size, 0)
    own = f"/proc/{os.getpid()}"
    for rights, paths in ((_READ, [*options.read, own]), (_WRITE, options.write)):
        for path in paths:
            try:
                found = os.open(path, os.O_PATH)
            except OSError:
                continue  # not on this machine
            fit = rights if stat.S_ISDIR(os.fstat(found).st_mode) else rights & _FILE_RIGHTS
            _system_call(_ADD_RULE, rules, 1, struct.pack("=Qi", fit & handled, found), 0)
            os.close(found)
    _system_call(_RESTRICT_SELF, rules, 0)


def _restrict_calls(options: SandboxOptions, machine: str, *, signals: bool) -> None:
    """Install the filter of system calls; `signals` is true if Landlock restricts signals."""
    network, memory_files = bool(options.number("network")), not options.number("memory")
    code = seccomp_filter(
        machine, os.getpid(), network=network, signals=signals, memory_files=memory_files
    )
    steps = ctypes.create_string_buffer(code)
    program = struct.pack("HP", len(code) // 8, ctypes.addressof(steps))
    _system_call(_SECCOMP[ARCHITECTURES[machine][1]], _FILTER, _SPEC_ALLOW, program)


def _system_call(*words: object) -> int:
    """A system call without a function in libc; raises `OSError`."""
    return _require_success(int(_libc.syscall(*words)))


def _prctl(option: int, value: int) -> None:
    _require_success(_libc.prctl(option, value, 0, 0, 0))


def _require_success(result: int) -> int:
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def _write_text(path: str, text: str) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main()
