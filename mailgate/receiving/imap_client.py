"""A client for a mailbox on an IMAP server: connect, scan, fetch, mark, wait for news.

IMAPClient speaks the protocol, on a thread. Every wait has a timeout; then the socket is shut,
which ends the thread's work. Every failure raises `Temporary`; the connection cannot be trusted
after it, and must be closed.
"""

import asyncio
import imaplib
import logging
import socket
import ssl
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal, TypeVar

from imapclient import IMAPClient, SocketTimeout
from imapclient.exceptions import IMAPClientError, ProtocolError

from godaemon.errors import Temporary
from mailgate.receiving.envelopes import HEADERS

T = TypeVar("T")
Security = Literal["tls", "starttls", "none"]

_LONGEST_LINE = 16 * 1024 * 1024  # bytes of a line of the server: the UIDs of two million letters
imaplib._MAXLINE = _LONGEST_LINE  # type: ignore[attr-defined]  # noqa: SLF001 - imaplib has 1 MB

# IMAPClient logs people's letters; we log what matters ourselves.
logging.getLogger("imapclient").setLevel(logging.CRITICAL)


@dataclass(frozen=True, slots=True)
class ImapAccount:
    """A remote mailbox: its server, our login, and the flag or folder of handled letters."""

    host: str
    port: int
    security: Security
    user: str
    password: str = field(repr=False)
    folder: str
    flag: str
    done_folder: str | None

    @property
    def name(self) -> str:
        """The key of the mailbox in the store."""
        return f"{self.user}@{self.host}:{self.port}/{self.folder}"


@dataclass(frozen=True, slots=True)
class ImapTimeouts:
    """Timeouts in seconds."""

    connect: float = 30
    command: float = 30
    fetch: float = 180
    farewell: float = 2


@dataclass(frozen=True, slots=True)
class Head:
    """A letter in a mailbox before it is fetched whole: its size in bytes, and headers."""

    uid: int
    size: int
    headers: bytes


