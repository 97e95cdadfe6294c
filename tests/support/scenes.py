"""Scenes of correspondence as text: who writes what, and the outcome.

    * Who asks twice is told that the answer was no
      play E5 C3 D4
      Alice: undo
      Bob: No, sorry!
      Alice: undo => refused >> has already said no
      game.moves = E5 C3 D4

`scene_files` describes the file format. The lines are:

    setting strangers=3, limit confirmations_per_sender=2
    game Alice Bob 9x9 as black         a game is proposed, confirmed and accepted
    play D4 E5 pass                     Alice and Bob alternate
    Alice: D4⏎Have fun! => accepted     she replies to her newest email; the outcome
    Alice (anew; subject=Hi): help      a new email with header fields; `plainly`: without token,
                                        `vouched`: a trusted mail server says DMARC passed,
                                        `failed`: it says DMARC failed
    Bob (to started): E5                he replies to the newest email of a kind; `to first chat`
    Bob (at=go@club.example): E5        he replies to another address of ours
    Bob (again):                        his last email arrives once more
    Bob (attach=a.sgf, b.zip): new ...  with attachments, each from a line `file a.sgf (;SZ[9])`
    9 times Bob: hi && wait 1 hour      {n} is the repetition's number from 0, {x} is n times x
    Bob keeps question                  names his newest email, for `(to question)`
    Bob reads ^Alice asks | yes | -no   his newest email begins with, contains, does not contain
    Bob clicks accept => accepted       he clicks a button of it
    Bob complains of chat               his provider reports an email as unwanted
    Bob loses chat 5.2.2 552 full       his newest email of a kind, or a kept one, bounces
    told alice moved, bob your-turn     all emails since the last `told`, `play` or `from here`
    emails 3                            the number of emails since then
    network 192.0.2.0/24                the network of all letters from now on
    game2.phase = playing               a property of a game; also `has` and `lacks`
    Alice.hints = D4 | try D4           a property of her newest notice, or an item of its `about`
    Alice.profile.zone = Asia/Tokyo     a property of a player
    wait 3 days, ring, send, digests    time passes, alarms ring, emails go out, digests are due
    expire 14 days, forget              old proposals expire; players are forgotten
    store lacks alice                   nothing in the store contains the text; also `has`
    spend 3 days                        time passes hour by hour with `ring`, `digests`, `send`
    outage 7 days                       time passes while nothing runs
    ahead 200 days, right               the machine's clock is wrong; it is right again
    end B+3.5                           the operator ends the first game
    found leads 0.5 / chances 0.5       the engine's result for reviews and estimates
    fault decide ValueError, mended     a step of each letter fails from now on; no more
    quarantine 1 ValueError | decide    the number of letters there, and words in all their faults
    retry 1 => accepted                 the operator has one handled again
"""

import asyncio
import re
from collections.abc import Callable
from contextlib import ExitStack, closing
from copy import copy
from datetime import timedelta
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Any
from unittest import mock

from godaemon import errors
from godaemon.games.email_queue import EmailQueue
from godaemon.games.engine_seats import Roster, RosterEntry
from godaemon.games.forgetting import Forgetting, forget_due
from godaemon.games.game_clock import GameClock
from godaemon.games.model import Game, Seat
from godaemon.games.notices import DueNotice, Kind
from godaemon.games.player_settings import Profile
from godaemon.games.service import GameService
from godaemon.games.service_calls import Caller
from godaemon.games.state import replay
from godaemon.games.views import game_record
from godaemon.records.sgf import format_sgf
from godaemon.rules.points import Color
from godaemon.texts.catalogue import sentence_from_json
from mailgate.handling import intake
from mailgate.handling.context import LetterOutcome
from mailgate.handling.daily_email import send_daily_emails
from mailgate.language.parser import parse_text
from mailgate.reading.inbound_letter import InboundLetter
from mailgate.tokens import reply_address, return_path
from tests.support.delivery_report import complaint, report
from tests.support.gateway import ADDRESS, START, Gateway, Header, Person, started
from tests.support.letters import part
from tests.support.limits import Limits
from tests.support.mailto import button_clicks
from tests.support.scene_files import STATE, Scene, as_text, check_value, split_outcome

