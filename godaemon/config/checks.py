"""Validators for pydantic: each returns the value, or raises ValueError for the operator.

Imports pydantic and the standard library.
"""

import ipaddress
import re
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field

_SOCKET_PATH_BYTES = 107  # sun_path of unix(7) is 108, with a NUL at its end
_RESERVED_NAMES = {"komi", "handicap", "ha", "rules", "ruleset", "size", "boardsize", "as"}
DOMAIN = r"^[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,251}[A-Za-z0-9_])?$"
"""A domain name such as mail.example.org, or one of its labels."""
SMARTHOST_PORTS = {"smtp": 25, "smtps": 465, "smtp+starttls": 587}


def _check_absolute(value: object) -> object:
    if isinstance(value, str):
        value = Path(value)
    if isinstance(value, Path) and not value.is_absolute():
        raise ValueError(f"write an absolute path, which begins with /, not {str(value)!r}")
    return value


def _check_socket_path(path: Path) -> Path:
    length = len(bytes(path))
    if length > _SOCKET_PATH_BYTES:
        raise ValueError(
            f"{path} is {length} bytes long, and the path of a socket may have "
            f"{_SOCKET_PATH_BYTES}; choose a shorter one"
        )
    return path


MAX_LOCAL_PART = 23
"""The limit that leaves room in 64 characters for a + and a token (RFC 5321, 4.5.3.1.1)."""


def check_own_address(address: str) -> str:
    """Our own address, with its domain in DNS form; a + is reserved for tokens.

    >>> check_own_address("Go@Example.ORG")
    'Go@example.org'
    """
    local, sign, domain = address.rpartition("@")
    is_plain = re.fullmatch(r"(?!\.)[A-Za-z0-9!#$%&'*/=?^_`{|}~.-]+(?<!\.)", local)
    is_host = re.fullmatch(r"(?!\.)[^\s@<>,;:\"\\/()\[\]]+", domain)
    if not (sign and is_plain and is_host) or ".." in address:
        raise ValueError(
            f"{address!r} cannot be our address; write one like go@example.org, "
            "without a + (replies come back to go+TOKEN@example.org)"
        )
    if domain.endswith(".") or local.lower() in {"postmaster", "abuse"}:
        raise ValueError(
            f"{address!r} cannot be ours: postmaster and abuse are for you, and a"
            " domain does not end in a full stop"
        )
    if len(local) > 64:
        raise ValueError(f"{address!r} is too long: mail servers take 64 characters before the @")
    return f"{local}@{_dns_form(domain)}"


def _dns_form(domain: str) -> str:
    """A domain in lower case, and in its DNS form (IDNA) if it has non-ASCII letters."""
    if domain.isascii():
        return domain.lower()
    import idna  # noqa: PLC0415 - few domains need it

    try:
        return idna.encode(domain, uts46=True).decode("ascii").lower()
    except (UnicodeError, ValueError, IndexError) as fault:
        raise ValueError(f"{domain!r} is not a domain that DNS can have: {fault}") from fault


def check_token_fits(address: str) -> str:
    """Our own address, short enough for the + and token of replies."""
    local, _, domain = address.rpartition("@")
    if len(local) > MAX_LOCAL_PART:
        raise ValueError(
            f"{address!r} is too long: replies come back to {local}+TOKEN@{domain}, and mail"
            f" servers take 64 characters before the @; write at most {MAX_LOCAL_PART} there, or"
            " plus_addressing = false"
        )
    return address


def check_one_line(name: str) -> str:
    """A name that fits in a header."""
    if not name.isprintable():
        raise ValueError("write one line of visible characters")
    return name


def check_host_port(listen: str) -> str:
    split_host_port(listen)
    return listen


def split_host_port(listen: str) -> tuple[str, int]:
    """The host and port of "HOST:PORT", with brackets around an IPv6 host; raises ValueError.

    >>> split_host_port("mail.example.org:25")
    ('mail.example.org', 25)
    >>> split_host_port("[::1]:8025")
    ('::1', 8025)
    """
    match = re.fullmatch(r"(?:\[([0-9A-Fa-f:.]+)\]|([^\s:\[\]]+)):([0-9]{1,5})", listen)
    if match is None or int(match[3]) > 65535:
        forms = 'write "127.0.0.1:8025" or "[::1]:8025", the port at most 65535'
        raise ValueError(f"{listen!r} is not HOST:PORT; {forms}")
    return match[1] or match[2], int(match[3])


