"""The configuration file: its meaning, and the errors in a wrong one."""

import contextlib
import os
from pathlib import Path
from unittest.mock import Mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from godaemon.config import config_file
from godaemon.config.config_file import fill_defaults, find_config
from godaemon.config.loading import load, load_private, parse
from godaemon.config.mistakes import key_lines, option_names
from godaemon.config.section import Secret
from godaemon.config.settings import Settings
from godaemon.errors import ConfigError
from tests.support import places
from tests.support.rows import each_row

ROOT, DATA = places.ROOT, places.DATA / "config"

SERVICE = {"STATE_DIRECTORY": "/var/lib/godaemon:/other", "RUNTIME_DIRECTORY": "/run/godaemon"}


@pytest.fixture(autouse=True)
def _no_system_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Keep the configuration of the machine that runs the tests out of them."""
    monkeypatch.setattr(config_file, "SYSTEM_FILE", tmp_path / "etc" / "godaemon.toml")


def read(tmp_path: Path, text: str) -> Settings:
    """The settings of a file with this text, read as the service would read it."""
    file = tmp_path / "g.toml"
    file.write_text(text, encoding="utf-8")
    return load(file, SERVICE)


def test_defaults_of_the_service() -> None:
    """Without a file the service keeps all it has in the folders that systemd made for it."""
    settings = load(None, SERVICE)
    assert settings.state_directory == Path("/var/lib/godaemon")
    assert settings.database_url == "sqlite:////var/lib/godaemon/godaemon.db"
    assert settings.mail.outgoing.maildir == Path("/var/lib/godaemon/mail")
    assert settings.gtp.socket == Path("/run/godaemon/gtp.sock")
    assert settings.control.socket == Path("/run/godaemon/control.sock")
    assert settings.mail.address == "go@localhost"
    assert settings.mail.smtp.address == ("127.0.0.1", 8025)


LMTP = '[mail.lmtp]\nlisten = "unix:/run/l.sock"\n'
IMAP = '[mail.imap]\nhost = "i.example"\nuser = "go"\npassword = { file = "/p" }\n'
EVERYWHERE = {"smtp": ("127.0.0.1", 8025)}


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("", EVERYWHERE),
        ("[mail.smtp]\nsize_limit = 20000\n", EVERYWHERE),
        ('[mail.smtp]\nlisten = ""\n', {}),
        (LMTP, {"lmtp": Path("/run/l.sock")}),
        (f"[mail.smtp]\nsize_limit = 20000\n{LMTP}", {"lmtp": Path("/run/l.sock")}),
        (IMAP, {}),
        (f'[mail.smtp]\nlisten = "127.0.0.1:25"\n{IMAP}', {"smtp": ("127.0.0.1", 25)}),
        (f'{LMTP}[mail.smtp]\nlisten = ""\n', {"lmtp": Path("/run/l.sock")}),
        ('[mail.lmtp]\nlisten = ""\n', EVERYWHERE),
        ('[gtp]\nlisten = ""\n[metrics]\nlisten = ""\n', EVERYWHERE),
    ],
)
def test_smtp_is_the_default_listener(tmp_path: Path, text: str, where: dict[str, object]) -> None:
    """Bug: it could not be turned off beside LMTP and IMAP."""
    found = read(tmp_path, text).listeners
    assert {name: found[name] for name in found if name not in {"gtp", "control"}} == where


@pytest.mark.parametrize(
    ("environ", "folder"),
    [
        ({"HOME": "/home/ann"}, "/home/ann/.local/state/godaemon"),
        ({"HOME": "/home/ann", "XDG_STATE_HOME": "/data"}, "/data/godaemon"),
        ({"HOME": "/home/ann", "XDG_STATE_HOME": "data"}, "/home/ann/.local/state/godaemon"),
        ({"HOME": "/home/ann", "STATE_DIRECTORY": "/srv/go"}, "/srv/go"),
    ],
)
def test_defaults_without_systemd(environ: dict[str, str], folder: str) -> None:
    """Everything, sockets too, is in the XDG state folder."""
    settings = load(None, environ)
    assert str(settings.state_directory) == folder
    assert str(settings.gtp.socket) == f"{folder}/gtp.sock"


def test_a_state_directory_moves_its_contents(tmp_path: Path) -> None:
    """The database and the Maildirs."""
    settings = read(tmp_path, 'state_directory = "/srv/go"')
    assert settings.database_url == "sqlite:////srv/go/godaemon.db"
    assert settings.mail.outgoing.maildir == Path("/srv/go/mail")


def test_a_service_instance_has_its_own_folders(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands with its file find its state and sockets where systemd has them."""
    file, home = "/etc/godaemon/godaemon@east.toml", {"HOME": "/home/op"}
    monkeypatch.setattr(config_file, "SYSTEM_FILE", "/etc/godaemon/godaemon.toml")
    found = fill_defaults({}, config_file.service_environ(file, home))
    assert found["state_directory"] == "/var/lib/godaemon@east"
    assert found["control"] == {"socket": "/run/godaemon@east/control.sock"}
    assert config_file.service_environ("/home/op/godaemon@east.toml", home) == home
    given = {"STATE_DIRECTORY": "/srv/go"}
    assert config_file.service_environ(file, given) == given


