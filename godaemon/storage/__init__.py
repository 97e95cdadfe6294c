"""What must not be forgotten: the tables, the one writer, migrations, backups and the lock.

Implements the protocols of `godaemon.games.ports` with SQLModel, on SQLite or PostgreSQL. Nothing
outside this room meets SQL; nothing in this room knows Go, mail or GTP.
"""
