"""Control groups of engines: the files written, in a folder that stands for cgroupfs."""

import os
from pathlib import Path

import pytest

from gtp.engines import control_groups
from gtp.engines.control_groups import ControlGroups, own_group, remove


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A group that was delegated to us, with the controllers of a usual machine."""
    (tmp_path / "cgroup.procs").write_text(f"{os.getpid()}\n", "ascii")
    (tmp_path / "cgroup.controllers").write_text("cpu io memory pids\n", "ascii")
    (tmp_path / "daemon").mkdir()
    return tmp_path


def files(folder: Path) -> dict[str, str]:
    """The files of a group with their content."""
    return {path.name: path.read_text("ascii") for path in folder.iterdir() if path.is_file()}


def test_the_daemon_moves_into_a_group_below_its_own(own: Path) -> None:
    """It hands down the controllers that limit engines."""
    groups = ControlGroups(own)
    assert groups.controllers == ("pids", "memory", "cpu")
    assert files(own / "daemon") == {"cgroup.procs": str(os.getpid())}
    assert files(own)["cgroup.subtree_control"] == "+pids +memory +cpu"


def test_a_group_has_the_limits_of_its_engine(own: Path) -> None:
    """As far as there are controllers for them."""
    (own / "gnugo-1").mkdir()
    for name in ("pids.max", "memory.max", "memory.oom.group", "cpu.weight"):
        (own / "gnugo-1" / name).touch()
    group = ControlGroups(own).make("gnugo-1", tasks=64, memory=2**30)
    assert group == own / "gnugo-1"
    assert files(group) == {
        "pids.max": "64",
        "memory.max": str(2**30),
        "memory.oom.group": "1",
        "cpu.weight": str(control_groups.WEIGHT),
    }


def test_engines_run_without_groups_if_none_can_be_made(tmp_path: Path) -> None:
    """Nothing is delegated to us, or the group cannot be divided; nothing else is touched."""
    assert own_group() is None
    for folder in (None, tmp_path / "nowhere"):
        groups = ControlGroups(folder)
        assert groups.controllers == ()
        assert groups.make("gnugo-1", tasks=64, memory=0) is None


def test_removing_a_group_kills_what_is_in_it(own: Path) -> None:
    """All that is left in it is killed first."""
    (own / "gnugo-1").mkdir()
    remove(own / "gnugo-1")
    assert files(own / "gnugo-1") == {"cgroup.kill": "1"}, "cgroupfs removes what is not a folder"
