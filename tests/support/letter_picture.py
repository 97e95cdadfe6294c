"""The picture of a turn email in README.md, a screenshot of its HTML in Chromium.

`python -m tests.support.letter_picture` renders it again after the email's look has changed.
"""

import subprocess
import tempfile
from hashlib import sha256
from pathlib import Path

from PIL import Image, ImageChops
from PIL.PngImagePlugin import PngInfo

from godaemon.games import commands as cmd
from godaemon.games.model import Seat
from godaemon.rules.points import Color, Size, parse_point
from tests.support import peers, places
from tests.support.played_games import PlayedGames, PostedLetter
from tests.support.waiting import PATIENCE

FILE = places.ROOT / "config" / "turn-letter.png"
_WIDTH, _BELOW = 440, 16
"""Width of the picture and margin below the email in CSS pixels; two file pixels each."""


def turn_letter() -> PostedLetter:
    """Alice's turn letter at move 12 of a 9x9 game, with a message from Bob."""
    games = PlayedGames()
    games.start(cmd.Propose("bob@players.example", Size(9, 9), color=Color.BLACK))
    games.play("E5 E3 G4 D6 E6 D5 D4 C4 E4 C3 F3")
    games.letters()
    games.act(Seat.WHITE, cmd.Play(parse_point("E7")), cmd.Say("I did not see F3 coming. Nice!"))
    return next(posted for posted in games.letters() if posted.kind == "your-turn")


def digest() -> str:
    """SHA-256 of the email's HTML; the picture stores it."""
    return sha256(turn_letter().html.encode()).hexdigest()


def drawn_from() -> str:
    """The digest stored in the picture."""
    with Image.open(FILE) as picture:
        return str(picture.info.get("html"))


def draw() -> None:
    """Take a screenshot of the email, crop it, and save it with the digest."""
    with tempfile.TemporaryDirectory() as folder:
        page, shot = Path(folder, "email.html"), Path(folder, "email.png")
        page.write_text(turn_letter().html, encoding="utf-8")
        command = [
            *(peers.find("chromium"), "--headless", "--no-sandbox", "--disable-gpu"),
            *("--hide-scrollbars", "--force-device-scale-factor=2", f"--screenshot={shot}"),
            *(f"--window-size={_WIDTH},2000", f"--user-data-dir={folder}/profile", page.as_uri()),
        ]
        subprocess.run(command, check=True, capture_output=True, timeout=PATIENCE)
        whole = Image.open(shot).convert("RGB")
    box = ImageChops.difference(whole, Image.new("RGB", whole.size, "white")).getbbox()
    assert box is not None
    metadata = PngInfo()
    metadata.add_text("html", digest())
    picture = whole.crop((0, 0, whole.width, box[3] + 2 * _BELOW)).quantize(128)
    picture.save(FILE, optimize=True, pnginfo=metadata)


if __name__ == "__main__":
    draw()
