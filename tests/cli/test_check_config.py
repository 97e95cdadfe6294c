"""`godaemon check-config`: the files and programs that a configuration names."""

import contextlib
import os
import re
import shutil
import socket
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from godaemon.cli.check_config import check_config, defaults_notice, unread_files
from godaemon.config.loading import parse
from godaemon.engine.network import BUILT_IN_NETWORK
from godaemon.errors import ConfigError, Temporary
from godaemon.storage.database import store_url
from godaemon.storage.identity import open_store
from godaemon.system.sockets import listening_socket
from tests.support import places
from tests.support.certificate import make_certificate
from tests.support.daemon import free_port
from tests.support.dkim_keys import private_key

pytestmark = pytest.mark.peer("openssl")


@pytest.fixture(autouse=True)
def outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """An operator's shell, without the credentials of the service."""
    monkeypatch.delenv("CREDENTIALS_DIRECTORY", raising=False)


def written(folder: Path, text: str) -> Path:
    """A configuration file with this text and the options that it needs."""
    file = folder / "godaemon.toml"
    smtp = "" if "[mail.smtp]" in text else '[mail.smtp]\nlisten = "127.0.0.1:0"\n'
    file.write_text(f'state_directory = "{folder}"\n{text}{smtp}', encoding="utf-8")
    return file


def signing(folder: Path, key: bytes | None, mode: int = 0o600) -> Path:
    """A configuration with a DKIM key file, which may be wrong or missing."""
    place = folder / "dkim.key"
    if key is not None:
        place.write_bytes(key)
        place.chmod(mode)
    return written(
        folder,
        '[mail.outgoing]\nsmarthost = "smtp://127.0.0.1"\ndkim_selector = "go"\n'
        f'dkim_key = {{ file = "{place}" }}\n',
    )


