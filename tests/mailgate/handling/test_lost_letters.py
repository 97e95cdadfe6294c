"""Bounces that reject us as a sender suspend no player, and inform the operator."""

import pytest

from godaemon.daemon import health
from godaemon.games.bouncing_addresses import refusing_domains
from godaemon.games.model import Phase
from mailgate import tokens
from mailgate.reading.bounce_reports import is_refusal_of_us
from mailgate.reading.inbound_letter import InboundLetter
from tests.support.delivery_report import report
from tests.support.gateway import ADDRESS, KEY, Gateway, Person

BLOCKED = "550 5.2.0 Mail rejected. ofr_506"


class Provider:
    """Alice plays with people whose mail server returns each of our letters."""

    def __init__(self, *refused: str) -> None:
        self.gateway = Gateway()
        self.alice = self.gateway.person("Alice")
        self.refused = [self.gateway.person(one.split("@")[0].title(), one) for one in refused]
        self.games = [self.gateway.start(self.alice, one) for one in self.refused]
        self.reports = 0

    def send_back(self, reason: str) -> list[str]:
        """Each of them is written to, and each letter comes back; who is suspended then."""
        for number, whom in zip(self.games, self.refused, strict=True):
            mine = [due for due in self.alice.letters() if due.notice.game == number]
            self.alice.reply(f"say hello {self.reports}", to=mine[-1])
            self.gateway.send()
            self._come_back(whom, reason)
        boxes = self.gateway.writer.run_sync(lambda unit: unit.players.bouncing_addresses())
        return [box.address for box in boxes if box.suspended]

    def _come_back(self, whom: Person, reason_text: str) -> None:
        self.reports += 1
        to = tokens.return_path(KEY, ADDRESS, whom.newest().uid)
        raw = report(reason_text.split()[1], reason=reason_text, id=str(self.reports), to=to)
        self.gateway.take(InboundLetter(to, "", raw))

    def troubles(self) -> list[str]:
        """The troubles in `godaemon status`."""
        now = self.gateway.now
        found = self.gateway.writer.run_sync(
            lambda unit: refusing_domains(unit, now, is_refusal_of_us)
        )
        return [
            one.sentence for one in health.measured_troubles(health.Measured(now, refusing=found))
        ]


@pytest.mark.slow
def test_a_provider_that_blocks_us_suspends_nobody() -> None:
    """The operator sees the domain once several players are affected."""
    three = [f"{name}@orange.example" for name in ("bob", "carol", "dave")]
    provider = Provider(*three, "eve@free.example")
    assert provider.troubles() == []
    for _ in range(40):
        provider.gateway.wait(hours=8)
        assert not {*three} & {*provider.send_back(BLOCKED)}
    (trouble,) = provider.troubles()
    assert "to 3 players at orange.example" in trouble
    assert "free.example" not in trouble
    assert all(provider.gateway.game(one).phase is Phase.PLAYING for one in provider.games)
    provider.gateway.wait(days=2)
    assert provider.troubles() == []


@pytest.mark.parametrize("reason", ["552 5.2.2 mailbox full", "421 4.4.1 connection timed out"])
def test_full_mailboxes_are_no_refusals_of_us(reason: str) -> None:
    """They count as bounces, and the operator is not warned."""
    provider = Provider(*(f"{name}@big.example" for name in ("bob", "carol", "dave")))
    for _ in range(30):
        provider.gateway.wait(hours=8)
        suspended = provider.send_back(reason)
        assert provider.troubles() == []
    assert len(suspended) == 3
