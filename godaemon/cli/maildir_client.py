"""A mail program for `godaemon send` and the demonstration: reads Maildirs, sends by SMTP.

Raises `NotAllowed`, `Unknown` and `Temporary`.
"""

import email.policy
import smtplib
import time
from dataclasses import dataclass
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
    """A client of the daemon's SMTP port and its Maildirs."""

    settings: Settings

    def paths(self, address: str) -> list[Path]:
        """The files of all emails to a player, the oldest first.

        Raises `Unknown` if emails go to a smarthost.
        """
        root = self.settings.mail.outgoing.maildir
        if root is None:
            raise Unknown("Emails go to a smarthost here: answer them with your mail program.")
        folder = root / folder_name(address)
        paths = [*folder.glob("new/*"), *folder.glob("cur/*")]
        return sorted(paths, key=lambda path: path.stat().st_mtime_ns)

    def newest(self, address: str) -> EmailMessage:
        """The newest email to a player; raises `Unknown`."""
        if not (paths := self.paths(address)):
            raise Unknown(f"There is no email to {address} yet.")
        return load_letter(paths[-1])

    def wait_until_answered(self) -> None:
        """Wait until the daemon's outbox is empty; raises `Temporary`."""
        deadline = time.monotonic() + _TIMEOUT
        while control.ask(self.settings.control.socket, "status")["letters"]["waiting"]:
            if time.monotonic() > deadline:
                raise Temporary("The daemon has not sent its answer yet: see `godaemon status`.")
            time.sleep(0.01)

    def send(
        self, sender: str, text: str, *, answer: EmailMessage | None = None, record: bytes = b""
    ) -> str:
        """Send an email by SMTP and return its recipient; raises `Temporary`.

        Raises `NotAllowed` if the sender is the daemon itself, or the daemon refuses the recipient.
        """
        letter = _build_letter(sender, self.settings.mail.address, text, answer)
        if record:
            letter.add_attachment(record, "application", "x-go-sgf", filename="game.sgf")
        mail, to = self.settings.mail, parseaddr(letter["To"])[1]
        addresses = [one.address for one in mail.own]
        if own_address(strip_tag(parseaddr(sender)[1]), addresses) is not None:
            raise NotAllowed(f"{sender} is the daemon itself: write the address of a player.")
        address = mail.smtp.listen or mail.lmtp.listen
        try:
            with _connect(mail) as server:
                server.send_message(letter, sender, [to])
        except smtplib.SMTPRecipientsRefused as fault:
            code, message = fault.recipients[to]
            raise NotAllowed(
                f"Not sent: {to} was refused with {code} {message.decode()}."
            ) from fault
        except smtplib.SMTPResponseException as fault:
            reply = fault.smtp_error
            reason = f"{fault.smtp_code} {reply.decode() if isinstance(reply, bytes) else reply}"
            raise Temporary(f"The daemon at {address} did not accept it: {reason}.") from fault
        except (OSError, smtplib.SMTPException) as fault:
            reason = f"The daemon at {address} did not accept it: {fault}"
            raise Temporary(f"{reason}. Is `godaemon serve` running?") from fault
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
        "The daemon gets emails only from a mailbox: send yours to that, or configure `listen` in"
        " [mail.smtp] too."
    )


def load_letter(path: Path) -> EmailMessage:
    """The email in a file."""
    return BytesParser(EmailMessage, policy=email.policy.default).parsebytes(path.read_bytes())


def letter_values(path: Path) -> dict[str, str | int | None]:
    """An email as JSON values; `code` is the reason of a refusal."""
    letter = load_letter(path)
    game, code = letter["X-Godaemon-Game"], letter["X-Godaemon-Code"]
    return {
        "notice": str(letter["X-Godaemon-Notice"]),
        "game": int(game) if game else None,
        "code": str(code) if code else None,
        "text": first_sentences(letter),
    }


def first_sentences(letter: EmailMessage) -> str:
    """The first paragraph of an email on one line."""
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
        body = answer.get_body(("plain",))
        if body is not None:
            lines = body.get_content().splitlines()
            text += "\n\nYou wrote:\n" + "\n".join(f"> {line}".rstrip() for line in lines)
    letter.set_content(text)
    return letter
