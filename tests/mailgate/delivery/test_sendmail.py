"""Delivery by a program: its input, and the meaning of its exit status."""

import os
import sys
from pathlib import Path

import pytest

from godaemon.errors import GodaemonError, Temporary, Undeliverable
from mailgate.delivery.sendmail import CommandDelivery
from tests.support.leftovers import is_alive
from tests.support.waiting import PATIENCE, come

BOB = "bob@players.example"
RAW = b"Subject: Go game 1\r\n\r\nYour move.\r\n.\r\nD4\r\n"


def program(folder: Path, *lines: str) -> CommandDelivery:
    """A way out by a program in Python of these lines."""
    script = folder / "sendmail.py"
    script.write_text("\n".join(["import os, sys, time", *lines]))
    return CommandDelivery([sys.executable, str(script), "-i"], timeout=PATIENCE)


async def test_the_program_gets_letter_and_envelope(tmp_path: Path) -> None:
    """Sendmail's arguments, and this system's line ends."""
    way = program(
        tmp_path,
        f"open({str(tmp_path / 'args')!r}, 'w').write(repr(sys.argv[1:]))",
        f"open({str(tmp_path / 'letter')!r}, 'wb').write(sys.stdin.buffer.read())",
    )
    await way.deliver(BOB, "go+bounce-1@go.example", RAW, "u1")
    expected = ["-i", "-f", "go+bounce-1@go.example", "--", BOB]
    assert (tmp_path / "args").read_text() == repr(expected)
    assert (tmp_path / "letter").read_bytes() == RAW.replace(b"\r\n", b"\n")
    await way.deliver(BOB, "", RAW, "u2")
    assert (tmp_path / "args").read_text() == repr(["-i", "-f", "<>", "--", BOB])
    await way.close()


@pytest.mark.parametrize(
    ("code", "fault", "status"),
    [
        (os.EX_TEMPFAIL, Temporary, ""),
        (os.EX_DATAERR, Undeliverable, ""),
        (os.EX_NOUSER, Undeliverable, "5.1.1"),
        (os.EX_NOHOST, Undeliverable, "5.1.2"),
        (os.EX_UNAVAILABLE, Temporary, ""),
        (os.EX_USAGE, Temporary, ""),
        (os.EX_CONFIG, Temporary, ""),
        (1, Temporary, ""),
    ],
)
async def test_exit_codes(
    tmp_path: Path, code: int, fault: type[GodaemonError], status: str
) -> None:
    """Only faults of the letter or its recipient are final; the program's words are kept."""
    way = program(tmp_path, "print('no \\x1b[1msuch thing')", f"sys.exit({code})")
    with pytest.raises(fault) as caught:
        await way.deliver(BOB, "", RAW, "u1")
    assert f"ended with {code}: no [1msuch thing" in caught.value.detail.replace(
        "\x1b", ""
    ).replace("  ", " ")
    assert getattr(caught.value, "status", "") == status


@pytest.mark.parametrize(
    ("ending", "detail"),
    [
        ("os.kill(os.getpid(), 9)", "ended with -9"),  # by the machine for want of memory
        ("sys.exit(75)", "ended with 75"),  # however much of the letter it left
    ],
)
async def test_a_program_that_stops_reading_is_retried(
    tmp_path: Path, ending: str, detail: str
) -> None:
    """Whatever its exit status."""
    with pytest.raises(Temporary, match="did not accept") as caught:
        await program(tmp_path, ending).deliver(BOB, "", RAW * 100_000, "u1")
    assert detail in caught.value.detail


async def test_a_program_that_cannot_be_started_is_retried(tmp_path: Path) -> None:
    """The operator learns which one and why."""
    script = tmp_path / "sendmail"
    for why in ("No such file or directory", "Permission denied"):
        with pytest.raises(Temporary) as caught:
            await CommandDelivery([str(script)], timeout=60).deliver(BOB, "", RAW, "u1")
        assert caught.value.detail == f"{script}: {why}"
        script.write_text("#!/bin/sh\n")


async def test_a_hanging_program_is_killed(tmp_path: Path) -> None:
    """With its child processes; the letter is retried."""
    mark = tmp_path / "pid"
    script = tmp_path / "slow.sh"
    script.write_text(f"sleep 600 & echo $! > {mark}; wait")
    way = CommandDelivery(["/bin/sh", str(script)], timeout=2)
    with pytest.raises(Temporary, match="no answer") as caught:
        await way.deliver(BOB, "", RAW, "u1")
    assert "2 s" in caught.value.detail
    await come(lambda: not is_alive(int(mark.read_text())))


@pytest.mark.parametrize("address", ["-oQ/tmp@x.example", "bob@x.example eve@y.example", "a\n@b"])
async def test_an_address_cannot_become_an_option(tmp_path: Path, address: str) -> None:
    """It is refused before the program runs."""
    way = program(tmp_path, f"open({str(tmp_path / 'ran')!r}, 'w')")
    with pytest.raises(Undeliverable):
        await way.deliver(address, "", RAW, "u1")
    assert not (tmp_path / "ran").exists()
