"""A soak through every entrance, with every kind of trouble.

    python -m tests.crash.chaos --minutes 30 --every 6 --folder /var/tmp/chaos

Pairs of players use SMTP, LMTP, an IMAP mailbox (Dovecot) and Go programs, while `troubles.py`
kills and stops the daemon, injects failing system calls, breaks its log and its clock, and runs
commands of an operator. Then the books must balance (`books.py`): exit status 0.
"""

import argparse
import asyncio
import random
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from time import monotonic

from godaemon.games.model import Game
from godaemon.rules.points import Point
from tests.crash.hops import MailPort
from tests.crash.pairs import World
from tests.crash.soak import EXTRA, Options, Soak, tell
from tests.crash.troubles import Troubles
from tests.support.daemon import LiveDaemon, free_port
from tests.support.dovecot import PASSWORD, Dovecot, dovecot

_PATIENCE = 120.0
"""Seconds after which a session of a Go program is aborted and repeated."""
_PERSEVERANCE = 900.0
"""Seconds in which one session must succeed."""


class Chaos(Soak):
    """One run; `server` has the mailbox."""

    def __init__(self, folder: Path, options: Options, server: Dovecot) -> None:
        super().__init__(folder, options)
        self._server = server
        self._lmtp = free_port()
        self._mailbox_lock = asyncio.Semaphore(4)
        self.by_mailbox = self.by_program = self.programs = 0

    def make_daemon(self, smarthost: str) -> LiveDaemon:
        """A daemon with all its listeners."""
        secret = self.folder / "imap.password"
        secret.write_text(PASSWORD + "\n")
        secret.chmod(0o600)
        extra = (
            f'{EXTRA}\n[mail.lmtp]\nlisten = "127.0.0.1:{self._lmtp}"\n'
            f'[mail.imap]\nhost = "127.0.0.1"\nport = {self._server.port}\nsecurity = "none"\n'
            f'user = "go"\npassword = {{ file = "{secret}" }}\npoll = 5\n'
        )
        return LiveDaemon(self.folder, extra, smarthost=smarthost)

    def mail_ports(self) -> Sequence[MailPort]:
        """Three of four connections use SMTP."""
        smtp = MailPort(self.daemon.port)
        return (smtp, smtp, smtp, MailPort(self._lmtp, lmtp=True))

    def world(self) -> World:
        """With a mailbox and Go programs."""
        return replace(super().world(), mailbox=self._file, program=self._play)

    async def cause_troubles(self) -> None:
        self.troubles = Troubles(self.daemon, self.fate, self.note_restart, self.books.fault)
        await self.troubles.go_on(self.options.every)

    async def _file(self, sender: str, to: str, raw: bytes) -> None:
        """File a letter in the mailbox that the daemon watches."""
        filed = f"Return-Path: <{sender}>\r\nDelivered-To: {to}\r\n".encode() + raw
        async with self._mailbox_lock:
            await asyncio.to_thread(self._server.put, filed)
        self.by_mailbox += 1

    async def _play(self, game: Game, point: Point | None) -> None:
        """Let a Go program replay the record and move; repeat until it succeeds."""
        assert game.to_move is not None
        record = " ".join(f"{color.word} {where or 'pass'}" for color, where in game.position.moves)
        lines = [
            f"boardsize {game.spec.size.width}",
            "clear_board",
            *([f"gogui-play_sequence {record}"] if record else []),
            f"play {game.to_move.word} {point or 'pass'}",
            "quit",
        ]
        answer, until = "", monotonic() + _PERSEVERANCE
        while monotonic() < until:
            answer = await self._session(game, lines)
            if answer.count("=") == len(lines) and "?" not in answer:
                self.by_program += 1
                return
            await asyncio.sleep(0.3)
        self.books.fault(f"a Go program in game {game.id} had no success: {answer[-300:]!r}")

    async def _session(self, game: Game, lines: Sequence[str]) -> str:
        assert game.to_move is not None
        self.programs += 1
        program = await asyncio.create_subprocess_exec(
            *self.daemon.gtp("--game", str(game.id), "--as", game.to_move.word),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        input_lines = "".join(f"{line}\n" for line in lines).encode()
        try:
            async with asyncio.timeout(_PATIENCE):
                out, err = await program.communicate(input_lines)
        except TimeoutError:
            program.kill()
            await program.wait()
            return "it took too long"
        return out.decode() if program.returncode == 0 else f"{out!r} {err!r}"

    def report(self, wrong: Sequence[str]) -> str:
        """The figures, with the troubles of the daemon."""
        trouble_counts = ", ".join(
            f"{what}: {count}" for what, count in sorted(self.troubles.counts.items())
        )
        mail_ports = (
            f"{self.by_mailbox} letters by the mailbox, {self.by_program} moves at Go programs"
            f" ({self.programs} sessions)"
        )
        return f"{trouble_counts}\n{mail_ports}\n{super().report(wrong)}"


def chaos(folder: Path, options: Options) -> tuple[Chaos, list[str]]:
    """Run; returns the run and the faults in its books."""
    with dovecot() as server:
        run = Chaos(folder, options, server)
        return run, asyncio.run(run.run())


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Every trouble at once; do the books.")
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--every", type=float, default=6.0, help="seconds between two troubles")
    parser.add_argument("--pairs", type=int, default=40, help="of people, playing at one time")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--folder", type=Path, help="kept; else a temporary one")
    given = parser.parse_args(arguments)
    seconds = given.minutes * 60
    options = Options(seconds, given.every, pairs=given.pairs, seed=given.seed)
    with tempfile.TemporaryDirectory() as made:
        folder = given.folder or Path(made)
        folder.mkdir(parents=True, exist_ok=True)
        tell(f"seed {given.seed}")
        run, wrong = chaos(folder, options)
        tell(run.report(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
