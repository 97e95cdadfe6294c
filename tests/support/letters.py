"""Parse letters, and read their parts."""

import email.policy
import re
from email.message import EmailMessage
from email.parser import BytesParser

from godaemon.texts.catalogue import say


def parsed(raw: bytes) -> EmailMessage:
    return BytesParser(EmailMessage, policy=email.policy.default).parsebytes(raw)


def part(letter: EmailMessage, subtype: str) -> str:
    """The `plain` or `html` body of a letter."""
    body = letter.get_body((subtype,))
    assert body is not None
    return str(body.get_content()).replace("\r\n", "\n")


def plain(letter: EmailMessage) -> str:
    return part(letter, "plain")


def agreement(letter: EmailMessage) -> str:
    """The lines to reply with to agree to the count of a letter; "done" if it has none."""
    rows = re.findall(r"^ +Reply with: .*(?:\n +and: .*)*", plain(letter), re.MULTILINE)
    lines = (re.findall(r": (.+?)(?:  .*)?$", row, re.MULTILINE) for row in rows)
    return next(("\r\n".join(one) for one in lines if "done" in one), "done")


def sentence(key: str, /, **values: object) -> str:
    """A sentence of the catalogue as in the text of an email, without backquotes."""
    return say(key, **values).replace("`", "")


def html(letter: EmailMessage) -> str:
    return part(letter, "html")
