"""A small DNS server on loopback with the records of a test.

with NameServerHere({("go.example", "MX"): ["10 mail.go.example."]}) as server:
    ... server.place ...
"""

import socket
import threading
from collections.abc import Mapping, Sequence
from typing import Self

import dns.flags
import dns.message
import dns.rcode
import dns.rdatatype
import dns.rrset

from tests.support.waiting import PATIENCE

Records = Mapping[tuple[str, str], Sequence[str]]


class NameServerHere:
    """Answers UDP queries from `records` by name and type; other names do not exist."""

    def __init__(self, records: Records) -> None:
        self.records = dict(records)
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self.place = f"127.0.0.1:{self._socket.getsockname()[1]}"

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        port = int(self.place.rpartition(":")[2])
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as last:
            last.sendto(b"", ("127.0.0.1", port))
        self._thread.join(PATIENCE)
        self._socket.close()

    def _serve(self) -> None:
        while True:
            query, address = self._socket.recvfrom(4096)
            if not query:
                return
            self._socket.sendto(self._answer(dns.message.from_wire(query)), address)

    def _answer(self, query: dns.message.Message) -> bytes:
        (question,) = query.question
        reply = dns.message.make_response(query)
        reply.flags |= dns.flags.RA
        name = question.name.to_text(omit_final_dot=True)
        kind = dns.rdatatype.to_text(question.rdtype)
        if found := self.records.get((name, kind)):
            reply.answer.append(dns.rrset.from_text(question.name, 60, "IN", kind, *found))
        elif not any(known == name for known, _ in self.records):
            reply.set_rcode(dns.rcode.NXDOMAIN)
        return reply.to_wire()
