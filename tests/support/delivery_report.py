"""A report that a letter to Bob came back, by RFC 3464."""

from __future__ import annotations

REPORT = """\
From: MAILER-DAEMON@mx.players.example (Mail Delivery System)
To: {to}
Subject: Undelivered Mail Returned to Sender
Message-ID: <{id}@mx.players.example>
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b
Content-Type: text/plain

I'm sorry to have to inform you that your message could not be delivered.

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.players.example

Final-Recipient: rfc822; bob@players.example
Action: {action}
Status: {status}
Diagnostic-Code: smtp; {said}

--b
Content-Type: message/rfc822

Subject: Go game 1
From: Go by mail <go@go.example>

Your move. resign
--b--
"""


def report(
    status: str = "5.1.1", action: str = "failed", said: str = "550 5.1.1 no such user", **more: str
) -> bytes:
    """A report by RFC 3464."""
    fields = {"to": "go@go.example", "id": "1", **more}
    return REPORT.format(status=status, action=action, said=said, **fields).encode()
