"""Authentication by seat keys: valid keys, delays for wrong ones, and the log."""

from dataclasses import dataclass, field
from unittest.mock import AsyncMock

import pytest
import structlog

from godaemon.config.loading import parse
from godaemon.errors import NotAllowed
from godaemon.games.model import Game, Seat
from godaemon.games.seat_keys import issue_keys, sign_key
from godaemon.games.stored_values import Unit
from godaemon.rules.points import Color
from godaemon.system.source_limits import SourceLimits
from gtp.seat.stored_seat import SeatService
from gtp.server import Peer, SeatAuthenticator
from tests.support.gateway import KEY, Gateway

TLS = "tls_certificate = { file = '/c' }\ntls_key = { file = '/k' }\n"
GUEST = Peer("192.0.2.7", "192.0.2.7", known=False)


@dataclass
class House:
    """A gateway with one game, its seat keys, and the authenticator."""

    gateway: Gateway = field(default_factory=Gateway)
    slept: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.gateway.start(self.gateway.person("Alice"), self.gateway.person("Bob"))
        sources = SourceLimits(1, 1, lambda: 0.0)
        store = self.gateway.writer, self.gateway.games
        seats = SeatService(*store, lambda: self.gateway.now, AsyncMock(), AsyncMock())
        self.authenticator = SeatAuthenticator(
            lambda: (KEY,), *store, seats.open_seat, sources, self.sleep
        )

    async def sleep(self, seconds: float) -> None:
        """Note how long somebody has to wait."""
        self.slept.append(seconds)

    def key(self, color: Color) -> str:
        """The good key to a seat."""

        def work(unit: Unit) -> tuple[Game, int]:
            games = self.gateway.games(unit)
            found = games.game(1)
            return found, issue_keys(unit, found, Seat.of(color), on=True)[color.word]

        found, generation = self.gateway.writer.run_sync(work)
        return sign_key(KEY, found, color, generation)


@pytest.fixture
def house() -> House:
    """A house with a game started by letters."""
    return House()


async def test_a_valid_key_opens_its_seat_at_once(house: House) -> None:
    """In either case of its letters."""
    key = house.key(Color.WHITE)
    place = await house.authenticator.open_seat_by_key(key.upper(), GUEST)
    assert (place.number, place.color) == (1, Color.WHITE)
    assert await house.authenticator.is_valid_key(key)
    assert house.slept == []


async def test_wrong_keys_are_delayed_longer_and_longer(house: House) -> None:
    """All get the same answer; the log counts them without their text."""
    good = house.key(Color.BLACK)
    wrong = [good[:-1], good.replace("-b-", "-w-"), f"99{good[1:]}", "what", good[:-1] + "7"]
    wrong = [one for one in wrong if one != good]
    answers = set()
    with structlog.testing.capture_logs() as log:
        for one in wrong:
            with pytest.raises(NotAllowed) as caught:
                await house.authenticator.open_seat_by_key(one, GUEST)
            answers.add(caught.value.public)
    assert len(answers) == 1
    assert house.slept == [0.5 * 2**at for at in range(len(wrong))]
    assert [entry["count"] for entry in log] == list(range(1, len(wrong) + 1))
    assert not any(one in str(log) for one in wrong if len(one) > 8)


@pytest.mark.parametrize(
    ("options", "reached"),
    [
        ("", ("", False)),
        ("listen = '127.0.0.1:7000'", ("127.0.0.1:7000", False)),
        ("listen = '127.0.0.1:7000'\npublic = 'go.example:443'", ("go.example:443", True)),
        ("listen = '127.0.0.1:7000'\npublic = 'localhost:7001'", ("localhost:7001", False)),
        ("listen = '0.0.0.0:7000'\nwithout_tls = true", ("mail.example:7000", False)),
        ("listen = '[::]:7000'\nwithout_tls = true", ("mail.example:7000", False)),
        (f"listen = '192.0.2.1:7000'\n{TLS}public = 'go.example:7'", ("go.example:7", True)),
    ],
)
def test_the_public_address_of_gtp(options: str, reached: tuple[str, bool]) -> None:
    """As in letters: the name that players know, and TLS, also behind a proxy."""
    settings = parse(f"[gtp]\n{options}\n", "g.toml", {"HOME": "/nowhere"})
    assert settings.gtp.public_address("mail.example") == reached
