"""The sockets that systemd holds for the daemon, and several daemons on one host."""

from collections.abc import Iterator

import pytest

from tests.support.daemon import free_port
from tests.support.knocking import KNOCKING, Stream, begin
from tests.support.systemd_box import Box
from tests.support.waiting import until

pytestmark = pytest.mark.slow


def test_a_restart_refuses_no_connection(service: Box, port: int) -> None:
    """Clients wait; a client in the middle of a letter gets a temporary error."""
    before = service.property("MainPID")
    with Stream(port) as stream, begin(port) as early:
        service.run("systemctl", "restart", "godaemon")
        assert early.recv(4096).startswith(b"421 ")
        until(lambda: stream.counts["greeted"] > KNOCKING, "others are let in")
    assert service.property("MainPID") != before
    assert stream.counts["refused"] == 0
    assert stream.counts["cut"] <= KNOCKING, "no more than were at the door when it closed"
    with begin(port) as second:
        second.sendall(b"From: a@x.example\r\nSubject: x\r\n\r\nhelp\r\n.\r\n")
        assert second.recv(4096).startswith(b"250 ")


def test_a_stopped_service_is_not_activated(service: Box, port: int) -> None:
    """Its sockets stop with it: no letter and no command starts it again."""
    service.run("systemctl", "stop", "godaemon")
    until(lambda: Stream(port).knock() == "refused", "its port is closed")
    assert "No godaemon runs" in service.run("godaemon", "status", check=False)
    assert service.property("ActiveState") == "inactive"


MAKE = """
/opt/godaemon/bin/pip install -q 'psycopg[binary]'
pg_createcluster $(ls /usr/lib/postgresql | tail -1) go -p {0} >/dev/null
cd /etc/postgresql/*/go
sed -i '1i local godaemon godaemon peer map=godaemon' pg_hba.conf
printf 'godaemon godaemon godaemon\\ngodaemon root godaemon\\n' >>pg_ident.conf
pg_ctlcluster $(ls /usr/lib/postgresql | tail -1) go start
cd /
runuser -u postgres -- createuser -p {0} godaemon
runuser -u postgres -- createdb -p {0} -O godaemon godaemon
install -D -m 600 /dev/null /etc/credstore/godaemon.token.key
openssl rand 32 >/etc/credstore/godaemon.token.key
/opt/godaemon/bin/godaemon install-units --sockets
systemctl daemon-reload
systemctl start godaemon@east godaemon@west
"""
UNMAKE = """
systemctl stop godaemon@east godaemon@west
pg_dropcluster --stop $(ls /usr/lib/postgresql | tail -1) go
rm -r /etc/godaemon/godaemon@* /var/lib/private/godaemon@* /var/lib/godaemon@*
rm /etc/credstore/godaemon.token.key
/opt/godaemon/bin/godaemon install-units --sockets
systemctl daemon-reload
"""


@pytest.fixture
def shared(box: Box) -> Iterator[dict[str, int]]:
    """Two daemons on one PostgreSQL, as the manual has it made; the port of each."""
    server, ports = free_port(), {"east": free_port(), "west": free_port()}
    place = f"host=/run/postgresql&port={server}"
    for name, port in ports.items():
        file = box.root / f"etc/godaemon/godaemon@{name}.toml"
        text = f'database_url = "postgresql://godaemon@/godaemon?{place}"\n[mail]\ntoken_key'
        text += f' = {{ credential = "token.key" }}\n[mail.smtp]\nlisten = "127.0.0.1:{port}"\n'
        file.write_text(text, encoding="utf-8")
    box.run("sh", "-ec", MAKE.format(server))
    yield ports
    box.run("sh", "-ec", UNMAKE)


@pytest.mark.peer("postgresql")
def test_two_daemons_on_a_host_share_a_database(box: Box, shared: dict[str, int]) -> None:
    """A game started at one continues at the other; root can use either configuration."""
    east, west = (f"--config=/etc/godaemon/godaemon@{name}.toml" for name in shared)
    ask = ("godaemon", "send", "alice@localhost")
    box.run(*ask, east, "new 9x9 as black vs house")
    assert "1  proposed" in box.run("godaemon", "games", west)
    box.run("systemctl", "stop", "godaemon@east")
    assert "1  proposed" in box.run("godaemon", "games", east)
