"""The mailbox that letters are fetched from, as the configuration has it.

The password is read anew for each connection, so that a wrong one can be put right without a
restart; one that cannot be read is trouble like any other: told, and tried again.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from godaemon.config.mail_options import Imap
from godaemon.games.ports import InboundLetter, Writer
from godaemon.system.clock import Clock
from mailgate.receiving.imap_client import ImapAccount, ImapConnection
from mailgate.receiving.imap_fetcher import ImapFetcher, ImapTerms

__all__ = ["fetcher"]


def fetcher(
    imap: Imap,
    address: str,
    environ: Mapping[str, str],
    take: Callable[[InboundLetter], Awaitable[object]],
    writer: Writer,
    clock: Clock,
) -> ImapFetcher | None:
    """What watches the mailbox; None where there is none to watch."""
    host, user, secret = imap.host, imap.user, imap.password
    if host is None or user is None or secret is None:
        return None

    def box() -> ImapConnection:
        return ImapConnection(
            ImapAccount(
                host=host,
                port=imap.port_in_use,
                security=imap.security,
                user=user,
                password=secret.read(environ),
                folder=imap.folder,
                flag=imap.flag,
                done_folder=imap.done_folder,
            )
        )

    terms = ImapTerms(address, imap.size_limit, imap.poll)
    return ImapFetcher(box, take, writer, clock, terms)
