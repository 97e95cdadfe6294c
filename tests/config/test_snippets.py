"""The configuration in config/ for mail servers and the nightly backup.

Postfix runs with its lines in tests/wire; here all three must cover the addresses that we use.
"""

import re
from collections.abc import Callable

import pytest

from mailgate import tokens
from tests.support import places

CONFIG = places.ROOT / "config"
ADDRESS = "go@go.example.org"
KEY = b"k" * 32
SEAT = tokens.sign(KEY, "seat", 999_999_999, "b", 10**8, 10**8)
GIVEN_OUT = (
    *(ADDRESS, "Go@go.example.org", "postmaster@go.example.org", "Postmaster@go.example.org"),
    tokens.reply_address(ADDRESS, SEAT),
    tokens.reply_address(ADDRESS, SEAT).replace("go+", "GO+").upper(),
    tokens.reply_address(ADDRESS, tokens.sign(KEY, "held", 1)),
    tokens.reply_address(ADDRESS, tokens.sign(KEY, "moving", 1, "o")),
    tokens.return_path(KEY, ADDRESS, "0123456789abcdef"),
)
NOBODY = (
    "og",
    "go+x",
    "goo",
    "xgo",
    "go+1-b-3-0-short",
    "go.1-b-0-0-abcdefghijklmnop",
    "postmasters",
)


def postfix() -> list[str]:
    """Whole addresses, each between slashes (regexp_table(5) does not mind the case)."""
    text = (CONFIG / "postfix" / "godaemon-recipients").read_text(encoding="utf-8")
    return re.findall(r"^#?/(.+)/\s+OK$", text, re.MULTILINE)


def exim() -> list[str]:
    """Local parts in any case, with what Exim would expand behind a backslash."""
    text = (CONFIG / "exim" / "godaemon.conf").read_text(encoding="utf-8")
    routers = re.findall(r"^#?  domains = ([a-z.]+)\n#?  local_parts = (.+)$", text, re.MULTILINE)
    assert [domain for domain, _ in routers] == ["go.example.org", "club.example.org"]
    parts = [
        (re.sub(r"\\(.)", r"\1", one), at) for at, all_ in routers for one in all_.split(" : ")
    ]
    assert all(part.startswith("^(?i)") for part, _ in parts)
    return [part.replace("(?i)", "").removesuffix("$") + f"@{re.escape(at)}$" for part, at in parts]


def opensmtpd() -> list[str]:
    """Whole addresses, between quotation marks."""
    text = (CONFIG / "opensmtpd" / "smtpd.conf").read_text(encoding="utf-8")
    return re.findall(r'"(\^[^"]+\$)"', text)


def club(address: str) -> str:
    """The same address in the second domain of the examples."""
    return (
        address.lower()
        .replace("go@go.", "play@club.")
        .replace("go+", "play+")
        .replace("@go.", "@club.")
    )


@pytest.mark.parametrize("server", [postfix, exim, opensmtpd], ids=lambda server: server.__name__)
def test_mail_servers_accept_exactly_our_addresses(server: Callable[[], list[str]]) -> None:
    """Every kind of token, the longest numbers, any case; mistyped ones are refused."""
    patterns = [re.compile(pattern, re.IGNORECASE) for pattern in server()]
    second = tuple(club(address) for address in GIVEN_OUT)
    assert len(patterns) == 6
    for address in (*GIVEN_OUT, *second):
        assert any(pattern.search(address) for pattern in patterns), address
    for local in NOBODY:
        for address in (f"{local}@go.example.org", f"{local}@club.example.org"):
            assert not any(pattern.search(address) for pattern in patterns), address
    for address in ("go@club.example.org", "play@go.example.org"):
        assert not any(pattern.search(address) for pattern in patterns), address


def test_the_backup_service_runs_without_a_store() -> None:
    """Any trace of a daemon is enough, so a missing store is an error."""
    lines = (CONFIG / "systemd" / "godaemon-backup.service").read_text("utf-8").splitlines()
    conditions = [line.partition("=")[2] for line in lines if line.startswith("Condition")]
    assert conditions == ["|/var/lib/private/godaemon", "|/var/backups/godaemon"]
