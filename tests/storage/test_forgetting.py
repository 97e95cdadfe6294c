"""A forgotten player is nowhere in the store's file or its write-ahead log."""

from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from godaemon.games import events as ev
from godaemon.games.forgetting import Forgetting, forget_due
from godaemon.games.game_cache import GameCache
from godaemon.games.model import Game, Phase, Seat
from godaemon.games.notices import DueNotice, Kind
from godaemon.games.running_clocks import start_clocks
from godaemon.games.service_calls import Caller
from godaemon.storage import game_store, sqlite_file
from godaemon.storage.backup import backup
from godaemon.storage.columns import METADATA
from godaemon.storage.database import DATABASE_FILE
from godaemon.storage.unit_of_work import Unit
from godaemon.storage.writer import WriterThread
from mailgate.letters.headers import SenderIdentity
from mailgate.letters.letter_data import load_letter_data
from tests.support import gateway as gateways
from tests.support import stores
from tests.support.gateway import ADDRESS, Gateway

SECRETS = (b"alice", b"Zebedee", b"Alisnote", b"Zanzibar")


class StoredGateway(Gateway):
    """A gateway over a real store."""

    writer: WriterThread  # type: ignore[assignment]

    def game(self, number: int = 1) -> Game:
        """A game as its log has it."""
        return self.writer.run_sync(lambda unit: GameCache().load(unit, number))

    @property
    def outbox(self) -> list[DueNotice]:
        """All notices, after they were sent."""
        self.send()

        def work(unit: Unit) -> list[DueNotice]:
            rows = unit.connection.exec_driver_sql("SELECT id, uid FROM outbox ORDER BY id").all()
            found = [(number, uid, unit.outbox.sent_notice(uid)) for number, uid in rows]
            return [
                DueNotice(number, uid, notice, 1, self.now, None, None)
                for number, uid, notice in found
                if notice is not None
            ]

        return self.writer.run_sync(work)

    def token(self, due: DueNotice) -> str:
        ours = SenderIdentity(self.keys[0], ADDRESS, "Go by mail")
        return self.writer.run_sync(lambda unit: ours.token(load_letter_data(unit, due)) or "")

    def send(self) -> None:
        """Send all queued letters, storing their bytes before."""

        def work(unit: Unit) -> None:
            ours = SenderIdentity(self.keys[0], ADDRESS, "Go by mail")
            for due in unit.outbox.claim(self.now, 60, 999):
                token = ours.token(load_letter_data(unit, due)) or ""
                unit.outbox.store_letter(
                    due.id, f"<{token}.{due.uid}@go.example>", b"To Zebedee " * 999
                )
                unit.outbox.mark_sent(due.id, self.now)
                start_clocks(self.games(unit), due.notice)

        self.writer.run_sync(work)

    def forget(self) -> int:
        """Send all emails, and forget players who asked for it; returns their number."""
        self.send()
        return self.writer.run_sync(lambda unit: forget_due(self.games(unit), Forgetting())[0])


@pytest.fixture
def gateway(writer: WriterThread, monkeypatch: pytest.MonkeyPatch) -> StoredGateway:
    """Alice, who is called Zebedee, has played with Bob and Carol and by herself, and leaves."""
    monkeypatch.setattr(gateways, "MemoryWriter", lambda: writer)
    made = StoredGateway()
    alice = made.person("Zebedee", "Alice@players.example")
    bob, carol = made.person("Bob"), made.person("Carol")
    made.start(alice, bob)
    for line in ("E5\n\nZebedee greets you from Zanzibar", "note Alisnote", "timezone Tokyo"):
        alice.reply(line, to=alice.newest(Kind.STARTED))
    made.start(carol, alice, "9x9 as white")
    carol.write("new 13x13 vs jimalice@players.example")
    alice.reply("block all")
    alice.write("new 9x9 vs alice@players.example")
    return made


def kept(state: Path) -> bytes:
    """All that is in the store's files, or on a server in its rows, but for a neighbour's name."""
    if stores.server_url(state):
        rows = [stores.run_on(state, f'SELECT * FROM "{table}"') for table in METADATA.tables]
        found = repr(rows).encode()
    else:
        files = [path for path in state.iterdir() if path.name.startswith(DATABASE_FILE)]
        found = b"".join(path.read_bytes() for path in files)
    return found.lower().replace(b"jimalice", b"")


def held(state: Path) -> list[bytes]:
    """The secrets found in a store after a checkpoint."""
    assert stores.server_url(state) or sqlite_file.checkpoint_log(state / DATABASE_FILE)
    found = kept(state)
    return [one for one in SECRETS if one.lower() in found]


def leave(gateway: StoredGateway) -> None:
    """Alice asks, and says yes."""
    alice = gateway.person("Zebedee", "Alice@players.example")
    alice.write("forget me")
    assert alice.reply("yes", to=alice.newest(Kind.FORGET)).event == "leaving"


