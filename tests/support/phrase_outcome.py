"""The outcome of a phrase that a player writes in a situation, compared with the wanted one.

    for cell in run("count", read_phrases(FOLDER / "known.txt"), read_meanings()):
        print(cell.phrase.text, cell.way, cell.fault, cell.got)

The outcome is read from the game's log and the emails sent.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from html import unescape
from urllib.parse import unquote

from godaemon.games import events as ev
from godaemon.games.model import Game
from godaemon.games.notices import DueNotice, Kind
from godaemon.games.player_settings import Preferences
from mailgate import tokens
from mailgate.letters.blocks import LetterBlocks
from mailgate.letters.compose import Composer
from mailgate.letters.headers import letter_subject
from mailgate.letters.html_page import html_of
from mailgate.letters.letter_data import LetterData, load_letter_data
from mailgate.letters.plain_text import text_of
from tests.support.gateway import ADDRESS, KEY, Gateway
from tests.support.memory_store import State
from tests.support.phrase_table import Meanings, Phrase, Wanted
from tests.support.scenes import play_lines

_MINE = "play F5 G5 F4 C3"
_THEIRS = f"{_MINE} F6"
_COUNT = f"{_THEIRS} G6 F7 G7 F8 G8 F9 G9 F3 G3 F2 G2 F1 G1 H8 G4 pass pass"
_HAPPENED = {
    "confirm": "Alice: new 9x9 as black vs bob@players.example",
    "invited": "Bob: new 9x9 as white vs alice@players.example\nBob: yes",
    "mine": _MINE,
    "theirs": _THEIRS,
    "count": _COUNT,
    "agreed": f"{_COUNT}\nBob: done",
    "over": f"{_COUNT}\nBob: done\nAlice: done",
    "nogame": _MINE,
    "undo": f"{_THEIRS}\nBob: E6\nBob: undo",
    "void": f"{_THEIRS}\nBob: cancel",
    "ko": "play D5 E3 E6 D4 F5 F4 E4 J9 J1 E5",
    "passed": f"{_THEIRS}\nBob: pass",
    "reminded": f"""game Alice Bob 9x9 as black 10d+36h
        send
        {_MINE}
        send
        wait 6 days
        ring
        send""",
}
"""The scene before each situation."""
COMPOSER = Composer(KEY, ADDRESS, "Go by mail", invitation_days=14)
BOARD = re.compile(r"^ +A B C D E F G H J *$", re.MULTILINE)
LINK = re.compile(r'href="mailto:([^"?]*)\?(?:[^"]*?&(?:amp;)?)?body=([^"&]*)"')
PASSED_ON = re.compile(
    r"\b(pass|told|tell|sent|send|went|gone|deliver|hand|forward|read)", re.IGNORECASE
)
SHORT = 8
"""Quoted lines up to this length stay in an answer: it may contain such words itself."""
IGNORED = (ev.Said, ev.Finished, ev.Recognised, ev.Transferred, ev.Disagreed)
"""Events that the tables omit: consequences of others, or checked elsewhere."""


class Situation:
    """A situation, such as after Bob's `undo`; prepared once, restored for each phrase."""

    def __init__(self, name: str) -> None:
        self.gateway = Gateway()
        self.alice = self.gateway.person("Alice")
        play_lines(self.gateway, _HAPPENED[name])
        newest = self.alice.newest()
        fresh = name == "nogame"
        self._to = ADDRESS if fresh else tokens.reply_address(ADDRESS, self.gateway.token(newest))
        self._answers = "" if fresh else self.gateway.message_id(newest)
        self.state = self.gateway.writer.state
        self._games = dict(self.gateway.cache._games)
        self._effective: dict[Click, bool] = {}
        standing = [self.seen(newest)]
        standing += [one for one in self.say("show").emails if one.due.notice.kind is Kind.SHOW]
        self.standing = frozenset(piece for one in standing for piece in one.pieces)
        """Sentences that Alice gets after any text."""

    def game(self) -> Game:
        self._go_back(self.state)
        return self.gateway.game_now()

    def say(self, body: str) -> "Outcome":
        """Send an email from Alice."""
        self._go_back(self.state)
        self.alice.write(body, to=self._to, in_reply_to=self._answers)
        return Outcome(self, body, self.gateway.writer.state)

    def works(self, click: "Click", after: State) -> bool:
        """True if a click has an effect in the state `after`."""
        sends = click.body.startswith("send")  # its effect depends on the phrase
        if sends or click not in self._effective:
            self._go_back(after)
            done = self.alice.write(click.body, to=click.to).event in {
                "accepted",
                "leaving",
                "held",
            }
            passed_on = Outcome(self, click.body, self.gateway.writer.state).passed_on
            self._effective[click] = done and (bool(passed_on) or not sends)
        return self._effective[click]

    def seen(self, due: DueNotice) -> "Email":
        return Email(due, load_letter_data(self.gateway.snapshot(), due, self.gateway.cache))

    def _go_back(self, to: State) -> None:
        self.gateway.writer.state = to.copy()
        self.gateway.cache.clear()
        self.gateway.cache._games.update(self._games)


