"""The players within a transaction, by address and apart from their games.

`SqlWatchers` stores spectators, `SqlQuotas` hourly counters. Each daemon counts in its own rows,
because daemons would collide in shared ones at each email to a stranger.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Executable,
    Integer,
    Select,
    bindparam,
    delete,
    func,
    insert,
    outerjoin,
    select,
    update,
)
from sqlalchemy.engine import Connection
from sqlmodel import col

from godaemon.games.commands import EmailLevel
from godaemon.games.glicko2 import Rating
from godaemon.games.player_settings import Preferences, Profile
from godaemon.games.stored_values import BouncingAddress, RatedGame, Transfer, Watcher
from godaemon.storage.columns import Row, TextColumn, columns, insert_numbered, put
from godaemon.storage.deletion import forget_rows
from godaemon.storage.mail_tables import AnsweredFromRow, BouncingRow, QuarantineRow, QuotaRow
from godaemon.storage.prepared import Prepared
from godaemon.storage.tables import (
    BlockRow,
    PlayerRow,
    ProfileRow,
    RatedGameRow,
    TransferRow,
    WatcherRow,
)

_COLUMNS = columns(BouncingRow, BouncingAddress.__match_args__)
_PROFILE = Profile.__match_args__
_WHO = select(bindparam("of_player", type_=TextColumn).label("address")).subquery("who")
_UNREAD = (
    select(func.min(col(QuarantineRow.at)))
    .where(func.lower(col(QuarantineRow.envelope_sender)) == _WHO.c.address)
    .scalar_subquery()
)
_PERSON = Prepared(
    select(
        *(_UNREAD, *_COLUMNS),
        *columns(PlayerRow, ("game", *Preferences.__match_args__)),
        *columns(ProfileRow, _PROFILE),
    ).select_from(
        outerjoin(_WHO, BouncingRow, col(BouncingRow.address) == _WHO.c.address)
        .outerjoin(PlayerRow, col(PlayerRow.address) == _WHO.c.address)
        .outerjoin(ProfileRow, col(ProfileRow.address) == _WHO.c.address)
    )
)
"""All facts about a player that each email needs; one row for each game with its own settings."""
_BOX, _OWN, _REST = slice(1, 6), slice(6, 11), slice(11, None)  # after the first unread email
_OF_PLAYER = (
    col(AnsweredFromRow.address) == bindparam("of_player"),
    col(AnsweredFromRow.game) == bindparam("of_game", type_=Integer),
)
ANSWERED_FROM = select(col(AnsweredFromRow.our_address)).where(*_OF_PLAYER)
"""The address of ours from which `of_player` (casefolded) is answered in `of_game`."""
_ANSWERED_FROM = Prepared(ANSWERED_FROM)
_TRANSFERS = select(*columns(TransferRow, Transfer.__match_args__))
_RATED = columns(RatedGameRow, ("address", "game", "at", *Rating._fields))


def _at_or_after(place: tuple[datetime, int]) -> ColumnElement[bool]:
    """True for rated games at or after a place: a moment and a game number."""
    at, game = place
    later = col(RatedGameRow.at) > at
    return later | ((col(RatedGameRow.at) == at) & (col(RatedGameRow.game) >= game))


_SWITCHES = ("plain", "weekends_off", "away_by_itself", "sends_words", "calendar")


def _read_span(text: str) -> tuple[datetime, datetime]:
    begin, _, end = text.partition("/")
    return datetime.fromisoformat(begin), datetime.fromisoformat(end)


def _read_preferences(
    receipts: int | None, sent: int, emails: str | None, reviews: int | None
) -> Preferences:
    return Preferences(
        None if receipts is None else bool(receipts),
        sent,
        EmailLevel(emails) if emails else None,
        None if reviews is None else bool(reviews),
    )


def _read_transfer(row: Sequence[Any]) -> Transfer:
    number, game, old, new, nonce, old_agreed, new_agreed, at = row
    return Transfer(number, game, old, new, nonce, bool(old_agreed), bool(new_agreed), at)


class SqlPlayers:
    """Players, in one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._known: dict[str, Sequence[Sequence[Any]]] = {}
        """The rows of people that were read; each change but of the quarantine clears them."""

    def _person(self, address: str) -> Sequence[Sequence[Any]]:
        key = address.casefold()
        if key not in self._known:
            self._known[key] = _PERSON.rows(self._connection, of_player=key)
        return self._known[key]

    def _change(self, statement: Executable, values: Mapping[str, object] | None = None) -> int:
        self._known.clear()
        return self._connection.execute(statement, values).rowcount

    def _put(self, table: type[Row], key: dict[str, object], values: dict[str, object]) -> None:
        self._known.clear()
        put(self._connection, table, key, values)

    def preferences(self, address: str, game: int = 0) -> tuple[Preferences, Preferences]:
        """A player's settings for all games, and for one game."""
        own = (row[_OWN] for row in self._person(address))
        found = {number: _read_preferences(*chosen) for number, *chosen in own}
        return found.get(0, Preferences()), found.get(game, Preferences())

    def set_preferences(self, address: str, preferences: Preferences, game: int = 0) -> None:
        """Write a player's settings for one game, or (0) for all games."""
        key: dict[str, object] = {"address": address.casefold(), "game": game}
        self._put(PlayerRow, key, asdict(preferences))

    def forget_game_preferences(self, address: str) -> None:
        """Delete a player's settings for single games."""
        mine = (col(PlayerRow.address) == address.casefold(), col(PlayerRow.game) != 0)
        self._change(delete(PlayerRow).where(*mine))

    def our_address(self, address: str, game: int = 0) -> str:
        """The address of ours that a player is answered from; "" for the main one."""
        row = _ANSWERED_FROM.row(self._connection, of_player=address.casefold(), of_game=game)
        return row[0] if row else ""

    def set_our_address(self, address: str, ours: str, game: int = 0) -> None:
        """Answer a player from `ours` ("" for the main address) in a game, or (0) outside."""
        if self.our_address(address, game) == ours:
            return
        key = {"of_player": address.casefold(), "of_game": game}
        self._change(delete(AnsweredFromRow).where(*_OF_PLAYER), key)
        if ours:
            row = {"address": address.casefold(), "game": game, "our_address": ours}
            self._change(insert(AnsweredFromRow).values(row))

    def profile(self, address: str) -> Profile:
        row = dict(zip(_PROFILE, self._person(address)[0][_REST], strict=True))
        if row["zone"] is None:
            return Profile()
        row |= {name: bool(row[name]) for name in _SWITCHES}
        return Profile(**row | {"vacations": tuple(map(_read_span, row["vacations"].split()))})

    def set_profile(self, address: str, profile: Profile) -> None:
        switches = {name: int(getattr(profile, name)) for name in _SWITCHES}
        spans = " ".join("/".join(one.isoformat() for one in span) for span in profile.vacations)
        row = {**asdict(profile), **switches, "vacations": spans}
        self._put(ProfileRow, {"address": address.casefold()}, row)

    def listed_players(self, limit: int) -> Sequence[str]:
        """The addresses on the list of players, at most `limit`."""
        address = col(ProfileRow.address)
        query = select(address).where(col(ProfileRow.listed).is_not(None)).order_by(address)
        return self._connection.execute(query.limit(limit)).scalars().all()

    def last_rated_game(
        self, address: str, before: tuple[datetime, int] | None = None
    ) -> RatedGame | None:
        """The last rated game of an address (before a moment and a game number), or None."""
        query = select(*_RATED).where(col(RatedGameRow.address) == address.casefold())
        if before is not None:
            query = query.where(~_at_or_after(before))
        newest = (col(RatedGameRow.at).desc(), col(RatedGameRow.game).desc())
        row = self._connection.execute(query.order_by(*newest).limit(1)).one_or_none()
        if row is None:
            return None
        key, game, at, *rating = row
        return RatedGame(key, game, at, Rating(*rating))

    def set_rated_game(self, game: RatedGame) -> None:
        row = {"address": game.address.casefold(), "game": game.game, "at": game.at}
        self._change(insert(RatedGameRow).values(row | game.rating._asdict()))

    def count_rated_games(
        self, one: str, other: str, since: datetime, before: tuple[datetime, int]
    ) -> int:
        """The number of rated games of two players since a moment, before another game's place."""
        games = select(col(RatedGameRow.game)).where(col(RatedGameRow.address) == other.casefold())
        mine = (col(RatedGameRow.address) == one.casefold(), col(RatedGameRow.game).in_(games))
        query = select(func.count()).select_from(RatedGameRow).where(*mine, ~_at_or_after(before))
        found = self._connection.execute(query.where(col(RatedGameRow.at) >= since))
        return found.scalar_one()

    def take_rated_games(self, since: tuple[datetime, int]) -> Sequence[tuple[datetime, int]]:
        """Delete the ratings from a place on; returns the places of their games."""
        query = select(*columns(RatedGameRow, ("at", "game"))).where(_at_or_after(since)).distinct()
        games = [(at, game) for at, game in self._connection.execute(query)]
        if games:
            self._change(delete(RatedGameRow).where(_at_or_after(since)))
        return games

    def digests_due(self, now: datetime, beyond: datetime, limit: int) -> Sequence[str]:
        """Addresses whose daily email is due, or (by a wrong clock) due only after `beyond`."""
        due = col(ProfileRow.digest_due)
        query = select(col(ProfileRow.address)).where((due <= now) | (due > beyond))
        return self._connection.execute(query.limit(limit)).scalars().all()

    def oldest_unread(self, addresses: Collection[str]) -> datetime | None:
        """The arrival of the oldest quarantined email from these addresses, or None."""
        return min(filter(None, (self._person(one)[0][0] for one in addresses)), default=None)

    def bouncing_address(self, address: str) -> BouncingAddress | None:
        """The bounce record of an address; None if it has none."""
        box = self._person(address)[0][_BOX]
        return None if box[0] is None else BouncingAddress(*box)

    def bouncing_addresses(self, since: datetime | None = None) -> Sequence[BouncingAddress]:
        query = select(*_COLUMNS).order_by(col(BouncingRow.address))
        if since is not None:
            query = query.where(col(BouncingRow.at) >= since)
        return [BouncingAddress(*row) for row in self._connection.execute(query)]

    def count_suspended(self, error: str | None = None) -> int:
        """The number of suspended addresses, all or those with an error."""
        query = select(func.count()).where(col(BouncingRow.suspended).is_not(None))
        if error is not None:
            query = query.where(col(BouncingRow.error) == error)
        return self._connection.execute(query).scalar_one()

    def set_bouncing_address(self, bouncing: BouncingAddress) -> None:
        self._put(BouncingRow, {"address": bouncing.address.casefold()}, asdict(bouncing))

    def forget_bouncing_address(self, address: str) -> bool:
        """Delete the bounce record of an address; False if it had none."""
        return self._change(delete(BouncingRow).filter_by(address=address.casefold())) > 0

    def blocks(self, address: str) -> frozenset[str]:
        """The people (`people.person`) who may not invite a player; "" stands for everybody."""
        query = select(col(BlockRow.other)).where(col(BlockRow.address) == address)
        return frozenset(row[0] for row in self._connection.execute(query))

    def block(self, address: str, other: str) -> None:
        """Forbid `other` (`people.person`, or "" for anybody) to invite a player."""
        self._put(BlockRow, {"address": address, "other": other}, {})

    def unblock(self, address: str, other: str) -> None:
        self._change(delete(BlockRow).filter_by(address=address, other=other))

    def begin_transfer(
        self, game: int | None, old: str, new: str, nonce: str, now: datetime
    ) -> int:
        """Store a transfer that no address has confirmed yet; returns its number."""
        row = insert(TransferRow).values(
            game=game, old=old, new=new, nonce=nonce, old_agreed=0, new_agreed=0, begun_at=now
        )
        return insert_numbered(self._connection, row)

    def transfer(self, number: int) -> Transfer | None:
        query = _TRANSFERS.where(col(TransferRow.id) == number)
        row = self._connection.execute(query).one_or_none()
        return None if row is None else _read_transfer(row)

    def agree_transfer(self, number: int, *, new: bool) -> None:
        """Record the confirmation of the old address, or of the `new` one."""
        values = {"new_agreed": 1} if new else {"old_agreed": 1}
        self._change(update(TransferRow).where(col(TransferRow.id) == number).values(**values))

    def end_transfer(self, number: int) -> None:
        self._change(delete(TransferRow).where(col(TransferRow.id) == number))

    def leaving_players(self) -> Sequence[Transfer]:
        """The players who have confirmed that they want to be forgotten."""
        query = _TRANSFERS.where(col(TransferRow.new) == "", col(TransferRow.old_agreed) == 1)
        rows = self._connection.execute(query.order_by(col(TransferRow.id)))
        return [_read_transfer(row) for row in rows]

    def forget(self, address: str, counted: Collection[str]) -> None:
        """Delete an address from all rows (`deletion.forget_rows`)."""
        self._known.clear()
        forget_rows(self._connection, address, counted)


