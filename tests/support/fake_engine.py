"""A GTP engine that misbehaves as its first argument says.

    python fake_engine.py MODE [MOVES] [--once FILE]

It answers genmove with the next of MOVES ("C3,D4,pass"), then passes, and final_status_list with
the `dead=` points of MOVES. With --once it misbehaves only if FILE does not exist, and creates it.
It appends every line that it reads to the file `heard` in its working folder.
"""

import contextlib
import os
import subprocess
import sys
import threading
from pathlib import Path

COMMANDS = [
    *("protocol_version", "name", "version", "list_commands", "boardsize", "clear_board", "komi"),
    *("play", "genmove", "final_status_list", "set_free_handicap", "quit"),
]


def main() -> None:
    mode, words = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""
    once = Path(sys.argv[4]) if len(sys.argv) > 4 else None
    if once is not None and once.exists():
        mode = "well"
    answers = [word for word in words.split(",") if word and not word.startswith("dead=")]
    dead = [word.removeprefix("dead=") for word in words.split(",") if word.startswith("dead=")]
    if mode == "noise":
        say("Loading a network ...\n== ready ==\n\nWarning: = is not ?\n")
    if mode == "mute":
        threading.Event().wait()
    Engine(mode, answers, dead, once).serve()


class Engine:
    """Plays the given answers; at a genmove it calls the method named like its mode, if any."""

    def __init__(self, mode: str, answers: list[str], dead: list[str], once: Path | None) -> None:
        self.mode, self.answers, self.dead, self.once = mode, answers, dead, once

    def serve(self) -> None:
        """Answer each line until quit or end of file."""
        for line in sys.stdin:
            with contextlib.suppress(FileNotFoundError), Path("heard").open("a") as heard:
                heard.write(line)
            number, _, command = line.strip().partition(" ")
            name, _, rest = command.partition(" ")
            self.reply(number, *self.answer(name, rest))
            if name == "quit":
                return

    def reply(self, number: str, sign: str, text: str) -> None:
        """Write a response, formatted as the mode says."""
        label = "" if self.mode in {"no-id", "noise"} else number
        end = "\r\n" if self.mode == "noise" else "\n"
        blank = "" if self.mode == "tight" else " "
        if self.mode == "noise":
            say("thinking ...\r\n")
        say(f"{sign}{label}{blank}{text}{end}{end}")

    def answer(self, name: str, rest: str) -> tuple[str, str]:
        """The sign and text of the response to a command."""
        if name == "list_commands":
            without = {"final_status_list"} if self.mode == "no-status" else set()
            extra = ["kgs-genmove_cleanup", "kata-set-rules"] if self.mode == "clever" else []
            return "=", "\n".join([*(one for one in COMMANDS if one not in without), *extra])
        if name == "final_status_list":
            return self.status()
        if name in {"genmove", "kgs-genmove_cleanup"}:
            self.misbehave()
            move = self.answers.pop(0) if self.answers else "pass"
            return "=", move.lower() if self.mode == "noise" else move
        if name == "play" and self.mode == "stubborn":
            return "?", "illegal move"
        return "=", ""

    def status(self) -> tuple[str, str]:
        if self.mode == "no-status":
            return "?", "unknown command"
        if self.mode == "dies-scoring":
            os._exit(1)
        return "=", "\n".join(self.dead)

    def misbehave(self) -> None:
        """Carry out the mode before a genmove is answered."""
        if self.once is not None and self.mode != "well":
            with contextlib.suppress(FileExistsError):
                self.once.touch(exist_ok=False)
        getattr(self, self.mode, lambda: None)()

    def dies(self) -> None:
        os._exit(3)

    def hangs(self) -> None:
        threading.Event().wait()

    def slow(self) -> None:
        threading.Event().wait(0.5)

    def gated(self) -> None:
        Path("asked").touch()
        while not Path("go").exists():
            threading.Event().wait(0.01)

    def forks(self) -> None:
        child = subprocess.Popen(["sleep", "1000"])
        Path("child").write_text(str(child.pid), encoding="utf-8")
        threading.Event().wait()

    def nonsense(self) -> None:
        self.answers.insert(0, "I resign myself to my fate")

    def illegal(self) -> None:
        self.answers.insert(0, "Z25")

    def floods(self) -> None:
        while True:
            say("x" * 1000 + "\n")

    def grumbles(self) -> None:
        sys.stderr.write(("y" * 1000 + "\n") * 2000)


def say(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


if __name__ == "__main__":
    main()
