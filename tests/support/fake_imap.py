"""An IMAP server in the test's event loop that misbehaves at chosen commands."""

import asyncio

from mailgate.receiving.imap_client import ImapAccount, Security
from tests.support.odd_smtp import LineServer

LETTER = b"To: go@go.example\r\n\r\nD4\r\n"

ANSWERS = {
    "CAPABILITY": ["* CAPABILITY IMAP4rev1 IDLE MOVE"],
    "SELECT": ["* 1 EXISTS", "* OK [UIDVALIDITY 7] valid"],
    "SEARCH": ["* SEARCH 1"],
}


def imap_account(
    host: str,
    port: int,
    security: Security,
    user: str,
    password: str,
    *,
    done_folder: str | None = None,
) -> ImapAccount:
    """An account that marks handled letters of INBOX as read."""
    return ImapAccount(host, port, security, user, password, "INBOX", r"\Seen", done_folder)


class FakeImap(LineServer):
    """A server with one letter in INBOX. `twists` maps a command to the fault that answers it.

    "hang" never answers, "close" hangs up, "bye" sends BYE and hangs up, "quiet bye" sends BYE but
    stays connected, "no" and "bad" refuse, "flood" sends 10,000 lines, "noise" sends nonsense.
    """

    def __init__(self, **twists: str) -> None:
        super().__init__()
        self.twists = twists
        self.commands: list[str] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if await self._twist("GREETING", "*", writer):
            writer.write(b"* OK here\r\n")
        while line := (await reader.readline()).decode().rstrip():
            await self._answer(line, reader, writer)

    async def _answer(
        self, line: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        tag, _, rest = line.partition(" ")
        words = rest.removeprefix("UID ").split()
        verb = "FETCH_ALL" if "BODY.PEEK[]" in rest else words[0]
        self.commands.append(verb)
        if not await self._twist(verb, tag, writer):
            return
        if verb == "IDLE":
            writer.write(b"+ idling\r\n")
            await self._twist("IDLING", tag, writer)
            await reader.readline()  # DONE
            if not await self._twist("DONE", tag, writer):
                return
        for untagged in ANSWERS.get(verb, ()):
            writer.write(untagged.encode() + b"\r\n")
        if verb.startswith("FETCH"):
            item = "BODY[]" if verb == "FETCH_ALL" else "RFC822.SIZE 9 BODY[HEADER.FIELDS (TO)]"
            text = LETTER if verb == "FETCH_ALL" else LETTER.partition(b"D4")[0]
            writer.write(f"* 1 FETCH (UID 1 {item} {{{len(text)}}}\r\n".encode() + text + b")\r\n")
        if verb == "LOGOUT":
            writer.write(b"* BYE\r\n")
        writer.write(f"{tag} OK done\r\n".encode())

    async def _twist(self, verb: str, tag: str, writer: asyncio.StreamWriter) -> bool:
        """Apply the twist of a command; True if it has none."""
        match self.twists.get(verb, ""):
            case "":
                return True
            case "hang":
                pass
            case "close":
                writer.transport.abort()
            case "bye":
                writer.write(b"* BYE tired\r\n")
                writer.close()
            case "quiet bye":
                writer.write(b"* BYE tired\r\n")
            case "flood":
                writer.write(b"* 1 EXPUNGE\r\n" * 10_000)
            case "noise":
                writer.write(b"* 1 FETCH ((((\r\n\0\xff{3}\r\nZZ9 OK who?\r\n)\r\n")
            case refusal:
                writer.write(f"{tag} {refusal.upper()} not today\r\n".encode())
        return False
