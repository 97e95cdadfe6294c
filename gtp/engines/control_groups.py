"""A control group for each engine, if the service manager allows it (cgroups(7), v2).

With `Delegate=` of systemd the daemon may divide its own group. A group that contains processes
cannot be divided (cgroups(7), "no internal processes"), so the daemon first moves into a child
group. Otherwise nothing is changed, and only the keeper of `sandbox` limits engines.
"""

import os
from contextlib import suppress
from pathlib import Path

import structlog

CONTROLLERS = ("pids", "memory", "cpu")
WEIGHT = 20
"""An engine's CPU weight when processors are scarce; the daemon's is 100."""
_MOUNT = Path("/sys/fs/cgroup")
_log = structlog.get_logger("godaemon.engine")


class ControlGroups:
    """The engines' groups below our own; `controllers` are those that limit them."""

    def __init__(self, own: Path | None) -> None:
        self._own = own
        self.controllers: tuple[str, ...] = ()
        if own is not None:
            try:
                self.controllers = _divide(own)
            except OSError as fault:
                _log.warning("engine.no-control-groups", detail=str(fault))
                self._own = None

    def make(self, name: str, *, tasks: int, memory: int) -> Path | None:
        """Create an empty group with these limits (0 bytes: no limit); None if that fails."""
        if self._own is None:
            return None
        group = self._own / name
        limits = {"pids.max": tasks, "memory.oom.group": 1, "cpu.weight": WEIGHT}
        if memory:
            limits |= {"memory.max": memory, "memory.swap.max": 0}
        try:
            group.mkdir(exist_ok=True)
            for file, value in limits.items():
                if (group / file).exists():  # only if its controller is enabled
                    (group / file).write_text(str(value), "ascii")
        except OSError as fault:
            _log.warning("engine.no-control-group", detail=str(fault))
            return None
        return group


NO_GROUPS = ControlGroups(None)


def remove(group: Path) -> None:
    """Kill all processes of a group, and remove it."""
    with suppress(OSError):
        (group / "cgroup.kill").write_text("1", "ascii")
    with suppress(OSError):
        group.rmdir()


def own_group() -> Path | None:
    """Our group in the v2 hierarchy; None if it was not delegated to us."""
    with suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text("ascii").splitlines():
            if line.startswith("0::/"):
                group = _MOUNT / line.removeprefix("0::/")
                if os.getxattr(group, "user.delegate") == b"1":
                    return group
    return None


def _divide(own: Path) -> tuple[str, ...]:
    """Move all our processes into a child group, and enable the controllers for its siblings."""
    (own / "daemon").mkdir(exist_ok=True)
    for pid in (own / "cgroup.procs").read_text("ascii").split():
        (own / "daemon/cgroup.procs").write_text(pid, "ascii")
    available = (own / "cgroup.controllers").read_text("ascii").split()
    controllers = tuple(name for name in CONTROLLERS if name in available)
    if controllers:
        words = " ".join(f"+{name}" for name in controllers)
        (own / "cgroup.subtree_control").write_text(words, "ascii")
    return controllers
