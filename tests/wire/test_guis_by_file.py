"""A game between two Go programs on other computers, with the file from `gui`.

The commands were recorded from quarry 0.2 and qGo 2.1 while a person played this game. qGo requires
an engine called gnugo.
"""

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.support import places
from tests.support.blocks import read_blocks
from tests.support.daemon import LiveDaemon, free_port
from tests.support.dialogue import matches
from tests.support.gui import Gui
from tests.support.letters import plain
from tests.support.mailgame import begin
from tests.support.players import MailPlayer

LOOKS, ADDED, PLAYED, ANEW = read_blocks(places.DATA / "guis" / "quarry-and-qgo.txt").values()


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[LiveDaemon]:
    """A daemon to which Go programs come by TCP."""
    with LiveDaemon(tmp_path, gtp=f'listen = "127.0.0.1:{free_port()}"\n') as live:
        yield live


def by_file(player: MailPlayer, folder: Path) -> list[str]:
    """What a person has a Go program start, after a reply with `gui`."""
    player.reply("gui")
    letter = player.expect("gui")
    words = plain(letter).split()
    file = folder / f"{player.name} godaemon-gtp.txt"
    file.write_bytes(attached(letter, "godaemon-gtp.txt"))
    at = words.index("--connect")
    return [sys.executable, "-I", str(file), *words[at : at + 4]]


def attached(letter: EmailMessage, name: str) -> bytes:
    """What comes with a letter under a name."""
    [part] = [part for part in letter.iter_attachments() if part.get_filename() == name]
    content: bytes = part.get_content()
    return content


def speak(dialogue: str, **programs: Gui) -> None:
    """Send each program's commands, and compare the answers."""
    lines = [line for line in dialogue.splitlines() if line and line[0] != ";"]
    for at, line in enumerate(lines):
        name, way, text = line.partition("> ") if "> " in line else line.partition("< ")
        if line == "...":
            continue
        if way == "> ":
            programs[name].send(text)
            continue
        more = lines[at + 1 : at + 2] == ["..."]
        answer = f"{programs[name].answer()}\n\n".encode()
        assert matches(text + "\n..." * more, answer), f"{line!r}, but {answer!r}"


@pytest.mark.slow
def test_quarry_plays_qgo(
    daemon: LiveDaemon, alice: MailPlayer, bob: MailPlayer, tmp_path: Path
) -> None:
    """Both play from the file in their letter; the players count by email, and agree."""
    number = begin(alice, bob, "9x9 komi 6.5")
    black, white = by_file(alice, tmp_path), by_file(bob, tmp_path)
    with Gui(black) as quarry:
        speak(f"{LOOKS}\n{ADDED}", quarry=quarry)
    with ExitStack() as open_programs:
        quarry = open_programs.enter_context(Gui(black))
        first = Gui(white)
        speak(f"{LOOKS}\n{PLAYED}", quarry=quarry, qgo=first)
        first.kill()  # qGo never says goodbye
        speak(ANEW, quarry=quarry, qgo=open_programs.enter_context(Gui(white)))
    for player in (alice, bob):
        player.expect("scoring-started")
        player.agree()
    assert alice.expect("finished")
    game = daemon.game(number)
    assert (game["phase"], game["result"]) == ("finished", "W+6.5")
