"""`godaemon install-units`: the files that it installs and removes."""

import io
import re
import sysconfig
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from godaemon.cli import run
from tests.support import places

PROGRAM = Path(sysconfig.get_path("scripts"), "godaemon")
CONFIG = places.ROOT / "config"

pytestmark = pytest.mark.peer("environment")

LMTP = '[mail.lmtp]\nlisten = "unix:/run/godaemon@east/lmtp.sock"\ngroup = "mail"\n'
EAST = f"""
[mail.smtp]
listen = "[::]:25"
{LMTP}
[gtp]
group = "club"
listen = "localhost:7000"
[control]
group = "ops"
"""


def install(root: Path, *options: str) -> list[str]:
    with redirect_stdout(io.StringIO()) as output:
        assert run(["install-units", "--root", str(root), *options]) == 0
    return output.getvalue().splitlines()


def files(root: Path) -> set[str]:
    """All files and links in a folder."""
    return {str(path.relative_to(root)) for path in root.rglob("*") if not path.is_dir()}


def test_units_pages_and_examples_are_installed(tmp_path: Path) -> None:
    """The units start this environment's program."""
    output = install(tmp_path)
    there = files(tmp_path)
    for place, ours in {
        "etc/systemd/system": "systemd/*[er]",
        "usr/local/share/man/man1": "man/*.1",
        "usr/local/share/man/man5": "man/*.5",
        "usr/local/share/man/man7": "man/*.7",
        "usr/local/lib/sysusers.d": "sysusers.d/*",
        "etc/godaemon": "godaemon.toml",
        "usr/local/share/doc/godaemon/postfix": "postfix/*",
        "usr/local/share/doc/godaemon/exim": "exim/*",
        "usr/local/share/doc/godaemon/opensmtpd": "opensmtpd/*",
        "usr/local/share/doc/godaemon/haproxy": "haproxy/*",
    }.items():
        shipped = [file for file in CONFIG.glob(ours) if file.is_file()]
        assert shipped
        for file in shipped:
            assert f"{place}/{file.name}" in there
            assert f"installed:   {tmp_path}/{place}/{file.name}" in output
    for unit in ("godaemon.service", "godaemon-backup.service"):
        text = (tmp_path / "etc/systemd/system" / unit).read_text("utf-8")
        assert f"{PROGRAM} " in text
        assert "/opt/godaemon/bin/godaemon " not in text.replace(str(PROGRAM), "")
    assert (tmp_path / "usr/local/bin/godaemon").readlink() == PROGRAM


def test_a_package_installs_below_its_prefix(tmp_path: Path) -> None:
    """Only the configuration goes elsewhere; all is removed again."""
    install(tmp_path, "--prefix", "/usr")
    there = files(tmp_path)
    assert {one.partition("/")[0] for one in there} == {"etc", "usr"}
    assert [one for one in there if one.startswith("etc")] == ["etc/godaemon/godaemon.toml"]
    for place in (
        "bin/godaemon",
        "lib/systemd/system/godaemon.service",
        "lib/sysusers.d/godaemon.conf",
        "share/bash-completion/completions/godaemon",
        "share/doc/godaemon/metrics/alerts.yml",
        "share/fish/vendor_completions.d/godaemon.fish",
        "share/man/man5/godaemon.toml.5",
        "share/zsh/site-functions/_godaemon",
    ):
        assert f"usr/{place}" in there
    output = install(tmp_path, "--prefix", "/usr", "--remove")
    assert not list(tmp_path.rglob("*godaemon*"))
    assert not [line for line in output if line.startswith("left alone")]


