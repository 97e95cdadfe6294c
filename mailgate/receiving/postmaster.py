"""The postmaster's letters, which every mail server must take (RFC 5321, 4.5.1): kept in a Maildir.

So are those to abuse (RFC 2142). They are for the operator to read, and are neither parsed nor
answered; what a provider says there of a complaint is heeded besides. Raises `Temporary` where the
disk will not take one, or too many wait unread.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from pathlib import Path

import structlog

from godaemon.errors import Temporary, Unreadable
from mailgate.reading.inbound_letter import InboundLetter
from mailgate.reading.message import read_letter

MOST_UNREAD = 1000
"""How many letters wait for the operator at most: nobody fills our disk by writing to them."""

_log = structlog.get_logger("godaemon.smtp")


class Postmaster:
    """Keeps letters in the Maildir `postmaster` below `folder`.

    `file` files one there: recipient, sender, bytes, and the id by which it is the same again;
    `heed` takes one that is a complaint.
    """

    def __init__(
        self,
        folder: Path,
        file: Callable[[str, str, bytes, str], Awaitable[None]],
        heed: Callable[[InboundLetter], Awaitable[object]],
    ) -> None:
        self.folder = folder / "postmaster" / "new"
        """Where they are, until they are read."""
        self._file, self._heed = file, heed

    async def keep(self, inbound: InboundLetter) -> bool:
        """Keep a letter; the same one again is kept once. Gives True, for no token was wrong."""
        if await asyncio.to_thread(self.unread) >= MOST_UNREAD:
            detail = f"postmaster: {MOST_UNREAD} unread"
            raise Temporary("The postmaster has letters enough.", detail=detail)
        sender = inbound.sender.encode("utf-8", "replace")
        raw = b"Return-Path: <" + sender + b">\r\n" + inbound.raw
        uid = hashlib.sha256(inbound.raw).hexdigest()[:32]
        await self._file("postmaster", inbound.sender, raw, uid)
        _log.info("letter.for-postmaster", peer=inbound.sender or None)
        if await asyncio.to_thread(_complains, inbound):
            await self._heed(inbound)
        return True

    def unread(self) -> int:
        """How many letters wait for the operator."""
        return sum(1 for _ in self.folder.iterdir()) if self.folder.is_dir() else 0


def _complains(inbound: InboundLetter) -> bool:
    """True for a report that one of our letters was unwanted."""
    try:
        letter = read_letter(inbound.raw, sender=inbound.sender, recipient=inbound.recipient)
    except Unreadable:
        return False
    return letter.complaint
