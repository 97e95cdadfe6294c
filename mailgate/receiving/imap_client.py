"""A client for a mailbox on an IMAP server: connect, scan, fetch, mark, wait for news.

Wraps aioimaplib, which hangs if a server falls silent or hangs up (its issues 110 and 112): here
every wait has a timeout, and ends as soon as the connection is lost. Every failure raises
`Temporary`; the connection cannot be trusted after it, and must be closed.
"""

import asyncio
import contextlib
import logging
import ssl
from collections.abc import Awaitable, Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import partial
from typing import Any, Literal, TypeVar

from aioimaplib import aioimaplib

from godaemon.errors import Temporary
from mailgate.receiving.envelopes import HEADERS
from mailgate.receiving.imap_responses import (
    Head,
    Line,
    encode_folder_name,
    find_letter,
    parse_head,
    parse_uid_validity,
    parse_uids,
    quote_string,
)

T = TypeVar("T")
Security = Literal["tls", "starttls", "none"]

_MAX_LINE = 16 * 1024 * 1024  # bytes of a line of the server: the UIDs of two million letters

# aioimaplib logs people's letters; we log what matters ourselves.
logging.getLogger("aioimaplib").setLevel(logging.CRITICAL)


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


class _Protocol(aioimaplib.IMAP4ClientProtocol):  # type: ignore[misc]
    """The connection; unlike aioimaplib, it records new letters and a lost connection."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(loop)
        self.news = asyncio.Event()
        self.lost: asyncio.Future[str] = loop.create_future()

    def break_off(self, reason: str) -> None:
        """Drop the connection, because the server's data are not to be trusted any more."""
        if not self.lost.done():
            self.lost.set_result(reason)
        if self.transport is not None:
            self.transport.abort()

    def data_received(self, d: bytes) -> None:
        """Parse the server's data; drops the connection if it cannot be understood."""
        try:
            super().data_received(d)
        except Exception as fault:  # noqa: BLE001 - a flood of lines is a RecursionError
            self.break_off(f"{type(fault).__name__}: {fault}")
        if len(self.incomplete_line) > _MAX_LINE:
            self.break_off("a line without end")

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.lost.done():
            self.lost.set_result(str(exc) if exc else "the server hung up")

    async def welcome(self, command: bytes) -> None:
        """Handle the greeting; aioimaplib raises a refusal in a task that nothing awaits."""
        try:
            await super().welcome(command)
        except Exception as fault:  # noqa: BLE001 - a BYE, or unreadable capabilities
            self.break_off(str(fault))

    def _untagged_response(self, line: bytes) -> Any:  # noqa: ANN401 - a command of aioimaplib's
        if line.upper().endswith(b" EXISTS"):
            self.news.set()
        elif line.upper().startswith(b"* BYE"):
            self.break_off(line[2:200].decode("utf-8", "replace"))
        return super()._untagged_response(line)


