"""The system calls that a contained engine may not make, as a filter for the kernel.

A classic BPF program (seccomp(2), linux/filter.h) over `struct seccomp_data`. Quick to import,
because each engine waits for it. It refuses what Landlock allows: sockets, access to other
processes of the user, leaving the session (one signal must reach all children of the engine),
changes of modes and owners of files, namespaces, and memory that no limit counts.
"""

import struct
from collections.abc import Iterator

ARCHITECTURES = {
    "x86_64": (0xC000003E, 0),
    "aarch64": (0xC00000B7, 1),
    "riscv64": (0xC00000F3, 1),
    "loongarch64": (0xC0000102, 1),
}
"""Machines (uname -m): AUDIT_ARCH of linux/audit.h, and the column of `CALLS`."""

_TABLE = """
    sockets: socket 41 198, socketpair 53 199
    processes: ptrace 101 117, process_vm_readv 310 270, process_vm_writev 311 271, kcmp 312 272
    processes: pidfd_getfd 438 438, process_madvise 440 440, process_mrelease 448 448
    processes: move_pages 279 239, migrate_pages 256 238, perf_event_open 298 241
    processes: prlimit64 302 261, setpriority 141 140, sched_setaffinity 203 122
    processes: sched_setscheduler 144 119, sched_setparam 142 118, sched_setattr 314 274
    processes: ioprio_set 251 30
    signals: kill 62 129, tkill 200 130, tgkill 234 131, rt_sigqueueinfo 129 138
    signals: rt_tgsigqueueinfo 297 240, pidfd_send_signal 424 424
    session: setsid 112 157, setpgid 109 154
    attributes: chmod 90 -, fchmod 91 52, fchmodat 268 53, fchmodat2 452 452, chown 92 -
    attributes: fchown 93 55, lchown 94 -, fchownat 260 54, setxattr 188 5, lsetxattr 189 6
    attributes: fsetxattr 190 7, removexattr 197 14, lremovexattr 198 15, fremovexattr 199 16
    attributes: truncate 76 45
    kernel: unshare 272 97, setns 308 268, clone 56 220, bpf 321 280, userfaultfd 323 282
    kernel: keyctl 250 219, add_key 248 217, request_key 249 218, prctl 157 167
    unfilterable: clone3 435 435, io_uring_setup 425 425, io_uring_enter 426 426
    unfilterable: io_uring_register 427 427
    memory: shmget 29 194, shmat 30 196, shmctl 31 195, semget 64 190, semop 65 193
    memory: semtimedop 220 192, semctl 66 191, msgget 68 186, msgsnd 69 189, msgrcv 70 188
    memory: msgctl 71 187, mq_open 240 180, mq_unlink 241 181, memfd_create 319 279
    memory: memfd_secret 447 447
"""
"""The refused calls by their purpose, each with its number on x86_64, and on the others.

`-` is none (asm-generic/unistd.h). `unfilterable` are those that do the same as others, with
arguments that a filter cannot see; `attributes` are those of files, which Landlock does not cover;
`memory` are segments and queues that outlive a process, or that no limit counts.
"""


def _read_table() -> Iterator[tuple[str, tuple[str, tuple[int | None, ...]]]]:
    for line in _TABLE.strip().split("\n"):
        purpose, _, calls = line.strip().partition(": ")
        for name, *numbers in map(str.split, calls.split(", ")):
            yield name, (purpose, tuple(None if one == "-" else int(one) for one in numbers))


CALLS = dict(_read_table())
"""The purpose and the numbers of each call."""

FIRST_UNKNOWN = 463
"""From here on calls are newer than this table, and fail as on an older kernel."""

_Step = tuple[int, int, int, int]
"""One instruction: code, instructions to skip if true and if false, operand."""

_LOAD, _SAME, _FROM, _BITS, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW: _Step = (_RETURN, 0, 0, 0x7FFF0000)
_KILL: _Step = (_RETURN, 0, 0, 0x80000000)
_REFUSE: _Step = (_RETURN, 0, 0, 0x00050000 | 1)  # EPERM
_ABSENT: _Step = (_RETURN, 0, 0, 0x00050000 | 38)  # ENOSYS: programs fall back to an older call

_STREAMS = tuple(1 | flags for flags in (0, 0o4000, 0o2000000, 0o2004000))
"""SOCK_STREAM, SOCK_NONBLOCK and SOCK_CLOEXEC: such a pair cannot be connected elsewhere."""
_CLONE_NEWUSER, _PR_SET_DUMPABLE = 0x10000000, 4


def seccomp_filter(
    machine: str, pid: int, *, network: bool, signals: bool, memory_files: bool
) -> bytes:
    """The filter for the process `pid` on a machine of `ARCHITECTURES`.

    `network` allows Internet sockets, and `memory_files` allows memfd_create(2). `signals` allows
    all signals, if Landlock restricts them; otherwise only those to its own group are allowed.
    """
    audit, column = ARCHITECTURES[machine]
    steps = [(_LOAD, 0, 0, 4), (_SAME, 1, 0, audit), _KILL]
    steps += [(_LOAD, 0, 0, 0), (_FROM, 0, 1, FIRST_UNKNOWN), _ABSENT]
    allowed = {
        "socket": (0, (2, 10) if network else ()),  # AF_INET, AF_INET6
        "socketpair": (1, _STREAMS),
        "prlimit64": (0, (0, pid)),
        "sched_setaffinity": (0, (0, pid)),
        "kill": (0, (0, pid)),
        "tgkill": (0, (pid,)),
    }
    for name, (purpose, numbers) in CALLS.items():
        unrestricted = memory_files if name == "memfd_create" else signals and purpose == "signals"
        if (number := numbers[column]) is None or unrestricted:
            continue
        if name in allowed:
            steps += _allow_only(number, *allowed[name])
        elif name == "clone":
            steps += _refuse_if(number, _BITS, _CLONE_NEWUSER)
        elif name == "prctl":
            steps += _refuse_if(number, _SAME, _PR_SET_DUMPABLE)
        else:
            refusal = _ABSENT if purpose == "unfilterable" else _REFUSE
            steps += [(_SAME, 0, 1, number), refusal]
    return b"".join(struct.pack("=HBBI", *step) for step in (*steps, _ALLOW))


def _allow_only(number: int, argument: int, good: tuple[int, ...]) -> list[_Step]:
    """Allow a call only with these values of an argument (its lower 32 bits)."""
    count = len(good)
    tests = [(_SAME, count - at, 0, value) for at, value in enumerate(good)]
    return [(_SAME, 0, count + 3, number), _load_argument(argument), *tests, _REFUSE, _ALLOW]


def _refuse_if(number: int, test: int, value: int) -> list[_Step]:
    """Refuse a call if its first argument equals `value`, or has that bit."""
    return [(_SAME, 0, 4, number), _load_argument(0), (test, 0, 1, value), _REFUSE, _ALLOW]


def _load_argument(number: int) -> _Step:
    """Load the lower half of an argument; all these machines are little-endian."""
    return (_LOAD, 0, 0, 16 + 8 * number)
