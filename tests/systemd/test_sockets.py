"""The sockets that systemd holds for the daemon, their groups, and several daemons on one host."""

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


GODAEMON = "/opt/godaemon/bin/godaemon"


def speak_gtp(box: Box, user: str) -> str:
    """The answers of `godaemon gtp` to a user of the machine."""
    command = f"printf 'name\\nplay b D4\\nquit\\n' | {GODAEMON} gtp"
    return box.run("runuser", "-u", user, "--", "sh", "-c", command, check=False)


def test_sockets_have_their_groups(service: Box) -> None:
    """Players may open the GTP socket, operators the control socket, and neither the store."""
    assert service.run("stat", "--format=%G %a", "/run/godaemon/gtp.sock") == "godaemon-gtp 660"
    service.run("systemctl", "stop", "godaemon")
    service.run("groupadd", "operators")
    file = service.root / "etc/godaemon/godaemon.toml"
    text = file.read_text("utf-8")
    file.write_text(text.replace('#: group = "adm"', 'group = "operators"'), "utf-8")
    service.run(GODAEMON, "install-units")
    service.run("systemctl", "daemon-reload")
    service.run("systemctl", "start", "godaemon")
    assert service.run("stat", "--format=%G %a", "/run/godaemon/control.sock") == "operators 660"
    assert service.run("stat", "--format=%a", "/var/lib/private/godaemon") == "700"
    service.run("useradd", "--groups", "godaemon-gtp", "member")
    service.run("useradd", "--groups", "operators", "umpire")
    service.run("useradd", "stranger")
    output = service.run("runuser", "-u", "umpire", "--", GODAEMON, "status", "--json", check=False)
    assert '"address": "go@' in output
    assert service.run("runuser", "-u", "umpire", "--", GODAEMON, "mail", "queue")
    for user in ("member", "stranger"):
        refused = service.run("runuser", "-u", user, "--", GODAEMON, "status", check=False)
        assert "you may not open" in refused
    boards = service.run(GODAEMON, "boards")
    assert speak_gtp(service, "member") == "= godaemon\n\n= \n\n="
    assert service.run(GODAEMON, "boards") != boards, "its group is seen from inside the service"
    assert ". Try: sudo godaemon gtp" in speak_gtp(service, "stranger")
