"""Letters as a mail program reads them."""

from __future__ import annotations

import email.policy
import re
from email.message import EmailMessage
from email.parser import BytesParser

from godaemon.texts.catalogue import say


def parsed(raw: bytes) -> EmailMessage:
    return BytesParser(EmailMessage, policy=email.policy.default).parsebytes(raw)


def part(letter: EmailMessage, subtype: str) -> str:
    """The text (`plain`) or the `html` of a letter."""
    body = letter.get_body((subtype,))
    assert body is not None
    return str(body.get_content()).replace("\r\n", "\n")


def plain(letter: EmailMessage) -> str:
    return part(letter, "plain")


def agreement(letter: EmailMessage) -> str:
    """The lines that agree to the count of an email, as its text has them."""
    rows = re.findall(r"^ +Reply with: .*(?:\n +and: .*)*", plain(letter), re.MULTILINE)
    lines = (re.findall(r": (.+?)(?:  .*)?$", row, re.MULTILINE) for row in rows)
    return next(("\r\n".join(one) for one in lines if "done" in one), "done")


def sentence(key: str, /, **values: object) -> str:
    """The sentence of a key as the text of an email has it: what can be sent has no marks."""
    return say(key, **values).replace("`", "")


def html(letter: EmailMessage) -> str:
    return part(letter, "html")
