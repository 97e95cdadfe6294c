"""A letter's data as its recipient sees it: who they are, who the other is, what was done. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

from godaemon.games import events as ev
from godaemon.games.model import Chat, Game, Phase, Remark, Seat
from godaemon.games.notices import Kind, Notice
from godaemon.games.state import color as color_named
from godaemon.rules.points import Color
from godaemon.texts.catalogue import say
from mailgate.letters.blocks import MailtoReply, Quote
from mailgate.letters.letter_data import LetterData
from mailgate.letters.phrases import called, title

CLIENT = "godaemon-gtp.txt"
"""A name that mail providers let through: many hold back .py, .pyz and .zip."""
_LOOPBACK = ("localhost", "127.", "[::1]")


@dataclass(frozen=True, slots=True)
class GtpAccess:
    """The way by which Go programs come here: over TCP where `tcp` is set, else by a shell."""

    tcp: str = ""
    """HOST:PORT as the players' computers know it; empty where there is none."""
    tls: bool = True
    ssh: str = ""
    """The host that players log in to; empty where nobody said."""
    keys: Mapping[str, str] = field(default_factory=dict, repr=False)
    """The reader's keys by the colours' words."""
    client: bytes = field(default=b"", repr=False)
    """The program for the players' computers, which goes along with the line that starts it."""

    def line(self, game: int, color: Color) -> str:
        """What a Go program is to start."""
        if self.tcp:
            local = self.tcp.startswith(_LOOPBACK)
            said = "" if self.tls is not local else " --tls" if self.tls else " --no-tls"
            words = f"--connect {self.tcp}{said} --key {self.keys[color.word]}"
            return f"python3 Downloads/{CLIENT} {words}"
        seat = f"godaemon gtp --game {game} --as {color.word}"
        return f"ssh {self.ssh} {seat}" if self.ssh else seat


E = TypeVar("E", bound=ev.Event)
WORDS_LIMIT = 4_000
"""How many characters of somebody's words one letter repeats; the record has them all."""


