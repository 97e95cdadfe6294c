"""Letters in a real browser: nothing is cut off, and every point can be clicked or tapped.

Chromium renders the letters in frames of several screen widths; a script measures them and hits
every visible link.
"""

import json
import re
import subprocess
from dataclasses import replace
from functools import cache
from html import escape, unescape
from pathlib import Path
from typing import Any

import pytest

from godaemon.games import commands as cmd
from godaemon.games.model import Seat
from godaemon.games.notices import Kind, Notice
from godaemon.games.player_settings import Profile
from godaemon.rules.points import Size, parse_point
from godaemon.texts.catalogue import languages
from tests.support import peers, places
from tests.support.contrast import contrast
from tests.support.mailgame import recorded
from tests.support.mailto import board_clicks
from tests.support.played_games import PlayedGames, PostedLetter
from tests.support.waiting import PATIENCE

pytestmark = pytest.mark.peer("chromium")

WIDTHS = (320, 360, 412, 1200)
CELLS = {320: 14, 360: 16, 412: 18, 1200: 26}
"""How large a point of a 19x19 board is at least, in CSS pixels."""
URL = "https://example.org/" + "anaddresswithoutanyblank" * 6
MEASURE = (places.ROOT / "tests/wire/measure.js").read_text("utf-8")


@cache
def letters() -> dict[str, str]:
    """The HTML of letters of a game that is played, counted and over, and of an invitation."""
    games = PlayedGames()
    games.propose("alice", cmd.Propose("bob@players.example", Size(19, 19)))
    games.act(Seat.PROPOSER, cmd.Yes())
    found = {one.kind: one.html for one in games.letters()}
    games.act(Seat.INVITED, cmd.Yes())
    moves = [str(move.point) for move in recorded("counted-1").moves if move.point is not None]
    games.play(" ".join(moves[:150]))
    games.letters()
    games.act(games.mover(), cmd.Play(parse_point(moves[150])), cmd.Say(f"{URL}\n囲碁"))
    found |= {one.kind: one.html for one in games.letters()}
    games.play(" ".join([*moves[151:], "pass", "pass"]))
    games.letters()
    games.act(Seat.WHITE, cmd.Mark((parse_point("B16"), parse_point("J10")), dead=True))
    found |= {one.kind: one.html for one in games.letters()}
    other = "margaretha.wigglesworth-cholmondeley@x.example"
    games.propose("alice", cmd.Propose(other, Size(19, 19)))
    games.act(Seat.PROPOSER, cmd.Yes(), game=2)
    games.queue_list("alice")
    found |= {one.kind: one.html for one in games.letters()}
    games.queue(Notice(Kind.SETTINGS, "alice@players.example"))
    (settings,) = games.letters()
    for language in languages():
        wrote = PostedLetter(
            replace(settings.data, reader=Profile(language=language)), settings.composer
        )
        found[f"settings, {language}"] = wrote.html
    games.act(Seat.BLACK, cmd.Done())
    games.act(Seat.WHITE, cmd.Done())
    return found | {one.kind: one.html for one in games.letters()}


def measured(folder: Path, pages: dict[str, str], *settings: str) -> list[dict[str, Any]]:
    """What Chromium finds of each letter at each width."""
    frames = "\n".join(
        f'<iframe title="{name}" width="{width}" height="800" style="border:0"'
        f' srcdoc="{escape(page)}"></iframe>'
        for name, page in pages.items()
        for width in WIDTHS
    )
    script = f"<script>onload = () => {{ {MEASURE} }}</script>"
    host = folder / "letters.html"
    host.write_text(f'<!DOCTYPE html><meta charset="utf-8"><body>{frames}{script}', "utf-8")
    command = [
        *(peers.find("chromium"), "--headless", "--no-sandbox", "--disable-gpu"),
        *("--disable-dev-shm-usage", f"--user-data-dir={folder / 'profile'}", "--dump-dom"),
        *(*settings, host.as_uri()),
    ]
    ran = subprocess.run(command, capture_output=True, timeout=PATIENCE, check=True)
    dumped = re.search(r"<body>(.*)</body>", ran.stdout.decode(), re.DOTALL)
    assert dumped is not None, ran.stderr.decode()[-2000:]
    return list(json.loads(unescape(dumped[1])))


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """All letters in light."""
    return measured(tmp_path_factory.mktemp("light"), letters())


@pytest.mark.slow
def test_no_letter_is_wider_than_the_screen(found: list[dict[str, Any]]) -> None:
    """Neither a long word nor the board makes it scroll sideways."""
    assert {one["name"] for one in found} >= {
        "invitation",
        "your-turn",
        "marks-changed",
        "finished",
    }
    assert [one["width"] for one in found] == [*WIDTHS] * len(letters())
    assert not [(one["name"], one["width"]) for one in found if one["over"] > 0 or one["cut"]]


@pytest.mark.slow
def test_tables_break_no_word(found: list[dict[str, Any]]) -> None:
    """Only hyphenated names, Japanese and Chinese may break."""
    assert "games" in letters()
    broken = [one for one in found if one["broken"] and not one["name"].endswith((", ja", ", zh"))]
    assert not [(one["name"], one["width"], one["broken"]) for one in broken]


@pytest.mark.slow
def test_the_link_of_a_point_fills_its_cell(found: list[dict[str, Any]]) -> None:
    """A click anywhere in a cell hits its point."""
    for one in found:
        assert len(one["hits"]) == len(board_clicks(letters()[one["name"]]))
        least = CELLS[one["width"]]
        for hit in one["hits"]:
            assert hit["hit"]
            assert round(hit["wide"]) >= least
            assert round(hit["high"]) >= least
    assert sum(len(one["hits"]) > 150 for one in found) >= 2 * len(WIDTHS)


@pytest.mark.slow
def test_buttons_are_large_enough_for_a_thumb(found: list[dict[str, Any]]) -> None:
    """WCAG 2.2, 2.5.8 asks for 24 pixels; ours have 36."""
    heights = [height for one in found for height in one["buttons"]]
    assert len(heights) >= 6 * len(WIDTHS)
    assert min(heights) >= 36


def test_links_are_legible_in_dark_mode(tmp_path: Path) -> None:
    """Their contrast on the dark background is at least 4.5."""
    turn = {"your-turn": letters()["your-turn"]}
    for one in measured(tmp_path, turn, "--blink-settings=preferredColorScheme=0"):
        assert "dark" in one["paper"]
        ink = "#" + bytes(map(int, re.findall(r"\d+", one["link"])[:3])).hex()
        assert contrast(ink, "#121212") >= 4.5
