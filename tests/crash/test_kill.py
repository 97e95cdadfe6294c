"""SIGKILL at random moments: what was acknowledged has happened once, and every notice arrives."""

from __future__ import annotations

import os
import random
import smtplib
import threading
from collections import Counter
from collections.abc import Callable
from email.message import EmailMessage
from email.utils import getaddresses
from pathlib import Path

import pytest

from godaemon.rules.points import Color
from tests.support.daemon import LiveDaemon
from tests.support.mailgame import begin, recorded, word
from tests.support.sink import Sink, SinkPlayer
from tests.support.waiting import until

KILLS = int(os.environ.get("GODAEMON_KILLS", "8"))
"""Each costs more than a second; `tests.crash.soak` and `tests.crash.chaos` kill for hours."""
MOVES = 40
"""Of a game, so that invitations and beginnings are among what the kills meet."""


class StubbornPlayer(SinkPlayer):
    """Their mail server tries the same letter until it is taken, and now and then once more."""

    acknowledged = 0
    luck = random.Random(20261121)

    def post(self, letter: EmailMessage) -> None:
        """Until there is a 250."""
        raw = letter.as_bytes(policy=letter.policy.clone(linesep="\r\n"))
        to = getaddresses([str(letter["To"])])[0][1]
        until(lambda: self._taken_by_daemon(raw, to), "a letter is taken", 60)
        self.acknowledged += 1
        if self.luck.random() < 0.1:
            self._taken_by_daemon(raw, to)

    def _taken_by_daemon(self, raw: bytes, to: str) -> bool:
        try:
            with smtplib.SMTP("127.0.0.1", self.port, timeout=10) as server:
                server.sendmail(self.address, [to], raw)
        except (OSError, smtplib.SMTPException):
            return False
        return True


class Killer(threading.Thread):
    """Kills and restarts a daemon, a number of times, after random short lives."""

    def __init__(self, daemon: LiveDaemon, kills: int) -> None:
        super().__init__(daemon=True)
        self._daemon, self._left = daemon, kills
        self._luck = random.Random(1)
        self.fault: BaseException | None = None
        self.kills = 0

    def run(self) -> None:
        """Kill, start, kill ..."""
        pause = threading.Event()
        try:
            while self.kills < self._left:
                pause.wait(self._luck.uniform(0.0, 0.35))
                self._daemon.kill()
                self.kills += 1
                self._daemon.start()
        except BaseException as fault:  # noqa: BLE001 - told by the test's own thread
            self.fault = fault


def exchange(alice: StubbornPlayer, bob: StubbornPlayer, going: Callable[[], bool]) -> list[int]:
    """Play the recorded game by letters, again and again while `going`; the games' numbers."""
    record = recorded("nineteen-lines")
    games: list[int] = []
    while going() or not games:
        games.append(begin(alice, bob, f"19x19 komi {record.komi:g}"))
        for number, move in enumerate(record.moves[:MOVES], start=1):
            mover, other = (alice, bob) if move.color is Color.BLACK else (bob, alice)
            mover.reply(word(move), quote=number % 10 == 0)
            other.expect("your-turn", 60)
            if not going() and number >= 20:
                break
    return games


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_many_kills_lose_nothing_acknowledged_and_repeat_nothing(tmp_path: Path) -> None:
    """Every letter with a 250 took effect once; duplicates of a notice are the very same letter."""
    with Sink() as sink:
        daemon = LiveDaemon(
            tmp_path, "[mail.limits]\ninvitations_per_sender = 1000\n", smarthost=sink.url
        )
        daemon.start()
        alice = StubbornPlayer("alice@players.example", "Alice", daemon.port, sink)
        bob = StubbornPlayer("bob@players.example", "Bob", daemon.port, sink)
        killer = Killer(daemon, KILLS)
        killer.start()
        try:
            games = exchange(alice, bob, killer.is_alive)
            killer.join()
            assert killer.fault is None, killer.fault
            assert killer.kills == KILLS
            hold_the_books(daemon, sink, games)
        finally:
            killer.join(60)
            daemon.stop()
        print(  # noqa: T201 - the figures are what one reads this test for
            f"{killer.kills} kills, {alice.acknowledged + bob.acknowledged} letters acknowledged,"
            f" {len(sink.taken)} deliveries of {len(set(sink.taken))} letters, {len(games)} games"
        )


def hold_the_books(daemon: LiveDaemon, sink: Sink, games: list[int]) -> None:
    """Moves are the record's, every notice was delivered, and repeats are the same bytes."""
    record = recorded("nineteen-lines")
    until(lambda: not daemon.ask("status")["letters"]["waiting"], "the outbox is empty")
    status = daemon.ask("status")
    assert status["quarantine"] == 0
    assert status["letters"]["undeliverable"] == 0
    turns = 0
    for number in games:
        shown = daemon.game(number)
        turns += shown["move_number"]
        last = record.moves[shown["move_number"] - 1]
        assert shown["last"] == f"{last.color.word} {last.point}"
    letters = {message_id(raw): raw for _, raw in sink.taken}
    assert len(letters) == len(set(sink.taken)), "one Message-ID, one letter"
    assert len(letters) == status["letters"]["sent"], "every notice owed was delivered"
    kinds = Counter(kind(raw) for raw in letters.values())
    assert kinds["your-turn"] == turns
    assert kinds["refused"] == 0


def message_id(raw: bytes) -> bytes:
    """A letter's Message-ID."""
    return raw.partition(b"Message-ID: ")[2].partition(b"\r\n")[0]


def kind(raw: bytes) -> str:
    """What a letter is about."""
    return raw.partition(b"X-Godaemon-Notice: ")[2].partition(b"\r\n")[0].decode()
