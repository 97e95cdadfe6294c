"""`godaemon demo`: starts a daemon on a scratch folder, and plays one real game on it by email.

Like people, it sends emails by SMTP and reads answers from Maildirs.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from importlib.resources import files
from pathlib import Path
from typing import TypeVar

from godaemon.cli.maildir_client import MaildirClient, first_sentences
from godaemon.config.loading import load
from godaemon.control import control_client as control
from godaemon.control.daemon_here import is_running
from godaemon.diagrams.description import chains
from godaemon.diagrams.text import text_board
from godaemon.errors import Temporary
from godaemon.records.record import Record
from godaemon.records.sgf import parse_sgf
from godaemon.rules.points import Color, Point

T = TypeVar("T")
ALICE, BOB = "alice@localhost", "bob@localhost"
_NAMES = {ALICE: "Alice", BOB: "Bob"}
_TIMEOUT = 30.0
_EVERY = 10
"""The moves between two lines on the terminal."""


class DemoFailed(Temporary):
    """The demonstration failed."""


def demo() -> None:
    folder = Path(tempfile.mkdtemp(prefix="godaemon-demo-"))
    config = _configure(folder)
    record = parse_sgf((files("godaemon.cli") / "demo_game.sgf").read_bytes())
    print(f"A daemon on the scratch folder {folder}, and a real game of {len(record.moves)} moves.")
    start = time.monotonic()
    with _daemon(config, folder):
        settings = load(config, {})
        smtp = control.ask(settings.control.socket, "status")["smtp"]
        mail = settings.mail.model_copy(
            update={"smtp": settings.mail.smtp.model_copy(update={"listen": smtp})}
        )
        play = _Play(MaildirClient(settings.model_copy(update={"mail": mail})), record)
        play.play_whole_game()
    count = sum(1 for _ in (folder / "mail").glob("*/new/*"))
    _keep_for_reading(play.mail.newest(ALICE), folder)
    print(f"\n{count} emails were sent in {time.monotonic() - start:.0f} seconds:")
    print(f"  mutt -f {folder}/mail/{ALICE}     (or {BOB})")
    print(f"  {folder}/last-letter.html     the last email, for a browser")
    print(f"  {folder}/last-letter.txt      the last email as text")


def _configure(folder: Path) -> Path:
    config = folder / "godaemon.toml"
    lines = [
        f"state_directory = {json.dumps(str(folder))}",
        "[mail.smtp]",
        'listen = "127.0.0.1:0"',
        "[mail.outgoing]",
        f"maildir = {json.dumps(str(folder / 'mail'))}",
        "[gtp]",
        f"socket = {json.dumps(str(folder / 'gtp.sock'))}",
        "[control]",
        f"socket = {json.dumps(str(folder / 'control.sock'))}",
    ]
    config.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return config


@contextmanager
def _daemon(config: Path, folder: Path) -> Iterator[None]:
    """A daemon in another process; its log is in the folder."""
    command = [sys.executable, "-m", "godaemon", "serve", "--config", str(config)]
    with (folder / "log").open("wb") as log:
        daemon = subprocess.Popen(command, stdout=log, stderr=log)  # noqa: S603 - ourselves
        try:
            _wait_until(lambda: is_running(folder / "control.sock"), "the daemon does not start")
            yield
        finally:
            daemon.terminate()
            daemon.wait(_TIMEOUT)


def _wait_until(condition: Callable[[], T], failure: str) -> T:
    deadline = time.monotonic() + _TIMEOUT
    while not (result := condition()):
        if time.monotonic() > deadline:
            raise DemoFailed(f"The demonstration failed: {failure}.")
        time.sleep(0.01)
    return result


@dataclass(slots=True)
class _Play:
    """The two players at their mail programs."""

    mail: MaildirClient
    record: Record
    read_so_far: dict[str, int] = field(default_factory=lambda: {ALICE: 0, BOB: 0})

    def play_whole_game(self) -> None:
        send = self._send
        send(ALICE, f"new {self.record.size} komi {self.record.komi:g} as black vs {BOB}")
        send(ALICE, "yes", self._next_letter(ALICE, "confirm"))
        send(BOB, "accept", self._next_letter(BOB, "invitation"))
        letters = {player: self._next_letter(player, "started") for player in (ALICE, BOB)}
        number = int(letters[ALICE]["X-Godaemon-Game"])
        self._play_moves(letters)
        self._agree_on_score()
        game = control.ask(self.mail.settings.control.socket, "show", number=number)
        print(f"\n{text_board(game['board'])}\n")
        print(f"The game is over: {game['result']}  (recorded: {self.record.result})")

    def _play_moves(self, letters: dict[str, EmailMessage]) -> None:
        for number, move in enumerate(self.record.moves, start=1):
            player, opponent = (ALICE, BOB) if move.color is Color.BLACK else (BOB, ALICE)
            self._send(player, str(move.point or "pass"), letters[player])
            is_last = number == len(self.record.moves)
            letters[opponent] = self._next_letter(
                opponent, "scoring-started" if is_last else "your-turn"
            )
            if number % _EVERY == 0 or is_last:
                print(f"move {number:>3}  {_reader_line(opponent, letters[opponent])}")

    def _agree_on_score(self) -> None:
        dead = " ".join(map(str, _dead_stones(self.record)))
        self._send(ALICE, f"dead {dead} only", self.mail.newest(ALICE))
        answer = self._next_letter(ALICE, "marks-changed")
        print(f"scoring   {_reader_line(BOB, self._next_letter(BOB, 'marks-changed'))}")
        self._send(ALICE, "done", answer)
        self._send(BOB, "done", self._next_letter(BOB, "done"))
        for player in (ALICE, BOB):
            print(f"the end   {_reader_line(player, self._next_letter(player, 'finished'))}")

    def _send(self, player: str, text: str, answer: EmailMessage | None = None) -> None:
        self.mail.send(f"{_NAMES[player]} <{player}>", text, answer=answer)

    def _next_letter(self, player: str, kind: str) -> EmailMessage:
        failure = f"{player} got no email of the kind {kind}"
        return _wait_until(lambda: self._find_unread(player, kind), failure)[0]

    def _find_unread(self, player: str, kind: str) -> list[EmailMessage]:
        counts, letters = self.read_so_far, self.mail.letters(player)
        for number in range(counts[player], len(letters)):
            if letters[number]["X-Godaemon-Notice"] == kind:
                counts[player] = number + 1
                return [letters[number]]
        return []


def _reader_line(player: str, letter: EmailMessage) -> str:
    return f"{_NAMES[player]} reads: {first_sentences(letter)}"


def _dead_stones(record: Record) -> list[Point]:
    """One stone of each dead chain at the record's end."""
    return sorted(min(chain.stones) for chain in chains(record.rows or ()) if chain.dead)


def _keep_for_reading(letter: EmailMessage, folder: Path) -> None:
    """Write both parts of an email to files, for a browser and a pager."""
    for kind, name in (("html", "last-letter.html"), ("plain", "last-letter.txt")):
        body = letter.get_body((kind,))
        if body is not None:
            (folder / name).write_text(body.get_content(), encoding="utf-8")
