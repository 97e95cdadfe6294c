"""Players with mail programs: they read Maildirs, and send letters by SMTP."""

import smtplib
from email.message import EmailMessage
from email.utils import getaddresses, make_msgid
from pathlib import Path

from tests.support.letters import agreement, parsed, plain
from tests.support.waiting import PATIENCE, until


class MailPlayer:
    """A player; `port` is the daemon's SMTP port, `mail` the folder of the Maildirs."""

    def __init__(self, address: str, name: str, port: int, mail: Path) -> None:
        self.address = address
        self.name = name
        self.port = port
        self.folder = mail / address
        self._files: dict[str, EmailMessage] = {}
        self._taken: set[str] = set()
        self.newest: EmailMessage | None = None
        """The last letter that `expect` returned; `reply` answers it."""

    def letters(self) -> dict[str, EmailMessage]:
        """All letters so far by file name, in order of arrival."""
        found = [*self.folder.glob("new/*"), *self.folder.glob("cur/*")]
        for path in sorted(found, key=lambda path: path.stat().st_mtime_ns):
            if path.name not in self._files:
                self._files[path.name] = parsed(path.read_bytes())
        return self._files

    def expect(self, kind: str, seconds: float = PATIENCE) -> EmailMessage:
        """Wait for the next unread letter of a kind; other letters stay unread."""
        found: list[tuple[str, EmailMessage]] = []

        def there() -> bool:
            found[:] = [
                (name, letter)
                for name, letter in self.letters().items()
                if name not in self._taken and letter["X-Godaemon-Notice"] == kind
            ]
            return bool(found)

        until(there, f"a letter {kind} to {self.address}; there are {self.kinds()}", seconds)
        name, letter = found[0]
        self._taken.add(name)
        self.newest = letter
        return letter

    def kinds(self) -> list[str]:
        return [str(letter["X-Godaemon-Notice"]) for letter in self.letters().values()]

    def write(self, text: str, to: str = "go@localhost") -> None:
        self.post(self._letter(text, to))

    def reply(self, text: str, to: EmailMessage | None = None, *, quote: bool = True) -> None:
        """Answer a letter, by default the newest, as mail programs do."""
        answered = to or self.newest
        assert answered is not None
        address = getaddresses([str(answered["Reply-To"])])[0][1]
        if quote:
            body = "\n".join("> " + line for line in plain(answered).splitlines())
            text = f"{text}\n\nOn Sat, 21 Nov 2026 at 10:00, Go by mail wrote:\n{body}\n"
        letter = self._letter(text, address)
        letter["Subject"] = "Re: " + str(answered["Subject"])
        letter["In-Reply-To"] = str(answered["Message-ID"])
        letter["References"] = f"{answered['References'] or ''} {answered['Message-ID']}".strip()
        self.post(letter)

    def agree(self) -> None:
        """Answer the newest letter with the lines that agree to its count."""
        assert self.newest is not None
        self.reply(agreement(self.newest))

    def _letter(self, text: str, to: str) -> EmailMessage:
        letter = EmailMessage()
        letter["From"] = f"{self.name} <{self.address}>"
        letter["To"] = to
        letter["Message-ID"] = make_msgid(domain="players.example")
        letter.set_content(text)
        return letter

    def post(self, letter: EmailMessage) -> None:
        """Send a letter; returns once the daemon has accepted it."""
        to = getaddresses([str(letter["To"])])[0][1]
        with smtplib.SMTP("127.0.0.1", self.port, timeout=PATIENCE) as server:
            server.send_message(letter, self.address, [to])
