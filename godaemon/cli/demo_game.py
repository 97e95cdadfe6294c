"""`godaemon demo`: starts a daemon on a scratch folder, and plays one real game on it by email.

Like people, it sends emails by SMTP and reads answers from Maildirs.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email.message import EmailMessage
from importlib.resources import files
from pathlib import Path

from godaemon.cli.maildir_client import MaildirClient, first_sentences
from godaemon.config.loading import load
from godaemon.control import control_client as control
from godaemon.control.control_client import is_running
from godaemon.diagrams.description import chains
from godaemon.diagrams.text import text_board
from godaemon.errors import Temporary
from godaemon.records.record import Record
from godaemon.records.sgf import parse_sgf
from godaemon.rules.points import Color, Point

ALICE, BOB = "alice@localhost", "bob@localhost"
_NAMES = {ALICE: "Alice", BOB: "Bob"}
_REPORT_INTERVAL = 10
"""The moves between two lines on the terminal."""


def demo() -> None:
    folder = Path(tempfile.mkdtemp(prefix="godaemon-demo-"))
    config = folder / "godaemon.toml"
    text = f'state_directory = {json.dumps(str(folder))}\n[mail.smtp]\nlisten = "127.0.0.1:0"\n'
    config.write_text(text, encoding="utf-8")
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


@contextmanager
def _daemon(config: Path, folder: Path) -> Iterator[None]:
    """A daemon in another process; its log is in the folder."""
    command = [sys.executable, "-m", "godaemon", "serve", "--config", str(config)]
    environ = {**os.environ, "RUNTIME_DIRECTORY": str(folder)}  # a service has another
    with (folder / "log").open("wb") as log:
        daemon = subprocess.Popen(command, stdout=log, stderr=log, env=environ)  # noqa: S603 - ourselves
        try:
            while not is_running(folder / "control.sock"):
                if daemon.poll() is not None:
                    text = (folder / "log").read_text("utf-8", "replace").strip()
                    raise Temporary(f"The demonstration's daemon did not start: {text}")
                time.sleep(0.01)
            yield
        finally:
            daemon.terminate()
            daemon.wait()


@dataclass(frozen=True, slots=True)
class _Play:
    """The two players, who always answer their newest email."""

    mail: MaildirClient
    record: Record

    def play_whole_game(self) -> None:
        self._answer(ALICE, f"new {self.record.size} komi {self.record.komi:g} as black vs {BOB}")
        self._answer(ALICE, "yes")
        self._answer(BOB, "accept")
        self._play_moves()
        self._answer(ALICE, f"dead {' '.join(map(str, _dead_stones(self.record)))} only")
        print(f"scoring   {self._reader_line(BOB)}")
        for player in (ALICE, BOB):
            self._answer(player, "done")
        for player in (ALICE, BOB):
            print(f"the end   {self._reader_line(player)}")
        game = control.ask(self.mail.settings.control.socket, "show", number=1)
        print(f"\n{text_board(game['board'])}\n")
        print(f"The game is over: {game['result']}  (recorded: {self.record.result})")

    def _play_moves(self) -> None:
        for number, move in enumerate(self.record.moves, start=1):
            player, opponent = (ALICE, BOB) if move.color is Color.BLACK else (BOB, ALICE)
            self._answer(player, str(move.point or "pass"))
            if number % _REPORT_INTERVAL == 0 or number == len(self.record.moves):
                print(f"move {number:>3}  {self._reader_line(opponent)}")

    def _answer(self, player: str, text: str) -> None:
        """Answer the player's newest email, if any, and wait until the daemon has sent its own."""
        answered = self.mail.newest(player) if self.mail.paths(player) else None
        self.mail.send(f"{_NAMES[player]} <{player}>", text, answer=answered)
        self.mail.wait_until_answered()

    def _reader_line(self, player: str) -> str:
        return f"{_NAMES[player]} reads: {first_sentences(self.mail.newest(player))}"


def _dead_stones(record: Record) -> list[Point]:
    """One stone of each dead chain at the record's end."""
    return sorted(min(chain.stones) for chain in chains(record.rows or ()) if chain.dead)


def _keep_for_reading(letter: EmailMessage, folder: Path) -> None:
    """Write both parts of an email to files, for a browser and a pager."""
    for kind, name in (("html", "last-letter.html"), ("plain", "last-letter.txt")):
        body = letter.get_body((kind,))
        if body is not None:
            (folder / name).write_text(body.get_content(), encoding="utf-8")
