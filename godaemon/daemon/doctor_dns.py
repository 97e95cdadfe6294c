"""Checks of our domains in DNS: where their emails go (MX), and whether ours are trusted.

SPF (RFC 7208), DKIM (RFC 6376), DMARC (RFC 7489), and the names of sending addresses (PTR). Each
query has a timeout. If DNS cannot be queried, there is one warning and no other finding.
"""

import re
import socket
from collections.abc import Iterator, Mapping

import dns.exception
import dns.resolver
import dns.reversename

from godaemon.config.checks import is_loopback, split_host_port
from godaemon.config.mail_options import Mail, OwnAddress
from godaemon.daemon.health import Trouble, trouble, trouble_if
from godaemon.daemon.mail import dkim_signer
from godaemon.errors import ConfigError, Temporary, Unreadable
from godaemon.games.people import organisation

QUERY_TIMEOUT = 5.0
"""The timeout of a query, in seconds."""
PRIVATE_DOMAINS = {"localhost", "local", "test", "invalid", "example", "internal", "lan", "arpa"}
"""Top-level domains that public DNS does not know (RFC 6761, RFC 6762)."""
_DMARC = re.compile(r"v=DMARC1\s*;.*\bp\s*=")
"""A valid DMARC record (RFC 7489, 6.3: it must have a policy)."""


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
        raise Unreadable(f"“{text}” is not a name server: write HOST or HOST:PORT.") from fault
    address, found_port, *_ = found[0][4]
    return str(address), int(found_port)


class NameServer:
    """A name server: HOST or HOST:PORT, or the machine's own (None); raises `Temporary`."""

    def __init__(self, server: str | None) -> None:
        try:
            self._resolver = dns.resolver.Resolver(configure=server is None)
        except dns.exception.DNSException as fault:
            raise Temporary(f"{fault}") from fault
        self._resolver.lifetime = QUERY_TIMEOUT
        if server is not None:
            host, port = name_server(server)
            self._resolver.nameservers, self._resolver.port = [host], port

    def ask(self, name: str, kind: str) -> list[str]:
        """The records of a name, as text; empty if there are none. Raises `Temporary`."""
        try:
            answer = self._resolver.resolve(name, kind, search=False)
        except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
            return []
        except (dns.exception.DNSException, OSError, ValueError) as fault:
            raise Temporary(f"{fault}".partition(";")[0]) from fault  # the rest is about retries
        if kind == "TXT":
            return [b"".join(record.strings).decode("utf-8", "replace") for record in answer]
        return [record.to_text() for record in answer]

    def addresses(self, name: str) -> list[str]:
        """The IPv4 and IPv6 addresses of a name; raises `Temporary`."""
        return [*self.ask(name, "A"), *self.ask(name, "AAAA")]


def is_public(domain: str) -> bool:
    """False for names that public DNS does not know (`PRIVATE_DOMAINS`)."""
    return "." in domain and domain.rpartition(".")[2] not in PRIVATE_DOMAINS


def doctor_dns(mail: Mail, environ: Mapping[str, str], server: str | None) -> Iterator[Trouble]:
    """The troubles in DNS; private names are checked only if a server is given."""
    signed = {(one.dkim_selector, one.signing_domain): one for one in mail.own}
    is_ours = mail.outgoing.command or is_loopback(mail.outgoing.smarthost_host)
    for domain in domains_to_check(mail, server):
        keys = [one for one in signed.values() if one.domain == domain]
        try:
            resolver = NameServer(server)
            yield from _mx_hints(resolver, domain)
            yield from _spf_hints(resolver, domain)
            for own in keys:
                yield from _dkim_hints(resolver, own, environ)
            yield from _dmarc_hints(resolver, domain)
            yield from _ptr_hints(resolver, domain) if is_ours else ()
        except Temporary as fault:
            yield trouble("dns-unasked", why=fault.public, domain=domain)


def domains_to_check(mail: Mail, server: str | None) -> list[str]:
    """Our domains to look up in DNS: all if a server is given, else the public ones."""
    private = mail.outgoing.maildir is not None
    domains = dict.fromkeys(one.domain for one in mail.own)
    return [one for one in domains if server is not None or (is_public(one) and not private)]


def _mx_hints(resolver: NameServer, domain: str) -> Iterator[Trouble]:
    hosts = [record.split()[1] for record in resolver.ask(domain, "MX")]
    nowhere = not hosts and not resolver.addresses(domain)
    yield from trouble_if(nowhere, "dns-mx none", domain=domain)
    yield from trouble_if(hosts == ["."], "dns-mx refuses", domain=domain)
    for host in hosts:
        if host != "." and not resolver.addresses(host):
            yield trouble("dns-mx lost", host=host, domain=domain)


def _spf_hints(resolver: NameServer, domain: str) -> Iterator[Trouble]:
    found = [words for text in resolver.ask(domain, "TXT") if (words := text.casefold().split())]
    records = [{*words} for first, *words in found if first == "v=spf1"]
    match records:
        case []:
            yield trouble("dns-spf none", domain=domain)
        case [terms]:
            nobody = not terms - {"-all", "~all", "?all"}
            yield from trouble_if(nobody, "dns-spf nobody", domain=domain)
            yield from trouble_if({"all", "+all"} & terms, "dns-spf all", domain=domain)
        case _:
            yield trouble("dns-spf several", count=len(records), domain=domain)


def _dkim_hints(resolver: NameServer, own: OwnAddress, environ: Mapping[str, str]) -> list[Trouble]:
    if own.dkim_key is None:
        return []
    name = f"{own.dkim_selector}._domainkey.{own.signing_domain}"
    kept = own.dkim_key.file or f"/etc/credstore/godaemon.{own.dkim_key.credential}"
    publish = (
        f'Publish: {name}. TXT "v=DKIM1; k=rsa; p=KEY", KEY being what `openssl rsa -in {kept}'
        " -pubout -outform DER | base64 -w0` writes."
    )
    if not (found := resolver.ask(name, "TXT")):
        return [trouble("dns-dkim none", name=name, publish=publish)]
    try:
        signer = dkim_signer(own, environ)
    except ConfigError:  # check-config reports it, or only the service can read it
        return []
    wrong = signer is not None and not signer.matches_record(found[0])
    return trouble_if(wrong, "dns-dkim other", name=name, publish=publish)


def _dmarc_hints(resolver: NameServer, domain: str) -> list[Trouble]:
    names = dict.fromkeys((domain, organisation(domain)))
    texts = (text for name in names for text in resolver.ask(f"_dmarc.{name}", "TXT"))
    return trouble_if(not any(map(_DMARC.match, texts)), "dns-dmarc", domain=domain)


def _ptr_hints(resolver: NameServer, domain: str) -> Iterator[Trouble]:
    hosts = [record.split()[1] for record in resolver.ask(domain, "MX")] or [domain]
    for address in {one for host in hosts if host != "." for one in resolver.addresses(host)}:
        names = resolver.ask(dns.reversename.from_address(address).to_text(), "PTR")
        why = f"has the name {names[0]}, which is elsewhere" if names else "has no name"
        right = any(address in resolver.addresses(name) for name in names)
        yield from trouble_if(not right, "dns-ptr", address=address, why=why)
