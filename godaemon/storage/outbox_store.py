"""The outbox within a transaction: notices to send, and their outcomes.

Runs on the writer's thread. A claim moves `due_at` to the end of its lease, so that one index finds
all notices that are due, whether after a failed try or an expired lease.
"""

import json
import secrets
import zlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from operator import itemgetter
from typing import Any

from sqlalchemy import (
    BindParameter,
    Delete,
    Integer,
    Select,
    Update,
    bindparam,
    delete,
    exists,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.engine import Connection, Row
from sqlmodel import col

from godaemon.errors import Busy, Corrupt, Unknown
from godaemon.games.model import Seat
from godaemon.games.notices import DueNotice, Kind, Notice
from godaemon.games.stored_values import HELD_BY_OPERATOR
from godaemon.storage.columns import TextColumn, columns
from godaemon.storage.deletion import replace_names
from godaemon.storage.mail_tables import BouncingRow, OutboxRow
from godaemon.storage.player_store import ANSWERED_FROM
from godaemon.storage.prepared import Prepared
from godaemon.storage.tables import GameAddressRow

_FAST = 1
"""zlib's compression level; an email with a board shrinks to a twelfth in 0.1 ms."""
_COPIED = ("game", "since", "until", "answers")
"""The columns that are copied unchanged from the notice."""
_FACTS = ("uid", "kind", "recipient", "behalf", "seat", "about", *_COPIED, "queued_at", "attempts")
_COLUMNS = ("id", "our_address", "message_id", "letter", *_FACTS)
"""The columns from which a notice is read."""
_SHOWN = ("id", "kind", "recipient", "game", "status", "attempts", "last_error", "due_at", "lease")
"""The columns of an unsent notice that the operator sees."""
_WAITING = col(OutboxRow.status) == "waiting"
_UNSENT = col(OutboxRow.status).in_(("waiting", "undeliverable"))
"""True for an unsent notice; "!= sent" would read every row ever sent."""
_NOT_SUSPENDED = ~exists().where(
    col(BouncingRow.address) == col(OutboxRow.recipient_key),
    col(BouncingRow.suspended).is_not(None),
)
"""True for a notice to an address that is not suspended."""
_NOT_SKIPPED = col(OutboxRow.kind) != bindparam("skipped")
_TRIED = (col(OutboxRow.status) != "waiting") | (col(OutboxRow.attempts) > 0)
_TRIED_BY_UID = Prepared(
    select(*columns(OutboxRow, _COLUMNS)).where(col(OutboxRow.uid) == bindparam("of_uid"), _TRIED)
)
_OUR_ADDRESS: BindParameter[str | None] = bindparam("our_address", type_=TextColumn)
_NEW_COLUMNS = (*_FACTS, "due_at", "status", "recipient_key", "behalf_key")
_INSERT = Prepared(
    insert(OutboxRow)
    .inline()
    .from_select(
        (*_NEW_COLUMNS, "our_address"),
        select(
            *(bindparam(one.key, type_=one.type) for one in columns(OutboxRow, _NEW_COLUMNS)),
            func.coalesce(_OUR_ADDRESS, ANSWERED_FROM.scalar_subquery()),
        ).where(
            ~exists().where(
                col(BouncingRow.address) == bindparam("of_player"),
                col(BouncingRow.suspended).is_not(None),
            )
        ),
    )
)
"""Inserts a notice, unless its address is suspended."""
_LETTER_ID: BindParameter[int] = bindparam("letter_id")
_BY_ID = col(OutboxRow.id) == _LETTER_ID
_LEASED = col(OutboxRow.lease).is_not(None)
_HOLDER: BindParameter[int | None] = bindparam("holder_id", type_=Integer)
_HELD_BY_HOLDER = col(OutboxRow.holder).is_not_distinct_from(_HOLDER)
_NOT_LEASED_BY_OTHERS = ~_LEASED | _HELD_BY_HOLDER
"""True for a notice that no other daemon has leased; the lease ends only when that daemon dies."""
_CLAIMABLE = (
    select(col(OutboxRow.id))
    .where(
        _WAITING,
        _NOT_SUSPENDED,
        _NOT_SKIPPED,
        _NOT_LEASED_BY_OTHERS,
        col(OutboxRow.due_at) <= bindparam("now"),
    )
    .order_by(col(OutboxRow.due_at), col(OutboxRow.id))
    .limit(bindparam("limit", type_=Integer))
    .with_for_update(skip_locked=True)
    .cte("claimable")
)
"""The notices to claim; a CTE, because a server might run a subquery several times."""
_CLAIM = Prepared(
    update(OutboxRow)
    .where(col(OutboxRow.id).in_(select(_CLAIMABLE.c.id)))
    .values(
        lease=bindparam("lease_end"),
        due_at=bindparam("lease_end"),
        holder=_HOLDER,
        attempts=col(OutboxRow.attempts) + 1,
    )
    .returning(*columns(OutboxRow, _COLUMNS))
)
_NEXT_DUE = Prepared(
    select(col(OutboxRow.due_at))
    .where(_WAITING, _NOT_SUSPENDED, _NOT_SKIPPED, _NOT_LEASED_BY_OTHERS)
    .order_by(col(OutboxRow.due_at))
    .limit(1)
)
_STORE_LETTER = Prepared(
    update(OutboxRow)
    .where(_BY_ID, _LEASED, _HELD_BY_HOLDER)
    .values(message_id=bindparam("new_message_id"), letter=bindparam("new_letter"))
)
_HAS_LEASE = Prepared(select(col(OutboxRow.id)).where(_BY_ID, _LEASED, _HELD_BY_HOLDER))
_MARK_SENT = Prepared(
    update(OutboxRow)
    .where(_BY_ID, _WAITING)
    .values(status="sent", sent_at=bindparam("at"), lease=None, letter=None)
)


class SqlOutbox:
    """The outbox, in one transaction."""

    def __init__(self, connection: Connection, holder: int | None = None) -> None:
        self._connection, self._holder = connection, holder
        self.new_notices: list[Notice] = []
        """The notices that this transaction has queued."""

    def queue(self, notice: Notice, now: datetime) -> str:
        """Queue a notice, due at once; returns its short random id, or "" if suspended."""
        uid = secrets.token_hex(8)
        row: dict[str, object] = {
            "uid": uid,
            "kind": notice.kind.value,
            "recipient": notice.to,
            "recipient_key": notice.to.casefold(),
            "behalf": notice.by,
            "behalf_key": notice.by.casefold(),
            "seat": None if notice.seat is None else notice.seat.value,
            "about": json.dumps(dict(notice.about), sort_keys=True),
            **{name: getattr(notice, name) for name in _COPIED},
        }
        when = {"queued_at": now, "due_at": now, "attempts": 0, "status": "waiting"}
        reader = {"of_player": notice.to.casefold(), "of_game": notice.game or 0}
        if not _INSERT.run(
            self._connection, **row, **when, **reader, our_address=notice.our_address
        ):
            return ""
        self.new_notices.append(notice)
        return uid

    def count_queued(
        self,
        kinds: Iterable[Kind],
        since: datetime,
        *,
        to: str | None = None,
        by: str | None = None,
    ) -> int:
        """The number of notices of some kinds queued since a moment, to or by some address."""
        query = _select_queued(select(func.count()), kinds, since, to, by)
        return int(self._connection.execute(query).scalar_one())

    def queued_facts(
        self, kind: Kind, since: datetime, *, to: str, by: str
    ) -> Sequence[Mapping[str, Any]]:
        """The `about` of each notice of a kind queued since a moment, the oldest first."""
        query = _select_queued(select(col(OutboxRow.about)), (kind,), since, to, by)
        found = self._connection.execute(query.order_by(col(OutboxRow.id))).scalars()
        return [json.loads(about) for about in found]

    def sent_notice(self, uid: str) -> Notice | None:
        """The notice of an email that was tried at least once, by its random id; or None."""
        row = self._find_row(uid)
        return None if row is None else _read_known_notice(row)

    def record_bounce(
        self, uid: str, error: str, now: datetime, since: datetime | None = None
    ) -> bool:
        """Record that a sent email was refused permanently.

        False if that is already known, or if the email was last tried before `since`.
        """
        query = update(OutboxRow).where(
            col(OutboxRow.uid) == uid, _TRIED, col(OutboxRow.status) != "undeliverable"
        )
        if since is not None:
            query = query.where(col(OutboxRow.due_at) >= since)
        query = query.values(status="undeliverable", last_error=error, due_at=now, lease=None)
        return self._connection.execute(query).rowcount > 0

    def was_answered(self, uid: str) -> bool:
        """True if the reader of an email has written to us since it was queued."""
        row = self._find_row(uid)
        if row is None:
            return False
        later = select(col(OutboxRow.id)).where(
            col(OutboxRow.behalf_key) == row["recipient"].casefold(),
            # These two kinds can be queued without an email from that person.
            col(OutboxRow.kind).not_in((Kind.UNREACHABLE.value, Kind.INVITATION.value)),
            col(OutboxRow.queued_at) > row["queued_at"],
        )
        return self._connection.execute(later.limit(1)).first() is not None

    def has_unsent(self, address: str, since: datetime) -> bool:
        """True if an email queued since then, to an address or about its games, is unsent."""
        games = select(col(GameAddressRow.game)).where(col(GameAddressRow.address) == address)
        about = (col(OutboxRow.recipient_key) == address) | col(OutboxRow.game).in_(games)
        late = col(OutboxRow.queued_at) > since
        query = select(col(OutboxRow.id)).where(_WAITING, _NOT_SUSPENDED, late, about).limit(1)
        return self._connection.execute(query).first() is not None

    def forget_names(self, game: int, names: Collection[str]) -> None:
        """Remove names from the notices of a game; its unsent emails will be composed anew."""
        mine = col(OutboxRow.game) == game
        waiting = select(col(OutboxRow.id), col(OutboxRow.about)).where(mine, _WAITING)
        for number, about in self._connection.execute(waiting).all():
            facts = json.dumps(replace_names(json.loads(about), names))
            row = update(OutboxRow).where(col(OutboxRow.id) == number)
            self._connection.execute(row.values(about=facts, letter=None))
        gone = update(OutboxRow).where(mine, ~_WAITING)
        self._connection.execute(gone.values(about="{}", letter=None))

    def find_by_message_id(self, message_id: str) -> tuple[str, Notice | None]:
        """The id and the notice of our email with a Message-ID; "" and None for any other."""
        uid = message_id.partition("@")[0].rpartition(".")[2].strip("<")
        row = self._find_row(uid) if uid else None
        if row is None or (row["message_id"] or "").lower() != message_id.lower():
            return "", None
        return uid, _read_known_notice(row)

    def _find_row(self, uid: str) -> Mapping[str, Any] | None:
        row = _TRIED_BY_UID.row(self._connection, of_uid=uid)
        return None if row is None else dict(zip(_COLUMNS, row, strict=True))

    def claim(
        self, now: datetime, seconds: float, limit: int, skip: Kind | None = None
    ) -> Sequence[DueNotice]:
        """Lease up to `limit` due notices for some seconds, except the kind `skip`.

        A claim counts as a try. Returns the notices in the order in which they were queued.
        """
        skipped, end = skip.value if skip else "", now + timedelta(seconds=seconds)
        parameters = {"now": now, "limit": limit, "skipped": skipped, "holder_id": self._holder}
        found = _CLAIM.rows(self._connection, **parameters, lease_end=end)
        rows = (dict(zip(_COLUMNS, row, strict=True)) for row in sorted(found, key=itemgetter(0)))
        claimed = [self._read_due(row, now) for row in rows]
        return [due for due in claimed if due is not None]

    def _read_due(self, row: Mapping[str, Any], now: datetime) -> DueNotice | None:
        """The notice of a row; marks it undeliverable and returns None if it cannot be read."""
        try:
            return DueNotice(
                row["id"],
                row["uid"],
                _read_notice(row),
                row["attempts"] - 1,
                row["queued_at"],
                row["message_id"],
                _unpack_letter(row["letter"]),
            )
        except (ValueError, TypeError, Corrupt) as fault:
            self.mark_undeliverable(row["id"], f"the row cannot be read: {fault}", now)
            return None

    def store_letter(
        self, number: int, message_id: str, letter: bytes, more: Mapping[str, Any] | None = None
    ) -> bool:
        """Store the composed email before the first try; False if we have lost the lease.

        `more` are facts for the notice that are known only once its email is composed.
        """
        row: dict[str, object] = {
            "letter_id": number,
            "new_message_id": message_id,
            "new_letter": zlib.compress(letter, _FAST),
        }
        stored = _STORE_LETTER.run(self._connection, **row, holder_id=self._holder) > 0
        if stored and more:
            one = col(OutboxRow.id) == number
            about = self._connection.execute(select(col(OutboxRow.about)).where(one)).scalar_one()
            whole = json.dumps({**json.loads(about), **more}, sort_keys=True)
            self._connection.execute(update(OutboxRow).where(one).values(about=whole))
        return stored

    def has_lease(self, number: int) -> bool:
        """True while we hold the lease of a notice."""
        parameters = {"letter_id": number, "holder_id": self._holder}
        return _HAS_LEASE.row(self._connection, **parameters) is not None

    def mark_sent(self, number: int, now: datetime) -> None:
        """Mark a notice as sent; deletes the email's bytes, and keeps its Message-ID."""
        _MARK_SENT.run(self._connection, letter_id=number, at=now)

    def retry_later(self, number: int, error: str, due: datetime) -> bool:
        """Record a failed try, with the next one at `due`; False if we have lost the lease."""
        return self._end_try(number, last_error=error, due_at=due)

    def mark_undeliverable(self, number: int, error: str, now: datetime) -> bool:
        """Set aside an email that was refused permanently or not composed, for the operator.

        False if we have lost the lease.
        """
        return self._end_try(number, status="undeliverable", last_error=error, due_at=now)

    def next_due(self, skip: Kind | None = None) -> datetime | None:
        """When the next notice is due or its lease ends, except the kind `skip`; None if never."""
        skipped = skip.value if skip else ""
        row = _NEXT_DUE.row(self._connection, skipped=skipped, holder_id=self._holder)
        return row[0] if row else None

    def end_leases(self, now: datetime, holder: int | None = None) -> int:
        """End the leases of a dead daemon, or those without a holder; returns their number."""
        end = (
            update(OutboxRow)
            .where(_WAITING, _LEASED, _HELD_BY_HOLDER)
            .values(lease=None, due_at=now)
        )
        return self._connection.execute(end, {"holder_id": holder}).rowcount

    def pull_back(self, now: datetime, latest: datetime) -> int:
        """Make notices due now if a wrong clock set them after `latest`; returns their number."""
        # Not other daemons' leases, because their clocks may differ from ours.
        late = update(OutboxRow).where(
            _WAITING, _NOT_LEASED_BY_OTHERS, col(OutboxRow.due_at) > latest
        )
        due = late.values(lease=None, due_at=now)
        return self._connection.execute(due, {"holder_id": self._holder}).rowcount

    def status_counts(self) -> dict[str, int]:
        status, connection = col(OutboxRow.status), self._connection
        return {
            one: connection.execute(select(func.count()).where(status == one)).scalar_one()
            for one in ("waiting", "sent", "undeliverable")
        }

    def backlog(self, now: datetime) -> tuple[int, datetime | None]:
        """The number of notices that are due and not leased, and when the oldest became due.

        Those to suspended addresses do not count.
        """
        query = select(func.count(), func.min(col(OutboxRow.due_at))).where(
            _WAITING, _NOT_SUSPENDED, col(OutboxRow.lease).is_(None), col(OutboxRow.due_at) <= now
        )
        number, oldest = self._connection.execute(query).one()
        return number, oldest

    def count_unwritten(self) -> int:
        """The number of notices that could not be composed."""
        aside = (
            col(OutboxRow.status) == "undeliverable",
            col(OutboxRow.last_error) != HELD_BY_OPERATOR,
        )
        query = select(func.count()).where(*aside, col(OutboxRow.message_id).is_(None))
        return self._connection.execute(query).scalar_one()

    def troubled_notices(self, *, every: bool = False) -> Sequence[Row[Any]]:
        """The unsent notices with an error, or all unsent ones (`every`); the oldest first."""
        query = select(*columns(OutboxRow, _SHOWN)).where(_UNSENT)
        if not every:
            query = query.where(col(OutboxRow.last_error).is_not(None))
        return self._connection.execute(query.order_by(col(OutboxRow.id))).all()

    def revive(self, number: int, now: datetime) -> None:
        """Make an unsent notice due at once; raises `Unknown`."""
        changed = self._connection.execute(
            update(OutboxRow)
            .where(col(OutboxRow.id) == number, col(OutboxRow.status) != "sent")
            .values(status="waiting", due_at=now, lease=None, attempts=0)
        )
        if not changed.rowcount:
            raise _unknown_notice(number)

    def letter(self, number: int) -> bytes | None:
        """The bytes of an unsent email, or None before it is composed; raises `Unknown`."""
        query = select(col(OutboxRow.letter)).where(col(OutboxRow.id) == number, _UNSENT)
        if (row := self._connection.execute(query).first()) is None:
            raise _unknown_notice(number)
        return _unpack_letter(row[0])

    def hold(self, number: int, now: datetime) -> None:
        """Set a notice aside until it is revived; raises `Unknown`, and `Busy` during a try."""
        held = {"status": "undeliverable", "last_error": HELD_BY_OPERATOR, "due_at": now}
        self._change_unsent(number, update(OutboxRow).values(held))

    def drop(self, number: int) -> None:
        """Delete an unsent notice; raises `Unknown`, and `Busy` during a try."""
        self._change_unsent(number, delete(OutboxRow))

    def _change_unsent(self, number: int, change: Update | Delete) -> None:
        self.letter(number)
        free = (col(OutboxRow.id) == number, _UNSENT, col(OutboxRow.lease).is_(None))
        if not self._connection.execute(change.where(*free)).rowcount:
            raise Busy(f"Email {number} is just being sent: try again in a moment.")

    def _end_try(self, number: int, **values: object) -> bool:
        query = update(OutboxRow).where(_BY_ID, _WAITING, _LEASED, _HELD_BY_HOLDER)
        parameters = {"letter_id": number, "holder_id": self._holder}
        return self._connection.execute(query.values(lease=None, **values), parameters).rowcount > 0


def _select_queued(
    query: Select[Any], kinds: Iterable[Kind], since: datetime, to: str | None, by: str | None
) -> Select[Any]:
    query = query.where(col(OutboxRow.kind).in_([kind.value for kind in kinds]))
    for column, address in ((OutboxRow.recipient_key, to), (OutboxRow.behalf_key, by)):
        if address is not None:
            query = query.where(col(column) == address.casefold())
    return query.where(col(OutboxRow.queued_at) >= since)


def _read_notice(row: Mapping[str, Any]) -> Notice:
    """The notice of a row; raises `ValueError` for a kind of a newer version."""
    return Notice(
        kind=Kind(row["kind"]),
        to=row["recipient"],
        by=row["behalf"],
        seat=None if row["seat"] is None else Seat(row["seat"]),
        about=json.loads(row["about"]),
        our_address=row["our_address"],
        **{name: row[name] for name in _COPIED},
    )


def _read_known_notice(row: Mapping[str, Any]) -> Notice | None:
    """The notice of a row; None for a kind of a newer version."""
    try:
        return _read_notice(row)
    except ValueError:
        return None


def _unpack_letter(letter: bytes | None) -> bytes | None:
    """The email as it was composed; raises `Corrupt`."""
    try:
        return None if letter is None else zlib.decompress(letter)
    except zlib.error as fault:
        raise Corrupt("That email is damaged in the store.", detail=str(fault)) from fault


def _unknown_notice(number: int) -> Unknown:
    return Unknown(f"No email {number} is waiting to go out.")
