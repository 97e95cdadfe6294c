r"""SMTP and LMTP sessions as text: the client's lines, and the beginning of each answer.

A file of `sessions/` has sessions by their names (`== name`). In each a line `SENT => ANSWER` is a
command and the beginning of the last line of its answer, or of several answers: `250 / 451`.
`LETTER TO, TO: BYTES => ANSWER` is a whole letter up to its lone full stop; without bytes it is a
small one. `\r`, `\n` and `\xff` are bytes, `{ab*900}` is a text many times; `{old}`, `{new}` and
`{other}` are addresses with a token: for two positions of one seat, and for another seat. Other
lines begin with `!`:

    ! lmtp, ! strangers, ! postmaster, ! silent  (first) LMTP; a client that is no mail server of
                          ours; somebody keeps the postmaster's letters; no EHLO is sent
    ! overloaded REASON   no letter is accepted; without a reason letters are accepted again
    ! fault TO NAME       keeping letters to this address fails so; `! fault` none fails any more
    ! kept TO ...         what has been kept since, in its order
    ! bytes BYTES         what was kept last, byte by byte
    ! sender ADDRESS      who sent that, by its envelope
    ! trusted NUMBER      whether the server that brought it is believed: 0 or 1
    ! network NETWORK     where it came from
    ! posted NUMBER       so many letters are kept for the postmaster
    ! offered WORDS, ...  what the last answer has in its lines, beside others
    ! refused NUMBER WHY  so many letters were refused that our own mail server brought, and why
"""

import builtins
import re
from pathlib import Path

import pytest

from godaemon.system.source_limits import MailLimiter
from mailgate.reading.inbound_letter import InboundLetter
from mailgate.receiving.smtp_session import SmtpTerms
from tests.support.blocks import read_blocks
from tests.support.gateway import ADDRESS
from tests.support.raw_smtp import (
    NO_LIMITS,
    KeptLetters,
    Line,
    greeted,
    handler_of,
    letter,
    serving,
    trouble,
)

FOLDER = Path(__file__).parent / "sessions"
SESSIONS = [
    pytest.param(text, id=f"{path.stem}: {name}")
    for path in sorted(FOLDER.glob("*.txt"))
    for name, text in read_blocks(path).items()
]
NAMES = {"go": ADDRESS} | {
    name: f"go+1-{seat}-{'a' * 16}@go.example"
    for name, seat in (("old", "b-9-0"), ("new", "b-10-0"), ("other", "w-3-0"))
}
STRANGERS = MailLimiter([], connections=9, per_source=9, letters=99, clock=lambda: 0.0)


@pytest.mark.parametrize("text", SESSIONS)
async def test_sessions(text: str) -> None:
    """Each line of the session holds."""
    lines = [line for line in text.splitlines() if line]
    await Session({line for line in lines if line in OPTIONS}).play(lines)


OPTIONS = {"! lmtp", "! strangers", "! postmaster", "! silent"}


class Session:
    """One connection, and the letters stored from it."""

    def __init__(self, options: set[str]) -> None:
        self.options, self.lmtp = options, "! lmtp" in options
        self.box, self.postmaster, self.seen = KeptLetters(), KeptLetters(), 0
        self.busy, self.answer = "", list[str]()
        self.handler = handler_of(
            self.box,
            guard=STRANGERS if "! strangers" in options else NO_LIMITS,
            postmaster=self.postmaster if "! postmaster" in options else None,
            overloaded=lambda: self.busy,
            addresses=lambda: (ADDRESS, "play@club.example"),
        )

    async def play(self, lines: list[str]) -> None:
        """Run each line of the text, and compare the answers."""
        async with serving(self.handler, SmtpTerms(10_000, 300), lmtp=self.lmtp) as opened:
            client = await opened()
            if "! silent" not in self.options:
                await greeted(client, "LHLO x.example" if self.lmtp else "EHLO x.example")
            for line in lines:
                if line.startswith("! "):
                    self.happen(line)
                else:
                    await self.say(client, line)

    async def say(self, client: Line, line: str) -> None:
        """Send what a line says, and compare the answers."""
        sent, _, answers = line.rpartition(" => ")
        if whole := re.fullmatch(r"LETTER (.+?)(?:: (.*))?", sent):
            await client.ask(*letter([str(named(to), "utf-8") for to in whole[1].split(", ")]))
            sent = ("\\r\\nD4\\r\\n" if whole[2] is None else whole[2]) + "."
        client.send(named(sent) + b"\r\n")
        for answer in answers.split(" / "):
            self.answer = await client.read_answer()
            assert self.answer[-1].startswith(answer), line

    def happen(self, line: str) -> None:
        """What a line with an exclamation mark says."""
        verb, _, words = line.removeprefix("! ").partition(" ")
        raw, taken = named(words), self.box.taken
        if line in OPTIONS:
            return
        if verb == "fault":
            to, _, name = raw.decode().partition(" ")
            self.box.faults = {to: getattr(builtins, name, trouble)()} if to else {}
        elif verb == "overloaded":
            self.busy = words
        elif verb == "offered":
            assert set(words.split(", ")) <= {one[4:] for one in self.answer}
        elif verb == "kept":
            new, self.seen = taken[self.seen :], len(taken)
            assert [one.recipient for one in new] == raw.decode().split()
        else:
            last = taken[-1] if taken else InboundLetter("", "", b"")
            number, _, why = self.handler.rejections
            found = {
                "bytes": last.raw,
                "sender": last.sender.encode(),
                "trusted": b"%d" % last.trusted,
                "network": last.network.encode(),
                "posted": b"%d" % len(self.postmaster.taken),
                "refused": f"{number} {why}".strip().encode(),
            }[verb]
            assert found == raw, line


def named(text: str) -> bytes:
    """The bytes of a text in a file."""
    text = re.sub(r"\{(.+?)\*(\d+)\}", lambda found: found[1] * int(found[2]), text)
    for name, address in NAMES.items():
        text = text.replace(f"{{{name}}}", address)
    return text.encode().decode("unicode_escape").encode("latin-1")
