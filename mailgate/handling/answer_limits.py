"""Limits on our answers, against mail loops and forged letters.

A stranger is answered once a day for each reason. A letter that does not ask to begin must be short
and without links, because its sender may be forged. Answers are counted in the outbox, so a restart
forgets nothing. `godaemon.games.stranger_limits` limits strangers by domain, by network and in all.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from difflib import get_close_matches
from typing import Any

from godaemon.errors import Refusal, Unreadable
from godaemon.games import commands as cmd
from godaemon.games.events import LogEntry, Said
from godaemon.games.model import Game
from godaemon.games.notices import Kind
from godaemon.games.service import GameService
from godaemon.games.stranger_limits import is_stranger
from godaemon.rules.points import Color
from mailgate.handling.trust import Trust
from mailgate.language.command_lines import whole_command
from mailgate.language.lexicon import lexicon
from mailgate.language.meaning_model import meanings
from mailgate.language.parser import MAX_COMMANDS
from mailgate.language.terms import terms_in
from mailgate.language.written_moves import normalize
from mailgate.links import leads_elsewhere
from mailgate.reading.message import Letter
from mailgate.reading.reply_trimming import fold_space
from mailgate.word_sets import words_of

ANSWERS = (
    *(Kind.CONFIRM, Kind.REFUSED, Kind.HELP, Kind.LEARN, Kind.SHOW, Kind.DESCRIBE, Kind.SGF),
    *(Kind.KIFU, Kind.GIF, Kind.GAMES, Kind.CHALLENGES, Kind.PLAYERS, Kind.PUBLIC_GAMES),
    Kind.SETTINGS,
)
"""Answers to letters without a good token; limited per address and day."""

READ_ONLY_ANSWERS = (*ANSWERS, Kind.ESTIMATE, Kind.SCORE, Kind.REVIEW, Kind.GUI, Kind.BLOCKED)
"""Answers to letters with a good token that change no game."""
_STRANGER_ANSWERS = (Kind.REFUSED, Kind.HELP, Kind.SHOW)  # one a day, or `_MAX_GO_ANSWERS`
MAX_ANSWERS = 200  # per day to one address; more must be a mail loop
MAX_LATE_ANSWERS = 30  # per day to replies to old letters, which others may have
MAX_CHAT_LETTERS = 60  # chat-only letters per day from one player to one opponent
MAX_CHAT_BURST = 5  # chat-only letters per minute; only a program writes faster
MAX_MARK_LETTERS, MAX_MARK_BURST = 500, 20  # letters that only change marks, per day and per minute
DAY = timedelta(days=1)
MINUTE = timedelta(minutes=1)
_MAX_ENTRIES = 300
_MIN_WORDS_LENGTH, _MAX_REPEATS = 20, 3
_MAX_WORDS = 50  # maximum words of a stranger's letter that we answer; twice as many with a request
_TERSE_WORDS = 20  # maximum words of a stranger's letter in which an address may be the opponent's
_MIN_SHARE = 0.3  # minimum probability of a stranger's request
_MAX_CLASSIFIED = 600  # maximum characters of a stranger's letter that are classified
_NUMBER = re.compile(r"(?i)(?<!\S)(?=\S*?(?:\d{3}|#))\S+|(?<![a-z\d])\d[\d:.,/]*(?: ?[ap]\.?m\b)?")
"""A number that is not a point: programs vary ticket numbers, dates and times in one text."""
_VARYING = re.compile(r"“(?:.*”|.*)|(?<!\S)\S*[\d@]\S*")
"""Quotations and numbers, which are ignored so that similar typing errors have one reason."""
_NUMBERS = re.compile(r"“(?:.*”|.*)|\b\d+\b")
"""Quotations and bare numbers: if a letter was understood, points and names make a difference."""
_MAX_GO_ANSWERS = 3  # answers per day to a stranger's letters about Go
_ADDRESS = re.compile(r"(?<!\S)\S+@\S+")
_TERMS = re.compile(r"@|\bvs\b|\d{1,2} ?[x×*] ?\d")
"""Marks of a proposal; a sentence that begins with `New` has none."""


def reason_of(refusal: Refusal) -> str:
    """A key for the reason of a refusal; it does not depend on the words that are quoted."""
    varying = _VARYING if isinstance(refusal, Unreadable) else _NUMBERS
    return " ".join(varying.sub(" ", refusal.public).split())[:160]


@dataclass(frozen=True, slots=True)
class AnswerLimits:
    """Limits on letters to one address; `limit` is the answers per day to a stranger."""

    games: GameService
    now: datetime
    limit: int

    def too_many(
        self,
        address: str,
        kinds: Iterable[Kind] = ANSWERS,
        limit: int | None = None,
        by: str | None = None,
    ) -> bool:
        """True if an address was sent `limit` letters of these kinds in a day.

        `by` counts only letters caused by that address; "" letters without a trusted cause.
        """
        count = self.games.unit.outbox.count_queued(kinds, self.now - DAY, to=address, by=by)
        return count >= (self.limit if limit is None else limit)

    def recent_notices(
        self, kind: Kind, address: str, within: timedelta, by: str
    ) -> Sequence[Mapping[str, Any]]:
        """The data of recent notices of one kind to an address."""
        return self.games.unit.outbox.queued_facts(kind, self.now - within, to=address, by=by)

    def count_refusals(
        self, address: str, reason: str, *, by: str = "", within: timedelta = DAY
    ) -> int:
        """Number of recent refusals to an address for this reason; `by` as in `too_many`."""
        refusals = self.recent_notices(Kind.REFUSED, address, within, by)
        return sum(about.get("why") == reason for about in refusals)

    def used_up_period(
        self, log: Sequence[LogEntry], color: Color, sender: str, opponent: str
    ) -> timedelta | None:
        """The period (a day, a minute) whose limit on chat-only letters is used up, or None."""
        recent = log[-_MAX_ENTRIES:]
        commanding = {(one.at, one.cause) for one in recent if not isinstance(one.event, Said)}
        chat_only = {(at, cause) for at, cause, _ in self._messages(log, color)} - commanding
        count_queued = self.games.unit.outbox.count_queued
        for limit, period in ((MAX_CHAT_LETTERS, DAY), (MAX_CHAT_BURST, MINUTE)):
            since = self.now - period
            emails = count_queued((Kind.CHAT,), since, to=opponent, by=sender)
            if max(emails, sum(at > since for at, _ in chat_only)) >= limit:
                return period
        return None

    def too_many_marks(self, sender: str, opponent: str) -> bool:
        """True if a limit on letters that only change marks is used up."""
        count_queued = self.games.unit.outbox.count_queued
        return any(
            count_queued((Kind.MARKS_CHANGED,), self.now - period, to=opponent, by=sender) >= limit
            for limit, period in ((MAX_MARK_LETTERS, DAY), (MAX_MARK_BURST, MINUTE))
        )

    def were_passed_on(
        self, log: Sequence[LogEntry], color: Color, words: str, *, exactly: bool = False
    ) -> bool:
        """True if the same words were passed on within a day; short words `_MAX_REPEATS` times.

        Numbers are ignored unless `exactly`.
        """
        today = [text for at, _, text in self._messages(log, color) if self.now - at < DAY]
        messages = today if exactly else [_NUMBER.sub("#", text) for text in today]
        words = words if exactly else _NUMBER.sub("#", words)
        return messages.count(words) >= (_MAX_REPEATS if len(words) <= _MIN_WORDS_LENGTH else 1)

    def key_of_words(self, case: str, sender: str, game: Game, words: str) -> str:
        """The key that counts refusals of these words, ignoring numbers, in an unchanged game.

        A program repeats its words; a person whom we know must not meet silence.
        """
        if self.is_stranger(sender):
            return case
        return f"{case} in {game.id}, {game.length}: {_NUMBER.sub('#', words)}"[:300]

    def count_receipts(self, address: str, by: str) -> int:
        """The number of today's answers that only confirmed words."""
        shown = self.recent_notices(Kind.SHOW, address, DAY, by)
        return sum("words_only" in one for one in shown)

    def _messages(self, log: Sequence[LogEntry], color: Color) -> list[tuple[datetime, str, str]]:
        return [
            (entry.at, entry.cause, entry.event.text)
            for entry in log[-_MAX_ENTRIES:]
            if isinstance(entry.event, Said) and entry.event.color == color.word
        ]

    def is_stranger(self, address: str) -> bool:
        """True if we have no proof that a person reads an address: a yes, a no, or a game."""
        return is_stranger(self.games.unit, self.games.readable_game, address)

    def backscatter_reason(self, letter: Letter, lines: Sequence[str], trust: Trust) -> str:
        """Why a refusal might reach somebody who did not write the letter; "" if it would not."""
        author = letter.sender.address if letter.sender else ""
        if trust >= Trust.OLD or not self.is_stranger(author):
            return ""
        if trust < Trust.ALIGNED:
            return "a stranger, and the envelope is from another domain"
        if asks_to_begin(lines, letter.subject):
            return ""
        words = " ".join([letter.subject, *lines])
        found = meanings(" \n".join(line for line in lines if fold_space(line))[:_MAX_CLASSIFIED])
        asks = any(one.first in _REQUESTS and one.likely[0][1] >= _MIN_SHARE for _, one in found)
        asks = asks or any(one[0].isdigit() for one in terms_in(words))  # the size of a board
        short = len(words.split()) <= _TERSE_WORDS
        has_link = leads_elsewhere(_ADDRESS.sub(" ", words) if asks or short else words)
        if has_link or not 0 < len(words.split()) <= _MAX_WORDS * (2 if asks else 1):
            return "a stranger, and it asks for nothing that we offer to strangers"
        if self.too_many(author, _STRANGER_ANSWERS, limit=_MAX_GO_ANSWERS if asks else 1, by=""):
            return "a stranger, who was answered today already"
        return ""


def asks_to_begin(lines: Sequence[str], subject: str) -> bool:
    """True if a letter asks for `help` or `new ...`, even with a typing error."""
    first_lines = [line for line in lines if fold_space(line)][:MAX_COMMANDS] or [subject]
    asks_for_help = isinstance(whole_command(first_lines[0]), cmd.Help)
    return asks_for_help or any(map(_looks_like_proposal, first_lines))


def _looks_like_proposal(line: str) -> bool:
    word, _, rest = normalize(line[:300]).partition(" ")
    verbs = [one for one, verb in lexicon().verbs.items() if verb == "new"]
    near = get_close_matches(word.strip(".,:!?"), verbs, n=1, cutoff=0.65)
    return bool(near and _TERMS.search(rest))


_REQUESTS = words_of("""
    new rematch opponents programs learn rules word who help commands rating language stop forget
    gui watch
""")
"""Meanings that are requests which strangers may make."""
