"""The machine's clock jumps a month ahead and back: nothing is lost, ended or late."""

import sys
from pathlib import Path

import pytest

from tests.support.daemon import LiveDaemon
from tests.support.sink import Sink
from tests.support.waiting import until


def troubles(daemon: LiveDaemon) -> list[str]:
    """The names of the current troubles."""
    return [one["name"] for one in daemon.ask("status")["troubles"]]


@pytest.mark.parametrize("restarted", [False, True])
def test_a_clock_a_month_ahead_loses_nothing(tmp_path: Path, restarted: bool) -> None:
    """Within a run and through restarts: emails go out, invitations stay, and status warns."""
    sink, wrong = Sink(), tmp_path / "wrong"
    wrong.write_text("0")
    daemon = LiveDaemon(
        tmp_path,
        smarthost=sink.url,
        outgoing="retry_first = 1\nretry_limit = 1\ngive_up_days = 1\n",
    )
    daemon.program = (sys.executable, "-m", "tests.support.stepped_clock", str(wrong))

    def step(days: str) -> None:
        if restarted:
            daemon.kill()
        (tmp_path / "next").write_text(days)
        (tmp_path / "next").replace(wrong)  # at no moment is it empty
        if restarted:
            daemon.start()

    with daemon:
        alice = daemon.person("Alice")
        alice.write("new 9x9 vs bob@players.example")
        until(lambda: daemon.ask("queue"), "its answer is tried in vain")
        step("40")
        event = "clock-gap" if restarted else "clock-jumped"
        until(lambda: event in troubles(daemon), "status warns")
        tried = daemon.ask("queue")[0]["attempts"]
        until(lambda: daemon.ask("queue")[0]["attempts"] > tried, "it is tried again")
        step("0")
        with sink:
            until(lambda: bool(sink.taken), "it goes out now, and not in a month")
        status = daemon.ask("status")
        assert status["games"] == {"proposed": 1}
        assert status["letters"]["undeliverable"] == 0
        until(lambda: ("clock-gap" in troubles(daemon)) is restarted, "what is told is past")