def test_a_forgotten_player_is_in_no_file(gateway: StoredGateway, tmp_path: Path) -> None:
    """Neither in freed pages nor in the write-ahead log; a neighbour of like name stays.

    Message-IDs go too, as her domain may name her. A backup finds every game whole.
    """
    ids = "SELECT count(*) FROM inbox WHERE message_id LIKE '%players.example%'"
    assert held(tmp_path) == list(SECRETS)
    assert stores.run_on(tmp_path, ids) != [(0,)]
    leave(gateway)
    assert gateway.forget() == 1
    assert held(tmp_path) == []
    assert stores.run_on(tmp_path, ids) == [(0,)]
    neighbours = "SELECT count(*) FROM event WHERE payload LIKE '%jimalice@%'"
    assert stores.run_on(tmp_path, neighbours)[0][0] > 0
    found = backup(stores.url(tmp_path), tmp_path, tmp_path / "kept")
    assert (found.set_aside, found.damaged) == ((), ())
    game = gateway.game()
    assert (game.move_number, game.result) == (1, "W+R")
    assert game.spec.names == ("a former player", "Bob")


def test_a_forgotten_player_is_in_no_packed_log(gateway: StoredGateway, tmp_path: Path) -> None:
    """The log can still be read."""
    bob = gateway.person("Bob")
    assert bob.reply("resign", to=bob.newest(Kind.YOUR_TURN)).event == "accepted"
    before = gateway.now + timedelta(days=1)
    packed = gateway.writer.run_sync(lambda unit: unit.games.pack_old(before, 0))
    assert packed == (1, None)
    leave(gateway)
    assert gateway.forget() == 1
    assert held(tmp_path) == []
    assert stores.run_on(tmp_path, "SELECT game FROM old_log") == []
    assert gateway.game().phase is Phase.FINISHED


def test_logs_are_searched_in_short_transactions(
    gateway: StoredGateway, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others write between them, and nothing stays."""
    monkeypatch.setattr(game_store, "SEARCH_BATCH", 1)
    leave(gateway)
    gateway.send()
    begun, gone, steps = Forgetting(), 0, list[Forgetting]()
    while not gone:
        gone, begun = gateway.writer.run_sync(partial(_forget, gateway, begun))
        steps.append(begun)
        gateway.person("Bob").write("help")
    assert steps[0].game == 1
    gateway.send()
    assert held(tmp_path) == []


def _forget(gateway: StoredGateway, begun: Forgetting, unit: Unit) -> tuple[int, Forgetting]:
    return forget_due(gateway.games(unit), begun)


def test_sent_player_lists_are_forgotten(gateway: StoredGateway, tmp_path: Path) -> None:
    """Neither her name nor her words stay in them."""
    alice, bob = gateway.person("Zebedee", "Alice@players.example"), gateway.person("Bob")
    for line in ("unblock all", "i am 5 kyu, Quagmire", "players on"):
        assert alice.reply(line).event == "accepted"
    bob.reply("players", to=bob.newest(Kind.STARTED))
    assert "Zebedee" in str(bob.newest(Kind.PLAYERS).notice.about)
    leave(gateway)
    assert gateway.forget() == 1
    assert held(tmp_path) == []
    assert b"quagmire" not in kept(tmp_path)


def test_a_forgotten_player_is_removed_from_damaged_games(
    gateway: StoredGateway, tmp_path: Path
) -> None:
    """They stay damaged; the others are forgotten as usual."""
    leave(gateway)
    gateway.send()
    stores.run_on(tmp_path, "UPDATE event SET payload = replace(payload, '9', '8') WHERE game = 1")
    assert gateway.forget() == 1
    rows = stores.run_on(tmp_path, "SELECT payload FROM event")
    damaged = stores.run_on(tmp_path, "SELECT id FROM game WHERE damaged IS NOT NULL")
    assert damaged == [(1,)]
    assert not any("lice@players" in row[0].replace("jimalice", "") for row in rows)


def test_a_waiting_email_loses_the_name(gateway: StoredGateway) -> None:
    """After a day without a mail server it is composed again."""
    leave(gateway)
    started: datetime = gateway.now
    gateway.wait(days=1, hours=1)
    assert gateway.now > started
    assert gateway.forget() == 1
    bob = gateway.person("Bob")
    assert bob.newest(Kind.FINISHED).notice.game == 1


def test_an_address_with_non_ascii_capitals_is_forgotten(
    gateway: StoredGateway, tmp_path: Path
) -> None:
    """SQLite does not lower them; seats and logs lose it too."""
    address = "Ärger@players.example"

    def work(unit: Unit) -> None:
        games = gateway.games(unit)
        after = games.add_event(
            games.game(1), ev.Transferred("proposer", address), Seat.PROPOSER, Caller("test")
        ).after
        assert after.seat_held_by(address) is Seat.BLACK
        number = unit.players.begin_transfer(None, address, "", "nonce", gateway.now)
        unit.players.agree_transfer(number, new=False)

    gateway.writer.run_sync(work)
    assert gateway.forget() == 0  # her games end first, and those letters go out
    assert gateway.forget() == 1
    assert gateway.forget() == 0
    assert b"alice" in held(tmp_path)
    assert "ärger@" not in kept(tmp_path).decode(errors="replace").casefold()


def test_quotas_of_others_stay(gateway: StoredGateway) -> None:
    """An underscore or per cent sign in an address is no wildcard."""

    def work(unit: Unit) -> list[str]:
        for name in ("aXb@players.example", "a_b@players.example"):
            unit.quotas.spend(f"to {name}", 500_000)
        unit.players.forget("a_b@players.example", {"a_b@players.example"})
        left = "SELECT name FROM quota WHERE hour = 500000"
        return [name for (name,) in unit.connection.exec_driver_sql(left)]

    assert gateway.writer.run_sync(work) == ["to aXb@players.example"]