class _Client(aioimaplib.IMAP4):  # type: ignore[misc]
    """aioimaplib's client with our protocol."""

    def create_client(
        self,
        host: str,
        port: int,
        _loop: object,
        _conn_lost_cb: object = None,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        """Begin to connect, by our own protocol."""
        loop = asyncio.get_running_loop()
        self.protocol = _Protocol(loop)
        connecting = loop.create_connection(lambda: self.protocol, host, port, ssl=ssl_context)
        self._client_task = loop.create_task(connecting)


@dataclass(slots=True, eq=False)
class ImapConnection:
    """One connection to a mailbox.

    `trust` says which certificates are trusted; None: those that the system trusts.
    """

    account: ImapAccount
    timeouts: ImapTimeouts = ImapTimeouts()
    _: KW_ONLY
    trust: ssl.SSLContext | None = None
    validity: int = field(default=0, init=False)  # UIDVALIDITY of the folder
    supports_idle: bool = field(default=False, init=False)
    """Whether the server announces new letters."""
    _client: _Client | None = field(default=None, init=False)

    # -- connecting ----------------------------------------------------------------------------
    async def connect(self) -> None:
        """Connect, encrypt, log in and open the folder."""
        account, limits = self.account, self.timeouts
        trust = self.trust or ssl.create_default_context()
        direct = trust if account.security == "tls" else None
        patience = max(limits.connect, limits.command, limits.fetch) + 60  # ours end first
        self._client = client = _Client(account.host, account.port, None, patience, None, direct)
        await self._await(client.wait_hello_from_server(), limits.connect, "to greet us")
        if account.security == "starttls":
            starting = self._start_tls(client, trust)
            await self._await(starting, limits.connect, "to begin to encrypt")
        if client.get_state() != aioimaplib.AUTH:  # after PREAUTH we are logged in
            login = client.login(quote_string(account.user), account.password)
            refusal = f"The mail server does not let {account.user} in."
            await self._command(login, "to let us in", refusal)
        await self._command(client.protocol.capability(), "to say what it can do")
        refusal = f"The mail server does not open the folder {account.folder}."
        folder = quote_string(encode_folder_name(account.folder))
        selected = await self._command(client.select(folder), "to open the folder", refusal)
        self.validity = parse_uid_validity(selected.lines)
        self.supports_idle = self._has_capability("IDLE")

    async def _start_tls(self, client: _Client, secured: ssl.SSLContext) -> None:
        """Begin TLS by STARTTLS (RFC 3501, 6.2.1), which aioimaplib does not support."""
        protocol = client.protocol
        command = aioimaplib.Command("STARTTLS", protocol.new_tag())
        if (await protocol.execute(command)).result != "OK":
            raise Temporary("The mail server offers no STARTTLS, so no password was sent.")
        upgraded = await asyncio.get_running_loop().start_tls(
            protocol.transport, protocol, secured, server_hostname=self.account.host
        )
        if protocol.incomplete_line:  # sent before encryption: perhaps not by the server
            raise Temporary("The mail server sent data before STARTTLS was complete.")
        protocol.transport = upgraded

    async def close(self) -> None:
        """Log out within `farewell` seconds, and release everything."""
        client, self._client = self._client, None
        if client is None:
            return
        protocol = client.protocol
        if not protocol.lost.done() and protocol.transport is not None:
            if protocol.has_pending_idle_command():
                protocol.idle_done()
            protocol.send(f"{protocol.new_tag()} LOGOUT")
            await asyncio.wait({protocol.lost}, timeout=self.timeouts.farewell)
        protocol.break_off("closed")
        if client._idle_waiter is not None:  # noqa: SLF001 - a timer of half an hour
            client._idle_waiter.cancel()  # noqa: SLF001
        tasks = [client._client_task, *client.tasks, *protocol.tasks]  # noqa: SLF001 - no other way
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # -- letters -------------------------------------------------------------------------------
    async def search(self, after: int = 0, *, unmarked: bool = False) -> list[int]:
        """The UIDs of letters above `after`; with `unmarked` only those without our mark."""
        client = self._live_client
        await self._command(client.noop(), "to look for new letters")
        client.protocol.news.clear()
        criteria = [f"UID {after + 1}:*", "UNDELETED"]
        if unmarked and self.account.done_folder is None:
            criteria.append(_unflagged_key(self.account.flag))
        search = client.uid_search(" ".join(criteria), charset=None)
        refusal = "The mail server refused to list the letters."
        answer = await self._command(search, "to list the letters", refusal)
        return [uid for uid in parse_uids(answer.lines) if uid > after]

    async def fetch_heads(self, uids: Sequence[int]) -> dict[int, Head]:
        """The size and the relevant headers of the letters that still exist."""
        names = " ".join(HEADERS).upper()
        items = f"(UID RFC822.SIZE BODY.PEEK[HEADER.FIELDS ({names})])"
        lines = await self._fetch(",".join(map(str, uids)), items)
        return {uid: head for uid in uids if (head := parse_head(lines, uid)) is not None}

    async def fetch(self, uid: int) -> bytes | None:
        """A letter, left unread; None if it is gone."""
        found = find_letter(await self._fetch(str(uid), "(UID BODY.PEEK[])"), uid)
        return found[1] if found else None

    async def mark_done(self, uid: int) -> bool:
        """Mark a letter, or move it to the folder of handled ones; False if the server refuses."""
        if self.account.done_folder is not None:
            return await self._move(uid, quote_string(encode_folder_name(self.account.done_folder)))
        return await self._store(uid, self.account.flag)

    async def _fetch(self, uids: str, items: str) -> list[Line]:
        fetching, limit = self._live_client.uid("FETCH", uids, items), self.timeouts.fetch
        refusal = f"The mail server does not give us letter {uids}."
        answer = await self._command(fetching, "for a letter", refusal, limit=limit)
        lines: list[Line] = answer.lines
        return lines

    async def _store(self, uid: int, flag: str) -> bool:
        storing = self._live_client.uid("STORE", str(uid), "+FLAGS.SILENT", f"({flag})")
        answer = await self._command(storing, "to mark a letter")
        return bool(answer.result == "OK")

    async def _move(self, uid: int, folder: str) -> bool:
        client = self._live_client
        verb = "MOVE" if self._has_capability("MOVE") else "COPY"
        move = partial(client.uid, verb, str(uid), folder)
        answer = await self._command(move(), "to move a letter")
        if answer.result != "OK":
            await self._command(client.create(folder), "to make a folder")
            answer = await self._command(move(), "to move a letter")
        if answer.result != "OK":
            return False
        if verb == "COPY":
            await self._store(uid, r"\Deleted")
            if self._has_capability("UIDPLUS"):
                await self._command(client.uid("EXPUNGE", str(uid)), "to take a letter out")
        return True

    # -- waiting -------------------------------------------------------------------------------
    async def idle(self, seconds: float) -> None:
        """Return when there is news, or after some seconds (RFC 2177).

        Clears `supports_idle` if the server offers IDLE and then refuses it.
        """
        client = self._live_client
        if client.protocol.news.is_set():
            return
        starting = client.idle_start(timeout=seconds + 3600)
        try:
            task = await self._await(starting, self.timeouts.command, "to idle")
        except Temporary as trouble:
            if isinstance(trouble.__cause__, aioimaplib.Abort):
                self.supports_idle = False
                return
            raise
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._await(client.protocol.news.wait(), seconds + 60, "")
        client.idle_done()
        refusal = "The mail server did not end IDLE as it should."
        await self._command(task, "to end idling", refusal)

    # -- timeouts ------------------------------------------------------------------------------
    @property
    def _live_client(self) -> _Client:
        if self._client is None:
            raise Temporary("The mailbox is not open.")
        return self._client

    def _has_capability(self, capability: str) -> bool:
        return capability in {word.upper() for word in self._live_client.protocol.capabilities}

    async def _command(
        self, work: Awaitable[Any], aim: str, refusal: str = "", *, limit: float | None = None
    ) -> Any:  # noqa: ANN401 - a Response of aioimaplib's
        """The answer; raises `Temporary` after the timeout, or with `refusal` if it is not OK."""
        answer = await self._await(work, limit or self.timeouts.command, aim)
        if refusal and answer.result != "OK":
            last = bytes(answer.lines[-1])[:300].decode("utf-8", "replace") if answer.lines else ""
            raise Temporary(refusal, detail=f"{answer.result} {last}")
        return answer

    async def _await(self, work: Awaitable[T], limit: float, aim: str) -> T:
        """The result; raises `Temporary` after `limit`, or as soon as the connection is lost."""
        task: asyncio.Future[Any] = asyncio.ensure_future(work)
        lost: asyncio.Future[Any] = self._live_client.protocol.lost
        try:
            await asyncio.wait({task, lost}, timeout=limit, return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                answer: T = task.result()
                return answer
        except (GeneratorExit, asyncio.CancelledError, Temporary):
            raise
        except Exception as fault:  # aioimaplib may raise anything for a malformed answer
            raise _connection_trouble(self.account, fault) from fault
        finally:
            task.cancel()
        if lost.done():
            public = f"The mail server at {self.account.host} ended the connection."
            raise Temporary(public, detail=lost.result())
        raise Temporary(f"The mail server at {self.account.host} took more than {limit:g} s {aim}.")


def _unflagged_key(flag: str) -> str:
    """The SEARCH key for letters without a flag (RFC 3501, 6.4.4)."""
    if flag.startswith("\\"):
        return {"\\seen": "UNSEEN", "\\flagged": "UNFLAGGED"}.get(flag.lower(), "UNANSWERED")
    return f"UNKEYWORD {flag}"


def _connection_trouble(account: ImapAccount, fault: Exception) -> Temporary:
    server = f"{account.host}:{account.port}"
    if isinstance(fault, ssl.SSLError):
        return Temporary(f"The mail server at {server} cannot be trusted.", detail=str(fault))
    if isinstance(fault, OSError) and not isinstance(fault, TimeoutError):
        return Temporary(f"The mail server at {server} cannot be reached.", detail=str(fault))
    return Temporary(f"The mail server at {server} cannot be understood.", detail=repr(fault))