@dataclass(frozen=True)
class LetterView:
    """A letter's data as its recipient sees it; `days` is how long a proposal waits for its answer.

    `access` is how Go programs reach us, with the reader's keys where the letter is about them.
    """

    data: LetterData
    days: int
    access: GtpAccess = GtpAccess()
    replies: Mapping[int, MailtoReply] = field(default_factory=dict)
    """For the list of games: where links write to that are about one of them, by its number."""

    def of(self, game: Game, seat: Seat) -> LetterView:
        """The same letter as if it were about a game, seen from a seat of it."""
        notice = replace(self.notice, game=game.id, seat=seat)
        return replace(self, data=replace(self.data, notice=notice, after=game))

    @property
    def notice(self) -> Notice:
        """The notice that is being written."""
        return self.data.notice

    @property
    def about(self) -> Mapping[str, Any]:
        """What only this notice has."""
        return self.notice.about

    @property
    def maybe_game(self) -> Game | None:
        """The game, where the letter is about one."""
        return self.data.after

    @property
    def game(self) -> Game:
        """The game of a letter that is about one; raises `LookupError` for one that is not."""
        if self.data.after is None:
            raise LookupError(f"{self.notice.kind} without a game")
        return self.data.after

    @property
    def seat(self) -> Seat:
        """For whom the letter is."""
        return self.notice.seat or Seat.PROPOSER

    @cached_property
    def color(self) -> Color | None:
        """The recipient's colour; None before colours are settled, and for who only watches."""
        watches = self.notice.kind is Kind.WATCH
        return self.game.color_of(self.seat) if self.data.after and not watches else None

    @cached_property
    def teaching(self) -> bool:
        """True where one person plays both colours."""
        return self.game.spec.teaching

    @cached_property
    def other(self) -> str:
        """What the other player is called."""
        if self.color is None:
            mine = self.game.side(self.seat) is Seat.PROPOSER
            return called(self.game.spec.invited if mine else self.game.spec.proposer)
        return self.named(self.color.opponent)

    def knows_other(self, address: str) -> bool:
        """True where an address is the other player's."""
        return not self.teaching and self.game.knows(self.game.seat(self.seat).other, address)

    @property
    def facing_engine(self) -> bool:
        """True where the other player is a program."""
        return self.game.spec.invited.engine is not None

    @property
    def my_turn(self) -> bool:
        """True where the recipient is to move."""
        to_move = self.game.to_move
        return to_move is not None and (self.teaching or to_move is self.color)

    def named(self, color: Color) -> str:
        """What the player of a colour is called, once colours are settled."""
        return called(self.game.player(Seat.of(color)))

    def tell(self, word: str, key: str, **values: object) -> str:
        """What the player of a colour did: `you-KEY` where that is the reader, else `they-KEY`."""
        if self.mine(word):
            return say(f"you-{key}", **values)
        return say(f"they-{key}", who=self.named(color_named(word)), **values)

    def mine(self, word: str) -> bool:
        """True where that colour's doing is the recipient's."""
        return self.teaching or color_named(word) is self.color

    def happened(self, kind: type[E]) -> Iterator[E]:
        """The events of one kind that the letter tells of, in their order."""
        return (event for event in self.data.events if isinstance(event, kind))

    @cached_property
    def moves(self) -> tuple[ev.Moved | ev.Passed, ...]:
        """The moves and passes that the letter tells of, in their order."""
        return tuple(one for one in self.data.events if isinstance(one, ev.Moved | ev.Passed))

    def both_colors(self) -> str:
        """`You are Black, Bob is White.`, in a sentence."""
        if self.teaching:
            return say("you-are-both")
        if self.color is None:
            black, white = map(self.named, Color)
            return say("they-are", black=black, white=white)
        return say(f"you-are-{self.color.word}", other=self.other)

    def remark(self, said: Chat | Remark) -> str:
        """Something that was said or noted, on a line: `You, move 12: well played`."""
        words = " ".join(said.text.split())
        return self.tell(said.color.word, "said", number=said.move_number, words=words)

    def words(self) -> tuple[Quote, ...]:
        """What was said in what the letter tells of: the other's words first, then one's own."""
        theirs = [*self.about.get("unheard", ())]
        theirs += [said.text for said in self.happened(ev.Said) if not self.mine(said.color)]
        ours = [*self.about.get("sent", ())]
        ours += [said.text for said in self.happened(ev.Said) if self.mine(said.color)]
        for event in self.data.events:
            if isinstance(event, ev.Declined | ev.Countered) and event.words:
                mine = self.game.side(self.seat).word == event.side
                (ours if mine else theirs).append(event.words)
        quotes = []
        if theirs:
            quotes.append(Quote(say("they-wrote", who=self.other), _lines(theirs)))
        if ours:
            whose = say("you-noted") if self.teaching else say("passed-on", other=self.other)
            quotes.append(Quote(whose, _lines(ours)))
        return tuple(quotes)

    def last_words(self) -> tuple[Quote, ...]:
        """What the other player has said since the reader's last move."""
        moves = self.game.position.moves
        mine = [at for at, move in enumerate(moves, 1) if move.color is self.color]
        since, other = max(mine, default=0), self.color.opponent if self.color else None
        said = [
            chat.text
            for chat in self.game.chat
            if chat.color is other and chat.move_number >= since
        ]
        if not said or self.teaching:
            return ()
        return (Quote(say("they-wrote", who=self.other), _lines(said)),)

    def whose_turn(self) -> str:
        """Whose turn it is, in a sentence; empty where nobody is to move."""
        game = self.game
        to_move = game.to_move
        if game.phase is Phase.SCORING:
            return self.awaited()
        if to_move is None:
            return ""
        if self.teaching:
            return say("color-to-move", color=title(to_move))
        if self.my_turn:
            return say("your-move", color=title(to_move))
        return say("their-move", who=self.named(to_move), color=title(to_move))

    def awaited(self) -> str:
        """From whom a `done` is awaited in a game that is being counted, in a sentence."""
        if self.teaching:
            return say("done-alone")
        if self.color in self.game.agreed:
            return say("done-by-you", other=self.other)
        if self.game.agreed:
            return say("done-by-them", other=self.other)
        return say("done-by-nobody", other=self.other)


def _lines(texts: list[str]) -> tuple[str, ...]:
    whole = "\n\n".join(texts)
    kept = whole[:WORDS_LIMIT]
    lines = tuple(kept.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    return lines if kept == whole else (*lines, say("rest-in-record"))
