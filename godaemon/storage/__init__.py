"""The store: tables, transactions, the one thread that writes, migrations, backups and locks.

SQLAlchemy's statements over SQLModel's tables, on SQLite or PostgreSQL. Imports `godaemon.games`,
whose `stored_values` it stores, `errors`, and `inbound_letter` and `imap_responses` of `mailgate`.
No other room uses SQL, and this one knows no Go, mail or GTP. Raises `Temporary` (busy, full,
unreachable), `Corrupt`, `ConfigError`, `Unknown`, `Stale`.

Read in this order: `tables` and `mail_tables` on `columns`; `prepared`; `event_log` with
`packed_logs`; `unit_of_work` (one transaction) of `game_store`, `outbox_store`, `player_store`,
`seat_store`, `board_store`, `inbox_store`, with `deletion`; `writer` on `writer_queue`;
`connections`, `database` (opens a store) and `sqlite_file`; `migrations`, `identity`, `locks`,
`several_daemons`; `backup` (on `sqlite_copy`, `server_copy`) and `restore`.

    database = open_database(store_url(folder))
    with WriterThread(database) as writer:
        number = writer.run_sync(lambda unit: unit.games.create())
"""
