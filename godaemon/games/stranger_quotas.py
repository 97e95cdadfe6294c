"""Quotas of letters to people of whom we know nothing, in any 24 hours.

What a forged letter makes us write falls on whoever stands in its From. So every letter to somebody
who has never said yes or no here is counted: for them, whatever tag their address has; for the
domain and the network that the letter which asked for it came from; and for all together. What
somebody asked for who has shown who they are (an invitation) has counters of its own beside these:
nobody who forges letters can use up theirs. Reads and writes the transaction it is given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime

from godaemon.errors import Enough
from godaemon.games.model import Game, Phase
from godaemon.games.people import person
from godaemon.games.proposal_limits import WritingLimits
from godaemon.games.store_protocols import Unit

_MET = {Phase.PLAYING, Phase.SCORING, Phase.FINISHED, Phase.DECLINED}
_MOST_ROWS = 100
_DAY = 24


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a letter came from: its envelope's domain, and the network; "" for unknown."""

    domain: str = ""
    network: str = ""


@dataclass(frozen=True, slots=True)
class Quotas:
    """The quotas of one letter to `to`, asked for by one from `origin`.

    `proven` says that who asked for it has shown who they are.
    """

    unit: Unit
    limits: WritingLimits
    now: datetime
    to: str
    origin: Origin
    proven: bool = False

    def person_had_enough(self) -> bool:
        """True where the reader has been sent all that we send to a stranger in a day."""
        return self._spent(self._person) >= self.limits.letters_per_stranger

    def check(self) -> None:
        """Raise `Enough` where one of the quotas is used up."""
        spent = "person" if self.person_had_enough() else ""
        for name, key, most in self._others():
            spent = spent or (name if self._spent(key) >= most else "")
        if spent:
            raise Enough(
                "I have written to many people whom I do not know today; please bring this letter"
                " again later, and I will gladly take it then",
                detail=f"quota of strangers: {spent}",
            )

    def count(self) -> None:
        """Count the letter."""
        for key in (self._person, *(key for _, key, _ in self._others())):
            self.unit.quotas.spend(key, self._hour)

    @property
    def _hour(self) -> int:
        return int(self.now.timestamp()) // 3600

    @property
    def _person(self) -> str:
        return f"to {person(self.to)}"

    def _spent(self, key: str) -> int:
        return self.unit.quotas.spent(key, self._hour - _DAY, self._hour)

    def _others(self) -> Iterator[tuple[str, str, int]]:
        kind = "proven " if self.proven else ""
        # One mailbox may have all addresses of a domain.
        theirs = "" if self.proven else self.to.rpartition("@")[2].casefold()
        for domain in {self.origin.domain, theirs} - {""}:
            yield "domain", f"{kind}domain {domain}", self.limits.strangers_per_domain
        if self.origin.network:
            network = self.origin.network
            yield "network", f"{kind}network {network}", self.limits.strangers_per_network
        yield "all", f"{kind}all", self.limits.strangers_in_all


def used_up(unit: Unit, most: int, now: datetime) -> tuple[str, ...]:
    """What strangers get no more of today, because all together have made us write enough."""
    hour = int(now.timestamp()) // 3600
    totals = (("answers", "all"), ("invitations", "proven all"))
    spent = unit.quotas.spent
    return tuple(name for name, key in totals if spent(key, hour - _DAY, hour) >= most)


def is_stranger(unit: Unit, load: Callable[[int], Game], address: str) -> bool:
    """True where nobody has ever shown to be at an address: by a yes, a no, or a game."""
    rows = unit.games.summaries(address)
    if any(row.phase in _MET for row in rows):
        return False
    asked = (load(row.id) for row in rows[:_MOST_ROWS])
    key = address.casefold()
    return not any(one.confirmed and one.spec.proposer.address.casefold() == key for one in asked)
