"""Engines as opponents in a real daemon: by mail, at a GUI, and misbehaving."""

import json
import os
import random
import signal
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
from tests.support import peers, places
from tests.support.daemon import LiveDaemon
from tests.support.gui import Gui
from tests.support.leftovers import is_alive
from tests.support.letters import plain
from tests.support.mailgame import begin
from tests.support.players import MailPlayer
from tests.support.waiting import PATIENCE, until

FAKE = places.FAKE_ENGINE
GNUGO = pytest.mark.peer("gnugo")
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
    """The log lines of an event."""
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
        pytest.param("9x9 as black vs gnugo", "japanese", marks=GNUGO),
        pytest.param("9x9 as white rules chinese vs gnugo", "chinese", marks=GNUGO),
        ("9x9 as black vs house1", "japanese"),
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


@pytest.mark.peer("gnugo")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
@pytest.mark.slow
def test_a_killed_or_hung_engine_is_replaced(tmp_path: Path, how: signal.Signals) -> None:
    """The game continues with another process; the deadline ends a hung one."""
    command = json.dumps([peers.find("gnugo"), "--mode", "gtp", "--level", "1"])
    seconds = 5 if how is signal.SIGSTOP else PATIENCE
    with served(tmp_path, f"[engines.gnugo]\ncommand = {command}\nseconds = {seconds}\n") as live:
        alice = live.person("Alice")
        number = start_game(alice, "9x9 as black vs gnugo")
        for count, move in enumerate(("A1", "J9", "A9"), start=1):  # GNU Go plays elsewhere
            alice.reply(move)
            alice.expect("your-turn")
            until(lambda count=count: len(engine_pids(live)) == count, "it has started")  # type: ignore[misc]
            os.killpg(engine_pids(live)[-1], how)  # with its keeper
        assert live.game(number)["move_number"] == 6
    strikes = logged(live, "engine.strike")
    assert len(strikes) == (2 if how is signal.SIGSTOP else 0)
    assert all("in time" in strike["detail"] for strike in strikes)


@pytest.mark.parametrize("mode", ["dies", "forks"])
@pytest.mark.slow
def test_an_engine_resigns_after_its_strikes(tmp_path: Path, mode: str) -> None:
    """The opponent gets the reason; the engine has made no move."""
    with served(tmp_path, faulty(mode, seconds=1.5 if mode == "forks" else PATIENCE)) as live:
        alice = live.person("Alice")
        number = start_game(alice, "9x9 as black vs fake")
        alice.reply("C3")
        letter = plain(alice.expect("finished"))
        assert "fake wrote:" in letter
        assert "my fault, not yours" in letter
        shown = live.game(number)
        assert (shown["result"], shown["move_number"]) == ("B+R", 1)
    assert [line["strike"] for line in logged(live, "engine.strike")] == [1, 2]


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


def test_a_daemon_killed_in_mid_thought_asks_again(tmp_path: Path) -> None:
    """The move is requested at the next start, and played once."""
    once = ("--once", str(tmp_path / "once" / "failed"))
    with served(tmp_path, faulty("hangs", "E5", *once, seconds=600)) as live:
        alice = live.person("Alice")
        number = start_game(alice, "9x9 as black vs fake")
        alice.reply("C3")
        until((tmp_path / "once" / "failed").exists, "the engine thinks")
        live.kill()
        left = engine_pids(live)
        live.start()
        alice.expect("your-turn")
        assert live.game(number)["move_number"] == 2
        assert not any(map(is_alive, left)), "what was left, hanging, was ended at the start"
        assert alice.kinds().count("your-turn") == 1


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


@pytest.mark.slow
def test_an_engine_resumes_a_disputed_count_once(tmp_path: Path) -> None:
    """The engine marks missing stones, resumes, and then accepts the opponent's marks."""
    moves = "C7,D7,pass,pass,dead=D7"
    with served(tmp_path, faulty("well", moves)) as live:
        alice = live.person("Alice")
        number = start_game(alice, "9x9 as black vs fake")
        for move in ("C3", "D3", "pass"):
            alice.reply(move)
            next_kind(alice)
        alice.reply("alive D7 only\ndone")
        marked = alice.expect("marks-changed")
        assert "the 2 white stones at C7" in plain(marked)
        alice.reply("alive D7 only\ndone")
        resumed = alice.expect("your-turn")
        assert "fake wrote:" in plain(resumed)
        assert "I think the stones at" in plain(resumed)
        alice.reply("pass")
        for kind in ("scoring-started", "marks-changed"):
            alice.expect(kind)
            alice.reply("alive D7 only\ndone")
        alice.expect("finished")
        assert live.game(number)["phase"] == "finished"


def test_propose_asks_the_opinion_engine(tmp_path: Path) -> None:
    """In a game of two people, who never play against it."""
    with served(tmp_path, f"[engines]\nopinion = 'fake'\n{faulty('well', 'dead=E5')}") as live:
        alice, bob = live.person("Alice"), live.person("Bob")
        begin(alice, bob, "9x9")
        for mover, move in ((alice, "E5"), (bob, "C3"), (alice, "pass"), (bob, "pass")):
            mover.reply(move)
            other = bob if mover is alice else alice
            other.expect("scoring-started" if other is alice and move == "pass" else "your-turn")
        alice.reply("propose")
        letter = plain(alice.expect("estimate"))
        assert "This is the opinion of fake, a program that plays here." in " ".join(letter.split())
        assert "Reply with: dead E5" in letter
    assert {one["engine"] for one in logged(live, "engine.started")} == {"fake"}
