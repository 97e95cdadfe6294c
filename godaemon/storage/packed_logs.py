"""The logs of old games, each packed into one row: a twelfth of the size.

Digests are not packed, because they can be computed from the events. Later events are stored as
rows again. A transaction packs a few logs, so that nobody waits for long. Raises `Damaged`;
`writer` then sets the game aside.
"""

import json
import lzma
import zlib
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from datetime import datetime

from pydantic import TypeAdapter
from sqlalchemy import delete, exists, func, insert, select, update
from sqlalchemy.engine import Connection
from sqlmodel import col

from godaemon.errors import Damaged
from godaemon.games.model import Phase
from godaemon.storage.columns import columns
from godaemon.storage.deletion import address_pattern, as_json
from godaemon.storage.event_log import ChainHead, StoredEvent, add_digests, check_chain
from godaemon.storage.tables import EventRow, GameRow, OldLogRow

PACK_BATCH = 4
"""The number of logs that one transaction packs, in about 30 ms."""
SEARCH_BATCH = 500
"""The number of games among which one transaction looks for old ones."""
_OVER_PHASES = [phase.value for phase in Phase if phase.over]
_COLUMNS = TypeAdapter(tuple[list[str], list[int], list[str], list[str], list[str]])
"""The kinds, versions, payloads, causes and moments of a log."""
_FILTERS = ({"id": lzma.FILTER_LZMA2, "dict_size": 2**20},)
"""A small dictionary: the default one takes 90 MB of memory."""
_ROWS = TypeAdapter(list[tuple[str, int, str, str, str]])
"""The format up to revision 0030, packed by zlib: a row for each event."""


def pack_rows(rows: Sequence[StoredEvent]) -> bytes:
    """The rows of a log as compressed JSON, column by column, without digests."""
    by_column = [[row[at] for row in rows] for at in range(1, 6)]
    text = json.dumps(by_column, ensure_ascii=False, separators=(",", ":"))
    return lzma.compress(text.encode(), check=lzma.CHECK_NONE, filters=_FILTERS)


def unpack_rows(game: int, packed: bytes | None) -> list[StoredEvent]:
    """The rows of a packed log, with computed digests; raises `Damaged`."""
    return [] if packed is None else add_digests(_unpack_undigested(game, packed))


def _unpack_undigested(game: int, packed: bytes) -> list[StoredEvent]:
    try:
        if packed.startswith(b"x"):  # zlib's first byte
            rows = _ROWS.validate_json(zlib.decompress(packed))
        else:
            rows = list(zip(*_COLUMNS.validate_json(lzma.decompress(packed)), strict=True))
    except (zlib.error, lzma.LZMAError, ValueError) as fault:
        raise Damaged.of(game, None, "its packed log cannot be read") from fault
    return [StoredEvent(number, *row, "") for number, row in enumerate(rows)]


def read_packed(connection: Connection, game: int) -> list[StoredEvent]:
    """The rows of a game that are packed, if any; raises `Damaged`."""
    packed = connection.scalar(select(col(OldLogRow.events)).where(col(OldLogRow.game) == game))
    return unpack_rows(game, packed)


def read_unchecked(connection: Connection, game: int) -> list[StoredEvent]:
    """The rows of a game that can be read, without checking the chain."""
    rows = list[StoredEvent]()
    with suppress(Damaged):
        rows = read_packed(connection, game)
    return rows + _read_events(connection, game)


def replace_address(rows: Iterable[StoredEvent], address: str, other: str) -> list[StoredEvent]:
    """The rows with `other` in place of an address, without Message-IDs, and with new digests."""
    pattern = address_pattern(as_json(address))
    return add_digests(
        row._replace(payload=pattern.sub(other, row.payload), cause=row.cause.partition(":")[0])
        for row in rows
    )


