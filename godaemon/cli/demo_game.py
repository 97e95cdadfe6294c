"""`godaemon demo`: a daemon on a scratch folder, and one real game played through it by email.

It does what people would do: it sends emails by SMTP, reads answers from the Maildirs, and watches
by a GTP session in one seat. It never touches the daemon's internals.
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
from godaemon.control.daemon_here import running
from godaemon.diagrams.description import chains
from godaemon.diagrams.text import text_board
from godaemon.errors import Temporary
from godaemon.records.record import Record
from godaemon.records.sgf import read
from godaemon.rules.points import Color, Point

T = TypeVar("T")
ALICE, BOB = "Alice <alice@localhost>", "Bob <bob@localhost>"
_ADDRESS = {ALICE: "alice@localhost", BOB: "bob@localhost"}
_TIMEOUT = 30.0
_EVERY = 20


class DemoFailed(Temporary):
    """The demonstration failed."""


def demo() -> None:
    run(print)


def run(show: Callable[[str], None]) -> None:
    """Play the game and say where the emails are; raises `Temporary` if something hangs."""
    folder = Path(tempfile.mkdtemp(prefix="godaemon-demo-"))
    config = _configure(folder)
    record = read((files("godaemon.cli") / "demo_game.sgf").read_bytes())
    show(f"A daemon on the scratch folder {folder}, and a real game of {len(record.moves)} moves.")
    began = time.monotonic()
    with _daemon(config, folder):
        found = load(config, {})
        smtp = control.ask(found.control.socket, "status")["smtp"]
        mail = found.mail.model_copy(
            update={"smtp": found.mail.smtp.model_copy(update={"listen": smtp})}
        )
        play = _Play(MaildirClient(found.model_copy(update={"mail": mail})), config, record, show)
        play.whole_game()
        count = sum(1 for _ in (folder / "mail").glob("*/new/*"))
    _keep_for_reading(play, folder)
    show("")
    show(f"{count} emails went out in {time.monotonic() - began:.0f} seconds; they are here:")
    show(f"  mutt -f {folder}/mail/alice@localhost     (or bob@localhost)")
    show(f"  {folder}/last-letter.html     the last one, for a browser")
    show(f"  {folder}/last-letter.txt      the same as text")


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
    """A daemon of its own, in a process of its own; its log is in the folder."""
    command = [sys.executable, "-m", "godaemon", "serve", "--config", str(config)]
    with (folder / "log").open("wb") as log:
        daemon = subprocess.Popen(command, stdout=log, stderr=log)  # noqa: S603 - ourselves
        try:
            _until(lambda: running(folder / "control.sock"), "the daemon does not start")
            yield
        finally:
            daemon.terminate()
            daemon.wait(_TIMEOUT)


def _until(look: Callable[[], T], otherwise: str) -> T:
    """Poll until there is a result; raises `DemoFailed`."""
    limit = time.monotonic() + _TIMEOUT
    while not (found := look()):
        if time.monotonic() > limit:
            raise DemoFailed(f"The demonstration failed: {otherwise}.")
        time.sleep(0.01)
    return found


@dataclass(slots=True)
class _Play:
    """The two players at their mail programs, and one who watches by GTP."""

    mail: MaildirClient
    config: Path
    record: Record
    show: Callable[[str], None]
    read_so_far: dict[str, int] = field(default_factory=lambda: {ALICE: 0, BOB: 0})

    def whole_game(self) -> None:
        """From the invitation to the score."""
        send = self.mail.send
        send(ALICE, f"new 19x19 komi {self.record.komi:g} as black vs bob@localhost")
        send(ALICE, "yes", answer=self._next(ALICE, "confirm"))
        send(BOB, "accept", answer=self._next(BOB, "invitation"))
        letters = {ALICE: self._next(ALICE, "started"), BOB: self._next(BOB, "started")}
        number = int(letters[ALICE]["X-Godaemon-Game"])
        with self._watching(number) as watch:
            self._moves(letters, watch)
            self._scoring()
            self.show(f"GTP says: final_score = {watch('final_score')}")
        result = control.ask(self.mail.settings.control.socket, "show", number=number)
        self.show("")
        self.show(text_board(result["board"]))
        self.show("")
        self.show(f"The game is over: {result['result']}  (recorded: {self.record.result})")

    def _moves(self, letters: dict[str, EmailMessage], watch: Callable[[str], str]) -> None:
        for number, move in enumerate(self.record.moves, start=1):
            player, other = (ALICE, BOB) if move.color is Color.BLACK else (BOB, ALICE)
            self.mail.send(player, str(move.point or "pass"), answer=letters[player])
            last = number == len(self.record.moves)
            letters[other] = self._next(other, "scoring-started" if last else "your-turn")
            seen = watch(f"genmove {move.color.word}")
            if number % _EVERY == 0 or last:
                first_line = first_sentences(letters[other])
                self.show(
                    f"move {number:>3}  GTP saw {seen:<5} {other.split()[0]} reads: {first_line}"
                )

    def _scoring(self) -> None:
        send, newest = self.mail.send, self.mail.newest
        for stone in _dead(self.record):
            send(ALICE, f"dead {stone} only", answer=newest(_ADDRESS[ALICE]))
            self._next(ALICE, "marks-changed")
            self.show(f"scoring   Bob reads: {first_sentences(self._next(BOB, 'marks-changed'))}")
        send(ALICE, "done", answer=newest(_ADDRESS[ALICE]))
        send(BOB, "done", answer=self._next(BOB, "done"))
        for player in (ALICE, BOB):
            end = first_sentences(self._next(player, "finished"))
            self.show(f"the end   {player.split()[0]} reads: {end}")

    # -- letters -------------------------------------------------------------------------------
    def _next(self, player: str, kind: str) -> EmailMessage:
        """Wait for the next letter of that kind to a player, and return it."""
        return _until(
            lambda: self._unread(player, kind), f"{player} got no email of the kind {kind}"
        )[0]

    def _unread(self, player: str, kind: str) -> list[EmailMessage]:
        counts, letters = self.read_so_far, self.mail.letters(_ADDRESS[player])
        for at in range(counts[player], len(letters)):
            if letters[at]["X-Godaemon-Notice"] == kind:
                counts[player] = at + 1
                return [letters[at]]
        return []

    @contextmanager
    def _watching(self, number: int) -> Iterator[Callable[[str], str]]:
        """A GTP program in White's seat, which follows the game as it is played."""
        command = [
            *(sys.executable, "-m", "godaemon", "gtp", "--config", str(self.config)),
            *("--game", str(number), "--as", "white"),
        ]
        seat = subprocess.Popen(  # noqa: S603 - ourselves
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        if seat.stdin is None or seat.stdout is None:
            raise AssertionError
        asked, answers = seat.stdin, seat.stdout

        def _watch(line: str) -> str:
            asked.write(line + "\n")
            asked.flush()
            answer = answers.readline()
            while answers.readline().strip():
                pass
            return answer.strip().lstrip("=").strip()

        try:
            yield _watch
        finally:
            asked.close()
            seat.wait(_TIMEOUT)
            answers.close()


def _dead(record: Record) -> list[Point]:
    """One stone of each dead chain at the record's end."""
    return sorted(min(chain.stones) for chain in chains(record.rows or ()) if chain.dead)


def _keep_for_reading(play: _Play, folder: Path) -> None:
    """Put the last letter's two parts beside the Maildirs, for a browser and a pager."""
    letter = play.mail.letters(_ADDRESS[ALICE])[-1]
    for kind, name in (("html", "last-letter.html"), ("plain", "last-letter.txt")):
        body = letter.get_body((kind,))
        if body is not None:
            (folder / name).write_text(body.get_content(), encoding="utf-8")
