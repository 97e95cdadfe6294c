"""A real systemd, booted by systemd-nspawn in an overlay of this machine's root folder.

It shares this machine's network. Needs root, systemd-container and the overlay file system.
Leaving the `with` block powers it off and removes the overlay. Only one box at a time: two would
share a control group.
"""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.support import places
from tests.support.players import MailPlayer
from tests.support.waiting import PATIENCE

CHECKOUT = places.ROOT
CAP_SYS_ADMIN = 1 << 21
_LANDLOCK = "landlock_create_ruleset landlock_add_rule landlock_restrict_self"
_ENTER = ("nsenter", "--all", "--root", "--wd")
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def missing() -> str:
    """What a box needs and this machine lacks; "" for nothing."""
    if os.geteuid() != 0 or not _capabilities() & CAP_SYS_ADMIN:
        return "root"
    if "overlay" not in Path("/proc/filesystems").read_text(encoding="ascii"):
        return "the overlay file system"
    for program in ("systemd-nspawn", "systemd-analyze", "nsenter"):
        if shutil.which(program) is None:
            return program
    return "" if Path("/usr/bin/python3").exists() else "/usr/bin/python3"


def _capabilities() -> int:
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("CapEff:"):
            return int(line.split()[1], 16)
    return 0


@dataclass(frozen=True)
class Box:
    """A running systemd; `root` is its root folder as seen from here, `leader` the pid of init."""

    root: Path
    leader: int

    def command(self, *command: str) -> list[str]:
        return [*_ENTER, f"--target={self.leader}", *command]

    def run(self, *command: str, check: bool = True, timeout: float = PATIENCE) -> str:
        """Run a command inside; returns its output, and raises `AssertionError` if it fails."""
        done = subprocess.run(
            self.command(*command),
            check=False,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={"PATH": PATH, "LC_ALL": "C.UTF-8"},
            timeout=timeout,
        )
        assert not check or done.returncode == 0, f"{command} gave {done.returncode}: {done.stdout}"
        return done.stdout.strip()

    def property(self, name: str, unit: str = "godaemon") -> str:
        """A property of a unit, from `systemctl show`."""
        return self.run("systemctl", "show", "--value", "--property", name, unit)

    def signal(self, name: str) -> None:
        """Send a signal (KILL, STOP) to the daemon's main process."""
        self.run("systemctl", "kill", f"--signal={name}", "--kill-who=main", "godaemon")

    def wait(self, name: str, wanted: str, *, seconds: float = PATIENCE) -> None:
        """Wait until a property of the unit has a value; a failure shows the journal."""
        deadline = time.monotonic() + seconds
        while (value := self.property(name)) != wanted:
            hopeless = wanted != "failed" and self.property("ActiveState") == "failed"
            late = hopeless or time.monotonic() > deadline
            assert not late, f"{name} is {value}, not {wanted}:\n{self.journal()}"
            time.sleep(0.05)

    def people(self, port: int, place: str) -> tuple[MailPlayer, MailPlayer]:
        """Alice and Bob with addresses in the domain `place`.example."""
        mail = self.root / "var/lib/private/godaemon/mail"
        alice, bob = (
            MailPlayer(f"{name.lower()}@{place}.example", name, port, mail)
            for name in ("Alice", "Bob")
        )
        return alice, bob

    def journal(self) -> str:
        """The journal of the service, with all that it has written so far."""
        self.run("journalctl", "--sync")
        return self.run("journalctl", "--no-pager", "--unit", "godaemon", "--lines", "200")


@contextlib.contextmanager
def boot() -> Iterator[Box]:
    """Boot a box with this checkout installed as README.md says."""
    with _overlay() as root:
        _install(root)
        with _nspawn(root) as leader:
            yield Box(root, leader)


