"""Letters that are composed together, in the order in which they were asked for."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Sequence

import pytest

from godaemon.games.notices import Kind, Notice
from mailgate.delivery.compose_pool import AT_ONCE, ComposePool
from mailgate.letters.compose import Composed, Composer
from mailgate.letters.letter_data import LetterData
from tests.support.played_games import ADDRESS, KEY
from tests.support.stores import NOW


class Rounds(Composer):
    """Composes once it may, and fails for some; notes what was composed together."""

    def __init__(self) -> None:
        super().__init__(KEY, ADDRESS, "Go by mail", invitation_days=14)
        self.gate = threading.Event()
        self.rounds: list[list[str]] = []

    def compose(self, matter: LetterData) -> Composed:
        """Fail for 13."""
        self.gate.wait(10)
        if matter.uid == "13":
            raise ValueError(matter.uid)
        return Composed(matter.uid, b"")


@pytest.fixture
def rounds(monkeypatch: pytest.MonkeyPatch) -> Iterator[Rounds]:
    """A composer whose rounds are noted."""
    found = Rounds()

    def compose(_self: object, _composer: Composer, letters: Sequence[LetterData]) -> list[None]:
        found.rounds.append([one.uid for one in letters])
        return [None] * len(letters)

    process = "mailgate.delivery.compose_pool.ComposeProcess"
    monkeypatch.setattr(f"{process}.compose", compose)
    monkeypatch.setattr(f"{process}.start", lambda _self: None)
    yield found
    found.gate.set()


def letter(number: int) -> LetterData:
    """What a letter is composed from."""
    return LetterData(str(number), NOW, Notice(Kind.HELP, "alice@players.example"))


async def asked(pool: ComposePool, *numbers: int) -> list[asyncio.Task[Composed]]:
    """Ask for letters, and let them be begun."""
    tasks = [asyncio.create_task(pool.compose(letter(number))) for number in numbers]
    for _ in range(3):
        await asyncio.sleep(0)
    return tasks


async def test_who_comes_while_others_are_served_goes_next(rounds: Rounds) -> None:
    """The first goes at once, the others together, no more than so many, in their order."""
    pool = ComposePool(rounds)
    tasks = [*await asked(pool, 0), *await asked(pool, *range(1, AT_ONCE + 3))]
    rounds.gate.set()
    assert [one.message_id for one in await asyncio.gather(*tasks)] == [
        str(number) for number in range(AT_ONCE + 3)
    ]
    assert [len(one) for one in rounds.rounds] == [1, AT_ONCE, 2]


async def test_a_failure_is_its_own(rounds: Rounds) -> None:
    """A letter that cannot be composed costs the others nothing."""
    rounds.gate.set()
    tasks = await asked(ComposePool(rounds), 2, 13, 4)
    found = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(one) for one in found] == [Composed, ValueError, Composed]


async def test_who_has_gone_stops_nobody(rounds: Rounds) -> None:
    """A letter whose asker was cancelled is handed to nobody."""
    gone, stays = await asked(ComposePool(rounds), 2, 4)
    gone.cancel()
    rounds.gate.set()
    assert (await stays).message_id == "4"
    assert gone.cancelled()