def test_the_file_is_chosen_by_precedence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """--config, then $GODAEMON_CONFIG, then the system's file if it exists."""
    named, system = tmp_path / "named.toml", tmp_path / "system.toml"
    environ = {"GODAEMON_CONFIG": str(named)}
    assert find_config(tmp_path / "given.toml", environ) == str(tmp_path / "given.toml")
    assert find_config(None, environ) == str(named)
    assert find_config(None, {}) is None
    monkeypatch.setattr(config_file, "SYSTEM_FILE", system)
    assert find_config(None, {}) is None
    system.touch()
    assert find_config(None, {}) == str(system)


def refusals() -> list[tuple[str, str]]:
    """The invalid files of tests/data/config/refused.txt with their messages."""
    table = (DATA / "refused.txt").read_text(encoding="utf-8").split("\n\n")[1:]
    return [(text, error.strip()) for text, _, error in (case.partition("\n=> ") for case in table)]


@each_row(("text", "message"), refusals())
def test_invalid_files_are_refused(tmp_path: Path, text: str, message: str) -> None:
    """With file, line, option, and valid values."""
    with pytest.raises(ConfigError) as caught:
        read(tmp_path, text)
    assert str(caught.value).replace(f"{tmp_path}/", "") == message


def test_a_byte_order_mark_is_ignored(tmp_path: Path) -> None:
    """Bug: a file that was saved with a BOM (U+FEFF) was refused."""
    assert read(tmp_path, "\ufeff[mail]\nname = 'Club'").mail.name == "Club"


@each_row("name", sorted(option_names(Settings)))
def test_messages_do_not_quote_libraries(name: tuple[str, ...]) -> None:
    """Errors of each option are in our own words."""
    key = ".".join(name).replace("mail.addresses.NAME", "mail.addresses").replace("NAME", "kata")
    values = ("true", "-1", "'x'", "''", "[]", "[1]", "{}", "{x=1}", "[{}]", "1e99", "'\\u0000'")
    for value in values:
        with contextlib.suppress(ConfigError):
            parse(f"{key} = {value}", "g.toml", SERVICE)
            continue
        with pytest.raises(ConfigError, match=r"^(?!.*(?:Input|String|List|Value) should)"):
            parse(f"{key} = {value}", "g.toml", SERVICE)


def test_domains_are_lower_case(tmp_path: Path) -> None:
    """The local part stays."""
    assert read(tmp_path, "[mail]\naddress = 'Go@X.Example'").mail.address == "Go@x.example"


@pytest.mark.parametrize(
    ("url", "host", "port", "security"),
    [
        ("smtp://127.0.0.1", "127.0.0.1", 25, "none"),
        ("smtp://[::1]:2525/", "::1", 2525, "none"),
        ("smtps://mail.example", "mail.example", 465, "tls"),
        ("smtp+starttls://mail.example", "mail.example", 587, "starttls"),
    ],
)
def test_a_smarthost_is_a_url(
    tmp_path: Path, url: str, host: str, port: int, security: str
) -> None:
    """With the usual ports; it replaces the Maildirs."""
    outgoing = read(tmp_path, f"[mail.outgoing]\nsmarthost = '{url}'").mail.outgoing
    assert outgoing.maildir is None
    assert (outgoing.smarthost_host, outgoing.smarthost_port) == (host, port)
    assert outgoing.smarthost_security == security


