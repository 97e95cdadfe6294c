"""Who may act, and which letters no person wrote: decisions as pure functions.

Pure, and imports nothing of ours. Automatic mail is never parsed and never answered (RFC 3834, 2);
list and bulk headers stop only letters without a good token, because a person may write by a list.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import Enum

__all__ = ["Standing", "automatic", "bulk", "standing", "untagged", "within"]

_MACHINES = frozenset(["mailer-daemon", "postmaster", "noreply", "no-reply", "donotreply"])
_ROBOT_FIELDS = ("x-autoreply", "x-autorespond", "x-autoresponder", "x-failed-recipients")
_LIST_FIELDS = ("list-id", "list-post", "list-unsubscribe", "list-help", "feedback-id")
_ABSENT = re.compile(
    r"(?i)(?:re: ?)?(?:automatic reply|auto(?:matic)?[- ]?(?:reply|response)|out of (?:the )?office"
    r"|automatische antwort|abwesenheit|abwesend|réponse automatique|absence du bureau"
    r"|automatisch antwoord|afwezig|respuesta automática|fuera de (?:la )?oficina"
    r"|resposta automática|risposta automatica|autosvar|automatiskt svar|automaattinen vastaus"
    r"|odpowiedź automatyczna|automatická odpověď|автоматический ответ|автоответ"
    r"|自動応答|自動返信|自动回复|自動回覆|자동 회신|부재중"
    r"|delivery status notification|undeliver(?:able|ed)|mail delivery failed|returned mail)\b"
)


def automatic(
    headers: Mapping[str, str], envelope_sender: str, author: str, our_address: str
) -> str | None:
    """Why no person wrote this letter, in words for the log; None where a person may have.

    `headers` by lower-case names; `author` is the address in From, or "". Follows RFC 3834, 2, and
    what Exchange, Discourse and Debbugs add.
    """
    if envelope_sender in ("", "<>") or headers.get("return-path", "x").strip() == "<>":
        return "null sender"
    for address in (author, envelope_sender):
        if untagged(address).casefold() == untagged(our_address).casefold():
            return "our own address"
        if untagged(address).casefold().rpartition("@")[0] in _MACHINES:
            return f"from {address.casefold()}"
    return _robot_header(headers)


def bulk(headers: Mapping[str, str]) -> bool:
    """Whether it came by a list or in bulk: reason to leave it alone unless its token is good."""
    if headers.get("precedence", "").strip().lower() in ("bulk", "junk", "list"):
        return True
    return any(name in headers for name in _LIST_FIELDS)


def untagged(address: str) -> str:
    """An address without what stands between `+` and `@`."""
    local, at, domain = address.rpartition("@")
    return local.partition("+")[0] + at + domain


class Standing(Enum):
    """As whom the writer of a letter with a token may act."""

    SEAT = "seat"
    """A good token from an address of the seat: act."""
    UNKNOWN_ADDRESS = "unknown address"
    """A good token from elsewhere: wait for one `yes` from an address of the seat."""
    KNOWN_ADDRESS_BAD_TOKEN = "known address, bad token"  # noqa: S105 (no secret: a word)
    """Do nothing; send the present letter again, to the seat's own address only."""
    STRANGER = "stranger"
    """Do nothing, and tell nothing of the game."""


def standing(*, good_token: bool, known_address: bool) -> Standing:
    """As whom a letter speaks: whether its token is valid, and its From one the seat knows."""
    if good_token:
        return Standing.SEAT if known_address else Standing.UNKNOWN_ADDRESS
    return Standing.KNOWN_ADDRESS_BAD_TOKEN if known_address else Standing.STRANGER


def within(count: int, limit: int) -> bool:
    """Whether one more may follow `count` that were there already."""
    return count < limit


def _robot_header(headers: Mapping[str, str]) -> str | None:
    submitted = re.split(r"[;(\s]", headers.get("auto-submitted", "no").strip().lower())[0]
    if submitted != "no":
        return f"Auto-Submitted: {submitted[:40]}"
    if headers.get("x-auto-response-suppress", "none").strip().lower() != "none":
        return "X-Auto-Response-Suppress"
    for name in (*_ROBOT_FIELDS, "x-loop", "x-godaemon-notice", "x-godaemon-game"):
        if name in headers and headers[name].strip().lower() != "no":
            return name
    if headers.get("precedence", "").strip().lower() in ("auto_reply", "auto-reply"):
        return "Precedence: auto_reply"
    if headers.get("content-type", "").strip().lower().startswith("multipart/report"):
        return "multipart/report"
    return "automatic subject" if _ABSENT.match(headers.get("subject", "")) else None
