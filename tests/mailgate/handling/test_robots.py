"""Programs that look like people: the same text with another number each time."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from godaemon.games.notices import Kind
from tests.mailgate.handling.test_loops import Robots, silent
from tests.support.exchange import Mail, Robot, answer


def timed(text: str) -> Callable[[], Robot]:
    """A program whose text has a different number each time."""

    def made() -> Robot:
        sent = list[Mail]()

        def robot(mail: Mail) -> list[Mail]:
            sent.append(mail)
            minute = timedelta(hours=9, minutes=57 + len(sent))
            return [answer(mail, text.format(time=str(minute)[:-3], number=len(sent)))]

        return robot

    return made


@pytest.mark.parametrize(
    "text",
    [
        "We got your message at {time} today. It waits for the next free person.",
        "We got your message at {time}am.",
        "Thanks a lot, you are number {number} in the line.",
        "Message {number} of 20 has come in, on the {number}/11.",
    ],
)
def test_a_numbered_automatic_reply_is_passed_on_once(text: str) -> None:
    """And answered once."""
    made = Robots(silent, timed(text)())
    assert made.post.settle() <= 10
    assert len(made.alice.letters(Kind.CHAT)) <= 1
    assert len(made.bob.letters(Kind.REFUSED)) <= 1
    assert made.moves() == 1
