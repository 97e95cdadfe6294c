"""A game between two Go programs on other computers, by the file that comes with `gui`.

What they say is what quarry 0.2 and qGo 2.1 said when a person clicked their way through this game;
qGo was told that its engine is called gnugo, as it wants it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.support.daemon import LiveDaemon, free_port
from tests.support.dialogue import matches
from tests.support.gui import Gui
from tests.support.letters import plain
from tests.support.mailgame import begin
from tests.support.players import MailPlayer

LOOKED_AT = """
quarry> protocol_version
quarry> name
quarry> version
quarry> list_commands
quarry< = 2
quarry< = godaemon
quarry< = ...
quarry< = all_legal
...
"""
"""How quarry looks at an engine, when it is added and at the beginning of each game."""

ADDED = f"""
{LOOKED_AT}
quarry> quit
quarry< =
"""

PLAYED = f"""
{LOOKED_AT}
quarry> boardsize 9
quarry< =
quarry> clear_board
quarry< =
quarry> komi 6.5
quarry< =
quarry> play black C3
quarry> genmove white
quarry< =

qgo> 1000 protocol_version
qgo< =1000 2
qgo> 1001 boardsize 9
qgo< =1001
qgo> 1002 clear_board
qgo< =1002
qgo> 1003 komi 6.50
qgo< =1003
qgo> 1004 clear_board
qgo< =1004
qgo> 1005 genmove black
qgo< =1005 C3
qgo> 1006 play white G7
qgo< =1006
qgo> 1007 genmove black
quarry< = G7

quarry> play black G3
quarry> genmove white
quarry< =
qgo< =1007 G3
qgo> 1008 play white C7
qgo> 1009 genmove black
qgo< =1008
quarry< = C7

; A click on Undo while the opponent thinks: too late, the move has gone.
qgo> 1010 undo 0
qgo< ?1009 interrupted
qgo< =1010
qgo> 1011 clear_board
qgo< =1011
qgo> 1012 play black C3
qgo> 1013 play white G7
qgo< =1012
qgo< =1013
qgo> 1014 play black G3
qgo> 1015 play white F7
qgo< =1014
qgo< ?1015 illegal move
qgo> 1016 genmove black
qgo< ?1016 the next move of the record is white's: genmove white gives it
"""

STARTED_ANEW = """
; The person has closed qGo, begins anew, and plays what was played before.
qgo> 1000 protocol_version
qgo> 1001 boardsize 9
qgo> 1002 clear_board
qgo> 1003 komi 6.50
qgo> 1004 clear_board
qgo> 1005 genmove black
qgo< =1000 2
qgo< =1001
qgo< =1002
qgo< =1003
qgo< =1004
qgo< =1005 C3
qgo> 1006 play white G7
qgo> 1007 genmove black
qgo< =1006
qgo< =1007 G3
qgo> 1008 play white C7
qgo> 1009 genmove black
qgo< =1008

quarry> play black E5
quarry> genmove white
quarry< =
qgo< =1009 E5
qgo> 1010 play white pass
qgo> 1011 genmove black
qgo< =1010
quarry< = pass
; Two passes: quarry looks which stones are dead, and qGo counts by itself.
quarry> play black pass
quarry> final_status_list dead
quarry< =
quarry< =...
qgo< =1011 pass
"""


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
    """Send what each program says, and hold each answer against what it heard."""
    lines = [line for line in dialogue.splitlines() if line and line[0] != ";"]
    for at, line in enumerate(lines):
        name, way, text = line.partition("> ") if "> " in line else line.partition("< ")
        if line == "...":
            continue
        if way == "> ":
            programs[name].send(text)
            continue
        more = lines[at + 1 : at + 2] == ["..."]
        heard = f"{programs[name].answer()}\n\n".encode()
        assert matches(text + "\n..." * more, heard), f"{line!r}, but {heard!r}"


def test_a_game_between_quarry_and_qgo(
    daemon: LiveDaemon, alice: MailPlayer, bob: MailPlayer, tmp_path: Path
) -> None:
    """Both play from the file in their letter; the people count by email, and agree."""
    number = begin(alice, bob, "9x9 komi 6.5")
    black, white = by_file(alice, tmp_path), by_file(bob, tmp_path)
    with Gui(black) as quarry:
        speak(ADDED, quarry=quarry)
    with ExitStack() as open_programs:
        quarry = open_programs.enter_context(Gui(black))
        first = Gui(white)
        speak(PLAYED, quarry=quarry, qgo=first)
        first.kill()  # qGo never says goodbye
        speak(STARTED_ANEW, quarry=quarry, qgo=open_programs.enter_context(Gui(white)))
    for player in (alice, bob):
        player.expect("scoring-started")
        player.agree()
    assert alice.expect("finished")
    game = daemon.game(number)
    assert (game["phase"], game["result"]) == ("finished", "W+6.5")
