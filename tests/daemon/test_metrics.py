"""The metrics of a daemon for Prometheus, and its health for load balancers."""

import re
import smtplib
import socket
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from godaemon.daemon.metrics import OwnProcess
from godaemon.system.clock import Clock
from tests.support import places, stores
from tests.support.daemon import LiveDaemon, free_port
from tests.support.mailgame import begin
from tests.support.waiting import PATIENCE, until

CONFIG = places.ROOT / "config"
Numbers = dict[tuple[str, frozenset[tuple[str, str]]], float]


class MeteredDaemon(LiveDaemon):
    """A daemon with metrics on a port of loopback."""

    def __init__(self, folder: Path) -> None:
        self.watch = free_port()
        super().__init__(folder, f'[metrics]\nlisten = "127.0.0.1:{self.watch}"\n')

    def page(self, path: str, method: str = "GET") -> tuple[int, str]:
        request = urllib.request.Request(f"http://127.0.0.1:{self.watch}{path}", method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as page:
                return page.status, page.read().decode()
        except urllib.error.HTTPError as refused:
            with refused:
                return refused.code, refused.read().decode()

    def numbers(self) -> Numbers:
        """All numbers, by name and labels."""
        families = text_string_to_metric_families(self.page("/metrics")[1])
        samples = [one for family in families for one in family.samples]
        return {(one.name, frozenset(one.labels.items())): one.value for one in samples}

    def number(self, metric: str, **labels: str) -> float:
        """A metric of ours; 0 if it was never counted."""
        return self.numbers().get((f"godaemon_{metric}", frozenset(labels.items())), 0)


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MeteredDaemon]:
    """A watched daemon without troubles, which has answered an email and a program."""
    live = MeteredDaemon(tmp_path_factory.mktemp("metrics"))
    live.start()
    try:
        live.command("send", "alice@localhost", "help")
        subprocess.run(live.gtp(), input=b"name\nquit\n", check=True, capture_output=True)
        until(lambda: "godaemon_disk_free_bytes" in live.page("/metrics")[1], "it was measured")
        yield live
    finally:
        live.stop()


def test_emails_commands_and_commits_are_counted(daemon: MeteredDaemon) -> None:
    """By their results: a proposal is accepted, and words that are no command refused."""
    before = daemon.number("commit_seconds_count")
    daemon.command("send", "alice@localhost", "new 9x9 as black vs bob@localhost")
    daemon.command("send", "--reply", "alice@localhost", "xyzzy plugh frobnicate")
    assert daemon.number("letters_in_total", result="accepted") == 2
    assert daemon.number("letters_in_total", result="refused") == 1
    proposed = {"door": "email", "command": "propose", "result": "accepted"}
    assert daemon.number("commands_total", **proposed) == 1
    until(lambda: daemon.number("letters_out_total", result="sent") == 3, "all answers are out")
    assert daemon.number("commit_seconds_count") > before
    assert daemon.number("commit_seconds_bucket", le="+Inf") == daemon.number(
        "commit_seconds_count"
    )


def test_gtp_commands_and_sessions_are_counted(daemon: MeteredDaemon) -> None:
    """Known commands by name; unknown ones create no metric."""
    game = begin(daemon.person("carol"), daemon.person("dave"), "9x9")
    with socket.socket(socket.AF_UNIX) as program:
        program.connect(str(daemon.folder / "gtp.sock"))
        program.sendall(b"godaemon-seat %d black\nboardsize 9\nboardsize 999\nfrobnicate\n" % game)

        def command_count(command: str, result: str) -> float:
            return daemon.number("commands_total", door="gtp", command=command, result=result)

        until(lambda: command_count("unknown", "refused") == 1, "all three are answered")
        assert (command_count("boardsize", "accepted"), command_count("boardsize", "refused")) == (
            1,
            1,
        )
        assert daemon.number("sessions", protocol="gtp") == 1
    until(lambda: daemon.number("sessions", protocol="gtp") == 0, "it has gone")


def test_the_daemon_and_its_process_are_described(daemon: MeteredDaemon) -> None:
    """Version, Python, database, mail connections and open files."""
    (labels,) = [dict(labels) for name, labels in daemon.numbers() if name == "godaemon_build_info"]
    assert labels.keys() == {"version", "python", "database"}
    with socket.create_connection(("127.0.0.1", daemon.port)) as line:
        line.recv(3)
        until(lambda: daemon.number("sessions", protocol="mail") == 1, "it is the only one")
    assert daemon.numbers()["process_open_fds", frozenset()] > 5


