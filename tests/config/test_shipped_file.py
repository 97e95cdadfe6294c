"""config/godaemon.toml lists every option with its default."""

import re

from godaemon.config.loading import parse
from godaemon.config.mistakes import ANY_NAME, key_lines, option_names
from godaemon.config.settings import Settings
from tests.support import places

SHIPPED = places.ROOT / "config" / "godaemon.toml"
SERVICE = {"STATE_DIRECTORY": "/var/lib/godaemon", "RUNTIME_DIRECTORY": "/run/godaemon"}


def uncommented(mark: str) -> str:
    """The shipped file with the options behind this mark put in force."""
    return re.sub(rf"(?m)^{mark}(?=[a-z_]+ = |\[)", "", SHIPPED.read_text(encoding="utf-8"))


def test_the_shipped_file_equals_no_file() -> None:
    text = SHIPPED.read_text(encoding="utf-8")
    assert parse(text, "shipped", SERVICE) == parse("", "none", SERVICE)


def test_shown_defaults_are_the_defaults() -> None:
    assert parse(uncommented("#"), "shipped", SERVICE) == parse("", "none", SERVICE)


def test_the_shipped_file_has_every_option() -> None:
    """It has no others, and each is in its section."""
    lines = {
        tuple(ANY_NAME if word in {"katago", "0"} else word for word in key)
        for key in key_lines(uncommented("#(?:: )?"))
    }
    options = set(option_names(Settings))
    sections = {name[:end] for name in options for end in range(1, len(name))}
    assert lines - sections == options


def test_the_examples_are_valid() -> None:
    """With one way of delivery instead of the Maildirs."""
    text = uncommented("#: ").replace('#maildir = "', '#not_maildir = "')
    ways = ('smarthost = "', 'lmtp = "unix', 'command = ["/usr/sbin')
    for way in ways:
        others = [re.escape(other) for other in ways if other != way]
        only = re.sub(rf"(?m)^(?={'|'.join(others)})", "#", text)
        if way != ways[0]:
            only = re.sub(r"(?m)^(?=smarthost_)", "#", only)
        assert parse(only, "shipped", SERVICE).mail.outgoing.destination
    text = re.sub(rf"(?m)^(?={'|'.join(map(re.escape, ways[1:]))})", "#", text)
    settings = parse(text, "shipped", SERVICE)
    assert settings.engines.opinion == "gnugo"
    assert settings.engines.named["katago"].strikes == 3
    assert [one.address for one in settings.mail.own] == ["go@localhost", "play@club.example"]
    outgoing = settings.mail.outgoing
    assert outgoing.smarthost_host == "127.0.0.1"
    assert outgoing.smarthost_user == "go@example.org"
    assert outgoing.smarthost_password is not None


def test_every_option_is_explained() -> None:
    """In a paragraph, alone or with its neighbours."""
    above: dict[str, str] = {}
    words = ""
    for line in SHIPPED.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("["):
            words = ""
        elif option := re.match(r"(?:#|#: )?([a-z_]+) = ", line):
            above[option[1]] = words
        else:
            words += line
    assert above
    assert not [option for option, explained in above.items() if len(explained) < 40]
