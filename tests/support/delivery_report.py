"""Delivery reports for a letter to Bob (RFC 3464), and abuse complaints about one."""

import base64

from tests.support import places
from tests.support.blocks import read_blocks

REPORT = (places.DATA / "delivery_report.txt").read_text("utf-8")


def report(
    status: str = "5.1.1",
    action: str = "failed",
    reason: str = "550 5.1.1 no such user",
    **more: str,
) -> bytes:
    fields = {"to": "go@go.example", "id": "1", **more}
    return REPORT.format(status=status, action=action, reason=reason, **fields).encode()


COMPLAINTS = read_blocks(places.DATA / "complaints.txt")
"""Complaints by format. OURS stands for the letter, ID for its Message-ID."""
OURS = """\
From: Go by mail <go@go.example>
To: redacted@players.example
Subject: Go game 1 with Alice
Message-ID: {id}

It is your move.
"""
_WRAPPED = """\
From: <arf@provider.example>
Subject: Abuse report
Content-Type: text/plain
Content-Transfer-Encoding: base64

"""


def complaint(form: str, message_id: str, ours: str = OURS) -> bytes:
    """A complaint about a letter, in a format of `COMPLAINTS` or "in base64"."""
    head, _, text = COMPLAINTS.get(form, COMPLAINTS["all in one text"]).partition("\n\n")
    text = text.replace("OURS", ours.format(id=message_id)).replace(" ID", f" {message_id}")
    if form not in COMPLAINTS:
        head, text = _WRAPPED.strip(), base64.encodebytes(text.encode()).decode()
    return f"{head}\n\n{text}\n".replace("\n", "\r\n").encode()
