"""The built packages: files of the wheel and the source archive, and their version."""

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.support import places

CONFIG = places.ROOT / "config"
FILES = ("pyproject.toml", "README.md", "LICENSE")
"""Files that a build needs; an empty folder stands for each room."""


def run(folder: Path, *command: str) -> str:
    """The output of a command in a folder, without the user's git settings."""
    mine = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    for role in ("AUTHOR", "COMMITTER"):
        mine |= {f"GIT_{role}_NAME": "Alice", f"GIT_{role}_EMAIL": "alice@example.org"}
    done = subprocess.run(
        command, cwd=folder, env=os.environ | mine, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def version(folder: Path) -> str:
    """The output of `godaemon --version` if this is installed."""
    return run(folder, sys.executable, "-m", "hatchling", "version")


def build(folder: Path, what: str, into: Path) -> Path:
    run(folder, sys.executable, "-m", "hatchling", "build", "-t", what, "-d", str(into))
    (built,) = into.iterdir()
    return built


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A project with one commit and no tag."""
    folder = tmp_path / "clone"
    for name in ("godaemon/engine/data", "gtp", "mailgate", "config", "tests"):
        (folder / name).mkdir(parents=True)
    for name in FILES:
        shutil.copy(places.ROOT / name, folder)
    run(folder, "git", "init", "-q")
    run(folder, "git", "add", ".")
    run(folder, "git", "commit", "-qm", "One")
    return folder


def test_the_version_names_tag_or_commit(clone: Path, tmp_path: Path) -> None:
    """The tag on it, else the commit; none for a mere copy."""
    commit = run(clone, "git", "rev-parse", "HEAD")[:8]
    assert version(clone).startswith(f"0.1.dev1+g{commit}")
    run(clone, "git", "tag", "v1.2.0")
    assert version(clone) == "1.2.0"
    (clone / "README.md").write_text("changed\n", encoding="utf-8")
    assert version(clone).startswith(f"1.2.1.dev0+g{commit}")
    run(clone, "git", "commit", "-qam", "Two")
    after = version(clone)
    assert after.startswith("1.2.1.dev1+g")
    with tarfile.open(build(clone, "sdist", tmp_path / "sdist")) as source:
        source.extractall(tmp_path / "source", filter="data")
    (unpacked,) = (tmp_path / "source").iterdir()
    assert version(unpacked) == after
    shutil.rmtree(clone / ".git")
    assert version(clone) == "0.0"


def test_the_wheel_contains_config_and_no_tests(tmp_path: Path) -> None:
    """`godaemon install-units` installs from config/."""
    with zipfile.ZipFile(build(places.ROOT, "wheel", tmp_path / "wheel")) as wheel:
        names = wheel.namelist()
        shipped = [file for file in CONFIG.rglob("*") if file.is_file()]
        assert shipped
        for file in shipped:
            inside = f"godaemon/shipped/{file.relative_to(CONFIG)}"
            assert wheel.read(inside) == file.read_bytes()
    assert not [name for name in names if name.startswith("tests/")]
    assert "godaemon/daemon/troubles.toml" in names