class ImapConnection:
    """One connection to a mailbox.

    `trust` says which certificates are trusted; None: those that the system trusts.
    """

    def __init__(
        self,
        account: ImapAccount,
        timeouts: ImapTimeouts | None = None,
        *,
        trust: ssl.SSLContext | None = None,
    ) -> None:
        self.account = account
        self.validity = 0  # UIDVALIDITY of the folder
        self.supports_idle = False  # whether the server announces new letters
        self._timeouts = timeouts or ImapTimeouts()
        self._trust = trust
        self._client: IMAPClient | None = None
        self._thread = ThreadPoolExecutor(1, "imap")

    # -- connecting ----------------------------------------------------------------------------
    async def connect(self) -> None:
        """Connect, encrypt, log in and open the folder."""
        account, limits = self.account, self._timeouts
        secured = self._trust or ssl.create_default_context()
        connect = partial(
            IMAPClient,
            account.host,
            account.port,
            ssl=account.security == "tls",
            ssl_context=secured,
            timeout=SocketTimeout(limits.connect, limits.fetch),
        )
        limit = 3 * limits.connect  # the socket's own timeouts end first, and close it
        self._client = client = await self._run(connect, aim="to greet us", limit=limit)
        if account.security == "starttls":
            refusal = "The mail server offers no STARTTLS, so no password was sent."
            await self._run(client.starttls, secured, aim="to begin to encrypt", refusal=refusal)
        if client._imap.state == "NONAUTH":  # noqa: SLF001 - else PREAUTH
            refusal = f"The mail server does not let {account.user} in."
            log_in = partial(client.login, account.user, account.password)
            await self._run(log_in, aim="to let us in", refusal=refusal)
        refusal = f"The mail server does not open the folder {account.folder}."
        self.validity = await self._run(
            self._open_folder, aim="to open the folder", refusal=refusal
        )

    def _open_folder(self) -> int:
        """Open the folder; returns its UIDVALIDITY."""
        client = self._live_client
        validity: int = client.select_folder(self.account.folder)[b"UIDVALIDITY"]
        self.supports_idle = client.has_capability("IDLE")
        return validity

    async def close(self) -> None:
        """Log out within `farewell` seconds, and release everything."""
        if self._client is not None:
            with suppress(Temporary):
                await self._run(self._client.logout, limit=self._timeouts.farewell)
        self._shut()
        self._thread.shutdown(wait=False)

    def _shut(self) -> None:
        """Shut the socket, so that the thread's work ends with an error; the thread closes it.

        To close imaplib's file here would wait for the thread.
        """
        client, self._client = self._client, None
        if client is not None:
            with suppress(OSError):
                client.socket().shutdown(socket.SHUT_RDWR)
            self._thread.submit(client.shutdown)

    # -- letters -------------------------------------------------------------------------------
    async def search(self, after: int = 0, *, unmarked: bool = False) -> list[int]:
        """The UIDs of letters above `after`; with `unmarked` only those without our mark."""
        criteria = ["UID", f"{after + 1}:*", "UNDELETED"]
        if unmarked and self.account.done_folder is None:
            criteria += _unflagged_key(self.account.flag)
        refusal = "The mail server refused to list the letters."
        found = await self._run(
            self._list_letters, criteria, aim="to list the letters", refusal=refusal
        )
        return [uid for uid in found if uid > after]

    def _list_letters(self, criteria: Sequence[str]) -> Sequence[int]:
        client = self._live_client
        client.noop()
        client._imap.untagged_responses.pop("EXISTS", None)  # noqa: SLF001 - `idle` looks for it
        found: Sequence[int] = client.search(criteria)
        return found

    async def fetch_heads(self, uids: Sequence[int]) -> dict[int, Head]:
        """The size and the relevant headers of the letters that still exist."""
        headers = f"BODY.PEEK[HEADER.FIELDS ({' '.join(HEADERS).upper()})]"
        found = await self._fetch(uids, "RFC822.SIZE", headers)
        return {uid: Head(uid, items[b"RFC822.SIZE"], body) for uid, (items, body) in found.items()}

    async def fetch(self, uid: int) -> bytes | None:
        """A letter, left unread; None if it is gone."""
        found = await self._fetch([uid], "BODY.PEEK[]")
        return found[uid][1] if uid in found else None

    async def _fetch(
        self, uids: Sequence[int], *items: str
    ) -> dict[int, tuple[Mapping[bytes, Any], bytes]]:
        """The items of each letter, and its body or headers; servers may report others, too."""
        refusal = f"The mail server does not give us letter {','.join(map(str, uids))}."
        fetch, limit = partial(self._live_client.fetch, uids, items), self._timeouts.fetch
        found = await self._run(fetch, aim="for a letter", refusal=refusal, limit=limit)
        return {
            uid: (answer, body or b"")
            for uid, answer in found.items()
            for key, body in answer.items()
            if key.startswith(b"BODY[")
        }

    async def mark_done(self, uid: int) -> bool:
        """Mark a letter, or move it to the folder of handled ones; False if the server refuses."""
        return await self._run(self._mark_done, uid, aim="to mark a letter")

    def _mark_done(self, uid: int) -> bool:
        client, folder = self._live_client, self.account.done_folder
        try:
            if folder is None:
                client.add_flags(uid, self.account.flag, silent=True)
                return True
            if not client.folder_exists(folder):
                client.create_folder(folder)
            if client.has_capability("MOVE"):
                client.move(uid, folder)
                return True
            client.copy(uid, folder)
            client.add_flags(uid, r"\Deleted", silent=True)
            if client.has_capability("UIDPLUS"):
                client.uid_expunge(uid)
        except (imaplib.IMAP4.abort, ProtocolError):
            raise
        except IMAPClientError:
            return False
        return True

    # -- waiting -------------------------------------------------------------------------------
    async def idle(self, seconds: float) -> None:
        """Return when the server says anything, or after some seconds (RFC 2177).

        Clears `supports_idle` if the server offers IDLE and then refuses it.
        """
        limit = seconds + 2 * self._timeouts.command
        await self._run(self._idle, seconds, aim="to idle", limit=limit)

    def _idle(self, seconds: float) -> None:
        client = self._live_client
        if "EXISTS" in client._imap.untagged_responses:  # noqa: SLF001 - news since the search
            return
        try:
            client.idle()
        except imaplib.IMAP4.abort:
            raise
        except IMAPClientError:
            if client._imap.tagged_commands.get(client._idle_tag) is None:  # noqa: SLF001
                raise  # something else came before the answer
            self.supports_idle = False
            return
        client.idle_check(seconds)
        client.idle_done()

    # -- timeouts ------------------------------------------------------------------------------
    @property
    def _live_client(self) -> IMAPClient:
        if self._client is None:
            raise Temporary("The mailbox is not open.")
        return self._client

    async def _run(
        self,
        work: Callable[..., T],
        *args: object,
        aim: str = "",
        refusal: str = "",
        limit: float | None = None,
    ) -> T:
        """The result of work on the thread; raises `Temporary` if it fails or takes too long."""
        limit, server = limit or self._timeouts.command, f"{self.account.host}:{self.account.port}"
        running, done = asyncio.get_running_loop().run_in_executor(self._thread, work, *args), False
        try:
            async with asyncio.timeout(limit):
                result = await running
            done = True
            return result
        except TimeoutError as fault:
            public = f"The mail server at {server} took more than {limit:g} s {aim}."
            raise Temporary(public) from fault
        except ssl.SSLError as fault:
            public = f"The mail server at {server} cannot be trusted."
            raise Temporary(public, detail=str(fault)) from fault
        except (OSError, imaplib.IMAP4.abort) as fault:
            public = f"The mail server at {server} cannot be reached."
            raise Temporary(public, detail=str(fault)) from fault
        except Exception as fault:
            public = refusal or f"The mail server at {server} cannot be understood."
            raise Temporary(public, detail=str(fault)) from fault
        finally:
            if not done:
                self._shut()


def _unflagged_key(flag: str) -> list[str]:
    """The SEARCH key for letters without a flag (RFC 3501, 6.4.4)."""
    if flag.startswith("\\"):
        return [{"\\seen": "UNSEEN", "\\flagged": "UNFLAGGED"}.get(flag.lower(), "UNANSWERED")]
    return ["UNKEYWORD", flag]
