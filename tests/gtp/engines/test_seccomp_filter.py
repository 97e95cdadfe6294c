"""The table of system calls agrees with libseccomp."""

import ctypes

import pytest

from gtp.engines.seccomp_filter import ARCHITECTURES, CALLS, FIRST_UNKNOWN, seccomp_filter

NEWER = {"fchmodat2"}
"""What the library of Debian 12 does not know yet."""


@pytest.mark.peer("libseccomp")
@pytest.mark.parametrize("machine", ["x86_64", "aarch64", "riscv64"])
def test_the_numbers_of_system_calls_agree_with_libseccomp(machine: str) -> None:
    """On each architecture that the library of Debian 12 knows."""
    library = ctypes.CDLL("libseccomp.so.2")
    audit, column = ARCHITECTURES[machine]
    assert library.seccomp_arch_resolve_name(machine.encode()) & 0xFFFFFFFF == audit
    for name, (_, numbers) in CALLS.items():
        known = library.seccomp_syscall_resolve_name_arch(audit, name.encode())
        if name not in NEWER and not (machine == "riscv64" and name == "memfd_secret"):
            assert (known if known >= 0 else None) == numbers[column], name


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_every_jump_stays_inside_the_filter(machine: str) -> None:
    """The kernel would refuse it otherwise; no call of the table counts as unknown."""
    code = seccomp_filter(machine, 4711, network=False, signals=False, memory_files=False)
    steps = [code[at : at + 8] for at in range(0, len(code), 8)]
    assert len(steps) <= 4096
    for at, step in enumerate(steps):
        assert at + 1 + max(step[2], step[3]) < len(steps) or step[0] == 0x06
    assert max(number for _, pair in CALLS.values() for number in pair if number) < FIRST_UNKNOWN
