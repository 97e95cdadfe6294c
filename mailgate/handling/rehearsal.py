"""The rehearsal of a letter: all that it would do is done, told, and taken back.

It is handled as any other, in a transaction of its own that is rolled back: what is told is what
would happen at this moment. Raises nothing of what the letter comes to.
"""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from godaemon.errors import Enough, Unreadable
from godaemon.games import commands as cmd
from godaemon.games.notices import Notice
from godaemon.games.store_protocols import Writer
from mailgate.handling.context import LetterOutcome
from mailgate.handling.dispatcher import Dispatcher
from mailgate.handling.inbox_protocol import MailUnit
from mailgate.handling.parsed_letter import ParsedLetter, parse_letter
from mailgate.reading.inbound_letter import InboundLetter


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """What a letter would come to."""

    outcome: LetterOutcome
    parsed: ParsedLetter | None = None
    """What was read of it; None for what is no letter."""
    owed: Sequence[Notice] = ()
    """The letters that would be written because of it."""
    repeated: bool = False
    """Whether it was here before: nothing would happen now, and all else is as if it was not."""

    @property
    def commands(self) -> list[str]:
        """What was understood, with its points."""
        return [cmd.logged(one.command) for one in self.parsed.commands] if self.parsed else []

    @property
    def why(self) -> str:
        """What its sender would be told is wrong with it; else what the log would say of it."""
        told = (str(notice.about.get("reason", "")) for notice in self.owed)
        return next(filter(None, told), self.outcome.detail)


class _TakenBackError(Exception):
    """Ends the transaction; what would have been is in it."""

    def __init__(self, found: Rehearsal) -> None:
        super().__init__()
        self.found = found


async def rehearse(
    writer: Writer[MailUnit], dispatcher: Dispatcher, inbound: InboundLetter, now: datetime
) -> Rehearsal:
    """See what a letter would do at this moment; nothing is changed."""
    try:
        parsed = await asyncio.to_thread(parse_letter, inbound)  # a long one takes a second
    except Unreadable as fault:
        return Rehearsal(LetterOutcome("ignored", detail=fault.public))

    def _work(unit: MailUnit) -> None:
        letter = parsed.letter
        new = unit.inbox.first_time(letter.fingerprint, letter.message_id, now)
        try:
            outcome = dispatcher.handle_again(unit, parsed, now)
        except Enough as enough:
            outcome = LetterOutcome("put-off", detail=enough.detail or enough.public)
        except Exception:  # noqa: BLE001 - it would be quarantined with that
            outcome = LetterOutcome("quarantined", detail=traceback.format_exc())
        raise _TakenBackError(Rehearsal(outcome, parsed, unit.outbox.owed, not new))

    try:
        await writer.run(_work)
    except _TakenBackError as done:
        return done.found
    raise AssertionError