def _read_events(connection: Connection, game: int) -> list[StoredEvent]:
    query = select(*columns(EventRow, StoredEvent._fields)).where(col(EventRow.game) == game)
    return [StoredEvent(*row) for row in connection.execute(query.order_by(col(EventRow.number)))]


def replace_events(connection: Connection, game: int, rows: Sequence[StoredEvent]) -> None:
    """Replace all events of a game, packed or not."""
    for table in (OldLogRow, EventRow):
        connection.execute(delete(table).where(col(table.game) == game))
    if rows:
        connection.execute(insert(EventRow), [{"game": game, **row._asdict()} for row in rows])


def games_with(
    connection: Connection, kinds: Collection[str], text: str, after: int, last: int
) -> set[int]:
    """The games after `after`, up to `last`, with a casefolded text in events of some kinds."""
    game, payload = columns(EventRow, ("game", "payload"))
    query = select(game, payload).where(game > after, game <= last, col(EventRow.kind).in_(kinds))
    if text.isascii():  # lower() may know only ASCII letters
        query = query.where(func.lower(payload).contains(text, autoescape=True))
    found = {game for game, content in connection.execute(query) if text in content.casefold()}
    game, packed = columns(OldLogRow, ("game", "events"))
    for number, log in connection.execute(select(game, packed).where(game > after, game <= last)):
        with suppress(Damaged):  # a damaged log cannot be searched
            rows = _unpack_undigested(number, log)
            if any(row.kind in kinds and text in row.payload.casefold() for row in rows):
                found.add(number)
    return found


def pack_some(connection: Connection, before: datetime, after: int) -> tuple[list[int], int | None]:
    """Pack logs of games after number `after` that were over before a moment, except damaged ones.

    Returns the packed games, and the next `after`, or None after the last game.
    """
    last = after + SEARCH_BATCH
    games = _finished_games(connection, before, after, last)[:PACK_BATCH]
    packed = [
        game for game, head in _lock_heads(connection, games) if _pack_game(connection, game, head)
    ]
    if len(games) == PACK_BATCH:
        return packed, games[-1]
    ends = (connection.execute(select(func.max(col(GameRow.id)))).scalar() or 0) <= last
    return packed, None if ends else last


def _finished_games(connection: Connection, before: datetime, after: int, last: int) -> list[int]:
    """The unpacked games after `after`, up to `last`, that were over before a moment.

    The phase is checked in Python: with it in the query, SQLite would use the index of phases, and
    read all finished games.
    """
    number, fields = col(GameRow.id), columns(GameRow, ("id", "phase", "updated", "damaged"))
    first = (col(EventRow.game) == number, col(EventRow.number) == 0)
    unpacked = (number > after, number <= last, exists().where(*first))
    return [
        game
        for game, phase, updated, damaged in connection.execute(
            select(*fields).where(*unpacked).order_by(number)
        )
        if phase in _OVER_PHASES and updated < before and damaged is None
    ]


def _lock_heads(connection: Connection, games: Sequence[int]) -> list[tuple[int, ChainHead]]:
    """Lock games that no other daemon has locked; returns each with the end of its log."""
    number = col(GameRow.id)
    query = select(number, *columns(GameRow, ChainHead._fields)).where(number.in_(games))
    found = connection.execute(query.with_for_update(skip_locked=True))
    return [(game, ChainHead(*head)) for game, *head in found]


def _pack_game(connection: Connection, game: int, head: ChainHead) -> bool:
    rows = _read_events(connection, game)
    try:
        check_chain(game, rows, head)
    except Damaged:
        return False
    # Without Message-IDs: they would take most of the space, and nobody needs them any more.
    kept = pack_rows([row._replace(cause=row.cause.partition(":")[0]) for row in rows])
    connection.execute(insert(OldLogRow).values(game=game, events=kept))
    connection.execute(delete(EventRow).where(col(EventRow.game) == game))
    digest = unpack_rows(game, kept)[-1].digest
    connection.execute(update(GameRow).where(col(GameRow.id) == game).values(digest=digest))
    return True
