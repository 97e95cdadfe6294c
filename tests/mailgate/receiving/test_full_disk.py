"""A full disk while a letter is stored: 451, then recovery."""

from dataclasses import replace

import pytest
import sqlalchemy as sa
import structlog

from godaemon.storage.database import Database
from godaemon.storage.unit_of_work import Unit
from godaemon.storage.writer import WriterThread
from mailgate.reading.inbound_letter import InboundLetter
from tests.support.gateway import ADDRESS, START, Gateway
from tests.support.raw_smtp import greeted, handler_of, letter, serving

pytestmark = pytest.mark.sqlite("its full disk")


class Disk:
    """Where the database may have `pages` pages, on whichever connection."""

    def __init__(self, database: Database) -> None:
        self.pages = 1_000_000
        sa.event.listen(database.engine, "begin", self._limit)

    def _limit(self, connection: sa.Connection) -> None:
        connection.exec_driver_sql(f"PRAGMA max_page_count={self.pages}")


def pages(unit: Unit) -> int:
    return int(unit.connection.exec_driver_sql("PRAGMA page_count").scalar_one())


@pytest.mark.parametrize("lmtp", [False, True])
async def test_a_full_disk_defers_letters(database: Database, lmtp: bool) -> None:
    """None is acknowledged without being stored, none is refused, and all are accepted later."""
    gateway, disk = Gateway(), Disk(database)
    reports: list[str] = []
    with structlog.testing.capture_logs(), WriterThread(database) as writer:
        intake = replace(gateway.intake, writer=writer)

        async def take(inbound: InboundLetter) -> bool:
            outcome = await intake.take(inbound)
            reports.append(outcome.event)
            return not outcome.wrong_token

        async with serving(handler_of(take), lmtp=lmtp) as line:
            person = await greeted(await line(), "LHLO x" if lmtp else "EHLO x")

            async def send(number: int) -> str:
                words = f"new 9x9 vs q{number}@x.example\r\n" + f"{'x' * 70}\r\n" * 300
                text = f"From: p{number}@x.example\r\nMessage-ID: <{number}@x>\r\n\r\n{words}."
                return (await person.codes(*letter([ADDRESS]), text))[-1]

            assert await send(0) == "250"
            disk.pages = await writer.run(pages)
            codes: list[str] = []
            while codes.count("451") < 3:
                codes.append(await send(len(codes) + 1))
                assert len(codes) < 300
            assert codes[-1] == "451"
            assert set(codes) <= {"250", "451"}
            kept = codes.count("250") + 1
            assert reports == ["accepted"] * kept
            disk.pages = 1_000_000
            later_codes = [await send(number) for number in range(1, len(codes) + 1)]
            assert later_codes == ["250"] * len(codes)
            assert reports.count("accepted") == len(codes) + 1
            assert reports.count("repeated") == kept - 1
            rows = await writer.run(lambda unit: unit.games.summaries())
            due = await writer.run(lambda unit: unit.outbox.claim(START, 60, 999))
            assert (len(rows), len(due)) == (len(codes) + 1, len(codes) + 1)
