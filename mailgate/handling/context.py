"""The letter being handled: its parts, the transaction, the time, and the answers to it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from godaemon.games.awaited_decisions import Awaited
from godaemon.games.bouncing_addresses import clear_address
from godaemon.games.model import Game
from godaemon.games.notices import Kind, Notice
from godaemon.games.people import organisation, person
from godaemon.games.player_settings import Profile
from godaemon.games.service import GameService
from godaemon.games.service_calls import Caller
from godaemon.games.stored_values import Unit
from godaemon.games.stranger_limits import Origin
from godaemon.texts.catalogue import languages
from mailgate.address import strip_tag
from mailgate.handling import actions
from mailgate.handling.answer_limits import ANSWERS, MAX_ANSWERS, MAX_LATE_ANSWERS, AnswerLimits
from mailgate.handling.parsed_letter import ParsedLetter
from mailgate.handling.player_games import GameView
from mailgate.handling.trust import Trust
from mailgate.reading.message import Letter
from mailgate.tokens import Token, own_address

Answer = Callable[[], object]  # queues a checked answer; raises no Refusal

_MAX_ANSWERS = {Trust.OLD: MAX_LATE_ANSWERS, Trust.VOUCHED: MAX_ANSWERS, Trust.NEWEST: MAX_ANSWERS}
"""Answers per day by trust; less trust has the limit of strangers."""
_NO_RESULTS = (Kind.REFUSED, Kind.CONFIRM, Kind.TROUBLE, Kind.MOVING, Kind.FORGET)
"""Answers without the result of each line; some have lines of their own."""


def old_letter_key(address: str) -> str:
    """The key that counts answers to this address when it replies to an old letter."""
    return f"{address} (an old letter)"


@dataclass(frozen=True, slots=True)
class LetterOutcome:
    """The outcome of a letter for the log: the name of the event, its game, seat and detail."""

    event: str
    game: int | None = None
    seat: str | None = None
    detail: str = ""
    wrong_token: bool = False  # it has a token that we did not sign, and no good one
    forged: bool = False  # it failed DMARC by the verdict of our mail server
    retry: bool = False  # a limit is used up, perhaps by others: the server must retry later


@dataclass(frozen=True, slots=True)
class LetterContext:
    """A letter, the games and the time, and the limits on its answers."""

    addresses: tuple[str, ...]  # ours, the main one first
    unit: Unit
    games: GameService
    parsed: ParsedLetter
    now: datetime
    limits: AnswerLimits
    keys: Callable[[], Sequence[bytes]] = field(repr=False)
    """The keys that sign our tokens: the current one, and older ones that are still valid."""
    trust: Trust = Trust.NO_EVIDENCE  # how sure we are that From names its author
    was_held: bool = False  # no server sends it again, so limits do not apply
    lists: bool = False  # another answer already lists the games
    confirmed: bool = False  # it was held, and its seat has confirmed it
    held_words: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """Facts for the notice about words that are held."""
    drafts: dict[str, Profile] = field(default_factory=dict, repr=False)
    """Profiles by address, with the changes of the lines that are checked so far."""

    @property
    def letter(self) -> Letter:
        return self.parsed.letter

    @property
    def sender(self) -> str:
        return self.letter.sender.address if self.letter.sender else ""

    @property
    def by(self) -> str:
        """The address against which an answer counts; "" if we do not trust the sender."""
        if self.trust is Trust.OLD:
            return old_letter_key(self.sender)
        return self.sender if self.trust > Trust.OLD else ""

    def is_over_limit(self, kinds: Iterable[Kind] = ANSWERS, *, to: str = "") -> bool:
        """True if today's answers to its sender (or `to`) are used up at this level of trust."""
        address, limit = to or self.sender, _MAX_ANSWERS.get(self.trust)
        return not self.was_held and self.limits.too_many(address, kinds, limit, self.by)

    @property
    def caller(self) -> Caller:
        given = self.letter.sender.name if self.letter.sender else ""
        name, mail = self.unit.players.profile(self.sender).name or given, self.letter.message_id
        origin, ours = self.origin, self.our_address
        return Caller(f"letter:{mail}", self.sender, name, mail, origin=origin, our_address=ours)

    @property
    def origin(self) -> Origin:
        domain = self.letter.envelope_sender.rpartition("@")[2]
        return Origin(organisation(domain), self.parsed.inbound.network)

    @property
    def our_address(self) -> str:
        """The address of ours that it came to; "" for the main one."""
        return own_address(self.letter.recipient, self.addresses[1:]) or ""

    def is_ours(self, address: str) -> bool:
        """True for one of our own addresses, with or without a tag behind a +."""
        return own_address(strip_tag(address), self.addresses) is not None

    def remember(self, view: GameView | None = None) -> None:
        """Store its language, time zone and our address for later letters to its sender or seat."""
        self._remember_preferences(view)
        if len(self.addresses) > 1:
            self.unit.players.set_our_address(self.sender, self.our_address)
            if view is not None:
                self.unit.players.set_our_address(view.holder, self.our_address, view.game.id)

    def remember_stranger(self) -> None:
        """Store the language and time zone of a sender without a profile."""
        if self.unit.players.profile(self.sender) == Profile():
            self._remember_preferences(None)

    def _remember_preferences(self, view: GameView | None) -> None:
        """Store the language once, and the UTC offset of each email until a zone is chosen."""
        language, offset = self.parsed.language, self.letter.offset
        players, address = self.unit.players, self.address_of(view)
        known = new = players.profile(address)
        if not language and view is not None and view.awaits is Awaited.INVITATION:
            language = players.profile(view.opponent.address).language if known == Profile() else ""
        if language in languages() and not known.language:
            new = replace(new, language=language)
        if offset and not known.zone:
            new = replace(new, utc_offset=offset)
        if new != known:
            players.set_profile(address, new)

    def address_of(self, view: GameView | None) -> str:
        """The address of a seat, or of the sender if there is no seat."""
        return self.sender if view is None else view.holder

    @property
    def answered_notice(self) -> Notice | None:
        """The notice of our letter that it answers, or None."""
        return self.unit.outbox.find_by_message_id(next(iter(self.letter.references), ""))[1]

    def without_commands(self) -> "LetterContext":
        """A copy without commands: its answer does not list their results."""
        return replace(self, parsed=replace(self.parsed, text=None))

    def with_trust(self, trust: Trust = Trust.NEWEST) -> "LetterContext":
        """A copy with another level of trust: by default the highest, as after a good token."""
        return replace(self, trust=trust)

    def is_signed(self, token: Token, *secrets: str) -> bool:
        """True if one of our keys signed a token with these secrets."""
        return any(token.is_valid(key, *secrets) for key in self.keys())

    def count_as_reached(self) -> None:
        """Record that its sender reads our letters, so that earlier bounces no longer count."""
        clear_address(self.games, self.sender, proven=self.trust >= Trust.VOUCHED, by=self.by)

    def queue(
        self,
        kind: Kind,
        shown: GameView | Game | None = None,
        /,
        *,
        to: str = "",
        answers: str | None = None,
        **about: Any,  # noqa: ANN401 - JSON values
    ) -> None:
        """Queue a letter that shows the game as it is now; by default an answer to the sender.

        A program's letter is obeyed but not answered (RFC 3834, 2). Raises `QuotaExceeded` if a
        quota of strangers is used up.
        """
        if self.letter.automatic and not to:
            return
        self._check_quotas(to or self.sender)
        view, game = (shown, shown.game) if isinstance(shown, GameView) else (None, shown)
        dated = {} if view else {"at": self.now.isoformat()}  # a reply is compared with it
        held_words = {} if to else self.held_words
        length = game.length if game else 0
        notice = Notice(
            kind=kind,
            to=to or self.sender,
            by=self.by,
            game=game.id if game else None,
            seat=view.game.color_seat(view.seat) if view else None,
            since=length,
            until=length,
            answers=self.letter.message_id if answers is None else answers,
            about={**dated, **held_words, **about, **self._line_results(kind, view)},
            # The seat's own player may have written to another of our addresses.
            our_address=None if to and game else self.our_address,
        )
        self.unit.outbox.queue(notice, self.now)

    def _check_quotas(self, to: str) -> None:
        proven = self.trust >= Trust.OLD
        if proven and person(to) == person(self.sender):
            return
        if quotas := self.games.email_queue.quotas(to, self.origin, proven=proven):
            quotas.check()
            quotas.count()

    def _line_results(self, kind: Kind, view: GameView | None) -> dict[str, object]:
        text = self.parsed.text
        if kind in _NO_RESULTS or text is None or not text.commands:
            return {}
        if view is None:  # there is no opponent to pass words on to
            text = replace(text, message="")
        lines = actions.accepted_results(text, view)
        return actions.results_data(lines) if len(lines) > 1 else {}
