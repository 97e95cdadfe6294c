"""Letters to the postmaster, kept for the operator (RFC 5321, 4.5.1)."""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from pathlib import Path

import structlog

from godaemon.errors import Temporary, Unreadable
from godaemon.system.counts import count
from mailgate.reading.inbound_letter import InboundLetter
from mailgate.reading.message import read_letter

_log = structlog.get_logger("godaemon.smtp")
MAX_UNREAD = 1000
"""Maximum number of unread letters to the postmaster, so that nobody can fill our disk."""


class Postmaster:
    """Keeps letters in the Maildir `postmaster` below `folder`.

    `file` stores one there: its arguments are the recipient, the sender, the bytes, and an id, the
    same for duplicates. `handle_complaint` handles a complaint.
    """

    def __init__(
        self,
        folder: Path,
        file: Callable[[str, str, bytes, str], Awaitable[None]],
        handle_complaint: Callable[[InboundLetter], Awaitable[object]],
    ) -> None:
        self.folder = folder / "postmaster" / "new"  # unread letters
        self._file, self._handle_complaint = file, handle_complaint

    async def keep(self, inbound: InboundLetter) -> bool:
        """Store a letter once, even if it comes again. Returns True: it has no wrong token."""
        if await asyncio.to_thread(self.count_unread) >= MAX_UNREAD:
            detail = f"postmaster: {MAX_UNREAD} unread"
            raise Temporary("The postmaster's mailbox is full.", detail=detail)
        sender = inbound.sender.encode("utf-8", "replace")
        raw = b"Return-Path: <" + sender + b">\r\n" + inbound.raw
        uid = hashlib.sha256(inbound.raw).hexdigest()[:32]
        await self._file("postmaster", inbound.sender, raw, uid)
        _log.info("letter.for-postmaster", peer=inbound.sender or None)
        if await asyncio.to_thread(_is_complaint, inbound):
            await self._handle_complaint(inbound)
        else:
            count("letters_in", "for-postmaster")
        return True

    def count_unread(self) -> int:
        """Number of letters that wait for the operator."""
        return sum(1 for _ in self.folder.iterdir()) if self.folder.is_dir() else 0


def _is_complaint(inbound: InboundLetter) -> bool:
    try:
        letter = read_letter(inbound.raw, sender=inbound.sender, recipient=inbound.recipient)
    except Unreadable:
        return False
    return letter.complaint
