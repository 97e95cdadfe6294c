"""One transaction: `SqlUnit` is the `Unit` and the `Outbox` of `godaemon.games.ports`.

It neither begins nor commits: the writer does.
"""

from __future__ import annotations

from sqlmodel import Session

from godaemon.storage.board_store import Boards
from godaemon.storage.game_store import Logs
from godaemon.storage.imap_state import Fetched
from godaemon.storage.inbox_store import Letters
from godaemon.storage.outbox_store import Notices
from godaemon.storage.overview import Overview
from godaemon.storage.player_store import Mailboxes
from godaemon.storage.seat_store import DoorKeys


class SqlUnit(Logs, Letters, Notices, DoorKeys, Boards, Mailboxes, Fetched, Overview):
    """All that can be done in a transaction, and what of it others are waiting for."""

    def __init__(self, session: Session) -> None:
        connection = session.connection()
        Logs.__init__(self, connection)
        Letters.__init__(self, session, connection)
        Notices.__init__(self, connection)
        DoorKeys.__init__(self, session)
        Boards.__init__(self, session)
        Mailboxes.__init__(self, connection)
        Fetched.__init__(self, session)
