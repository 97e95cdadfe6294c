"""`godaemon gtp` beside a daemon: a free board that the daemon keeps, and that outlives it.

If the daemon goes away, this process replays the board's commands and plays on by itself; when the
daemon is back, it is given the board again. Imports only the client, to start quickly: the modules
of a board are loaded when the daemon has gone.
"""

from __future__ import annotations

import socket
import threading
from contextlib import suppress

from gtp.client.connect import CHUNK, ConnectionRefused, Encrypted, NotNow, Unix, dial
from gtp.client.relay import FAREWELL_SECONDS, Relay, hang_up
from gtp.client.resend import CHANGES, Conversation, Unanswered
from gtp.client.syntax import GOODBYE, Arguments, ByBoard, parse


def run(path: str, number: int | None = None) -> int:
    """Serve a new board of the daemon at `path`, or board `number`; returns the exit status."""
    address, talk = Unix(path), BoardTalk()

    def _reach() -> Encrypted | socket.socket:
        again = 0 if talk.begun else None
        place = again if number is None else number
        link = dial(address, b"" if place is None else ByBoard(place).line())
        if number is not None and not talk.begun:
            talk.begin(_recorded(link))
        return link

    return BoardRelay(talk, address, _reach).run()


_EACH = {b"kata-set-rule", b"kata-set-param", b"time_left"}
"""Settings with a key as first argument: the last command for each key counts."""


class BoardTalk(Conversation):
    """A controller's talk with a free board; it remembers the commands that rebuild the board."""

    begun = False

    def begin(self, record: bytes) -> None:
        """The board has been played on before; this command loads its record."""
        self._done = [(0, record)]

    def resend(self) -> bytes:
        """The commands that rebuild the board; none on the first connection, which has it."""
        if self.begun:
            return super().resend()
        done, self._done, self.begun = self._done, [], True
        sent = super().resend()
        self._done = done
        return sent

    def give_up_waiting(self) -> bytes:
        """Nothing: a stand-in board answers soon, so no command need be given up."""
        return b""

    def refuse(self, _: str) -> bytes:
        """Nothing: the unanswered commands are dropped without an answer."""
        self._unanswered.clear()
        return b""

    def _ask(self, line: bytes) -> bytes:
        request = parse(line)
        if request is not None and request.name == "loadsgf":  # the file is on our side
            label = "" if request.id is None else f"{request.id} "
            line = f"{label}loadsgf {' '.join(_packed(request.arguments))}".encode()
        return super()._ask(line)

    def _note(self, command: Unanswered, text: str) -> None:
        change = CHANGES.get(command.name)
        if change in {"record", "size", "board"}:
            self._forget_stones(of_size=change != "board")
        if command.name == "place_free_handicap":  # the points are our choice
            command = command._replace(words=b"set_free_handicap " + text.encode())
        if change in {"record", "size", "board", "settings"}:
            self._done.append((command.serial, command.words))
        else:
            super()._note(command, text)

    def _forget_stones(self, *, of_size: bool) -> None:
        """Drop the commands that set stones, and all but the last one of each setting.

        `of_size` drops those that set the size, too. A record stays: it sets komi and rules.
        """
        kept: dict[tuple[bytes, ...], tuple[int, bytes]] = {}
        for serial, words in self._done:
            name, *arguments = words.split()
            change = CHANGES[name.decode()]
            if change in {"record", "settings"} or (change == "size" and not of_size):
                key = (name, *arguments[: name in _EACH])
                kept.pop(key, None)
                kept[key] = serial, words
        self._done = [*kept.values()]


def _packed(arguments: Arguments) -> Arguments:
    """The arguments of `loadsgf` with what is in the file in place of its name."""
    from godaemon.errors import Refusal, Unreadable  # noqa: PLC0415 - few sessions load a file
    from gtp.argument_readers import file_name  # noqa: PLC0415
    from gtp.board.game_file import pack, read_file  # noqa: PLC0415

    try:
        name, more = file_name(arguments)
        return (pack(read_file(name)), *more)
    except Unreadable:
        return ()
    except Refusal:
        return ("-",)


class BoardRelay(Relay):
    """A relay in which a board of this process stands in for a daemon that is away."""

    _standing_in: tuple[Encrypted | socket.socket, threading.Thread] | None = None

    def _lost(self, fault: Exception) -> bool:
        if isinstance(fault, ConnectionRefused) and not self._known:
            return super()._lost(fault)
        if self._standing_in is None:
            link = _stand_in()
            self._known = True
            self._standing_in = link, super()._take_up(link)
        return False

    def _take_up(self, link: Encrypted | socket.socket) -> threading.Thread:
        if self._standing_in is not None:
            (stand_in, hearing), self._standing_in = self._standing_in, None
            hang_up(stand_in)
            hearing.join()
        return super()._take_up(link)

    def _part(self) -> None:
        """Say goodbye; if the daemon has just come back, give it the board first."""
        if self._standing_in is not None or self._talk.replaying:
            with suppress(OSError, ConnectionRefused):
                link = self._reach()
                link.settimeout(FAREWELL_SECONDS)
                self._talk.end()
                link.sendall(self._talk.resend())
                while link.recv(CHUNK):
                    pass
        super()._part()


def _stand_in() -> socket.socket:
    """A connection to a new board of this process."""
    from gtp.board.board_session import BoardSession  # noqa: PLC0415 - see above
    from gtp.board.stdio import run as serve  # noqa: PLC0415

    class StandIn(BoardSession):
        """A session that ends when its controller says goodbye, as a daemon's does."""

        def answer(self, line: bytes) -> bytes:
            """The answer to a line; nothing more is read after a goodbye."""
            self.over |= line == GOODBYE
            return super().answer(line)

    ours, theirs = socket.socketpair()

    def _board() -> None:
        with (
            suppress(OSError),  # the daemon is back, and our answer is no longer wanted
            theirs,
            theirs.makefile("rb") as asked,
            theirs.makefile("wb") as answered,
        ):
            serve(asked, answered, session=StandIn())

    threading.Thread(target=_board, daemon=True).start()
    return ours


def _recorded(link: Encrypted | socket.socket) -> bytes:
    """The `loadsgf` command that rebuilds a board, from the record that its daemon sends."""
    from gtp.board.game_file import pack  # noqa: PLC0415 - see above

    link.sendall(b"printsgf\n")
    answer = b""
    while not answer.endswith(b"\n\n"):
        data = link.recv(CHUNK)
        if not data:
            raise NotNow("the daemon closed the connection")
        answer += data
    return b"loadsgf " + pack(answer.removeprefix(b"=").strip()).encode()