def test_socket_units_follow_the_configuration(tmp_path: Path) -> None:
    """Addresses and groups, for each daemon; unused ones are removed."""
    units = tmp_path / "etc/systemd/system"
    install(tmp_path)
    assert {path.name for path in units.glob("*.socket")} == {
        *("godaemon-smtp.socket", "godaemon-gtp.socket", "godaemon-control.socket")
    }
    assert option(units / "godaemon-smtp.socket", "ListenStream") == "127.0.0.1:8025"
    assert option(units / "godaemon-gtp.socket", "SocketGroup") == "godaemon-gtp"
    assert option(units / "godaemon-control.socket", "SocketMode") == "0600"
    other = tmp_path / "etc/godaemon/godaemon@east.toml"
    other.write_text(EAST, encoding="utf-8")
    install(tmp_path)
    found = {path.name: path for path in units.glob("godaemon@east-*.socket")}
    assert {name: option(path, "ListenStream") for name, path in found.items()} == {
        "godaemon@east-smtp.socket": "[::]:25",
        "godaemon@east-lmtp.socket": "/run/godaemon@east/lmtp.sock",
        "godaemon@east-gtp.socket": "/run/godaemon@east/gtp.sock",
        "godaemon@east-control.socket": "/run/godaemon@east/control.sock",
    }, "systemd knows no names of hosts"
    assert {option(path, "Service") for path in found.values()} == {"godaemon@east.service"}
    control = found["godaemon@east-control.socket"]
    assert (option(control, "SocketMode"), option(control, "SocketGroup")) == ("0660", "ops")
    assert option(found["godaemon@east-gtp.socket"], "SocketGroup") == "club"
    lmtp = found["godaemon@east-lmtp.socket"]
    assert (option(lmtp, "SocketMode"), option(lmtp, "SocketGroup")) == ("0660", "mail")
    other.write_text(EAST.replace(LMTP, ""), encoding="utf-8")
    assert f"removed:     {units}/godaemon@east-lmtp.socket" in install(tmp_path, "--sockets")


def option(unit: Path, name: str) -> str:
    """The one value of an option."""
    (value,) = re.findall(rf"(?m)^{name}=(.*)$", unit.read_text("utf-8"))
    return str(value)


def test_installing_again_replaces_only_old_units(tmp_path: Path) -> None:
    """The configuration belongs to the operator."""
    install(tmp_path)
    unit = tmp_path / "etc/systemd/system/godaemon.service"
    ours = unit.read_text("utf-8")
    unit.write_text("[Service]\n", encoding="utf-8")
    own = tmp_path / "etc/godaemon/godaemon.toml"
    own.write_text("# mine\n", encoding="utf-8")
    output = install(tmp_path)
    assert not [line for line in output if line.startswith("installed")]
    assert f"replaced:    {unit}; the old file is godaemon.service.old" in output
    assert unit.with_name("godaemon.service.old").read_text("utf-8") == "[Service]\n"
    assert "systemctl daemon-reload && systemctl restart godaemon" in output[-1]
    assert unit.read_text("utf-8") == ours
    assert own.read_text("utf-8") == "# mine\n"


def test_changed_files_are_not_removed(tmp_path: Path) -> None:
    """All others are; a changed configuration is named."""
    install(tmp_path)
    own = tmp_path / "etc/godaemon/godaemon.toml"
    own.write_text("# mine\n", encoding="utf-8")
    own.with_name("godaemon.toml.old").write_text("# mine, too\n", encoding="utf-8")
    output = install(tmp_path, "--remove")
    assert files(tmp_path) == {"etc/godaemon/godaemon.toml", "etc/godaemon/godaemon.toml.old"}
    assert f"left alone:  {own}, which somebody has changed" in output


def test_the_command_of_another_environment_is_left_alone(tmp_path: Path) -> None:
    """It has the name already."""
    (tmp_path / "usr/local/bin").mkdir(parents=True)
    (tmp_path / "usr/local/bin/godaemon").write_text("#!/bin/sh\n", encoding="ascii")
    assert any("belongs to another environment" in line for line in install(tmp_path))
    install(tmp_path, "--remove")
    assert files(tmp_path) == {"usr/local/bin/godaemon"}
