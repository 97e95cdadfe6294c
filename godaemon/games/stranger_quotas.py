"""Quotas of letters to people of whom we know nothing, in any 24 hours.

What a forged letter makes us write falls on whoever stands in its From. So every letter to somebody
who has never said yes or no here is counted: for them, whatever tag their address has, or whatever
else of it may be one; for the domain and the network that the letter which asked for it came from;
and for all together. A domain from which nobody has ever answered us may be one person's, and gets
no more than one person does.

Who floods us can write any domain into From, and has only the networks that they have. So what
comes from where a player's answers have come from, by domain and network, has counters of its own;
all else has at most half of what there is for all. What somebody asked for who has shown who they
are (an invitation) is counted apart too: nobody who forges letters can use up theirs. Reads and
writes the transaction it is given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from ipaddress import ip_network

from godaemon.errors import Enough
from godaemon.games.model import BEGUN, Game, Phase
from godaemon.games.people import mailbox, organisation
from godaemon.games.proposal_limits import WritingLimits, hour_of, spent_today
from godaemon.games.store_protocols import Unit

_MET = BEGUN | {Phase.DECLINED}
_MOST_ROWS = 100
_MONTH = 30 * 24
_MONTHS = 3
"""For so long at most it is known from where a player's answers have come."""
_UNKNOWN = "unknown all"


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
        return any(self._spent(key) >= most for _, key, most in self._readers())

    def check(self) -> None:
        """Raise `Enough` where one of the quotas is used up."""
        counters = (*self._readers(), *self._others())
        if spent := [name for name, key, most in counters if self._spent(key) >= most]:
            raise Enough(
                "I have written to many people whom I do not know today; please bring this letter"
                " again later, and I will gladly take it then",
                detail=f"quota of strangers: {spent[0]}",
            )

    def count(self) -> None:
        """Count the letter."""
        for _, key, _ in (*self._readers(), *self._others()):
            self.unit.quotas.spend(key, self._hour)

    @property
    def _hour(self) -> int:
        return hour_of(self.now)

    def _spent(self, key: str) -> int:
        return spent_today(self.unit, key, self.now)

    def _answered(self, place: str) -> bool:
        """True where a player's answer has come from a place in the last months."""
        return self.unit.quotas.spent(place, self._hour + 1, self._hour + _MONTHS * _MONTH) > 0

    def _readers(self) -> Iterator[tuple[str, str, int]]:
        """The counters of all that may be the reader's: a name, the key, and how much it has."""
        keys = [f"to {mailbox(self.to)}"]
        if self.proven:  # else who forges letters could stop anybody from being invited
            keys = [f"proven {keys[0]}"]
        else:
            unknown = (one for one in set(_domains(self.to)) if not self._answered(_place(one)))
            keys += [f"to all of {domain}" for domain in unknown]
        return (("person", key, self.limits.letters_per_stranger) for key in keys)

    def _others(self) -> Iterator[tuple[str, str, int]]:
        """The counters that the reader shares with others."""
        limits, network, theirs = self.limits, self.origin.network, _domains(self.to)[-1]
        place = _place(theirs, network)
        kind = "proven " if self.proven else "known " if self._answered(place) else ""
        # One mailbox may have all addresses of a domain of which we know nothing.
        domains = {self.origin.domain, "" if self.proven else theirs} - {""}
        for one in [place] if kind == "known " else [f"domain {domain}" for domain in domains]:
            yield "domain", f"{kind}{one}", limits.strangers_per_domain
        if network:
            yield "network", f"{kind}network {network}", limits.strangers_per_network
        if not kind:
            yield "unknown", _UNKNOWN, _half(limits.strangers_in_all)
        yield "all", "proven all" if self.proven else "all", limits.strangers_in_all


def remember_answer(unit: Unit, address: str, network: str, now: datetime) -> None:
    """A player's letter, which only its reader can have answered, came from a network."""
    end = (hour_of(now) // _MONTH + _MONTHS) * _MONTH
    host, domain = _domains(address)
    if not unit.quotas.spent(_place(host, network), end, end):
        for place in {_place(one, where) for one in (host, domain) for where in (network, "")}:
            unit.quotas.keep(place, end)


def _domains(address: str) -> tuple[str, str]:
    """The domain of an address, and the registered one that it is or is below."""
    domain = address.rpartition("@")[2].casefold()
    return domain, organisation(domain)


def _place(domain: str, network: str = "") -> str:
    """A domain's mail servers: large providers have many, in networks side by side."""
    try:
        found = ip_network(network)
    except ValueError:
        return f"from {domain}"
    return f"from {domain} {found.supernet(new_prefix=16 if found.version == 4 else 32)}"


def _half(most: int) -> int:
    return (most + 1) // 2


def used_up(unit: Unit, most: int, now: datetime) -> tuple[str, ...]:
    """What strangers get no more of today, because all together have made us write enough."""
    answers = "answers" if spent_today(unit, "all", now) >= most else ""
    if not answers and spent_today(unit, _UNKNOWN, now) >= _half(most):
        answers = "answers to what comes from where no player writes, which has half of them,"
    invitations = "invitations" if spent_today(unit, "proven all", now) >= most else ""
    return tuple(filter(None, (answers, invitations)))


def is_stranger(unit: Unit, load: Callable[[int], Game | None], address: str) -> bool:
    """True where nobody has ever shown to be at an address: by a yes, a no, or a game.

    A game that `load` cannot read tells nothing of it.
    """
    if unit.games.summaries(address, _MET, most=1):
        return False
    rows = unit.games.summaries(address, most=_MOST_ROWS)
    asked = filter(None, (load(row.id) for row in rows))
    key = address.casefold()
    return not any(one.confirmed and one.spec.proposer.address.casefold() == key for one in asked)