_WATCHERS = select(*columns(WatcherRow, Watcher.__match_args__))


class SqlWatchers:
    """Spectators, in one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def of_game(self, game: int) -> Sequence[Watcher]:
        return self._read(_WATCHERS.filter_by(game=game).order_by(col(WatcherRow.key)))

    def of_person(self, address: str) -> Sequence[Watcher]:
        """The games that a person watches, the newest first."""
        mine = _WATCHERS.filter_by(key=address.casefold())
        return self._read(mine.order_by(col(WatcherRow.game).desc()))

    def due(self, now: datetime, beyond: datetime, limit: int) -> Sequence[Watcher]:
        """Spectators whose next email is due, or (by a wrong clock) due only after `beyond`."""
        due = col(WatcherRow.due)
        return self._read(_WATCHERS.where((due <= now) | (due > beyond)).limit(limit))

    def save(self, watcher: Watcher) -> None:
        key = {"game": watcher.game, "key": watcher.address.casefold()}
        put(self._connection, WatcherRow, key, asdict(watcher))

    def end(self, address: str, game: int | None = None) -> None:
        """Delete a spectator of a game, or of all games."""
        mine = {"key": address.casefold(), **({} if game is None else {"game": game})}
        self._connection.execute(delete(WatcherRow).filter_by(**mine))

    def _read(self, query: Select[Any]) -> list[Watcher]:
        return [Watcher(*row) for row in self._connection.execute(query)]


_HOURS_REMEMBERED = 48
_SPENT = Prepared(
    select(func.coalesce(func.sum(col(QuotaRow.spent)), 0)).where(
        col(QuotaRow.name) == bindparam("of_name"),
        col(QuotaRow.hour).between(bindparam("first"), bindparam("last")),
    )
)


class SqlQuotas:
    """Counters by name and hour (`stranger_limits.hour_of`), in one transaction."""

    def __init__(self, connection: Connection, holder: int | None = None) -> None:
        self._connection, self._holder = connection, holder or 0

    def count(self, name: str, after: int, until: int) -> int:
        """The sum of a counter over the hours from `after` to `until`, both included."""
        found = _SPENT.row(self._connection, of_name=name, first=after, last=until)
        return int(found[0]) if found else 0

    def spend(self, name: str, hour: int) -> None:
        """Increment a counter in an hour; deletes hours older than two days."""
        counter = update(QuotaRow).filter_by(name=name, hour=hour, holder=self._holder)
        more = counter.values(spent=col(QuotaRow.spent) + 1)
        if not self._connection.execute(more).rowcount:
            self._insert(name, hour)
            old = col(QuotaRow.hour) < hour - _HOURS_REMEMBERED
            self._connection.execute(delete(QuotaRow).where(old))

    def spend_once(self, name: str, until: int) -> None:
        """Set a counter in a future hour to 1 unless it is set; it is kept until that hour."""
        if not self.count(name, until, until):
            self._insert(name, until)

    def _insert(self, name: str, hour: int) -> None:
        row = {"name": name, "hour": hour, "holder": self._holder, "spent": 1}
        self._connection.execute(insert(QuotaRow).values(**row))
