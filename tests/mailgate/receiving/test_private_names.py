"""Undocumented names of libraries that we use exist.

pyproject.toml pins aiosmtpd and aioimaplib; with a new version these tests show what to check.
"""

import inspect
import re
from asyncio import sslproto
from types import ModuleType

import pytest
from aioimaplib import aioimaplib
from aiosmtpd import smtp

from mailgate.receiving import imap_client, smtp_session

USED = {
    smtp.SMTP: (
        *("_create_envelope", "_getaddr", "_handle_client", "_handler_coroutine"),
        *("_original_transport", "_reader", "_reset_timeout", "_timeout_cb", "_timeout_duration"),
    ),
    aioimaplib.IMAP4: ("_client_task", "_idle_waiter", "create_client", "tasks"),
    aioimaplib.IMAP4ClientProtocol: (
        *("_untagged_response", "execute", "has_pending_idle_command", "incomplete_line"),
        *("new_tag", "send", "tasks", "transport", "welcome"),
    ),
}
"""Undocumented names used by `smtp_session` and `imap_client`."""


def names_of(code: object) -> set[str]:
    """The attributes that a class or a module reads, sets and defines."""
    return set(re.findall(r"(?:\.|def )(\w+)", inspect.getsource(code)))  # type: ignore[arg-type]


@pytest.mark.parametrize("owner", USED)
def test_the_library_has_the_private_names(owner: type) -> None:
    """They are still called so."""
    assert {*USED[owner]} <= names_of(owner)


@pytest.mark.parametrize(("ours", "theirs"), [(smtp_session, smtp), (imap_client, aioimaplib)])
def test_all_private_names_are_listed(ours: ModuleType, theirs: ModuleType) -> None:
    """Every private name that a module of ours shares with its library."""
    shared = {name for name in names_of(ours) & names_of(theirs) if re.match("_[a-z]", name)}
    assert shared <= {name for names in USED.values() for name in names}


def test_asyncio_has_the_size_of_its_tls_buffer() -> None:
    """The daemon sets it at the start."""
    assert isinstance(sslproto.SSLProtocol.max_size, int)