def test_a_sound_configuration_is_right(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A key, a certificate and a password are read; one line is printed."""
    certificate, key = make_certificate(tmp_path)
    password = tmp_path / "password"
    password.write_text("secret\n")
    password.chmod(0o600)
    file = signing(tmp_path, private_key())
    more = f'tls_certificate = {{ file = "{certificate}" }}\n'  # of [mail.smtp]
    more += f'tls_key = {{ file = "{key}" }}\n[mail.imap]\nhost = "localhost"\nuser = "go"\n'
    file.write_text(file.read_text() + f'{more}password = {{ file = "{password}" }}\n')
    check_config(file)
    assert capsys.readouterr().out == f"{file} is right.\n"


@pytest.mark.parametrize(
    ("key", "mode", "why"),
    [
        (None, 0, "cannot be read: No such file or directory"),
        (b"nonsense", 0o600, "must be an RSA private key"),
        (b"-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2Vw\n-----END", 0o600, "Ed25519"),
        (b"x", 0o644, "Other users of this machine can read"),
        (
            b"-----BEGIN CERTIFICATE-----",
            0o644,
            "has a certificate: write the file of the key here",
        ),
    ],
)
def test_an_unusable_dkim_key_is_refused(
    tmp_path: Path, key: bytes | None, mode: int, why: str
) -> None:
    """The error names the line, before a daemon starts with it."""
    file = signing(tmp_path, key, mode)
    with pytest.raises(ConfigError, match=why) as caught:
        check_config(file)
    assert caught.value.public.startswith(f"{file}:5: mail.outgoing.dkim_key: ")


def test_a_secret_does_not_replace_the_credential_of_another_option(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bug: a key for Go programs, in a file named dkim, was to be copied over the DKIM key."""
    _, original = make_certificate(tmp_path)
    key = original.rename(tmp_path / "dkim")
    key.chmod(0o644)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    os.chown(tmp_path, os.getuid() or 1000, -1)
    halves = "".join(f'tls_{half} = {{ file = "{key}" }}\n' for half in ("key", "certificate"))
    file = written(tmp_path, f'[gtp]\nlisten = "127.0.0.1:0"\n{halves}')
    with pytest.raises(ConfigError, match=r"godaemon\.gtp\.tls_key`; run .systemctl"):
        check_config(file)


def test_a_secret_among_the_credentials_is_not_installed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bug: it was to be copied onto itself."""
    file = signing(tmp_path, private_key(), 0o644)
    key = (tmp_path / "dkim.key").rename(tmp_path / "godaemon.dkim")
    file.write_text(file.read_text().replace("dkim.key", key.name))
    monkeypatch.setattr("godaemon.cli.check_config.CREDENTIALS", tmp_path)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    os.chown(tmp_path, os.getuid() or 1000, -1)
    with pytest.raises(ConfigError, match=r"Make it a credential: write \{ credential = .dkim"):
        check_config(file)


def _a_file(state: Path) -> None:
    shutil.rmtree(state)
    state.touch()


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda state: (state / "token.key").chmod(0o644), "chmod 600"),
        (lambda state: (state / "token.key").unlink(), "is missing"),
        (lambda state: (state / "token.key").write_bytes(b"x" * 32), "is another store's"),
        (lambda state: (state / "godaemon.db").unlink(), "database is missing"),
        (_a_file, "File exists. Give it to the user"),
    ],
)
def test_an_unusable_state_folder_is_refused(
    tmp_path: Path, spoil: Callable[[Path], None], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """With its line; checking changes nothing."""
    state = tmp_path / "state"
    file = tmp_path / "godaemon.toml"
    file.write_text(f'state_directory = "{state}"\n', encoding="utf-8")
    check_config(file)
    assert f"{state} does not exist: the daemon will make it" in capsys.readouterr().out
    assert not state.exists()
    open_store(store_url(state), state).close()
    check_config(file)
    spoil(state)
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(ConfigError, match=rf"^{file}:1: state_directory: .*{re.escape(why)}"):
        check_config(file)
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("folder", ["/proc/x/y", "/dev/null/y"])
def test_an_impossible_state_folder_is_refused(tmp_path: Path, folder: str) -> None:
    """Bug: below /proc, where root may write but not create, it passed."""
    file = tmp_path / "godaemon.toml"
    file.write_text(f'state_directory = "{folder}"\n', encoding="utf-8")
    error = rf":1: state_directory: The state folder {folder} cannot be written to: "
    with pytest.raises(ConfigError, match=error):
        check_config(file)


def test_a_read_only_file_system_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bug: permission was said to be denied."""
    file = written(tmp_path, "")
    monkeypatch.setattr(os, "access", lambda *_: False)
    monkeypatch.setattr(os, "statvfs", lambda _: SimpleNamespace(f_flag=os.ST_RDONLY))
    with pytest.raises(ConfigError, match=r": Read-only file system\. Mount it for writing"):
        check_config(file)


@pytest.mark.parametrize("section", ["mail.smtp", "mail.lmtp", "gtp", "metrics"])
def test_an_address_that_cannot_be_listened_at_is_refused(tmp_path: Path, section: str) -> None:
    """Bug: a port in use and an unknown name passed."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        for place, why in (
            (f"127.0.0.1:{port}", "in use. Stop the program that listens there"),
            ("go.invalid:1", "Write a name that this machine can resolve"),
        ):
            with contextlib.suppress(ConfigError):  # where others may not come in at all
                more = "without_tls = true\n" if section == "gtp" else ""
                parse(f'[{section}]\nlisten = "{place}"\n{more}', "", {})
                file = written(tmp_path, f'[{section}]\nlisten = "{place}"\n{more}')
                with pytest.raises(ConfigError, match=rf":3: {section}.listen: .*{why}"):
                    check_config(file)


@pytest.mark.parametrize(
    ("text", "reported"),
    [("", True), ("# a remark\n", True), ("[mail]\n", True), ("[mail]\nname = 'x'\n", False)],
)
def test_a_file_without_options_is_reported(tmp_path: Path, text: str, reported: bool) -> None:
    """Bug: it was called right, as if it had the options in force."""
    file = tmp_path / "godaemon.toml"
    file.write_text(text, encoding="utf-8")
    notice = f"{file} has no options: the defaults apply; to see them: godaemon config --effective"
    assert [one.startswith(notice) for one in defaults_notice(file)] == [True] * reported


def test_an_unreachable_database_server_is_refused(tmp_path: Path) -> None:
    """With other faults; bug: neither the option nor the error of the server was named."""
    url = f"postgresql://godaemon:hush@/godaemon?host={tmp_path}"
    file = written(tmp_path, f'database_url = "{url}"\n')
    why = rf"^{file}:2: database_url: .*{tmp_path}/.* Check "
    file.chmod(0o640)
    with pytest.raises(Temporary, match=why):
        check_config(file)
    file = written(tmp_path, f'database_url = "{url}"\n[engines]\nopinion = "no"\n')
    file.chmod(0o644)
    why = rf"^{file}: database_url: Others .* the database's password: run .*\n{why[1:]}"
    why += r".*\n.*:4: engines.opinion: There is no such engine"
    with pytest.raises(ConfigError, match=why):
        check_config(file)


UNUSABLE = (places.DATA / "config/unusable.txt").read_text("utf-8").split("\n\n")[1:]


@pytest.mark.parametrize("case", UNUSABLE)
def test_all_faults_are_reported_with_their_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], case: str
) -> None:
    """At once; a correct file has none, but may have warnings."""
    text, *faults = case.rstrip("\n").split("\n=> ")
    file = written(tmp_path, text.replace("{network}", str(BUILT_IN_NETWORK)) + "\n")
    try:
        check_config(file)
    except ConfigError as refusal:
        found = refusal.public.splitlines()
    else:
        *found, verdict = capsys.readouterr().out.splitlines()
        warned = [line for line in found if not line.endswith("not checked.")]
        right = "can be used; see the warnings above" if warned else "is right"
        assert verdict == f"{file} {right}."
    assert len(found) == len(faults), found
    assert all(re.search(fault, line) for fault, line in zip(faults, found, strict=True)), found


def test_a_state_folder_of_another_user_is_not_checked(tmp_path: Path) -> None:
    """Bug: it was called right, although nothing in it can be seen."""
    state, file = tmp_path / "state", tmp_path / "godaemon.toml"
    file.write_text(f'state_directory = "{state}"\n', encoding="utf-8")
    state.mkdir()
    settings = parse(file.read_text(), "", {})
    assert [*unread_files(settings)] == []
    user = os.geteuid()
    state.chmod(0)
    os.seteuid(user or 65534)
    try:
        (line,) = unread_files(settings)
    finally:
        os.seteuid(user)
        state.chmod(0o700)
    assert line.startswith(f"This user cannot look into {state}")


def test_without_plus_addressing_the_address_may_have_the_full_length(tmp_path: Path) -> None:
    """Of the 64 characters that mail servers take."""
    address = f"{'g' * 64}@go.example"
    file = written(tmp_path, f'[mail]\nplus_addressing = false\naddress = "{address}"\n')
    check_config(file)
    with pytest.raises(ConfigError, match=r":4: mail.address: .*too long"):
        check_config(written(tmp_path, file.read_text().replace("ggg@", "gggg@").split("\n", 1)[1]))


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_our_own_listener_is_refused_as_smarthost(tmp_path: Path, host: str) -> None:
    """Bug: each email was lost as if its recipient were unknown."""
    port = free_port()
    ours = f'[mail.smtp]\nlisten = "127.0.0.1:{port}"\n[mail.outgoing]\nsmarthost = "smtp://{host}:'
    with pytest.raises(ConfigError, match="our own listener"):
        check_config(written(tmp_path, f'{ours}{port}"\n'))
    check_config(written(tmp_path, f'{ours}25"\n'))


@pytest.mark.parametrize("section", ["gtp", "control"])
def test_a_socket_does_not_replace_a_file(tmp_path: Path, section: str) -> None:
    """Bug: the key of a site was lost when its path was configured as a socket."""
    key = tmp_path / "token.key"
    key.write_bytes(b"k" * 32)
    with pytest.raises(ConfigError, match=rf":3: {section}\.socket: {key} exists, and is not"):
        check_config(written(tmp_path, f'[{section}]\nsocket = "{key}"\n'))
    with pytest.raises(ConfigError, match="is not a socket"):
        listening_socket(key, mode=0o600)
    assert key.read_bytes() == b"k" * 32
