"""The engines: our own, GNU Go if installed, and the operator's."""

import sys
from pathlib import Path

import pytest

from godaemon.config.loading import parse
from godaemon.daemon import engine_roster
from godaemon.daemon.engine_roster import EngineRoster, roster_of
from godaemon.engine.levels import LEVELS
from godaemon.errors import Unknown
from godaemon.games.commands import Propose
from godaemon.texts.catalogue import sentence_from_json, speaking


def read(text: str, path: str = "/nowhere") -> EngineRoster:
    """The engines of a configuration; programs are found in the path."""
    engines = parse(text, "text", {"STATE_DIRECTORY": "/var/lib/godaemon"}).engines
    return roster_of(engines, {"PATH": path})


@pytest.fixture(autouse=True)
def _no_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the programs of the machine that runs the tests out of them."""
    monkeypatch.setattr(engine_roster, "GAMES_FOLDER", "/nowhere")


@pytest.fixture
def gnugo(tmp_path: Path) -> Path:
    """A program by the name of gnugo."""
    program = tmp_path / "gnugo"
    program.touch(mode=0o755)
    return program


def test_our_own_engine_plays_by_default() -> None:
    """At every level, on every board that GTP has names for."""
    found = read("")
    levels = [f"house{level.number}" for level in LEVELS]
    assert list(found.programs) == ["house", *levels] == list(found.roster.names)
    command = (sys.executable, "-m", "godaemon", "gtp", "--level", "10")
    assert found.programs["house10"].command == command
    assert found.programs["house10"].seconds > LEVELS[-1].seconds
    assert all(entrant.largest == 25 for entrant in found.roster.entries)
    assert found.roster.games_per_player == 20


def test_our_engine_gets_the_configured_network(tmp_path: Path) -> None:
    """At every level, by its command, and may read the file."""
    found = read('[engines]\nnetwork = "/srv/large.bin.gz"')
    for name in ("house", "house1", "house10"):
        assert found.programs[name].command[-2:] == ("--network", "/srv/large.bin.gz")


def test_gnugo_is_found_in_the_path(gnugo: Path) -> None:
    """If it is installed, it can be invited."""
    found = read("", str(gnugo.parent))
    assert found.programs["gnugo"].command[0] == str(gnugo)
    assert found.roster.names[0] == "gnugo"


def test_configured_engines_come_first(gnugo: Path) -> None:
    """They replace ours of the same name."""
    text = (
        "[engines.kata]\ncommand = ['katago', 'gtp']\nlargest = 13\nmemory_mib = 0\n"
        "note = 'strong'\n"
        "[engines.gnugo]\ncommand = ['gnugo', '--level', '1']\nseconds = 5\nstrikes = 7\n"
        f"[engines.house1]\ncommand = ['{gnugo}', '--house']\n"
    )
    (gnugo.parent / "katago").touch(mode=0o755)
    found = read(text, str(gnugo.parent))
    assert found.roster.names[:4] == ("kata", "gnugo", "house1", "house")
    assert found.programs["kata"].command == (str(gnugo.parent / "katago"), "gtp")
    assert found.programs["kata"].memory_mib == 0
    assert found.roster.entries[0].note == "strong"
    assert found.roster.entries[0].largest == 13
    assert found.programs["gnugo"].command == (str(gnugo), "--level", "1")
    assert (found.programs["gnugo"].seconds, found.programs["gnugo"].strikes) == (5, 7)
    assert found.programs["house1"].command == (str(gnugo), "--house")


def test_a_missing_engine_is_not_offered() -> None:
    """Its games wait for it."""
    found = read("[engines.kata]\ncommand = ['katago']\n[engines.house2]\ncommand = ['/opt/x']")
    assert {"kata", "house2"} <= found.programs.keys()
    assert not {"kata", "house2"} & {*found.roster.names}
    with pytest.raises(Unknown, match="called “kata” plays here"):
        found.roster.check(Propose("engine:kata"))


def test_help_lists_the_range_of_levels(gnugo: Path) -> None:
    """Not every level; in the reader's language."""
    rows = read(f"[engines.kata]\ncommand = ['{gnugo}']").roster.help_rows
    assert [name for name, _ in rows] == ["kata", "house", "house1", "house10"]
    with speaking("de"):
        notes = [sentence_from_json(note) for _, note in rows]
    assert notes[:2] == [
        "ein Programm, das hier eingerichtet ist",
        "unser eigenes Programm auf Stufe 3 von 10",
    ]
