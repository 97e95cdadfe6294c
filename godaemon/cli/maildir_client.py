"""A player without a mail program: reads their Maildir and writes emails by SMTP.

For `godaemon send` and the demonstration. Speaks to the daemon only as any mail program would.
Raises `NotAllowed`, `Unknown` and `Temporary`.
"""

from __future__ import annotations

import email.policy
import smtplib
import time
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.parser import BytesParser
from email.utils import make_msgid, parseaddr
from pathlib import Path

from godaemon.config.mail_options import Mail
from godaemon.config.settings import Settings
from godaemon.control import control_client as control
from godaemon.errors import NotAllowed, Temporary, Unknown
from mailgate.address import strip_tag
from mailgate.delivery.maildir import folder_name
from mailgate.tokens import own_address

_TIMEOUT = 30.0


@dataclass(frozen=True, slots=True)
class MaildirClient:
    """The daemon's SMTP port and its Maildirs, seen from outside."""

    settings: Settings
    _read: dict[str, EmailMessage] = field(default_factory=dict)
    """Letters by file name: a Maildir's files never change."""

    def folder(self, address: str) -> Path:
        """A player's Maildir; raises `Unknown` if emails go to a smarthost."""
        root = self.settings.mail.outgoing.maildir
        if root is None:
            raise Unknown("Emails go to a smarthost here: answer them with your mail program.")
        return root / folder_name(address)

    def letters(self, address: str) -> list[EmailMessage]:
        """All letters to a player, the oldest first."""
        folder = self.folder(address)
        found = [*folder.glob("new/*"), *folder.glob("cur/*")]
        found.sort(key=lambda path: path.stat().st_mtime_ns)
        return [self._load_letter(path) for path in found]

    def _load_letter(self, path: Path) -> EmailMessage:
        if path.name not in self._read:
            parser = BytesParser(EmailMessage, policy=email.policy.default)
            self._read[path.name] = parser.parsebytes(path.read_bytes())
        return self._read[path.name]

    def wait_for_letters(self, address: str) -> list[EmailMessage]:
        """All letters to a player, once the daemon's outbox is empty; raises `Temporary`."""
        limit = time.monotonic() + _TIMEOUT
        while control.ask(self.settings.control.socket, "status")["letters"]["waiting"]:
            if time.monotonic() > limit:
                raise Temporary("The daemon has not sent its answer yet: see `godaemon status`.")
            time.sleep(0.01)
        return self.letters(address)

    def newest(self, address: str) -> EmailMessage:
        """The newest letter to a player; raises `Unknown`."""
        if not (found := self.letters(address)):
            raise Unknown(f"There is no email to {address} in {self.folder(address)} yet.")
        return found[-1]

    def send(
        self, sender: str, text: str, *, answer: EmailMessage | None = None, record: bytes = b""
    ) -> str:
        """Send a letter by SMTP and return the address that took it; raises `Temporary`.

        Raises `NotAllowed` if the sender is the daemon itself, or the daemon refuses the address.
        """
        letter = _build_letter(sender, self.settings.mail.address, text, answer)
        if record:
            letter.add_attachment(record, "application", "x-go-sgf", filename="game.sgf")
        to, addresses = parseaddr(letter["To"])[1], [one.address for one in self.settings.mail.own]
        if own_address(strip_tag(parseaddr(sender)[1]), addresses) is not None:
            raise NotAllowed(f"{sender} is the daemon itself: name a player, whose email this is.")
        mail = self.settings.mail
        place = mail.smtp.listen or mail.lmtp.listen
        try:
            with _connect(mail) as server:
                server.send_message(letter, sender, [to])
        except smtplib.SMTPRecipientsRefused as fault:
            code, words = fault.recipients[to]
            raise NotAllowed(f"Not sent: {to} was refused with {code} {words.decode()}.") from fault
        except smtplib.SMTPResponseException as fault:
            error = fault.smtp_error
            why = f"{fault.smtp_code} {error.decode() if isinstance(error, bytes) else error}"
            raise Temporary(f"The daemon at {place} took no email: {why}.") from fault
        except (OSError, smtplib.SMTPException) as fault:
            why = f"The daemon at {place} took no email: {fault}"
            raise Temporary(f"{why}. Is `godaemon serve` running?") from fault
        return to


def _connect(mail: Mail) -> smtplib.SMTP:
    """The daemon's SMTP or LMTP listener; raises `NotAllowed` if it has neither."""
    if mail.smtp.listen is not None:
        return smtplib.SMTP(*mail.smtp.address, timeout=_TIMEOUT)
    if mail.lmtp.path is not None:
        return smtplib.LMTP(str(mail.lmtp.path))
    if mail.lmtp.listen is not None:
        return smtplib.LMTP(*mail.lmtp.address, timeout=_TIMEOUT)
    raise NotAllowed(
        "The daemon takes emails from a mailbox alone: write yours to that, or have it listen in"
        " [mail.smtp] too."
    )


def letter_values(letter: EmailMessage) -> dict[str, str | int | None]:
    """A letter as plain JSON values; `code` says in a word why something was not done."""
    game, code = letter["X-Godaemon-Game"], letter["X-Godaemon-Code"]
    return {
        "notice": str(letter["X-Godaemon-Notice"]),
        "game": int(game) if game else None,
        "code": str(code) if code else None,
        "text": first_sentences(letter),
    }


def first_sentences(letter: EmailMessage) -> str:
    """The first paragraph of a letter, which says what it is about, on one line."""
    body = letter.get_body(("plain",))
    return " ".join(body.get_content().split("\n\n", 1)[0].split()) if body else ""


def _build_letter(sender: str, to: str, text: str, answer: EmailMessage | None) -> EmailMessage:
    letter = EmailMessage()
    letter["From"] = sender
    letter["Message-ID"] = make_msgid(domain=sender.rpartition("@")[2] or "localhost")
    if answer is None:
        letter["To"] = to
        letter["Subject"] = "Go"
    else:
        letter["To"] = str(answer["Reply-To"] or answer["From"])
        letter["Subject"] = "Re: " + str(answer["Subject"])
        letter["In-Reply-To"] = str(answer["Message-ID"])
        references = " ".join(str(answer["References"] or "").split())
        letter["References"] = f"{references} {answer['Message-ID']}".strip()
        quoted = answer.get_body(("plain",))
        if quoted is not None:
            lines = quoted.get_content().splitlines()
            text += "\n\nYou wrote:\n" + "\n".join(f"> {line}".rstrip() for line in lines)
    letter.set_content(text)
    return letter
