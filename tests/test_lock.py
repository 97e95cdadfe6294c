"""The lock files satisfy pyproject.toml."""

import re
import tomllib
from collections.abc import Iterator

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.support import places

PROJECT = tomllib.loads((places.ROOT / "pyproject.toml").read_text("utf-8"))
FILES = {
    "locked.txt": (),
    "locked-dev.txt": ("dev", "test", "postgresql"),
    "locked-run.txt": ("postgresql",),
    "locked-release.txt": ("release",),
}


def locked(name: str) -> dict[str, str]:
    """The packages of a lock file and their versions."""
    text = (places.ROOT / ".ci" / name).read_text("utf-8")
    entries = [entry for entry in re.split(r"(?m)^(?=[a-z0-9])", text) if entry[0] != "#"]
    assert all("--hash=sha256:" in entry for entry in entries)
    found = [re.match(r"([a-z0-9.-]+)(?:\[[a-z]+\])?==([^ ]+)", entry) for entry in entries]
    return {one[1]: one[2] for one in found if one}


def asked(
    extras: tuple[str, ...], *, builds: bool = True, runs: bool = True
) -> Iterator[Requirement]:
    """The requirements to build and run, by environment and extras."""
    lines = [*(PROJECT["build-system"]["requires"] * builds)]
    lines += PROJECT["project"]["dependencies"] * runs
    lines += [one for extra in extras for one in PROJECT["project"]["optional-dependencies"][extra]]
    yield from (Requirement(line) for line in lines if not line.startswith("godaemon["))


@pytest.mark.parametrize("name", FILES)
def test_all_requirements_are_locked(name: str) -> None:
    """To bring it up to date: .ci/lock."""
    versions = locked(name)
    runs, builds = name != "locked-release.txt", name != "locked-run.txt"
    for wanted in asked(FILES[name], builds=builds, runs=runs):
        version = versions[canonicalize_name(wanted.name)]
        assert wanted.specifier.contains(version), f"{wanted} is locked at {version}"


def test_a_package_has_one_locked_version() -> None:
    """Tests use the versions that are installed."""
    dev = locked("locked-dev.txt")
    assert locked("locked.txt").items() <= dev.items()
    assert locked("locked-run.txt").items() <= dev.items()
    shared = locked("locked-release.txt")
    assert all(dev.get(name, version) == version for name, version in shared.items())


def test_libraries_with_used_private_names_are_pinned() -> None:
    """To their minor version, by `~=` and three numbers."""
    named = {one.name: str(one.specifier) for one in asked(())}
    for library in ("aioimaplib", "aiosmtpd"):
        assert re.fullmatch(r"~=\d+\.\d+\.\d+", named[library])


def test_the_containerfile_names_existing_files() -> None:
    """Each file that config/Containerfile names in the clone."""
    recipe = (places.ROOT / "config/Containerfile").read_text("utf-8")
    named = re.findall(r"(?<= )\.ci/[a-z.-]+", recipe)
    assert len(named) == 2
    assert all((places.ROOT / one).exists() for one in named)
