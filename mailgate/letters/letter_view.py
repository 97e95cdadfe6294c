"""A letter's data as its recipient sees it: the players, and what happened."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

from godaemon.games import events as ev
from godaemon.games.model import Game, Phase, Remark, Seat
from godaemon.games.notices import Kind, Notice
from godaemon.rules.points import Color
from godaemon.texts.catalogue import say
from mailgate.letters.blocks import MailtoReply, Quote
from mailgate.letters.letter_data import LetterData
from mailgate.letters.phrases import color_name, player_name

CLIENT = "godaemon-gtp.txt"
"""A file name that mail providers accept: many reject .py, .pyz and .zip."""
_LOOPBACK = ("localhost", "127.", "[::1]")


@dataclass(frozen=True, slots=True)
class GtpAccess:
    """How Go programs connect: over TCP if `tcp` is set, else by ssh or on this machine."""

    tcp: str = ""
    """HOST:PORT for the players' computers; "" without TCP."""
    tls: bool = True
    ssh: str = ""
    """The host that players log in to; "" if it is not known."""
    keys: Mapping[str, str] = field(default_factory=dict, repr=False)
    """The reader's keys, by the words of the colours."""
    client: bytes = field(default=b"", repr=False)
    """The client program, which is attached to the letter with the line that starts it."""

    def line(self, game: int, color: Color) -> str:
        """The command that connects a Go program."""
        if not self.tcp:
            seat = f"godaemon gtp --game {game} --as {color.word}"
            return f"ssh {self.ssh} {seat}" if self.ssh else seat
        is_default = self.tls is not self.tcp.startswith(_LOOPBACK)
        option = "" if is_default else " --tls" if self.tls else " --no-tls"
        key = self.keys[color.word]
        return f"python3 Downloads/{CLIENT} --connect {self.tcp}{option} --key {key}"


E = TypeVar("E", bound=ev.Event)
MAX_WORDS = 4_000
"""Maximum characters of a player's words that one letter repeats; the record has them all."""


