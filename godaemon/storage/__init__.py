"""The store: tables, transactions, the one thread that writes, migrations, backups and the lock.

Satisfies the protocols of the rooms that use it (`godaemon.games.store_protocols`;
`inbox_protocol`, `outbox_protocol`, `fetch_progress` and `inbound_letter` in `mailgate`) with
SQLAlchemy's statements over SQLModel's tables, on SQLite or PostgreSQL. It imports those,
`godaemon.games` and `errors`; nothing outside it meets SQL, and nothing in it knows Go, mail or
GTP. Fails with `Temporary` (busy, full, away), `Corrupt`, `ConfigError`, and what a store is asked
in vain: `Unknown`, `Stale`.

In the order of reading: `tables` on `columns`; `prepared`; `event_chain`; `unit_of_work` (one
transaction), of `game_store`, `outbox_store`, `player_store`, `seat_store`, `inbox_store`,
`fetch_store`, `board_store`; `writer`; then `database`, `connections`, `schema` and
`database_errors` (a store is opened); `backup` (`sqlite_copy`, `server_copy`), `identity`,
`restore`, `lock`, `server_lock`, `server_news`, `holder`.

    database = open_database(store_url(folder))
    with WriterThread(database) as writer:
        number = writer.run_sync(lambda unit: unit.games.create())
"""
