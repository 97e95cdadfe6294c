"""A hostile engine in the real service: what is blocked, and what is left behind."""

import json
from collections.abc import Iterator
from functools import partial

import pytest

from tests.support.systemd_box import Box
from tests.support.waiting import until

pytestmark = pytest.mark.slow

ENGINE, DAEMON = "/opt/src/tests/support/hostile_engine.py", "/opt/src/daemon.pid"
HOSTILE = f"""
[engines.hostile]
command = ["/usr/bin/python3", "-S", "{ENGINE}", "/var/lib/godaemon", "/run/godaemon/control.sock",
           "PORT", "{DAEMON}"]
seconds = 8
memory_mib = 256
processes = 1
disk_mib = 8
"""
LOUD = {
    1: ("write_much: OSError [Errno 27]", ""),
    2: ("", "of disk space"),
    3: ("", "of disk space"),
    4: ("", "of disk space"),
    5: ("", ""),
    6: ("", ""),
    7: ("eat: MemoryError", ""),
    8: ("", "MiB of memory"),
    9: ("", ""),
    10: ("", ""),
}
"""The engine's words and the reason for its end, by its number among `LOUD`."""


@pytest.fixture
def hostile(service: Box, port: int) -> Iterator[Box]:
    """The service, with free boards at which that engine plays."""
    file = service.root / "etc/godaemon/godaemon.toml"
    before = file.read_text(encoding="utf-8")
    text = before.replace('#: engine = "gnugo"', 'engine = "hostile"')
    text = text.replace('#level = "info"', 'level = "debug"').replace(
        '#format = "a', 'format = "json" #'
    )
    file.write_text(text + HOSTILE.replace("PORT", str(port)), encoding="utf-8")
    service.run("journalctl", "--rotate", "--vacuum-time=1s", check=False)
    service.run("systemctl", "restart", "godaemon")
    service.wait("ActiveState", "active")
    (service.root / DAEMON[1:]).write_text(service.property("MainPID"), "ascii")
    yield service
    file.write_text(before, encoding="utf-8")


def think(box: Box, komi: int) -> str:
    """Have the engine think on a board of its own."""
    lines = f"printf 'komi {komi}\\ngenmove black\\nquit\\n' | /opt/godaemon/bin/godaemon gtp"
    return box.run("sh", "-c", lines)


def logged(box: Box, event: str, key: str) -> str:
    """The values of a field in all such events of the log, one a line."""
    box.run("journalctl", "--sync")
    journal = box.run("journalctl", "--unit=godaemon", "--output=cat", "--no-pager")
    lines = [json.loads(line) for line in journal.splitlines() if line.startswith("{")]
    return "\n".join(line[key] for line in lines if line["event"] == event)


def engine_processes(box: Box) -> str:
    return box.run("pgrep", "--full", ENGINE, check=False)


def test_a_hostile_engine_is_contained(hostile: Box) -> None:
    """None of its two dozen attempts succeeds under the unit's restrictions."""
    held = json.loads(hostile.run("godaemon", "status", "--json"))["engines"]
    assert (held["landlock"] > 0, held["seccomp"]) == (True, True)
    think(hostile, 0)
    until(lambda: "use_the_ring" in logged(hostile, "engine.stderr", "words"), "it has reported")
    found = logged(hostile, "engine.stderr", "words").splitlines()
    assert len(found) > 20
    assert [line for line in found if "Error" not in line] == []


def check_attack(box: Box, number: int, met: str, why: str) -> None:
    """Let the engine run one attack, and wait until the log has its result and the kill.

    The daemon reads the engine's standard error in parallel, and journald writes with a delay.
    """
    expected = {("engine.stderr", "words"): met, ("engine.stopped", "why"): why}
    before = {field: len(logged(box, *field)) for field in expected}

    def _is_told(field: tuple[str, str]) -> bool:
        return expected[field] in logged(box, *field)[before[field] :]

    answer = think(box, number)
    if not met:
        until(lambda: engine_processes(box) == "", "it is gone")
    for field, words in expected.items():
        message = f"the log has {field} {words!r} of {number}, which answered {answer!r}"
        until(partial(_is_told, field), message)


def test_an_engine_that_exceeds_a_limit_is_killed(hostile: Box) -> None:
    """Its children are killed too, and the service keeps running."""
    before = hostile.property("MainPID")
    for number, (met, why) in LOUD.items():
        check_attack(hostile, number, met, why)
    assert hostile.property("MainPID") == before
    assert hostile.property("ActiveState") == "active"


def test_our_own_engine_plays(service: Box, port: int) -> None:
    """Our own engine works under the unit's restrictions."""
    service.run("journalctl", "--rotate", "--vacuum-time=1s", check=False)
    alice, _ = service.people(port, "own")
    alice.write("new 9x9 as white vs house1")
    alice.expect("confirm")
    alice.reply("yes")
    alice.expect("your-turn")
    assert "engine.started" in service.journal()
    assert "engine.failed" not in service.journal()


def test_engines_end_with_a_killed_daemon(hostile: Box) -> None:
    """No engine process outlives its daemon."""
    think(hostile, 0)
    assert engine_processes(hostile), hostile.journal()
    hostile.signal("KILL")
    until(lambda: engine_processes(hostile) == "", "it is gone")
    hostile.wait("ActiveState", "active")


def test_the_drop_in_for_gpus(hostile: Box) -> None:
    """It is valid, the service starts with it, and may use GPU devices."""
    folder = hostile.root / "etc/systemd/system/godaemon.service.d"
    source = "/opt/src/config/systemd/godaemon.service.d/gpu.conf"
    hostile.run("install", "-Dm644", source, "-t", "/etc/systemd/system/godaemon.service.d")
    try:
        assert hostile.run("systemd-analyze", "verify", "godaemon.service") == ""
        hostile.run("systemctl", "daemon-reload")
        hostile.run("systemctl", "restart", "godaemon")
        hostile.wait("ActiveState", "active")
        assert hostile.property("PrivateDevices") == "no"
        assert hostile.property("MemoryDenyWriteExecute") == "no"
        assert "char-nvidia" in hostile.property("DeviceAllow")
    finally:
        (folder / "gpu.conf").unlink()
        hostile.run("systemctl", "daemon-reload")