@pytest.mark.parametrize("url", ["smtps://mail.example", "smtp://localhost"])
def test_a_password_is_accepted_with_tls_or_locally(tmp_path: Path, url: str) -> None:
    """Plain SMTP to another host is refused."""
    text = f"[mail.outgoing]\nsmarthost = '{url}'\nsmarthost_user = 'u'\n"
    text += "smarthost_password = { credential = 'smarthost' }"
    assert read(tmp_path, text).mail.outgoing.smarthost_user == "u"


def test_a_credential_is_read_from_systemds_folder(tmp_path: Path) -> None:
    """Without its line end; a missing one has a remedy."""
    service = {"CREDENTIALS_DIRECTORY": str(tmp_path)}
    (tmp_path / "smarthost").write_text("hush\n")
    assert Secret(credential="smarthost").read(service) == "hush"
    for name, environ, why in (
        ("smarthost", {}, "LoadCredential=smarthost:/path/to/file"),
        ("imap", service, "/etc/credstore/godaemon.imap, and start it again"),
        ("other", service, "LoadCredential=other:godaemon.other there"),
    ):
        with pytest.raises(ConfigError, match=why):
            Secret(credential=name).read(environ)


def test_a_password_file_must_be_private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the error names the remedy."""
    file = tmp_path / "password"
    file.write_text("hush\r\n")
    file.chmod(0o640)
    assert Secret(file=file).read({}) == "hush"
    with monkeypatch.context() as owner:  # who could do without the group
        user = os.geteuid() or 1000
        owner.setattr(os, "geteuid", lambda: user)
        os.chown(file, user, -1)
        with pytest.raises(ConfigError, match=f"chmod 600 {file}"):
            Secret(file=file).read({})
    file.chmod(0o644)
    with pytest.raises(ConfigError, match=f"chmod 600 {file}"):
        Secret(file=file).read({})
    file.unlink()
    with pytest.raises(ConfigError, match="No such file or directory"):
        Secret(file=file).read({})
    with pytest.raises(ConfigError, match=f"{tmp_path} is a folder"):
        Secret(file=tmp_path).read({})
    file.write_text("\n")
    file.chmod(0o600)
    with pytest.raises(ConfigError, match="it is empty"):
        Secret(file=file).read({})


def test_unreadable_files_are_errors(tmp_path: Path) -> None:
    """A named file must exist and be text."""
    with pytest.raises(ConfigError, match=r"nowhere\.toml: there is no such file"):
        load(None, {"GODAEMON_CONFIG": str(tmp_path / "nowhere.toml")})
    with pytest.raises(ConfigError, match="it cannot be read: Is a directory"):
        load(tmp_path, {})
    file = tmp_path / "latin1.toml"
    file.write_bytes(b"# one\n# caf\xe9\n")
    with pytest.raises(ConfigError, match=r"latin1\.toml:2: this is not UTF-8"):
        load(file, {})


def test_keys_have_their_lines() -> None:
    """Headers, dotted and quoted keys; not text inside long strings."""
    text = "a = '''\nb = 1\n[c]\n'''\n[ d . 'e' ]\n\"f\".g = 1\n"
    assert key_lines(text) == {("a",): 1, ("d", "e"): 5, ("d", "e", "f", "g"): 6}
    listed = {("a",): 1, ("a", "0"): 1, ("a", "0", "b"): 2, ("a", "1"): 3, ("a", "1", "b"): 4}
    assert key_lines("[[a]]\nb = 1\n[[a]]\nb = 2\n") == listed


NAMES = sorted({part for name in option_names(Settings) for part in name} | {"x", "'q'"})
VALUES = ["1", "-1.5", "'a'", "'/a'", "true", "[]", "{}", "{ file = '/a' }", "inf", "'smtps://a'"]
LINES = st.one_of(
    st.builds(
        "[{}]".format, st.lists(st.sampled_from(NAMES), min_size=1, max_size=3).map(".".join)
    ),
    st.builds("{} = {}".format, st.sampled_from(NAMES), st.sampled_from(VALUES)),
)


@given(st.one_of(st.text(), st.lists(LINES, max_size=6).map("\n".join)))
def test_any_text_is_read_or_refused(text: str) -> None:
    """Errors are ConfigErrors, one line each."""
    messages: list[str] = []
    try:
        parse(text, "g.toml", SERVICE)
    except ConfigError as error:
        messages = str(error).split("\n")
    assert all(line.startswith("g.toml") for line in messages)


def test_engines_have_sections_and_defaults(tmp_path: Path) -> None:
    """Each listener has a section; missing options have defaults."""
    text = '[engines]\nopinion = "kata"\n[engines.kata]\ncommand = ["katago", "gtp"]\nseconds = 5'
    engines = read(tmp_path, text).engines
    assert list(engines.named) == ["kata"]
    assert (engines.named["kata"].seconds, engines.named["kata"].strikes) == (5, 3)
    assert engines.opinion == "kata"
    assert load(None, SERVICE).engines.named == {}


SIGNED = '[mail.outgoing]\ndkim_selector = "go"\ndkim_key = { file = "/a" }\n'


def test_further_addresses_inherit_name_and_key(tmp_path: Path) -> None:
    """The key only from the main address of their domain."""
    text = f"""{SIGNED}[mail]\naddress = "go@example.org"\nname = "Go"
