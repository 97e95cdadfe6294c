"""Hints on what DNS says of our address: who brings its emails (MX), and who believes them.

SPF (RFC 7208), DKIM (RFC 6376), DMARC (RFC 7489), and the names of sending addresses (PTR). Each
question has its limit; where DNS cannot be asked, that is said and nothing guessed.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator, Mapping, Sequence

import dns.exception
import dns.resolver
import dns.reversename

from godaemon.config.checks import loopback, split_host_port
from godaemon.config.mail_options import Mail, OwnAddress
from godaemon.daemon.health import Severity, Trouble
from godaemon.daemon.mail_delivery import dkim_signer
from godaemon.errors import ConfigError, Temporary, Unreadable
from godaemon.games.people import organisation

LIFETIME = 5.0
"""Seconds for one question."""
PRIVATE = {"localhost", "local", "test", "invalid", "example", "internal", "lan", "arpa"}
"""The last words of names that the world's DNS does not know (RFC 6761, RFC 6762)."""
_DMARC = re.compile(r"v=DMARC1\s*;.*\bp\s*=")
"""A record that counts (RFC 7489, 6.3: it must have a policy)."""


def name_server(text: str) -> tuple[str, int]:
    """The address and the port of a name server, written as HOST or HOST:PORT.

    Raises `Unreadable`.

    >>> name_server("127.0.0.1"), name_server("[::1]:5353"), name_server("2001:db8::5:53")
    (('127.0.0.1', 53), ('::1', 5353), ('2001:db8::5:53', 53))
    """
    bare, single = text.strip("[]"), text.count(":") == 1
    try:
        host, port = split_host_port(text) if single or "]:" in text else (bare, 53)
        found = socket.getaddrinfo(host or "-", port, type=socket.SOCK_DGRAM)
    except (ValueError, OSError) as fault:
        raise Unreadable(f"“{text}” is no name server: write HOST or HOST:PORT.") from fault
    address, found_port, *_ = found[0][4]
    return str(address), int(found_port)


class NameServer:
    """Whom we ask: a server by HOST or HOST:PORT, or the machine's own where none is named."""

    def __init__(self, server: str | None) -> None:
        try:
            self._resolver = dns.resolver.Resolver(configure=server is None)
        except dns.exception.DNSException as fault:
            raise Temporary(f"{fault}") from fault
        self._resolver.lifetime = LIFETIME
        if server is not None:
            host, port = name_server(server)
            self._resolver.nameservers, self._resolver.port = [host], port

    def ask(self, name: str, kind: str) -> list[str]:
        """The records of a name, as text; none where there are none. Raises `Temporary`."""
        try:
            answer = self._resolver.resolve(name, kind, search=False)
        except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
            return []
        except (dns.exception.DNSException, OSError, ValueError) as fault:
            raise Temporary(f"{fault}".partition(";")[0]) from fault  # it was asked several times
        if kind == "TXT":
            return [b"".join(record.strings).decode("utf-8", "replace") for record in answer]
        return [record.to_text() for record in answer]

    def addresses(self, name: str) -> list[str]:
        """The addresses of a host."""
        return [*self.ask(name, "A"), *self.ask(name, "AAAA")]


def is_public(domain: str) -> bool:
    """False for a domain that DNS need not know, as those for tests and within a house."""
    return "." in domain and domain.rpartition(".")[2] not in PRIVATE


def dns_hints(mail: Mail, environ: Mapping[str, str], server: str | None) -> Iterator[Trouble]:
    """What is missing or wrong; nothing of an address that DNS need not know, unless asked to."""
    signed = {(one.dkim_selector, one.signing_domain): one for one in mail.own}
    for domain in looked_up(mail, server):
        keys = [one for one in signed.values() if one.domain == domain]
        yield from _of_domain(mail, domain, keys, environ, server)


def looked_up(mail: Mail, server: str | None) -> list[str]:
    """The domains of ours that DNS is asked for."""
    private = mail.outgoing.maildir is not None
    domains = dict.fromkeys(one.domain for one in mail.own)
    return [one for one in domains if server is not None or (is_public(one) and not private)]


def _of_domain(
    mail: Mail,
    domain: str,
    keys: Sequence[OwnAddress],
    environ: Mapping[str, str],
    server: str | None,
) -> Iterator[Trouble]:
    try:
        asked = NameServer(server)
        yield from _comes_in(asked, domain)
        yield from _spf(asked, domain)
        for own in keys:
            yield from _dkim(asked, own, environ)
        yield from _dmarc(asked, domain)
        if mail.outgoing.command or loopback(mail.outgoing.smarthost_host):
            yield from _names(asked, domain)
    except Temporary as fault:
        sentence = (
            f"DNS cannot be asked here ({fault.public}), so MX, SPF, DKIM, DMARC and PTR of"
            f" {domain} are not known to be right. Mend the machine's /etc/resolv.conf, or name a"
            " server: `godaemon doctor --dns 192.0.2.53`."
        )
        yield Trouble("dns-unasked", sentence)