def test_process_metrics_work_with_a_restricted_proc(tmp_path: Path) -> None:
    """Our unit has ProcSubset=pid, so the start time comes from the clock."""
    (tmp_path / "self").symlink_to("/proc/self")
    pages = (
        OwnProcess(proc=folder, registry=None).collect() for folder in (str(tmp_path), "/proc")
    )
    hidden, shown = ({one.name: one.samples[0].value for one in page} for page in pages)
    assert hidden.keys() == shown.keys() >= {"process_open_fds", "process_cpu_seconds"}
    assert abs(hidden["process_start_time_seconds"] - Clock().now().timestamp()) < 9000


def test_other_requests_are_refused(daemon: MeteredDaemon) -> None:
    """A load balancer may ask by HEAD; nothing ends the listener."""
    assert daemon.page("/health", "HEAD") == (200, "")
    assert daemon.page("/")[0] == 404
    assert daemon.page("/metrics", "POST")[0] == 405
    with socket.create_connection(("127.0.0.1", daemon.watch)) as line:
        line.sendall(b"\r\n\r\n")
        assert line.recv(99).startswith(b"HTTP/1.1 405")
    assert daemon.page("/health") == (200, "ok\n")


@pytest.mark.parametrize(
    ("host", "code"),
    [
        *((f"{host}:9464", 200) for host in ("localhost", "127.0.0.1", "[::1]")),
        ("localhost", 200),
        *(("evil.example", 421), ("evil.example:9464", 421), ("localhost.evil.example", 421)),
        *(("127.0.0.1\r\nHost: evil.example", 421), ("192.0.2.7", 421), ("[2001:db8::1]:80", 421)),
    ],
)
def test_requests_for_other_hosts_are_refused(daemon: MeteredDaemon, host: str, code: int) -> None:
    """A web page could make a browser send them (DNS rebinding)."""
    with socket.create_connection(("127.0.0.1", daemon.watch)) as line:
        line.sendall(f"GET /metrics HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        answer = b"".join(iter(lambda: line.recv(2**16), b"")).decode()
    assert answer.startswith(f"HTTP/1.1 {code} ")
    assert ("godaemon_build_info" in answer) is (code == 200)


@pytest.mark.sqlite("its file is moved")
def test_health_reports_troubles_in_one_line(tmp_path: Path) -> None:
    """503 only if neither emails nor moves can be accepted."""
    state = tmp_path / "state"
    stores.create(state)
    stores.put_in_quarantine(state, "a@x.example")
    live = MeteredDaemon(tmp_path)
    live.start()
    try:
        until(lambda: live.page("/health")[1] != "ok\n", "it was looked")
        status, line = live.page("/health")
        assert (status, line.count("\n")) == (200, 1)
        assert "Emails in quarantine" in line
        assert live.number("trouble", name="quarantine", severity="warning") == 1
        with smtplib.SMTP("127.0.0.1", live.port, timeout=PATIENCE) as relay:
            relay.ehlo_or_helo_if_needed()
            relay.mail("alice@a.example")
            codes = [relay.rcpt("go@old.example")[0] for _ in range(3)]
        assert codes == [550] * 3
        assert 'write address = "go@old.example" in [mail]' in live.page("/health")[1]
        assert live.number("quarantine_letters") == 1
        damaged = "INSERT INTO game (events, digest, damaged) VALUES (0, '', 'it is torn')"
        for _ in range(2):
            stores.run_on(state, damaged)
        until(lambda: "game-damaged" in live.page("/metrics")[1], "it was looked again")
        assert live.page("/metrics")[1].count("game-damaged") == 1
        assert (
            f"metrics:        127.0.0.1:{live.watch}\n"
            in live.command("status", check=False).stdout
        )
        (state / "godaemon.db").rename(tmp_path / "elsewhere.db")
        until(lambda: live.page("/health")[0] == 503, "the store is gone")
        assert "was moved or removed" in live.page("/health")[1]
    finally:
        live.kill()


USED = re.compile(r"\b((?:godaemon|process)_\w+)(?:\{([^}]*)\})?")


@pytest.mark.parametrize("name", ["alerts.yml", "grafana.json"])
def test_the_metrics_of_dashboard_and_alerts_exist(daemon: MeteredDaemon, name: str) -> None:
    """With the labels that they use."""
    shown = daemon.page("/metrics")[1]
    types = dict(re.findall(r"(?m)^# TYPE (\S+) (\S+)$", shown))
    there = types.keys() | {f"{one}_bucket" for one in types if types[one] == "histogram"}
    labels = {"job", "instance", *re.findall(r'[{,](\w+)="', shown), "name", "severity"}
    text = (CONFIG / name).read_text("utf-8").replace('\\"', '"')
    used = USED.findall(text)
    assert len({metric for metric, _ in used}) > 5
    for metric, chosen in used:
        assert metric in there
        assert set(re.findall(r'(\w+)=~?"', chosen)) <= labels
    by = re.findall(r"by \(([^)]*)\)", text) + re.findall(r"\{\{ ?(?:\$labels\.)?(\w+) ?\}\}", text)
    assert {one for names in by for one in names.split(", ")} <= labels
