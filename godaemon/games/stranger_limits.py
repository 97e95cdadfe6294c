"""The limits on emails to strangers: how many anybody can make us write in a day.

A forged email makes us write to the person in its From. So every email to a stranger, who has never
said yes or no here, counts against that person (whatever tag their address has), against the domain
and the network that asked for it, and against the sum of all. A domain from which nobody has ever
answered us may be one person's, and gets what one person gets.

A flood can name any domain but comes from few networks. So emails from a domain and network from
which a player has answered have counters of their own, and all others share half of the total.
Emails that a proven sender asked for (invitations) are counted apart, out of reach of forged
emails. Within one transaction; raises `Enough`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from ipaddress import ip_network
from typing import Protocol

from godaemon.errors import Enough
from godaemon.games.model import BEGUN, Game, Phase
from godaemon.games.people import mailbox, organisation
from godaemon.games.stored_values import Unit


class WritingLimits(Protocol):
    """Limits a day, as [mail.limits] of `godaemon.config` has them."""

    confirmations_per_sender: int
    invitations_per_sender: int
    invitations_per_address: int
    """Invitations to one person by people whom they have never played."""
    open_challenges: int
    """Open challenges of one person at a time; 0 for none at all."""
    letters_per_stranger: int
    strangers_per_domain: int
    """Emails to strangers that one domain can ask for."""
    strangers_per_network: int
    strangers_in_all: int


def hour_of(now: datetime) -> int:
    """The hour since 1970 in which something is counted."""
    return int(now.timestamp()) // 3600


def count_today(unit: Unit, name: str, now: datetime) -> int:
    """The count of a name in the last 24 hours."""
    return unit.quotas.count(name, hour_of(now) - 24, hour_of(now))


_MET = BEGUN | {Phase.DECLINED}
_MOST_ROWS = 100
_MONTH = 30 * 24
_MONTHS = 3
"""How many months we remember where a player's answers came from."""
_UNKNOWN = "unknown all"


@dataclass(frozen=True, slots=True)
class Origin:
    """The envelope's domain and the network of an email; "" if unknown."""

    domain: str = ""
    network: str = ""


@dataclass(frozen=True, slots=True)
class Quotas:
    """The quotas of an email to `to` that somebody from `origin`, perhaps `proven`, asked for."""

    unit: Unit
    limits: WritingLimits
    now: datetime
    to: str
    origin: Origin
    proven: bool = False

    def reader_had_enough(self) -> bool:
        """True if the reader has got all that a stranger gets in a day."""
        return any(self._count_today(key) >= most for _, key, most in self._reader_counters())

    def check(self) -> None:
        """Raise `Enough` if one of the quotas is used up."""
        counters = (*self._reader_counters(), *self._shared_counters())
        if spent := [name for name, key, most in counters if self._count_today(key) >= most]:
            raise Enough(
                "I have written to many people whom I do not know today; please bring this letter"
                " again later, and I will gladly take it then",
                detail=f"quota of strangers: {spent[0]}",
            )

    def count(self) -> None:
        for _, key, _ in (*self._reader_counters(), *self._shared_counters()):
            self.unit.quotas.spend(key, self._hour)

    @property
    def _hour(self) -> int:
        return hour_of(self.now)

    def _count_today(self, key: str) -> int:
        return count_today(self.unit, key, self.now)

    def _has_answered(self, place: str) -> bool:
        """True if a player has answered from a place in the last months."""
        return self.unit.quotas.count(place, self._hour + 1, self._hour + _MONTHS * _MONTH) > 0

    def _reader_counters(self) -> Iterator[tuple[str, str, int]]:
        """The counters of the reader's addresses: a name, the key, and the limit."""
        keys = [f"to {mailbox(self.to)}"]
        if self.proven:  # or forged emails could keep anybody from being invited
            keys = [f"proven {keys[0]}"]
        else:
            unknown = (one for one in set(_domains(self.to)) if not self._has_answered(_place(one)))
            keys += [f"to all of {domain}" for domain in unknown]
        return (("person", key, self.limits.letters_per_stranger) for key in keys)

    def _shared_counters(self) -> Iterator[tuple[str, str, int]]:
        """The counters shared with others: a name, the key, and the limit."""
        limits, network, theirs = self.limits, self.origin.network, _domains(self.to)[-1]
        place = _place(theirs, network)
        kind = "proven " if self.proven else "known " if self._has_answered(place) else ""
        # All addresses of an unknown domain may be one mailbox.
        domains = {self.origin.domain, "" if self.proven else theirs} - {""}
        for one in [place] if kind == "known " else [f"domain {domain}" for domain in domains]:
            yield "domain", f"{kind}{one}", limits.strangers_per_domain
        if network:
            yield "network", f"{kind}network {network}", limits.strangers_per_network
        if not kind:
            yield "unknown", _UNKNOWN, _half_of(limits.strangers_in_all)
        yield "all", "proven all" if self.proven else "all", limits.strangers_in_all


def remember_answer(unit: Unit, address: str, network: str, now: datetime) -> None:
    """Record the network from which a player has answered an email of ours."""
    end = (hour_of(now) // _MONTH + _MONTHS) * _MONTH
    host, domain = _domains(address)
    if not unit.quotas.count(_place(host, network), end, end):
        for place in {_place(one, where) for one in (host, domain) for where in (network, "")}:
            unit.quotas.spend_once(place, end)


def _domains(address: str) -> tuple[str, str]:
    """The domain of an address, and the registered domain above it."""
    domain = address.rpartition("@")[2].casefold()
    return domain, organisation(domain)


def _place(domain: str, network: str = "") -> str:
    """The key of a domain's mail servers; large providers have many in neighbouring networks."""
    try:
        found = ip_network(network)
    except ValueError:
        return f"from {domain}"
    return f"from {domain} {found.supernet(new_prefix=16 if found.version == 4 else 32)}"


def _half_of(most: int) -> int:
    return (most + 1) // 2


def used_up_quotas(unit: Unit, most: int, now: datetime) -> tuple[str, ...]:
    """The kinds of emails for which the quota of strangers is used up today."""
    answers = "answers" if count_today(unit, "all", now) >= most else ""
    if not answers and count_today(unit, _UNKNOWN, now) >= _half_of(most):
        answers = "answers to what comes from where no player writes, which has half of them,"
    invitations = "invitations" if count_today(unit, "proven all", now) >= most else ""
    return tuple(filter(None, (answers, invitations)))


def is_stranger(unit: Unit, load: Callable[[int], Game | None], address: str) -> bool:
    """True if nobody at an address has ever said yes or no, or begun a game that can be read."""
    if unit.games.summaries(address, _MET, most=1):
        return False
    rows = unit.games.summaries(address, most=_MOST_ROWS)
    asked = filter(None, (load(row.id) for row in rows))
    key = address.casefold()
    return not any(one.confirmed and one.spec.proposer.address.casefold() == key for one in asked)
