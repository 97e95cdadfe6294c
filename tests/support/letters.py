"""Letters as a mail program reads them."""

from __future__ import annotations

import email.policy
from email.message import EmailMessage
from email.parser import BytesParser

from godaemon.texts.catalogue import say


def parsed(raw: bytes) -> EmailMessage:
    """The letter of these bytes."""
    return BytesParser(EmailMessage, policy=email.policy.default).parsebytes(raw)


def part(letter: EmailMessage, subtype: str) -> str:
    """The text (`plain`) or the `html` of a letter."""
    body = letter.get_body((subtype,))
    assert body is not None
    return str(body.get_content()).replace("\r\n", "\n")


def plain(letter: EmailMessage) -> str:
    """A letter's text part."""
    return part(letter, "plain")


def sentence(key: str, /, **values: object) -> str:
    """The sentence of a key as the text of an email has it: what can be sent has no marks."""
    return say(key, **values).replace("`", "")


def html(letter: EmailMessage) -> str:
    """A letter's HTML part."""
    return part(letter, "html")