@dataclass(frozen=True)
class LetterView:
    """A letter's data as its recipient sees it; a proposal waits `days` for its answer.

    `access` is how Go programs reach us, with the reader's keys if the letter is about them.
    """

    data: LetterData
    days: int
    access: GtpAccess = GtpAccess()
    replies: Mapping[int, MailtoReply] = field(default_factory=dict)
    """In the list of games: the reply that the links of a game open, by the game's number."""

    def with_game(self, game: Game, seat: Seat) -> "LetterView":
        """A copy of this view that is about another game, as the player of a seat sees it."""
        notice = replace(self.notice, game=game.id, seat=seat)
        return replace(self, data=replace(self.data, notice=notice, after=game))

    @property
    def notice(self) -> Notice:
        return self.data.notice

    @property
    def about(self) -> Mapping[str, Any]:
        return self.notice.about

    @property
    def maybe_game(self) -> Game | None:
        return self.data.after

    @property
    def game(self) -> Game:
        """The game of a letter that is about one; raises `LookupError` for one that is not."""
        if self.data.after is None:
            raise LookupError(f"{self.notice.kind} without a game")
        return self.data.after

    @property
    def seat(self) -> Seat:
        return self.notice.seat or Seat.PROPOSER

    @cached_property
    def color(self) -> Color | None:
        """The recipient's colour; None before colours are settled, and for spectators."""
        watches = self.notice.kind is Kind.WATCH
        return self.game.color_of(self.seat) if self.data.after and not watches else None

    @cached_property
    def teaching(self) -> bool:
        return self.game.spec.teaching and self.notice.kind is not Kind.WATCH

    @cached_property
    def other(self) -> str:
        if self.color is None:
            is_proposer = self.game.side(self.seat) is Seat.PROPOSER
            return player_name(self.game.spec.invited if is_proposer else self.game.spec.proposer)
        return self.name_of(self.color.opponent)

    def knows_other(self, address: str) -> bool:
        return not self.teaching and self.game.knows(self.game.color_seat(self.seat).other, address)

    @property
    def facing_engine(self) -> bool:
        return self.game.spec.invited.engine is not None

    @property
    def my_turn(self) -> bool:
        to_move = self.game.to_move
        return to_move is not None and (self.teaching or to_move is self.color)

    def say(self, key: str, **more: object) -> str:
        """A sentence about the game and the other player: `{game}` and `{who}`, and more."""
        return say(key, **{"game": self.game.id, "who": self.other, **more})

    def name_of(self, color: Color) -> str:
        return player_name(self.game.player(Seat.of(color)))

    def you_or_name(self, color: Color) -> str:
        return say("you") if self.is_mine(color.word) else self.name_of(color)

    def say_who(self, word: str, key: str, **values: object) -> str:
        """A sentence about a colour's player: `you-KEY` if that is the reader, else `they-KEY`."""
        if self.is_mine(word):
            return say(f"you-{key}", **values)
        return say(f"they-{key}", who=self.name_of(Color.named(word)), **values)

    def is_mine(self, word: str) -> bool:
        return self.teaching or Color.named(word) is self.color

    def events_of(self, kind: type[E]) -> Iterator[E]:
        return (event for event in self.data.events if isinstance(event, kind))

    @cached_property
    def moves(self) -> tuple[ev.Moved | ev.Passed, ...]:
        return tuple(one for one in self.data.events if isinstance(one, ev.Moved | ev.Passed))

    def both_colors(self) -> str:
        """`You are Black, Bob is White.`, in a sentence."""
        if self.teaching:
            return say("you-are-both")
        if self.color is None:
            black, white = map(self.name_of, Color)
            return say("they-are", black=black, white=white)
        return self.say(f"you-are-{self.color.word}")

    def remark_line(self, remark: Remark) -> str:
        """A message or a note on one line: `You, move 12: well played`."""
        words = " ".join(remark.text.split())
        who = self.you_or_name(remark.color)
        return say("said-at", who=who, number=remark.move_number, words=words)

    @property
    def last_to_pass(self) -> str | None:
        """The colour of the last pass in the letter's events; a plan may add a second pass."""
        return next((event.color for event in reversed([*self.events_of(ev.Passed)])), None)

    def words(self) -> tuple[Quote, ...]:
        """The chat in this letter: the other player's words first, then the reader's own."""
        own, others = [*self.about.get("sent", ())], [*self.about.get("unheard", ())]
        for event in self.data.events:
            match event:
                case ev.Said(color, text):
                    (own if self.is_mine(color) else others).append(text)
                case ev.Declined() | ev.Countered() if event.words:
                    is_reader = self.game.side(self.seat).word == event.side
                    (own if is_reader else others).append(event.words)
        heading = say("you-noted") if self.teaching else self.say("passed-on")
        return (*self.quote_texts(self.say("they-wrote"), others), *self.quote_texts(heading, own))

    def last_words(self) -> tuple[Quote, ...]:
        if self.teaching:
            return ()
        moves, me = self.game.position.moves, self.color
        since = max((at for at, one in enumerate(moves, 1) if one.color is me), default=0)
        others = (one for one in self.game.chat if one.color is not me)
        texts = [one.text for one in others if one.move_number >= since]
        return self.quote_texts(self.say("they-wrote"), texts)

    def quote_texts(self, heading: str, texts: Sequence[str]) -> tuple[Quote, ...]:
        """The words of a person below a heading; () if there are none."""
        text = "\n\n".join(texts)
        lines = text[:MAX_WORDS].replace("\r\n", "\n").replace("\r", "\n").split("\n")
        lines += [say("rest-in-record")] if len(text) > MAX_WORDS else []
        return (Quote(heading, tuple(lines)),) if texts else ()

    def whose_turn(self) -> str:
        """Whose turn it is, in a sentence; empty if nobody is to move."""
        to_move = self.game.to_move
        if self.game.phase is Phase.SCORING:
            return self.who_must_agree()
        if to_move is None:
            return ""
        key = "your-move" if self.my_turn else "their-move"
        key = "color-to-move" if self.teaching else key
        who = "" if self.my_turn else self.name_of(to_move)
        return say(key, who=who, color=color_name(to_move))

    def who_must_agree(self) -> str:
        """A sentence that says who must still send `done` in the count."""
        key = "done-by-them" if self.game.agreed else "done-by-nobody"
        key = "done-by-you" if self.color in self.game.agreed else key
        return self.say("done-alone" if self.teaching else key)