@cache
def situation_of(name: str) -> Situation:
    """A situation by its name; prepared once."""
    return Situation(name)


@dataclass(frozen=True, slots=True)
class Click:
    """A mailto link: its address and body."""

    to: str
    body: str


class Email:
    """An email from the gateway; text and links are rendered on demand."""

    def __init__(self, due: DueNotice, data: LetterData) -> None:
        self.due, self._data = due, data

    @cached_property
    def _blocks(self) -> LetterBlocks:
        return COMPOSER.blocks(self._data)

    @cached_property
    def text(self) -> str:
        return text_of(self._blocks)

    @cached_property
    def clicks(self) -> list[Click]:
        data = replace(self._data, counted=self._blocks.counted)
        sender = COMPOSER.sender_identity()
        title = letter_subject(data, sender)
        reply = sender.links(sender.token(data), title, data.after)
        pictures = ("a picture",) if self._blocks.picture == "kifu" else ()
        page = html_of(self._blocks, title, reply, pictures)
        found = LINK.findall(page)
        return [Click(unquote(unescape(to)), unquote(unescape(body))) for to, body in found]

    @property
    def pieces(self) -> list[str]:
        """Its sentences and indented lines, without quotations."""
        found: list[str] = []
        for paragraph in re.split(r"\n\s*\n", self.text):
            lines = [line for line in paragraph.split("\n") if not line.startswith(">")]
            if any(line.startswith(" ") for line in lines):
                found += [" ".join(line.split()) for line in lines]
            else:
                found += re.split(r"(?<=[.?!:]) ", " ".join(" ".join(lines).split()))
        return [piece for piece in found if piece]


class Outcome:
    """The outcome of one email."""

    def __init__(self, situation: Situation, body: str, after: State) -> None:
        self._situation, self._body, self._after = situation, body, after
        before = situation.state
        fresh = [
            queued.due for number, queued in after.outbox.items() if number not in before.outbox
        ]
        sender = situation.alice.address
        self.emails = [situation.seen(due) for due in fresh if due.notice.to == sender]
        """Emails to the sender."""
        self.others = [due for due in fresh if due.notice.to != sender]
        """Notices to others."""
        log = _grown(before, after)
        self.passed_on = [
            event.text for game, event in log if game in before.logs and isinstance(event, ev.Said)
        ]
        """The words passed on to the opponent."""
        self.events = [_event(event) for _, event in log if not isinstance(event, IGNORED)]
        self.events += _settings(before, after, sender)
        """The effects: `Moved D4`, `Marked dead C3`, `Set` (of emails), `Blocked` ..."""

    @property
    def reached_others(self) -> bool:
        return bool(self.passed_on or self.others)

    @cached_property
    def answers(self) -> list[str]:
        """The sentences to the sender about this phrase, without its quotation and `standing`."""
        lines = map(str.strip, self._body.split("\n"))
        quoted = [line for line in lines if len(line) > SHORT]
        found = []
        for piece in (piece for one in self.emails for piece in one.pieces):
            if piece not in self._situation.standing:
                for line in quoted:
                    piece = piece.replace(line, "")  # noqa: PLW2901 - removes all of them
                found.append(piece)
        return found

    @cached_property
    def says_passed_on(self) -> bool:
        """True if the sender was told that the words went to Bob."""
        return any("Bob" in piece and PASSED_ON.search(piece) for piece in self.answers)

    def clickable(self, lines: str) -> bool:
        """True if a link sends one of these lines, separated by "/", and works; "*" is any link."""
        wanted = lines.lower().split("/")
        return any(
            word == "*" or (_sends(click, word) and self._situation.works(click, self._after))
            for one in self.emails
            for click in one.clicks
            for word in wanted
        )

    def __str__(self) -> str:
        sender = [one.due.notice.kind.value for one in self.emails]
        others = [due.notice.kind.value for due in self.others]
        clicks = dict.fromkeys(_body(click) for one in self.emails for click in one.clicks)
        short = [
            click for click in clicks if not re.fullmatch(r"(dead )?[a-hj]\d( joined)?", click)
        ]
        board = ["(board)"] if len(short) < len(clicks) else []
        parts = [
            f"acts {', '.join(self.events)}" if self.events else "",
            f"told Bob {self.passed_on[0]!r}" if self.passed_on else "",
            f"others got {', '.join(others)}" if others else "",
            f"sender got {', '.join(sender)}" if sender else "sender got NOTHING",
            f"clicks {', '.join(short + board)}" if clicks else "",
        ]
        return "; ".join(part for part in parts if part)


def _body(click: Click) -> str:
    return " ".join(click.body.lower().split())


