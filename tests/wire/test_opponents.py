"""Engines as opponents in a real daemon: by mail, at a GUI, and misbehaving."""

import json
import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from godaemon.engine import fallback
from godaemon.rules.named_rulesets import parse_ruleset
from godaemon.rules.points import Color, Size, parse_point
from godaemon.rules.position import Position
from tests.support import places
from tests.support.daemon import LiveDaemon
from tests.support.gui import Gui
from tests.support.leftovers import is_alive
from tests.support.letters import plain
from tests.support.players import MailPlayer
from tests.support.waiting import PATIENCE, until

FAKE = places.FAKE_ENGINE
ENDS = ("your-turn", "scoring-started", "finished")


def faulty(mode: str, moves: str = "", *more: str, seconds: float = PATIENCE) -> str:
    """The configuration of an engine that misbehaves."""
    command = [sys.executable, "-S", FAKE, mode, moves, *more]
    write = [str(Path(file).parent) for file in more[1:]]  # where it records that it misbehaved
    for folder in write:
        Path(folder).mkdir()
    return (
        f"[engines.fake]\ncommand = {json.dumps(command)}\nseconds = {seconds}\n"
        f"strikes = 2\nwrite = {json.dumps(write)}\n"
    )


@contextmanager
def served(folder: Path, extra: str = "") -> Iterator[LiveDaemon]:
    """A daemon with engines; afterwards none of their processes may be left."""
    with LiveDaemon(folder, extra) as live:
        yield live
    assert '"level": "error"' not in live.log()
    assert not any(is_alive(pid) for pid in engine_pids(live))


def start_game(alice: MailPlayer, terms: str) -> int:
    """Start a game of Alice against an engine; returns its number."""
    alice.write(f"new {terms}")
    letter = alice.expect("confirm")
    assert "a program that plays here" in " ".join(plain(letter).split())
    alice.reply("yes")
    return int(str(alice.expect("started")["X-Godaemon-Game"]))


def logged(live: LiveDaemon, event: str) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in live.log().splitlines() if line.startswith("{")]
    return [line for line in lines if line.get("event") == event]


def engine_pids(live: LiveDaemon) -> list[int]:
    """The pids of all engine processes, oldest first."""
    return [int(line["pid"]) for line in logged(live, "engine.started")]


def play_to_end(live: LiveDaemon, alice: MailPlayer, number: int, color: Color, rules: str) -> str:
    """Alice answers each turn letter with a move of our own simple player, until play stops."""
    luck, shown = random.Random(number), live.game(number)
    position = Position(Size(shown["width"], shown["height"]), parse_ruleset(rules))
    last = shown["last"]
    while True:
        if last is not None and last.split()[0] != color.word:
            copy_move(position, color.opponent, last.split()[1])
        point = fallback.choose_move(position, color, komi=position.ruleset.komi, rng=luck)
        copy_move(position, color, str(point or "pass"))
        alice.reply(str(point or "pass"))
        kind = next_kind(alice)
        if kind != "your-turn":
            return kind
        last = live.game(number)["last"]


def copy_move(position: Position, color: Color, word: str) -> None:
    """Make a move of the game on Alice's own board."""
    if word == "pass":
        position.pass_(color)
    else:
        position.play(color, parse_point(word))


def next_kind(alice: MailPlayer, kinds: tuple[str, ...] = ENDS) -> str:
    """The kind of the next letter about the progress of a game."""
    found: list[str] = []

    def there() -> bool:
        found[:] = [
            str(letter["X-Godaemon-Notice"])
            for name, letter in alice.letters().items()
            if name not in alice._taken and letter["X-Godaemon-Notice"] in kinds
        ]
        return bool(found)

    until(there, f"a turn, or the end of play; there are {alice.kinds()}")
    alice.expect(found[0])
    return found[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("terms", "rules"),
    [
        pytest.param("9x9 as black vs gnugo", "japanese", marks=pytest.mark.peer("gnugo")),
        ("9x9 as white rules chinese vs house1", "chinese"),
    ],
)
def test_an_engine_plays_a_whole_game_by_mail(tmp_path: Path, terms: str, rules: str) -> None:
    """From the proposal to the agreed score."""
    with served(tmp_path) as live:
        alice = live.person("Alice")
        number = start_game(alice, terms)
        color = Color.BLACK if "black" in terms else Color.WHITE
        name = terms.rsplit(maxsplit=1)[1]
        if color is Color.WHITE:
            alice.expect("your-turn")
        shown = live.game(number)
        assert (shown[color.word], shown[color.opponent.word]) == (alice.address, name)
        if play_to_end(live, alice, number, color, rules) == "finished":
            assert live.game(number)["result"] == f"{'BW'[color is Color.BLACK]}+R"
            return
        alice.agree()
        if next_kind(alice, ("marks-changed", "finished")) == "marks-changed":
            alice.reply("done")
            alice.expect("finished")
        shown = live.game(number)
        assert shown["phase"] == "finished"
        assert shown["result"] is not None
        assert not (live.mail / f"engine:{name}").exists()


def test_an_engine_plays_a_gui(tmp_path: Path) -> None:
    """The engine's move wakes a waiting genmove at once."""
    with served(tmp_path, faulty("well", "E5,G7,pass")) as live:
        number = start_game(live.person("Alice"), "9x9 as black vs fake")
        with Gui(live.gtp("--game", str(number), "--as", "black")) as gui:
            for mine, theirs in (("C3", "E5"), ("C4", "G7"), ("pass", "PASS")):
                gui.ask(f"play black {mine}")
                assert gui.ask("genmove white").upper() == theirs
        assert live.game(number)["phase"] == "scoring"


@pytest.mark.parametrize("mode", ["hangs", "illegal"])
def test_an_engine_that_fails_once_plays_on(tmp_path: Path, mode: str) -> None:
    """A retry makes the move."""
    once = ("--once", str(tmp_path / "once" / "failed"))
    seconds = 5 if mode == "hangs" else PATIENCE
    with served(tmp_path, faulty(mode, "E5", *once, seconds=seconds)) as live:
        alice = live.person("Alice")
        number = start_game(alice, "9x9 as black vs fake")
        alice.reply("C3")
        alice.expect("your-turn")
        assert live.game(number)["last"] == "white E5"
    assert len(logged(live, "engine.strike")) == 1


def test_stopping_does_not_wait_for_an_engine(tmp_path: Path) -> None:
    """SIGTERM ends its processes; the engine moves after the next start."""
    once = ("--once", str(tmp_path / "once" / "failed"))
    with served(tmp_path, faulty("forks", "E5", *once, seconds=600)) as live:
        alice = live.person("Alice")
        number = start_game(alice, "9x9 as black vs fake")
        alice.reply("C3")
        until(lambda: list((tmp_path / "state" / "engines").glob("*/child")) != [], "it thinks")
        assert live.stop() == 0
        assert not any(map(is_alive, engine_pids(live)))
        live.start()
        alice.expect("your-turn")
        assert live.game(number)["last"] == "white E5"
