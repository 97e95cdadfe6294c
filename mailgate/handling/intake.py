"""The intake: handles a letter in one transaction, quarantines it, or rehearses it."""

import asyncio
import hashlib
import traceback
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar

import structlog

from godaemon.errors import Damaged, QuotaExceeded, StoreDamaged, Temporary, Unreadable
from godaemon.games import commands as cmd
from godaemon.games.notices import Notice
from godaemon.games.running_clocks import give_back
from godaemon.games.stored_values import Unit, Writer
from godaemon.system.counts import count
from godaemon.texts.catalogue import languages, sentence_from_json
from mailgate import tokens
from mailgate.handling.context import LetterOutcome
from mailgate.handling.dispatcher import Dispatcher
from mailgate.handling.parsed_letter import ParsedLetter, parse_letter
from mailgate.language.lexicon import lexicon
from mailgate.language.meaning_model import model
from mailgate.language.verb_table import topic_named
from mailgate.reading import program_phrases
from mailgate.reading.inbound_letter import InboundLetter
from mailgate.reading.message import Letter, read_letter

T = TypeVar("T")

_log = structlog.get_logger("godaemon.mail")


@dataclass(frozen=True, slots=True)
class Intake:
    """Takes letters in, by transactions of the writer."""

    writer: Writer
    dispatcher: Dispatcher
    now: Callable[[], datetime]
    counts: Counter[str] = field(default_factory=Counter)  # letters that failed DMARC ("forged")
    _reading: dict[int, asyncio.Lock] = field(default_factory=lambda: defaultdict(asyncio.Lock))
    """A lock for each range of sizes, so that no letter waits until much longer ones are parsed."""

    def __post_init__(self) -> None:
        """Load the model and all words now: later there may be no free file descriptor."""
        lexicon()
        topic_named("help")
        program_phrases.topics()
        languages()
        model()

    async def take(self, inbound: InboundLetter) -> LetterOutcome:
        """Handle or quarantine a letter; raises `Temporary` if nothing was stored."""
        try:
            return await self._handle_despite_damage(inbound)
        except Temporary:
            count("letters_in", "put-off")
            raise
        except Damaged as fault:
            return await self._quarantine(inbound, f"{fault.public} ({fault.detail})", fault.public)
        except StoreDamaged as fault:
            raise Temporary(fault.public, detail=fault.detail) from fault
        except (MemoryError, OSError) as fault:  # may pass
            public = "This server is short of memory or disk space at the moment."
            raise Temporary(public, detail=repr(fault)) from fault
        except Exception:  # noqa: BLE001 - a bug of ours must not lose the letter
            return await self._quarantine(inbound, traceback.format_exc())

    async def retry(self, number: int) -> LetterOutcome:
        """Handle a quarantined letter again; raises `Unknown`, or `QuotaExceeded` if it stays."""

        def _handle_released(unit: Unit) -> LetterOutcome:
            released = unit.inbox.release_letter(number)
            give_back(self.dispatcher.games(unit), released.letter.sender, released.at)
            try:
                parsed = parse_letter(released.letter)
            except Unreadable as fault:  # it is not a letter
                return LetterOutcome("ignored", detail=fault.public)
            return self.dispatcher.handle(unit, parsed, self.now())

        try:
            outcome = await self.writer.run(_handle_released)
        except QuotaExceeded as enough:
            public = f"Email {number} stays in quarantine: no more can be answered today."
            public += " Please try again tomorrow."
            raise QuotaExceeded(public, detail=enough.detail) from enough
        _log_outcome(outcome, "", number)
        return outcome

    async def _handle_despite_damage(self, inbound: InboundLetter) -> LetterOutcome:
        """Handle a letter; if a game proves damaged, handle the letter again without it."""
        damaged_games = set[int]()
        while True:
            try:
                return await self._handle(inbound)
            except Damaged as fault:
                if fault.game in damaged_games:
                    raise
                damaged_games.add(fault.game)

    async def _handle(self, inbound: InboundLetter) -> LetterOutcome:
        try:
            parsed = await self._read_on_thread(parse_letter, inbound)
        except Unreadable as fault:
            outcome = LetterOutcome("ignored", detail=fault.public)
            _log_outcome(outcome, "", None, inbound.sender)
            return outcome
        await self._read_held_letters(parsed.letter)
        handle = self.dispatcher.handle_once
        outcome = await self.writer.run(lambda unit: handle(unit, parsed, self.now()))
        self.counts["forged"] += outcome.forged
        for one in parsed.commands:
            count("commands", "email", type(one.command).__name__.lower(), outcome.event)
        _log_outcome(outcome, parsed.letter.message_id, None, inbound.sender)
        return outcome

    async def _read_on_thread(
        self, parse: Callable[[InboundLetter], T], inbound: InboundLetter
    ) -> T:
        """Parse a letter on a thread, because the worst megabyte takes a third of a second."""
        async with self._reading[len(inbound.raw).bit_length() // 3]:
            return await asyncio.to_thread(parse, inbound)

    async def _read_held_letters(self, letter: Letter) -> None:
        """Parse the held letters that this one may confirm, to fill the cache."""
        tagged = (letter.recipient.rpartition("+")[2], *letter.references)
        found = tokens.tokens_of(tagged, letter.subject)
        numbers = [token.fields[0] for token in found if token.use == "held"]

        def _load_held_letters(unit: Unit) -> list[InboundLetter]:
            named = filter(None, map(unit.inbox.held_letter, numbers))
            held = (unit.inbox.held_letters(one.game, one.side, one.sender) for one in named)
            return [one.letter for each in held for one in each]

        for waiting in await self.writer.run(_load_held_letters) if numbers else ():
            await self._read_on_thread(parse_letter, waiting)

    async def _quarantine(
        self, inbound: InboundLetter, fault: str, words: str = ""
    ) -> LetterOutcome:
        """Keep the letter for the operator; `words` are for its sender."""
        letter = await self._read_on_thread(_read_or_none, inbound)
        content = inbound.recipient.casefold().encode() + b"\0" + inbound.raw
        fingerprint = letter.fingerprint if letter else hashlib.sha256(content).hexdigest()
        message_id = letter.message_id if letter else ""

        def _store_once(unit: Unit) -> int | None:
            now = self.now()
            if not unit.inbox.note_arrival(fingerprint, message_id, now):
                return None
            number = unit.inbox.quarantine_letter(inbound, fault, now)
            if letter is not None:
                self.dispatcher.apologise(unit, letter, now, words)
            return number

        number = await self.writer.run(_store_once)
        if number is None:
            _log_outcome(LetterOutcome("repeated"), message_id, None, inbound.sender)
            return LetterOutcome("repeated")
        count("letters_in", "quarantined")
        about = {"letter": number, "message_id": message_id or None, "peer": inbound.sender}
        _log.error("letter.quarantined", **about, detail=fault)
        return LetterOutcome("quarantined", detail=str(number))


def _read_or_none(inbound: InboundLetter) -> Letter | None:
    try:
        return read_letter(inbound.raw, sender=inbound.sender, recipient=inbound.recipient)
    except Exception:  # noqa: BLE001 - the letter is kept, whatever is wrong with it
        return None


def _log_outcome(
    outcome: LetterOutcome, message_id: str, number: int | None, peer: str = ""
) -> None:
    count("letters_in", outcome.event)
    about: dict[str, Any] = {"game": outcome.game, "seat": outcome.seat, "letter": number}
    about |= {"message_id": message_id, "peer": peer, "detail": outcome.detail}
    log = _log.warning if outcome.event == "complaint" else _log.info
    log(f"letter.{outcome.event}", **{key: value for key, value in about.items() if value})


# -- dry run -----------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Rehearsal:
    """The result of a dry run."""

    outcome: LetterOutcome
    parsed: ParsedLetter | None = None  # None if it is not a letter
    notices: Sequence[Notice] = ()  # the notices that it would queue
    repeated: bool = False  # whether it came before, so that nothing would happen now

    @property
    def commands(self) -> list[str]:
        return [cmd.log_text(one.command) for one in self.parsed.commands] if self.parsed else []

    @property
    def reason(self) -> str:
        """Why the letter would not be accepted, or some of its words not passed on; else ""."""
        abouts = (notice.about.get("aside", notice.about) for notice in self.notices)
        reasons = (sentence_from_json(about.get("reason", "")) for about in abouts)
        detail = "" if self.outcome.event == "accepted" else self.outcome.detail
        return next(filter(None, reasons), detail).replace("`", "")


class _RolledBackError(Exception):
    """Raised to roll back a rehearsal."""


async def rehearse(
    writer: Writer, dispatcher: Dispatcher, inbound: InboundLetter, now: datetime
) -> Rehearsal:
    """Handle a letter in a transaction that is rolled back."""
    try:
        parsed = await asyncio.to_thread(parse_letter, inbound)  # a long one takes a second
    except Unreadable as fault:
        return Rehearsal(LetterOutcome("ignored", detail=fault.public))
    found = list[Rehearsal]()

    def _handle_and_roll_back(unit: Unit) -> None:
        letter = parsed.letter
        new = unit.inbox.note_arrival(letter.fingerprint, letter.message_id, now)
        try:
            outcome = dispatcher.handle(unit, parsed, now)
        except QuotaExceeded as enough:
            outcome = LetterOutcome("put-off", detail=enough.detail or enough.public)
        except Exception:  # noqa: BLE001 - it would be quarantined with that
            outcome = LetterOutcome("quarantined", detail=traceback.format_exc())
        found.append(Rehearsal(outcome, parsed, unit.outbox.new_notices, not new))
        raise _RolledBackError

    with suppress(_RolledBackError):
        await writer.run(_handle_and_roll_back)
    return found[-1]
