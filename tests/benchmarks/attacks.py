"""Latency of moves while an attacker sends expensive letters.

    python -m tests.benchmarks.attacks [--seconds N] [NAME ...]

Eve, also a player, sends an expensive letter repeatedly while Alice and Bob play. Reports the time
of Eve's letters, and the median and maximum time until a move is accepted and until its letter
arrives. The goal is half a second on an otherwise idle machine.
"""

import argparse
import smtplib
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from email.message import EmailMessage
from email.utils import getaddresses
from pathlib import Path
from statistics import median
from time import monotonic

from tests.support.daemon import LiveDaemon
from tests.support.mailgame import begin
from tests.support.players import MailPlayer

OURS = "go@localhost"
PATIENCE = 600.0
Attack = tuple[Sequence[str], str, str, bytes]
"""Recipients, text, subtype and attachment of a letter."""


def _lines(line: str, size: int = 63_000) -> str:
    """A text of about `size` bytes in distinct lines."""
    return "\n".join(f"{line}{number}" for number in range(size // (len(line) + 4)))


_RECORD = (
    b"(;SZ[19]" + b"".join(b";B[%c%c];W[tt]" % (97 + n % 19, 98) for n in range(75_000)) + b")"
)
_TOKENS = [f"go+{number}-b-3-0-{'a' * 16}@localhost" for number in range(10, 110)]
ATTACKS: dict[str, Callable[[str], Attack]] = {
    "nothing": lambda _: ((), "", "plain", b""),
    "commas": lambda listed: ([listed], "\n".join(["x:" + "," * 2_990 + "!"] * 21), "plain", b""),
    "100 tokens": lambda _: (_TOKENS, _lines("is D4 dead? " * 6), "plain", b""),
    "attribution": lambda listed: ([listed], f"{'escreveu ' * 20}x\n\n> old", "plain", b""),
    "words": lambda listed: ([listed], _lines("is D4 dead? " * 25), "plain", b""),
    "tags": lambda listed: ([listed], "<p>" * 21_000, "html", b""),
    "record": lambda _: ([OURS], "new 19x19 vs x@players.example", "plain", _RECORD),
    "megabyte": lambda listed: ([listed], _lines("D4 " * 100, 1_000_000), "plain", b""),
}


class Run:
    """One attack, on a daemon of its own."""

    def __init__(self, folder: Path, name: str, seconds: float) -> None:
        self._name, self._seconds = name, seconds
        self._daemon = LiveDaemon(folder, '[log]\nlevel = "error"\n')
        self._taken: list[float] = []
        self._waits: list[float] = []
        self._took: list[float] = []

    def report(self) -> str:
        """Run the attack, and report its figures."""
        self._daemon.start()
        try:
            names = ("alice", "bob", "eve", "mallory")
            alice, bob, eve, mallory = (
                MailPlayer(f"{name}@players.example", name, self._daemon.port, self._daemon.mail)
                for name in names
            )
            for one, other in ((alice, bob), (eve, mallory)):
                begin(one, other, "19x19")
            eve.write("games")
            listed = getaddresses([str(eve.expect("games")["Reply-To"])])[0][1]
            attack = threading.Thread(target=self._attack, args=(ATTACKS[self._name](listed),))
            attack.start()
            self._play(alice, bob, attack)
            attack.join()
        finally:
            self._daemon.stop()
        took = f"{len(self._took):5} letters of {median(self._took or [0.0]):6.3f} s"
        waits = (f"{median(one):6.3f} / {max(one):6.3f} s" for one in (self._taken, self._waits))
        return f"{self._name:12} {took}, a move was taken in {', and there in '.join(waits)}"

    def _attack(self, attack: Attack) -> None:
        recipients, text, kind, record = attack
        ends, number = monotonic() + self._seconds, 0
        while monotonic() < ends:
            number += 1
            letter = EmailMessage()
            letter["From"], letter["Message-ID"] = "eve@players.example", f"<{number}@eve>"
            letter.set_content(text, subtype=kind, cte="8bit")
            if record:
                letter.add_attachment(
                    record, "application", "x-go-sgf", filename="x.sgf", cte="7bit"
                )
            if recipients:
                self._bring(recipients, letter.as_bytes())
            else:
                threading.Event().wait(0.1)

    def _bring(self, recipients: Sequence[str], raw: bytes) -> None:
        with smtplib.SMTP("127.0.0.1", self._daemon.port, timeout=PATIENCE) as line:
            line.ehlo()
            line.mail("eve@players.example")
            for recipient in recipients:
                line.rcpt(recipient)
            began = monotonic()
            line.data(raw)
            self._took.append(monotonic() - began)

    def _play(self, mover: MailPlayer, other: MailPlayer, attack: threading.Thread) -> None:
        """Play along the rows of the board until the attack is over."""
        for point in (f"{column}{row}" for row in range(1, 20) for column in "ABCDEFGHJKLMNOPQRST"):
            began = monotonic()
            mover.reply(point, quote=False)
            self._taken.append(monotonic() - began)
            other.expect("your-turn", PATIENCE)
            self._waits.append(monotonic() - began)
            mover, other = other, mover
            if not attack.is_alive():
                return


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the named attacks, by default all, and print their figures."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=float, default=10)
    options.add_argument("names", nargs="*", default=[*ATTACKS], metavar="NAME")
    found = options.parse_args(arguments)
    for name in found.names:
        with tempfile.TemporaryDirectory() as folder:
            sys.stdout.write(f"{Run(Path(folder), name, found.seconds).report()}\n")
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
