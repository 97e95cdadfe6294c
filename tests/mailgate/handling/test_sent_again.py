"""Letters that a mail program sends a second time, because it did not hear our answer."""

from __future__ import annotations

from tests.support.gateway import ADDRESS, Gateway


def test_letters_without_message_id_are_told_apart_by_their_dates() -> None:
    """The same words on another day are another letter."""
    gateway = Gateway()
    alice = gateway.person("Alice")
    for day, event in ((20, "accepted"), (21, "accepted"), (21, "repeated")):
        date = f"{day} Nov 2026 09:44:32 +0000"
        assert alice.write("help", to=ADDRESS, message_id="", date=date).event == event