FOLDER = Path(__file__).parents[1] / "mailgate" / "handling" / "scenes"
CHECKS = {
    word: f"mx.go.example; dmarc={result} header.from=players.example"
    for word, result in (("vouched", "pass"), ("failed", "fail"))
}
"""Authentication-Results from the server of `setting trusted=mx.go.example`."""
SENTENCES = ("reason", "news", "results")
"""Fields of a notice that hold sentences; scenes compare their text."""
LETTER = re.compile(r"([A-Z]\w*)(?: \(([^)]*)\))?: ?(.*)")
_PLAYED = list[tuple[str, "Stage"]]()
"""The lines of the last scene, each with a copy of the stage after it."""
SAYS = re.compile(r"(\w+) (keeps|reads|clicks|complains|loses|plays) (.+)")
TIMES = re.compile(r"(\d+) times (.*)")


STEPS: dict[str, tuple[Any, str]] = {
    "decide": (GameService, "decide"),
    "propose": (GameService, "propose"),
    "queue": (EmailQueue, "queue"),
    "parse": (intake, "parse_letter"),
    "read": (intake, "read_letter"),
}
"""Steps of handling a letter that `fault` can break."""
FAULTS: dict[str, Callable[[], Exception]] = {
    "Corrupt": partial(errors.Corrupt, "damaged"),
    "Damaged": partial(errors.Damaged.of, 1, 3, "it is missing"),
    "StoreDamaged": partial(errors.StoreDamaged, "damaged"),
    "Unreadable": partial(errors.Unreadable, "no letter"),
    **{
        one.__name__: partial(one, "broken")
        for one in (OSError, MemoryError, RecursionError, AssertionError, ValueError, KeyError)
    },
}


def play_lines(gateway: Gateway, lines: str) -> None:
    with closing(Stage(gateway)) as stage:
        for line in lines.strip().splitlines():
            stage.do(line.strip())


def play(scene: Scene) -> None:
    """Play a scene; raises `AssertionError` naming the failed line.

    Starts from a copy of the stage after the longest common beginning with the last scene.
    """
    lines = [line for _, line in scene.lines]
    while [line for line, _ in _PLAYED] != lines[: len(_PLAYED)]:
        _PLAYED.pop()

    def do(line: str) -> None:
        stage.do(line)
        if not stage.was_broken:
            _PLAYED.append((line, stage.copy()))

    with closing(_PLAYED[-1][1].copy() if _PLAYED else Stage()) as stage:
        scene.play(do, first=len(_PLAYED))