@contextlib.contextmanager
def _overlay() -> Iterator[Path]:
    """An overlay of / whose upper layer is in memory."""
    folder = Path(tempfile.mkdtemp(prefix="godaemon-box-"))
    layers, root = folder / "layers", folder / "root"
    layers.mkdir()
    root.mkdir()
    try:
        _run("mount", "-t", "tmpfs", "-o", "mode=0755", "tmpfs", str(layers))
        (layers / "upper").mkdir()
        (layers / "work").mkdir()
        options = f"lowerdir=/,upperdir={layers}/upper,workdir={layers}/work"
        _run("mount", "-t", "overlay", "-o", options, "overlay", str(root))
        yield root
    finally:
        for mounted in (root, layers):
            subprocess.run(["umount", "--lazy", mounted], check=False, stderr=subprocess.DEVNULL)
            mounted.rmdir()
        for lock in folder.glob(".#root.lck"):  # left by a killed systemd-nspawn
            lock.unlink()
        folder.rmdir()


def commands_after(heading: str, page: str = "README.md") -> list[str]:
    """The commands in the first block of `# ` lines after a heading of a page."""
    after = (CHECKOUT / page).read_text("utf-8").partition(heading)[2].replace(r"\-", "-")
    block = re.search(r"(?m)(?:^# .*\n)+", after)
    return re.findall(r"(?m)^# (.*)$", block[0] if block else "")


def _install(root: Path) -> None:
    """Install godaemon in the overlay with the commands of README.md."""
    (root / "etc/machine-id").write_text("")
    (root / "etc/systemd/system/timers.target").symlink_to("/dev/null")  # no apt timers
    source = root / "opt/src"
    shutil.copytree(CHECKOUT, source, ignore=shutil.ignore_patterns(".*", "__pycache__"))
    shutil.rmtree(root / "opt/godaemon", ignore_errors=True)
    for line in commands_after("## For operators"):
        script = f"cd /opt/src && PATH=/usr/sbin:/usr/bin && {line}"
        _run("chroot", str(root), "/bin/sh", "-ec", script)


@contextlib.contextmanager
def _nspawn(root: Path) -> Iterator[int]:
    """Boot to basic.target, without this machine's services; yields the pid of init."""
    command = ["systemd-nspawn", "--quiet", "--register=no", "--keep-unit"]
    command += ["--machine", "godaemon-box", "--directory", str(root), "--boot"]
    command += [f"--system-call-filter={_LANDLOCK}"]  # which systemd-nspawn blocks by default
    console = root.parent / "layers/console"
    with console.open("wb") as output:
        nspawn = subprocess.Popen(
            [*command, "--", "--unit=basic.target"],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            env=dict(os.environ, SYSTEMD_NSPAWN_UNIFIED_HIERARCHY="1"),
        )
    leader = 0
    try:
        leader = _leader(nspawn, console)
        yield leader
    finally:
        if leader:
            os.kill(leader, signal.SIGRTMIN + 4)  # systemd(1): poweroff.target
        with contextlib.suppress(subprocess.TimeoutExpired):
            nspawn.wait(20 if leader else 0)
        nspawn.kill()
        nspawn.wait()
        _sweep_cgroups()


def _sweep_cgroups() -> None:
    """Remove the empty control groups that systemd-nspawn leaves behind."""
    for hierarchy in ("", "unified", "systemd"):
        for name in ("payload", "supervisor"):
            group = Path("/sys/fs/cgroup", hierarchy, name)
            for folder, _, _ in os.walk(group, topdown=False):
                with contextlib.suppress(OSError):  # not empty: another process uses it
                    Path(folder).rmdir()


def _leader(nspawn: subprocess.Popen[bytes], console: Path) -> int:
    """Wait until systemd has booted; returns the pid of the box's init."""
    children = Path(f"/proc/{nspawn.pid}/task/{nspawn.pid}/children")
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        assert nspawn.poll() is None, console.read_text(encoding="utf-8", errors="replace")
        for child in children.read_text(encoding="ascii").split():
            enter = [*_ENTER, f"--target={child}", "systemctl", "is-system-running"]
            state = subprocess.run(
                enter, check=False, capture_output=True, text=True
            ).stdout.strip()
            if state in {"running", "degraded"}:
                return int(child)
        time.sleep(0.05)
    written = console.read_text(encoding="utf-8", errors="replace")
    message = f"the box did not finish booting: {written}"
    raise AssertionError(message)


def _run(*command: str) -> None:
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, f"{command} gave {done.returncode}: {done.stdout}{done.stderr}"