def check_listener(listen: str) -> str:
    """A text of the form "unix:/PATH" or "HOST:PORT"."""
    kind, colon, path = listen.partition(":")
    if colon and kind == "unix":
        if not path.startswith("/"):
            raise ValueError(f'write an absolute path, as in "unix:/run/x.sock", not {listen!r}')
        _check_socket_path(Path(path))
        return listen
    try:
        return check_host_port(listen)
    except ValueError as error:
        forms = '"unix:/PATH" nor "HOST:PORT" with a port up to 65535'
        raise ValueError(f"{listen!r} is neither {forms}") from error


def check_local_listener(listen: str) -> str:
    """A text of the form "unix:/PATH" or "HOST:PORT" that only this machine can reach."""
    check_listener(listen)
    if not listen.startswith("unix:") and not is_loopback(split_host_port(listen)[0]):
        raise ValueError(
            f"{listen} is open to other machines without a password; write"
            ' "127.0.0.1:9464" or "unix:/run/godaemon/metrics.sock"'
        )
    return listen


def check_imap_flag(flag: str) -> str:
    """A flag or keyword of an email in a mailbox (RFC 3501, 2.3.2)."""
    if not re.fullmatch(r"\\(?:Seen|Flagged|Answered)|[A-Za-z0-9$_.-]{1,60}", flag):
        raise ValueError(
            r"write '\Seen', '\Flagged' or '\Answered' (in single quotes), or a keyword of"
            " letters, digits and $, if the mail server allows new ones"
        )
    return flag


def check_network(text: str) -> str:
    """An address, or a network such as "192.0.2.0/24", except the network of all addresses."""
    try:
        network = ipaddress.ip_network(text, strict=False)
    except ValueError as error:
        forms = '"192.0.2.25" or "2001:db8::/64"'
        raise ValueError(f"{text!r} is neither an address nor a network; write {forms}") from error
    if not network.prefixlen:
        raise ValueError(f"{text!r} matches every address")
    return text


def is_loopback(host: str) -> bool:
    """True for an address that only this machine can reach, and for the name localhost."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def check_smarthost_url(url: str) -> str:
    """The URL of a mail server: a host and perhaps a port, without a password."""
    forms = '"smtp://HOST:PORT", "smtps://HOST:PORT" or "smtp+starttls://HOST:PORT"'
    parts = urlsplit(url)
    try:
        is_plain = parts.hostname and parts.scheme in SMARTHOST_PORTS and parts.port != 0
    except ValueError:
        is_plain = False
    if not is_plain or parts.path.strip("/") or parts.query or parts.fragment:
        raise ValueError(f"{url!r} is not a mail server; write {forms}")
    if parts.username is not None:
        raise ValueError(f"write {forms} alone; write smarthost_user and smarthost_password too")
    return url


def check_database_url(url: str) -> str:
    if not re.match(r"sqlite(?:\+[a-z0-9]+)?:////|postgresql(?:\+[a-z0-9]+)?://", url):
        words = 'write "postgresql://USER@HOST/NAME"; without this option the store is SQLite'
        raise ValueError(words)
    return url


def check_program_command(words: list[str]) -> list[str]:
    if not (words and words[0].strip()) or any("\0" in word for word in words):
        raise ValueError('write the program and its arguments, as in ["gnugo", "--mode", "gtp"]')
    return words


def check_absolute_paths(paths: list[str]) -> list[str]:
    if any(not path.startswith("/") or "\0" in path for path in paths):
        raise ValueError('write absolute paths, as in ["/opt/katago"]')
    return paths


def check_mail_command(words: list[str]) -> list[str]:
    """A program like sendmail by its absolute path, and its arguments."""
    if not words or not words[0].startswith("/") or any("\0" in word for word in words):
        raise ValueError(
            'write the absolute path of the program, as in ["/usr/sbin/sendmail", "-i"]'
        )
    return words


def check_engine_name(name: str) -> str:
    """A name that players can write after `vs`; keywords of proposals are reserved."""
    if not re.fullmatch(r"[a-z][a-z0-9_-]{0,29}", name) or name in _RESERVED_NAMES:
        raise ValueError(
            f"{name!r} is not a name for an engine; write small letters, digits, - and _, first a"
            " letter, and no keyword of proposals"
        )
    return name


AbsolutePath = Annotated[Path, BeforeValidator(_check_absolute)]
GroupName = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]{1,64}$")]
SocketPath = Annotated[AbsolutePath, AfterValidator(_check_socket_path)]
PerDay = Annotated[int, Field(ge=1, le=100_000)]