def _comes_in(asked: NameServer, domain: str) -> Iterator[Trouble]:
    hosts = [record.split()[1] for record in asked.ask(domain, "MX")]
    if not hosts and not asked.addresses(domain):
        sentence = (
            f"No email can come to {domain}: DNS has neither an MX record nor an address of it."
            f" Publish: {domain}. MX 10 (the name of your mail server)."
        )
        yield Trouble("dns-mx", sentence, Severity.FAILURE)
    if hosts == ["."]:
        sentence = (
            f"No email can come to {domain}: its MX record refuses all (RFC 7505). Change it."
        )
        yield Trouble("dns-mx", sentence, Severity.FAILURE)
    for host in hosts:
        if host != "." and not asked.addresses(host):
            sentence = (
                f"The mail server {host} that DNS names for {domain} has no address: publish one"
                " (A or AAAA), or name another by MX."
            )
            yield Trouble("dns-mx", sentence, Severity.FAILURE)


def _spf(asked: NameServer, domain: str) -> Iterator[Trouble]:
    found = [text for text in asked.ask(domain, "TXT") if text.casefold().split()[:1] == ["v=spf1"]]
    if not found:
        sentence = (
            f"DNS does not say who sends for {domain} (SPF), so many take our emails for forged."
            f' Publish: {domain}. TXT "v=spf1 mx -all" (and who else sends for it).'
        )
        yield Trouble("dns-spf", sentence)
    elif len(found) > 1:
        sentence = (
            f"DNS has {len(found)} SPF records of {domain}, so none counts: make one of them."
        )
        yield Trouble("dns-spf", sentence, Severity.FAILURE)
    elif not set(found[0].casefold().split()[1:]) - {"-all", "~all", "?all"}:
        sentence = (
            f"By its SPF record nobody may send for {domain}: name who does, as in"
            ' "v=spf1 mx -all".'
        )
        yield Trouble("dns-spf", sentence, Severity.FAILURE)
    elif {"all", "+all"} & set(found[0].casefold().split()):
        sentence = f"By its SPF record anybody may send for {domain}: write -all in place of +all."
        yield Trouble("dns-spf", sentence)


def _dkim(asked: NameServer, own: OwnAddress, environ: Mapping[str, str]) -> Iterator[Trouble]:
    """Whether a letter that we sign is believed by what DNS has of our key."""
    if own.dkim_key is None:
        return
    name = f"{own.dkim_selector}._domainkey.{own.signing_domain}"
    found = asked.ask(name, "TXT")
    kept = own.dkim_key.file or f"/etc/credstore/godaemon.{own.dkim_key.credential}"
    publish = (
        f'Publish: {name}. TXT "v=DKIM1; k=rsa; p=KEY", KEY being what `openssl rsa -in {kept}'
        " -pubout -outform DER | base64 -w0` writes."
    )
    if not found:
        sentence = f"We sign emails by a key of which DNS has nothing under {name}. {publish}"
        yield Trouble("dns-dkim", sentence, Severity.FAILURE)
        return
    try:
        signer = dkim_signer(own, environ)
    except ConfigError:  # the check of the configuration tells of it, or it is the service's
        return
    if signer is not None and not signer.believed(found[0]):
        sentence = f"DNS has another key under {name} than the one that we sign by. {publish}"
        yield Trouble("dns-dkim", sentence, Severity.FAILURE)


def _dmarc(asked: NameServer, domain: str) -> Iterator[Trouble]:
    for name in dict.fromkeys((domain, organisation(domain))):
        if any(_DMARC.match(text) for text in asked.ask(f"_dmarc.{name}", "TXT")):
            return
    sentence = (
        f"DNS has no DMARC record of {domain}, which large providers want."
        f' Publish: _dmarc.{domain}. TXT "v=DMARC1; p=none" or stricter.'
    )
    yield Trouble("dns-dmarc", sentence)


def _names(asked: NameServer, domain: str) -> Iterator[Trouble]:
    """The names of the addresses of our mail servers, which send for us too."""
    hosts = [record.split()[1] for record in asked.ask(domain, "MX")] or [domain]
    for address in {one for host in hosts if host != "." for one in asked.addresses(host)}:
        names = asked.ask(dns.reversename.from_address(address).to_text(), "PTR")
        if not any(address in asked.addresses(name) for name in names):
            why = f"is of {names[0]}, which is elsewhere" if names else "has no name"
            sentence = (
                f"The address {address} of our mail server {why} (PTR), so others refuse its"
                " emails. Whoever gave you the address can set its name: that of the mail server."
            )
            yield Trouble("dns-ptr", sentence)
