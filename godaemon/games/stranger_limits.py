"""Limits on emails to strangers, so that nobody can use us to send many of them.

A stranger is a person who has never answered us with a yes or a no. A forged email makes us write
to the address in its From. So each email to a stranger counts against that person (whatever the tag
of the address), against the domain and the network that caused it, and against the total. A domain
from which nobody has ever answered us may belong to one person, and has one person's limit.

A flood can name any domain, but comes from few networks. So a domain and network from which a
player has answered have counters of their own, and all others share half of the total. Emails that
a proven sender caused (invitations) have separate counters, which forged emails cannot use up.
Within one transaction; raises `QuotaExceeded`.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from ipaddress import ip_network
from typing import Protocol

from godaemon.errors import QuotaExceeded
from godaemon.games.model import STARTED_PHASES, Game, Phase
from godaemon.games.people import mailbox, organisation
from godaemon.games.stored_values import Unit


class WritingLimits(Protocol):
    """The limits for 24 hours, as in [mail.limits] of `godaemon.config`."""

    confirmations_per_sender: int
    invitations_per_sender: int
    invitations_per_address: int
    """Invitations to one person from people whom they have never played."""
    open_challenges: int
    """Open challenges of one person at a time; 0 switches challenges off."""
    letters_per_stranger: int
    strangers_per_domain: int
    """Emails to strangers that one domain can cause."""
    strangers_per_network: int
    strangers_in_all: int


def hour_of(now: datetime) -> int:
    """The number of the hour since 1970."""
    return int(now.timestamp()) // 3600


def count_today(unit: Unit, name: str, now: datetime) -> int:
    """The value of a counter for the last 24 hours."""
    return unit.quotas.count(name, hour_of(now) - 24, hour_of(now))


_MET = STARTED_PHASES | {Phase.DECLINED}
_MAX_ROWS = 100
_MONTH = 30 * 24
_MONTHS_REMEMBERED = 3
"""The number of months for which we remember the origin of players' answers."""
_UNKNOWN = "unknown all"


@dataclass(frozen=True, slots=True)
class Origin:
    """The domain of an email's envelope sender and its network; "" if unknown."""

    domain: str = ""
    network: str = ""


@dataclass(frozen=True, slots=True)
class Quotas:
    """The quotas of an email to `to` that a sender at `origin`, `proven` or not, causes."""

    unit: Unit
    limits: WritingLimits
    now: datetime
    to: str
    origin: Origin
    proven: bool = False

    def reader_is_over_limit(self) -> bool:
        """True if the reader has been sent as many emails as a stranger gets in a day."""
        return any(self._count_today(key) >= limit for _, key, limit in self._reader_counters())

    def check(self) -> None:
        """Raise `QuotaExceeded` if one of the quotas is used up."""
        counters = (*self._reader_counters(), *self._shared_counters())
        if spent := [name for name, key, limit in counters if self._count_today(key) >= limit]:
            raise QuotaExceeded(
                "I have written to many people whom I do not know today; please send this email"
                " again later",
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
        """True if a player has answered from a domain's servers in the last months."""
        return (
            self.unit.quotas.count(place, self._hour + 1, self._hour + _MONTHS_REMEMBERED * _MONTH)
            > 0
        )

    def _reader_counters(self) -> Iterator[tuple[str, str, int]]:
        """The counters of the reader: a name, the key, and the limit of each."""
        keys = [f"to {mailbox(self.to)}"]
        if self.proven:  # or forged emails could keep anybody from being invited
            keys = [f"proven {keys[0]}"]
        else:
            unknown = (one for one in set(_domains(self.to)) if not self._has_answered(_place(one)))
            keys += [f"to all of {domain}" for domain in unknown]
        return (("person", key, self.limits.letters_per_stranger) for key in keys)

    def _shared_counters(self) -> Iterator[tuple[str, str, int]]:
        """The counters shared with others: a name, the key, and the limit of each."""
        limits = self.limits
        network = self.origin.network
        reader = _domains(self.to)[-1]
        place = _place(reader, network)
        kind = "known " if not self.proven and self._has_answered(place) else ""
        if self.proven:
            kind = "proven "
        # All addresses of an unknown domain may be one mailbox.
        domains = {self.origin.domain, "" if self.proven else reader} - {""}
        for one in [place] if kind == "known " else [f"domain {domain}" for domain in domains]:
            yield "domain", f"{kind}{one}", limits.strangers_per_domain
        if network:
            yield "network", f"{kind}network {network}", limits.strangers_per_network
        if not kind:
            yield "unknown", _UNKNOWN, (limits.strangers_in_all + 1) // 2
        yield "all", "proven all" if self.proven else "all", limits.strangers_in_all


def remember_answer(unit: Unit, address: str, network: str, now: datetime) -> None:
    """Record the network from which a player has answered an email of ours."""
    end = (hour_of(now) // _MONTH + _MONTHS_REMEMBERED) * _MONTH
    host, domain = _domains(address)
    if not unit.quotas.count(_place(host, network), end, end):
        for place in {_place(one, where) for one in (host, domain) for where in (network, "")}:
            unit.quotas.spend_once(place, end)


def _domains(address: str) -> tuple[str, str]:
    """The domain of an address, and its registered domain."""
    domain = address.rpartition("@")[2].casefold()
    return domain, organisation(domain)


def _place(domain: str, network: str = "") -> str:
    """The counter key of a domain's mail servers: of one /16 (IPv6: /32) network, or of all."""
    try:
        found = ip_network(network)
    except ValueError:
        return f"from {domain}"
    return f"from {domain} {found.supernet(new_prefix=16 if found.version == 4 else 32)}"


def used_up_quotas(unit: Unit, limit: int, now: datetime) -> tuple[str, ...]:
    """The emails for which a quota of strangers is used up today, in words for the operator."""
    answers = "answers" if count_today(unit, "all", now) >= limit else ""
    if not answers and count_today(unit, _UNKNOWN, now) >= (limit + 1) // 2:
        answers = "answers to emails from networks without known players (half of the limit)"
    invitations = "invitations" if count_today(unit, "proven all", now) >= limit else ""
    return tuple(filter(None, (answers, invitations)))


def is_stranger(unit: Unit, load: Callable[[int], Game | None], address: str) -> bool:
    """True if nobody at an address ever answered an invitation, or confirmed a proposal."""
    if unit.games.summaries(address, _MET, limit=1):
        return False
    rows = unit.games.summaries(address, limit=_MAX_ROWS)
    games = filter(None, (load(row.id) for row in rows))
    key = address.casefold()
    return not any(one.confirmed and one.spec.proposer.address.casefold() == key for one in games)