def _sends(click: Click, line: str) -> bool:
    body = f" {_body(click)} "
    return body.startswith(f" {line} ") or (line == "done" and body.endswith(" done "))


def _grown(before: State, after: State) -> list[tuple[int, ev.Event]]:
    """The new events, each with its game's number."""
    return [
        (number, entry.event)
        for number, entries in after.logs.items()
        for entry in entries[len(before.logs.get(number, ())) :]
    ]


def _event(event: ev.Event) -> str:
    name = type(event).__name__
    if isinstance(event, ev.Moved):
        return f"{name} {event.point}"
    if isinstance(event, ev.Marked):
        return f"{name} {'dead' if event.dead else 'alive'} {' '.join(sorted(event.stones))}"
    return name


def _settings(before: State, after: State, sender: str) -> list[str]:
    """The changes beside the games: `Set`, `Blocked`."""

    def chosen(state: State) -> object:
        return {
            key: replace(wish, receipts_sent=0)
            for key, wish in state.preferences.items()
            if key[0] == sender and replace(wish, receipts_sent=0) != Preferences()
        }

    changed = ["Set"] if chosen(before) != chosen(after) else []
    return changed + (["Blocked"] if before.blocks != after.blocks else [])


def _acts(outcome: Outcome, what: str) -> bool:
    what, alone, _ = what.partition(" alone")
    what, told, _ = what.partition(" told")
    spoken = bool(outcome.passed_on)
    return outcome.events == what.split(", ") and (not alone or not spoken) and (not told or spoken)


def _quiet(outcome: Outcome) -> bool:
    return not outcome.events and not outcome.reached_others


def _asks(outcome: Outcome, what: str) -> bool:
    return _quiet(outcome) and outcome.clickable(what or "*")


def _answered(outcome: Outcome, what: str) -> bool:
    if not what or not _quiet(outcome):
        return _quiet(outcome)
    words = " ".join(outcome.answers).lower()
    return any(word in words for word in what.lower().split("/"))


def _shown(outcome: Outcome, what: str) -> bool:
    return _quiet(outcome) and any(BOARD.search(one.text) for one in outcome.emails)


def _passed(outcome: Outcome, what: str) -> bool:
    passed = not outcome.events and bool(outcome.passed_on) and outcome.says_passed_on
    return passed and (not what or outcome.clickable(what))


JUDGES: Mapping[str, Callable[[Outcome, str], bool]] = {
    "acts": _acts,
    "asks": _asks,
    "answered": _answered,
    "shown": _shown,
    "passed": _passed,
}


@dataclass(frozen=True, slots=True)
class Cell:
    """A phrase in a situation: the wanted outcomes, the real one, and its fault."""

    situation: str
    phrase: Phrase
    wanted: tuple[Wanted, ...]
    got: str
    """The outcome in words, if it is wrong."""
    way: str
    """The wanted way that matches: "acts", "asks" ...; "" for none."""
    fault: str
    """"" or the worst of: silent, misplayed, leaked, unsaid (passed on without telling the sender),
    held (not passed on), undone (asked back although clear), unhelpful."""

    def __str__(self) -> str:
        wanted = " or ".join(map(str, self.wanted))
        phrase = self.phrase
        label = f"{self.situation} | {phrase.meaning} | {phrase.text}"
        return f"{label} | {wanted} | {self.fault}: {self.got}"


def judge(name: str, phrase: Phrase, wanted: Sequence[Wanted]) -> Cell:
    """Send a phrase in the situation of this name, and compare the outcome."""
    meant = tuple(replace(one, what=re.sub(r"\bX\b", phrase.about, one.what)) for one in wanted)
    outcome = situation_of(name).say(phrase.body)
    way = ""
    if outcome.emails:
        way = next((one.way for one in meant if JUDGES[one.way](outcome, one.what)), "")
    fault = "" if way else _fault(outcome, {one.way for one in meant}, meant)
    return Cell(name, phrase, meant, str(outcome) if fault else "", way, fault)


def _fault(outcome: Outcome, ways: set[str], wanted: Sequence[Wanted]) -> str:
    acted = any(
        one.way == "acts" and _acts(outcome, re.sub(" (alone|told)$", "", one.what))
        for one in wanted
    )
    faults = {
        "misplayed": outcome.events and not acted,
        "leaked": outcome.reached_others and not acted and "passed" not in ways,
        "silent": not outcome.emails,
        "leaked too": acted and outcome.passed_on,
        "held too": acted,
        "unsaid": outcome.reached_others,
        "held": ways == {"passed"},
        "undone": ways == {"acts"},
        "unhelpful": True,
    }
    return next(name for name, found in faults.items() if found).split()[0]


def run(name: str, phrases: Iterable[Phrase], meanings: Meanings) -> list[Cell]:
    return [judge(name, phrase, meanings[phrase.meaning][name]) for phrase in phrases]