[[mail.addresses]]\naddress = "play@MÜNCHEN.example"\nname = "Club"
dkim_selector = "s"\ndkim_key = {{ file = "/b" }}
[[mail.addresses]]\naddress = "b@mail.example.org"
[[mail.addresses]]\naddress = "c@example.com"
"""
    main, club, below, elsewhere = read(tmp_path, text).mail.own
    assert [one.address for one in (main, club)] == [
        "go@example.org",
        "play@xn--mnchen-3ya.example",
    ]
    assert [one.name for one in (main, club, below, elsewhere)] == ["Go", "Club", "Go", "Go"]
    assert [one.dkim_selector for one in (main, club, below, elsewhere)] == ["go", "s", "go", None]
    assert [one.signing_domain for one in (club, below)] == [club.domain, "example.org"]


def test_a_file_in_a_closed_folder_is_a_configuration_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bug: the service ended with a traceback, and was started again for ever."""
    service = {"CREDENTIALS_DIRECTORY": str(tmp_path)}
    with pytest.raises(ConfigError, match="No such file"):
        Secret(file=tmp_path / "missing" / "password").read(service)
    monkeypatch.setattr(Path, "stat", Mock(side_effect=PermissionError))
    with pytest.raises(ConfigError, match="run `godaemon check-config` as root"):
        Secret(file=tmp_path / "closed" / "password").read(service)


def test_a_sqlite_store_is_in_the_state_folder(tmp_path: Path) -> None:
    """Its lock and its backups are for that file; another path to it is the same."""
    (tmp_path / "link").symlink_to(tmp_path)
    text = f'state_directory = "{tmp_path}"\ndatabase_url = "sqlite:///{tmp_path}'
    parse(f'{text}/link/godaemon.db"', "g.toml", {})
    with pytest.raises(ConfigError, match=rf"a SQLite store is the file {tmp_path}/godaemon\.db"):
        parse(f'{text}/other/godaemon.db"', "g.toml", {})


@pytest.mark.parametrize(("mode", "refused"), [(0o644, True), (0o640, False)])
def test_a_readable_password_of_the_database_is_refused(
    tmp_path: Path, mode: int, refused: bool
) -> None:
    """Bug: only check-config refused it, and the daemon started."""
    file = tmp_path / "godaemon.toml"
    file.write_text('database_url = "postgresql://go:hush@127.0.0.1/go"\n')
    file.chmod(mode)
    with pytest.raises(ConfigError, match="chmod 6") if refused else contextlib.nullcontext():
        load_private(file, {})
