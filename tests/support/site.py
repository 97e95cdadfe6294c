"""Several real daemons on one PostgreSQL, each with its own state folder."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from godaemon.storage.connections import connect, read_url
from tests.support.daemon import LiveDaemon

SHARED = ("token.key", "store.id")
"""Files that all state folders of a store share."""
END_OTHERS = (
    "SELECT pg_terminate_backend(pid, 180000) FROM pg_stat_activity"
    " WHERE pid <> pg_backend_pid() AND datname = current_database()"
)


def member(
    url: str, folder: Path, extra: str = "", smarthost: str | None = None, outgoing: str = ""
) -> LiveDaemon:
    """A daemon on a server's database; its Maildirs are in `folder.parent`."""
    folder.mkdir(parents=True)
    daemon = LiveDaemon(folder, extra, smarthost=smarthost, outgoing=outgoing, url=url)
    text = daemon.config.read_text(encoding="utf-8")
    text = text.replace(f'maildir = "{daemon.mail}"', f'maildir = "{folder.parent / "mail"}"')
    daemon.mail = folder.parent / "mail"
    daemon.config.write_text(text, encoding="utf-8")
    return daemon


def start_all(daemons: list[LiveDaemon], *, running: bool = False) -> None:
    """Start the first daemon unless `running`; then copy the shared files, and start the others."""
    if not running:
        daemons[0].start()
    for daemon in daemons[1:]:
        state = daemon.folder / "state"
        state.mkdir(mode=0o700, exist_ok=True)
        for name in SHARED:
            shutil.copy2(daemons[0].folder / "state" / name, state / name)
        daemon.launch()
    for daemon in daemons:
        daemon.ready()


@contextmanager
def site(folder: Path, url: str, count: int = 2) -> Iterator[list[LiveDaemon]]:
    """Run `count` daemons; stop them at the end, and check their exit status and logs."""
    daemons = [member(url, folder / f"host{number}") for number in range(count)]
    try:
        start_all(daemons)
        yield daemons
    finally:
        statuses = [daemon.stop() for daemon in daemons]
    assert not any(statuses)
    for daemon in daemons:
        assert "Traceback" not in daemon.log()


def cut_all(url: str) -> None:
    """Terminate all other connections to a server's database."""
    engine = connect(read_url(url))
    with engine.connect() as connection:
        connection.exec_driver_sql(END_OTHERS)
    engine.dispose()