class Stage:
    """A gateway and its players."""

    def __init__(self, gateway: Gateway | None = None) -> None:
        self._settings: dict[str, Any] = {}
        self._limits: dict[str, int] = {}
        self._made = gateway
        self._kept: dict[str, DueNotice] = {}
        self._files: dict[str, str] = {}
        self._mark = 0
        self._true = START
        self._faults = ExitStack()
        self.was_broken = False
        """True once `fault` was used: a copy would not have it."""

    def copy(self) -> "Stage":
        made = copy(self)
        made._settings, made._limits = {**self._settings}, {**self._limits}
        made._kept, made._files = {**self._kept}, {**self._files}
        made._made = self._made and self._made.copy()
        made._faults = ExitStack()
        return made

    def close(self) -> None:
        """Remove all faults."""
        self._faults.close()

    @property
    def gateway(self) -> Gateway:
        """The gateway; created on first use with the settings so far."""
        if self._made is None:
            self._made = Gateway(limits=Limits(**self._limits), **self._settings)
        return self._made

    def do(self, line: str) -> None:
        if times := TIMES.fullmatch(line):
            for number in range(int(times[1])):
                for one in times[2].split(" && "):
                    self.do(one.replace("{n}", str(number)).replace("{x}", "x" * number))
        elif state := STATE.fullmatch(line):
            check_value(self.state(state[1], state[2]), state[3], state[4])
        elif letter := LETTER.fullmatch(line):
            self.write(self.gateway.person(letter[1]), letter[2] or "", letter[3])
        elif says := SAYS.fullmatch(line):
            getattr(self, says[2])(self.gateway.person(says[1]), says[3])
        elif line:
            verb, _, rest = line.partition(" ")
            act = getattr(self, f"on_{verb}", None)
            assert act, f"{verb} is none of {[name[3:] for name in dir(self) if name[:3] == 'on_']}"
            act(rest)

    # -- actions -------------------------------------------------------------------------------
    def on_setting(self, rest: str) -> None:
        name, _, value = rest.partition("=")
        settings: Any = int(value) if value.isdecimal() else value
        if name == "engines":
            entries = (RosterEntry(one, note=one) for one in value.split())
            settings = Roster(tuple(entries), games_per_player=1)
        if name == "others":
            settings = dict(one.strip().split("=") for one in value.split(";"))
        self._settings[name] = settings

    def on_limit(self, rest: str) -> None:
        name, _, value = rest.partition("=")
        self._limits[name] = int(value)

    def on_file(self, rest: str) -> None:
        name, _, self._files[name] = rest.partition(" ")

    def on_found(self, rest: str) -> None:
        """Set the engine's result; ` / ` separates lines."""
        self.gateway.analysis = rest.replace(" / ", "\n") or None

    def on_fault(self, rest: str) -> None:
        step, fault = rest.split()
        self.was_broken = True

        def fail(*_: object, **__: object) -> None:
            exception = FAULTS[fault]()
            raise exception

        self._faults.enter_context(mock.patch.object(*STEPS[step], fail))

    def on_mended(self, _: str) -> None:
        self.close()

    def on_retry(self, rest: str) -> None:
        text, wanted, _ = split_outcome(rest)
        outcome = asyncio.run(self.gateway.intake.retry(int(text)))
        assert outcome.event == wanted, f"it is {outcome}"

    def on_quarantine(self, rest: str) -> None:
        """Check the number of letters in quarantine, and words in all their faults."""
        number, _, words = rest.partition(" ")
        kept = self.gateway.writer.state.quarantined.values()
        assert len(kept) == int(number), f"there are {len(kept)}"
        assert all(word in one.fault for one in kept for word in words.split(" | "))

    def on_from(self, rest: str) -> None:
        """Set the mark: `from here`."""
        self._mark = len(self.gateway.outbox)

    def on_game(self, rest: str) -> None:
        one, other, terms = [*rest.split(" ", 2), "9x9 as black"][:3]
        if (one, other) == ("Alice", "Bob") and self._is_unchanged():
            self._made, *_ = started(terms)
        else:
            self.gateway.start(self.gateway.person(one), self.gateway.person(other), terms)
        self._mark = len(self.gateway.outbox)

    def _is_unchanged(self) -> bool:
        """True for the usual gateway that has had no letter."""
        return not self._made and not self._settings and not self._limits

    def on_play(self, rest: str) -> None:
        """Play moves; starts a game of Alice and Bob if there is none."""
        if not self._made or not self.gateway.writer.state.logs:
            self.on_game("Alice Bob")
        players = self.gateway.person("Alice"), self.gateway.person("Bob")
        self.gateway.play(*players, rest)
        self._mark = len(self.gateway.outbox)

    def on_wait(self, rest: str) -> None:
        number, unit = rest.split()
        self.gateway.wait(**{unit.rstrip("s") + "s": float(number)})

    def on_outage(self, rest: str) -> None:
        """Let time pass while nothing runs."""
        begin = self.gateway.now
        self.on_wait(rest)
        self.gateway.outages.append((begin, self.gateway.now))

    def on_ahead(self, rest: str) -> None:
        """Set the machine's clock ahead, until `right`."""
        self._true = self.gateway.now
        self.on_outage(rest)

    def on_right(self, rest: str) -> None:
        self.gateway.now, self.gateway.outages = self._true, []

    def on_end(self, rest: str) -> None:
        self.gateway.writer.run_sync(lambda unit: self.gateway.games(unit).adjudicate(1, rest))

    def on_spend(self, rest: str) -> None:
        """Let time pass hour by hour, with alarms, digests and outgoing emails."""
        number, unit = rest.split()
        end = self.gateway.now + timedelta(**{unit.rstrip("s") + "s": float(number)})
        while self.gateway.now < end:
            self.gateway.now = min(end, self.gateway.now + timedelta(hours=1))
            while self.gateway.handle_due_alarms():
                pass
            self.on_digests("")
            self.gateway.send()

    def on_expire(self, rest: str) -> None:
        self.gateway.expire(days=float(rest.split(maxsplit=1)[0]))

    def on_forget(self, rest: str) -> None:
        """Forget the players who asked for it and have no unsent emails."""
        self.gateway.writer.run_sync(
            lambda unit: forget_due(self.gateway.games(unit), Forgetting())[0]
        )

    def on_store(self, rest: str) -> None:
        """Check whether a text is anywhere in the store: `store lacks alice`."""
        wanted, _, text = rest.partition(" ")
        stored = repr(self.gateway.writer.state).casefold()
        assert (text in stored) is (wanted == "has"), "it is there" if text in stored else "no"

    def on_emails(self, rest: str) -> None:
        """Check the number of emails since the mark."""
        assert len(self.gateway.outbox) - self._mark == int(rest), self.gateway.notices(self._mark)

    def on_network(self, rest: str) -> None:
        """Set the network of all letters."""
        self.gateway.network = rest

    def on_digests(self, rest: str) -> None:
        self.gateway.writer.run_sync(lambda unit: send_daily_emails(self.gateway.games(unit)))

    def on_ring(self, rest: str) -> None:
        self.gateway.handle_due_alarms()

    def on_send(self, rest: str) -> None:
        self.gateway.send()

    def write(self, person: Person, options: str, rest: str) -> None:
        """Write an email, and check its outcome."""
        text, *wanted = split_outcome(rest)
        named = [one.strip() for one in options.split(";") if one.strip()]
        header: dict[str, Any] = dict(one.split("=", 1) for one in named if "=" in one)
        for word in CHECKS.keys() & {*named}:
            header["authentication_results"] = CHECKS[word]
        ways = [one for one in named if "=" not in one and one not in CHECKS]
        if "again" in ways:
            outcome = self.gateway.take(person.posted[-1])
        elif "attach" in header:
            if "plainly" in ways:
                header["in_reply_to"] = self.gateway.message_id(person.newest())
            outcome = self._attach(person, text, header.pop("attach"), header)
        elif "forged" in ways:
            ways.remove("forged")
            token = self.gateway.token(self.letter(person, ways[0]) if ways else person.newest())
            forged = f"{token[:-16]}{'a' * 16}"
            outcome = person.write(text, to=reply_address(ADDRESS, forged), **header)
        elif "at" in header:
            token = self.gateway.token(self.letter(person, ways[0]) if ways else person.newest())
            outcome = person.write(text, to=reply_address(header.pop("at"), token), **header)
        elif "anew" in ways or not (ways or person.letters()):
            outcome = person.write(text, **header)
        elif "plainly" in ways:
            reference = self.gateway.message_id(self.letter(person, ways[0]))
            outcome = person.write(text, in_reply_to=reference, **header)
        else:
            answered = self.letter(person, ways[0]) if ways else None
            outcome = person.reply(text, to=answered, **header)
        self._compare(person, outcome, *wanted)

    def _attach(self, person: Person, text: str, names: str, header: Header) -> LetterOutcome:
        letter = person.letter(text, header)
        for name in names.split(", "):
            content = self._files[name].encode()
            letter.add_attachment(content, "application", "octet-stream", filename=name)
        return person.post(letter)

    def clicks(self, person: Person, rest: str) -> None:
        """Click a button: send the email that it opens."""
        text, *wanted = split_outcome(rest)
        if person.newest().notice.seat is None:
            self.gateway.send()
        click = button_clicks(part(person.read(), "html"))[text]
        outcome = person.write(click.body, to=click.to, subject=click.subject)
        self._compare(person, outcome, *wanted)

    def _compare(self, person: Person, outcome: LetterOutcome, wanted: str, read: str) -> None:
        found = f"{outcome.event} {outcome.detail}"
        assert not wanted or wanted in {outcome.event, found}, f"it is {found}"
        if read:
            self.reads(person, read)

    def letter(self, person: Person, way: str) -> DueNotice:
        """The email to answer: `to started`, `to first started`, `to game 2`, `to old`."""
        word = way.removeprefix("to ")
        if word in self._kept:
            return self._kept[word]
        if word.startswith("game "):
            return [due for due in person.letters() if due.notice.game == int(word[5:])][-1]
        if word.startswith("first "):
            return person.letters(Kind(word[6:]))[0]
        return person.newest(Kind(word))

    def keeps(self, person: Person, name: str) -> None:
        self._kept[name] = person.newest()

    def loses(self, person: Person, rest: str) -> None:
        """Send a delivery report for one of their emails to its envelope sender."""
        text, *wanted = split_outcome(rest)
        way, status, reason = [*text.split(" ", 2), "", ""][:3]
        self.gateway.send()
        key = b"forged" if status == "forged" else self.gateway.keys[0]
        to = return_path(key, ADDRESS, self.letter(person, f"to {way}").uid)
        raw = report(
            status or "5.1.1",
            "delayed" if status.startswith("4") else "failed",
            reason or "550 5.1.1 no such user",
            to=to,
            id=str(self.gateway.unique()),
        )
        self._compare(person, self.gateway.take(InboundLetter(to, "", raw)), *wanted)

    def complains(self, person: Person, rest: str) -> None:
        """Let their provider send a complaint about one of their emails."""
        text, *wanted = split_outcome(rest)
        self.gateway.send()
        due = self.letter(person, text.replace("of ", "to ", 1))
        raw = complaint("rfc 5965", self.gateway.message_id(due))
        raw = f"Message-ID: <{self.gateway.unique()}@provider.example>\r\n".encode() + raw
        outcome = self.gateway.take(InboundLetter(ADDRESS, "fbl@provider.example", raw))
        self._compare(person, outcome, *wanted)

    def plays(self, person: Person, words: str) -> None:
        """Carry out commands of a program as White."""
        caller = Caller(f"engine:{person.name}", f"engine:{person.name}", person.name)
        commands: Any = [one.command for one in parse_text(words.split("⏎")).commands]
        self.gateway.writer.run_sync(
            lambda unit: self.gateway.games(unit).act(1, Seat.WHITE, commands, caller)
        )

    # -- checks --------------------------------------------------------------------------------
    def reads(self, person: Person, wanted: str) -> None:
        """Check the text of the newest email."""
        text = person.words()
        for one in wanted.split(" | "):
            found = (
                text.startswith(one[1:])
                if one.startswith("^")
                else one[1:] not in text
                if one.startswith("-")
                else one in text
            )
            assert found, f"{one!r}: {text}"

    def on_told(self, rest: str) -> None:
        wanted = sorted(rest.split(", ")) if rest != "nothing" else []
        sent = sorted(" ".join(one) for one in self.gateway.notices(self._mark))
        self._mark = len(self.gateway.outbox)
        assert sent == wanted, f"told {sent}, not {wanted}"

    def state(self, subject: str, name: str) -> str:
        """A property of a game, or of a person's newest notice, as text."""
        if not subject.startswith("game"):
            return self._notice(self.gateway.person(subject), name)
        game = self.gateway.game(int(subject[4:] or 1))
        special: dict[str, Callable[[Game], object]] = {
            "moves": lambda game: " ".join(str(one.point or "pass") for one in game.position.moves),
            "record": lambda game: format_sgf(game_record(game)).replace("\n", ""),
            "watchers": lambda game: sorted(
                one.address for one in self.gateway.writer.state.watchers.values()
            ),
            "left": self._left,
            "planned": lambda game: [
                f"{as_text(color)} {' '.join(line)}"
                for color, lines in game.plans.items()
                for line in lines
            ],
            "waits": lambda game: self._clock(game).waits,
            "black_main_time": lambda game: self._clock(game).left[Color.BLACK].main,
            "chat": lambda game: [one.text for one in game.chat],
            "done": self._done,
            "ours": lambda game: {
                due.notice.our_address or ADDRESS
                for due in self.gateway.outbox
                if due.notice.game == game.id
            },
        }
        return as_text(special[name](game) if name in special else attrgetter(name)(game))

    def _done(self, game: Game) -> list[str]:
        """The names of events since the start, without moves, chat and clocks."""
        log = [type(one.event).__name__ for one in self.gateway.writer.state.logs[game.id]]
        since = log[log.index("Started") + 1 :]
        return [one for one in since if one not in ("Moved", "Said", "Handed")]

    def _left(self, game: Game) -> timedelta | None:
        deadline = self._clock(game).deadline
        return None if deadline is None else deadline - self.gateway.now

    def _clock(self, game: Game) -> GameClock:
        assert game == replay(game.id, self.gateway.writer.state.logs[game.id])
        assert game.clock is not None
        return game.clock

    def _profile(self, person: Person) -> Profile:
        return self.gateway.writer.run_sync(lambda unit: unit.players.profile(person.address))

    def _emails(self, person: Person) -> str | None:
        wanted = self.gateway.writer.state.preferences.items()
        return next((str(one) for (address, _), one in wanted if address == person.address), None)

    def _blocks(self, person: Person) -> list[str]:
        blocks = self.gateway.writer.state.blocks
        return sorted(other for blocker, other in blocks if blocker == person.address)

    def _bounced(self, person: Person) -> str | None:
        boxes = self.gateway.snapshot().players.bouncing_addresses()
        box = next((one for one in boxes if one.address == person.address), None)
        if box is None:
            return None
        return f"{box.score:g} {box.error}{' suspended' if box.suspended else ''}"

    def _notice(self, person: Person, name: str) -> str:
        special: dict[str, Callable[[Person], object]] = {
            "kinds": Person.kinds,
            "count": lambda person: len(person.letters()),
            "emails": self._emails,
            "source": lambda person: person.read().as_string(),
            "blocks": self._blocks,
            "bounced": self._bounced,
            "record": lambda person: [
                one.get_content() for one in person.read().iter_attachments()
            ],
        }
        if name in special:
            return as_text(special[name](person))
        word, _, rest = name.partition(".")
        if word == "profile":
            return as_text(attrgetter(rest)(self._profile(person)))
        if word == "header":
            return str(person.read()[rest.replace("_", "-")])
        if word == "answered_from":
            players = self.gateway.snapshot().players
            return players.our_address(person.address, int(rest or 0)) or ADDRESS
        notice = person.newest().notice
        if hasattr(notice, name):
            return as_text(getattr(notice, name))
        value = notice.about.get(name)
        if name in SENTENCES and value:
            value = (
                [*map(sentence_from_json, value)]
                if isinstance(value, list)
                else sentence_from_json(value)
            )
        return as_text(value)
