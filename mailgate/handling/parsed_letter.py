"""A letter parsed before the transaction: its commands, or a report on one of ours."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from types import UnionType

from godaemon.errors import Refusal, Unreadable
from godaemon.games import commands as cmd
from godaemon.records import sgf
from godaemon.records.record import Record
from godaemon.texts.catalogue import sentence
from mailgate.address import clean_quote, plain_recipient, strip_tag
from mailgate.language.acting_statements import is_greeting
from mailgate.language.closings import is_only_closing, strip_closing, strip_contact
from mailgate.language.command_lines import is_command_line, whole_command
from mailgate.language.game_lines import game_lines
from mailgate.language.lexicon import lexicon
from mailgate.language.meaning_model import meanings
from mailgate.language.parser import HoldReason, ParsedCommand, ParsedText, asks_to_stop, parse_text
from mailgate.language.statement_splitting import statements
from mailgate.reading.automatic_mail import program_reason
from mailgate.reading.bounce_reports import Failure, find_failure, find_quoted_id, may_report
from mailgate.reading.inbound_letter import InboundLetter
from mailgate.reading.message import Letter, read_letter
from mailgate.reading.reply_trimming import (
    lines_within_quotation,
    new_text,
    words_below_heading,
    words_within_quotation,
)
from mailgate.tokens import clean_message, parse_token, strip_tags

_BOUNCE = "+bounce-"
MAX_NODES = 20_000  # maximum nodes of an attached record
_ACTIONS = (cmd.Play, cmd.Place, cmd.Pass, cmd.Resign, cmd.Mark)
_TOP = 120  # characters that are read of a letter without new text


@dataclass(frozen=True, slots=True)
class ParsedLetter:
    """A letter with its commands, or with the refusal of commands that could not be read."""

    inbound: InboundLetter
    letter: Letter
    text: ParsedText | None
    refusal: Refusal | None = None
    lines: tuple[str, ...] = ()  # the new text, as it was read
    words_below: str = ""  # the words below a heading or a quotation, which never act
    failure: Failure | None = None  # why a letter of ours bounced, if this is a bounce
    returned_id: str = ""  # the Message-ID of ours that a bounce or complaint quotes; else ""
    language: str = ""  # the language of its commands or words; "" if we are not sure
    record: Record | Unreadable | None = None
    """The record that is attached to a proposal or to words, or why it could not be read."""

    def has_command(self, *kinds: type | UnionType) -> bool:
        return has_command(self.commands, *kinds)

    @property
    def commands(self) -> tuple[ParsedCommand, ...]:
        """Its commands; none if they could not be read."""
        return self.text.commands if self.text else ()


def has_command(commands: Iterable[ParsedCommand], *kinds: type | UnionType) -> bool:
    return any(isinstance(one.command, kinds) for one in commands)


def parse_letter(inbound: InboundLetter) -> ParsedLetter:
    """Parse a letter and its commands; raises `Unreadable` if it is not a letter."""
    to = plain_recipient(inbound.recipient)
    untagged = to if _BOUNCE in to.lower() else strip_tag(to)
    found = _parse_once(InboundLetter(untagged, inbound.sender, inbound.raw))
    if isinstance(found, Unreadable):
        raise found
    token = parse_token(to.partition("@")[0].rpartition("+")[2])
    if token is None or token.use != "seat":
        _parse_lines_apart(found.lines)
    return replace(found, inbound=inbound, letter=replace(found.letter, recipient=to))


@lru_cache(maxsize=16)  # for all recipients of a letter, and for held letters
def _parse_once(inbound: InboundLetter) -> ParsedLetter | Unreadable:
    try:
        return _parse(inbound)
    except Unreadable as fault:
        return fault


def _parse(inbound: InboundLetter) -> ParsedLetter:
    letter = read_letter(inbound.raw, sender=inbound.sender, recipient=inbound.recipient)
    if letter.automatic and not letter.doubtful:
        return _parse_report(inbound, letter, letter.automatic)
    words = "" if letter.obstacle else letter.text
    lines = new_text(words, writer=letter.sender, greets=is_greeting)
    parsed = _parse_words(inbound, letter, lines)
    top = lines or letter.text[:_TOP].split("\n")  # the marker of a ticket system may be on top
    automatic = "" if parsed.commands else letter.automatic or program_reason(letter.subject, top)
    if automatic:
        return _parse_report(inbound, replace(letter, automatic=automatic), automatic)
    meanings(parsed.text.message if parsed.text else "")  # fills its cache
    found = (one.text for command in parsed.commands for one in statements(command.line))
    language = lexicon().language_of(found) or lexicon().guess_language("\n".join(lines))
    return replace(parsed, record=read_record(parsed), language=language)


@lru_cache(maxsize=16)
def _parse_lines_apart(lines: tuple[str, ...]) -> None:
    """Parse each line by itself, to fill the cache for a reply to a list."""
    for line in game_lines(lines):
        with suppress(Refusal):
            parse_text([line.request])


def read_record(parsed: ParsedLetter) -> Record | Unreadable | None:
    """The record that is attached to a proposal or to words; None if there is none."""
    attached = parsed.letter.attached
    proposals = [one.command for one in parsed.commands if isinstance(one.command, cmd.Propose)]
    if not attached or (parsed.commands and not proposals):
        return None
    try:
        record = sgf.parse_sgf(attached[0], MAX_NODES)
    except Unreadable as fault:
        return fault
    remarks = [*record.left_out]
    if len(attached) > 1:
        remarks.append(sentence("attached-files", count=len(attached)))
    if proposals and record.size != proposals[0].size:
        remarks.append(sentence("size-of-record", size=record.size))
    return replace(record, left_out=tuple(remarks))


def _parse_words(inbound: InboundLetter, letter: Letter, new: tuple[str, ...]) -> ParsedLetter:
    names = writer_names(letter)
    lines = strip_closing(strip_contact(new, names), names)
    inside = () if letter.obstacle else lines_within_quotation(letter.text, new)
    below = _words_below(letter, inside)
    only_commands = all(map(is_command_line, filter(None, below)))
    words_below = "" if only_commands else clean_message("\n".join(below))
    try:
        text = parse_text(lines, strip_tags(letter.subject))
        if letter.obstacle and not text.commands:
            raise Unreadable(letter.obstacle)
        if not text.commands:
            found = (clean_quote(one) for one in inside if isinstance(whole_command(one), _ACTIONS))
            moves = tuple(dict.fromkeys(found))[:3]
            if moves or (below and (inside or not lines)):
                line = moves[0] if moves else clean_quote(below[0])
                raise Unreadable(sentence("line-below-quote", line=line), hints=moves)
    except Refusal as refusal:
        return ParsedLetter(inbound, letter, None, refusal, lines, words_below)
    if below:
        hold_reason = HoldReason(clean_quote(below[0]), sentence("below-quote"))
        text = replace(text, hold_reason=hold_reason, held_words=words_below)
    return ParsedLetter(inbound, letter, text, None, lines, words_below)


def writer_names(letter: Letter) -> list[str]:
    """The name of a letter's writer, and the one in the writer's address."""
    return [letter.sender.name, letter.sender.address.split("@")[0]] if letter.sender else []


def _words_below(letter: Letter, inside: tuple[str, ...]) -> tuple[str, ...]:
    """The words below a heading, or in the lines `inside` a quotation, or commands there.

    There are none if the letter cannot be read, and none of a signature.
    """
    if letter.obstacle:
        return ()
    found = words_below_heading(letter.text) or words_within_quotation(inside)
    found, names = found or tuple(filter(is_command_line, inside)), writer_names(letter)
    closes = is_only_closing(" ".join(found), " ".join(names))
    return () if closes or strip_contact(found, names) != found else found


def _parse_report(inbound: InboundLetter, letter: Letter, automatic: str) -> ParsedLetter:
    reports = letter.complaint or may_report(automatic)
    ours = find_quoted_id(inbound.raw, letter.recipient.rpartition("@")[2]) if reports else ""
    if letter.complaint:
        return ParsedLetter(inbound, letter, None, returned_id=ours)
    if _BOUNCE in letter.recipient.lower():
        return ParsedLetter(inbound, letter, None, failure=find_failure(inbound.raw))
    server = automatic.startswith(("null sender", "our own address", "from "))
    if not server and asks_to_stop(strip_tags(letter.subject)):
        return ParsedLetter(inbound, letter, parse_text((), strip_tags(letter.subject)))
    reported = find_failure(inbound.raw) if ours else None
    return ParsedLetter(inbound, letter, None, failure=reported, returned_id=ours)
