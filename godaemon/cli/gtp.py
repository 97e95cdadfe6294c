"""`godaemon gtp`: what a GUI starts as its engine."""

from __future__ import annotations

import os
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from godaemon.cli import EXIT_UNAVAILABLE, EXIT_USAGE
from godaemon.cli.common import Config, settings

if TYPE_CHECKING:
    from gtp.client.connect import Tcp
    from gtp.client.handshake import Greeting

KEY = "GODAEMON_KEY"
"""Where the key can stand, so that it is in no list of processes."""


class Colour(StrEnum):
    """A seat, in words."""

    BLACK = "black"
    WHITE = "white"


def gtp(  # noqa: PLR0917 - one for each option
    game: Annotated[
        int | None, typer.Option("--game", metavar="N", min=1, help="Sit down at this game.")
    ] = None,
    color: Annotated[Colour | None, typer.Option("--as", help="The seat to take in it.")] = None,
    connect: Annotated[
        str | None,
        typer.Option("--connect", metavar="HOST:PORT", help="Reach a godaemon elsewhere."),
    ] = None,
    key: Annotated[
        str | None,
        typer.Option("--key", metavar="KEY", help=f"The key to a seat (else ${KEY})."),
    ] = None,
    key_file: Annotated[
        Path | None,
        typer.Option("--key-file", metavar="FILE", help="A file with the key in it."),
    ] = None,
    tls: Annotated[
        bool | None,
        typer.Option("--tls/--no-tls", help="Encrypt (default: unless it is this machine)."),
    ] = None,
    ca: Annotated[
        Path | None,
        typer.Option("--ca", metavar="FILE", help="Whom to believe who it is (else all usual)."),
    ] = None,
    level: Annotated[
        int | None,
        typer.Option("--level", metavar="N", min=1, max=10, help="Our player's, without a daemon."),
    ] = None,
    kgs_chat: Annotated[
        bool, typer.Option("--kgs-chat", help="Know the command kgs-chat, without a daemon.")
    ] = False,
    board: Annotated[
        int | None,
        typer.Option("--board", metavar="N", min=1, help="Take up this board (godaemon boards)."),
    ] = None,
    config: Config = None,
) -> None:
    """Speak GTP on standard input and output: an engine on a free board, or a seat in a game.

    A seat is kept when the connection breaks: it is taken up again where it was.
    """
    if (game is None) != (color is None):
        _misused("--game N and --as black|white go together.")
    shown = _key(key, key_file, wanted=connect is not None)
    if game is not None and (shown or connect):
        _misused("--game and --as are for this machine's own godaemon; --key says both elsewhere.")
    if (level is not None or kgs_chat) and (game is not None or shown or connect):
        _misused("--level and --kgs-chat are for a board without a game.")
    if board is not None and (game is not None or shown or connect or level is not None):
        _misused("--board N stands alone.")
    if connect is None and (tls is not None or ca is not None):
        _misused("--tls and --ca are for --connect HOST:PORT.")
    if level is not None or kgs_chat:
        from godaemon.cli.quick import own_board

        raise typer.Exit(own_board(level, kgs_chat=kgs_chat))
    if connect is not None:
        raise typer.Exit(_sit_elsewhere(connect, shown, tls=tls, ca=ca))
    seat = _greeting(game, color, shown)
    raise typer.Exit(_here(config, seat, board))


def _misused(why: str) -> NoReturn:
    typer.echo(f"godaemon gtp: {why}", err=True)
    raise typer.Exit(EXIT_USAGE)


def _key(key: str | None, file: Path | None, *, wanted: bool) -> str:
    """The key, from wherever it is; the environment is only asked where one is needed."""
    if key is not None and file is not None:
        _misused("--key and --key-file say the same: give one.")
    if file is not None:
        try:
            key = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as fault:
            _misused(f"the key in {file} cannot be read: {fault}.")
    return (key or (os.environ.get(KEY, "") if wanted else "")).strip()


def _sit_elsewhere(connect: str, key: str, *, tls: bool | None, ca: Path | None) -> int:
    from gtp.client import relay
    from gtp.client.handshake import ByKey

    if not key:
        _misused(
            f"a seat elsewhere needs its key: --key KEY, --key-file FILE, or ${KEY}. Answer a"
            " letter of your game with gui to get one."
        )
    address = _address(connect, tls=tls, ca=ca)
    return relay.run(address, ByKey(key), sys.stdin.buffer, sys.stdout.buffer)


def _address(connect: str, *, tls: bool | None, ca: Path | None) -> Tcp:
    from gtp.client.connect import Tcp, is_local, read_address

    try:
        host, port = read_address(connect)
    except ValueError as fault:
        _misused(f"{fault}; write --connect go.example.org:7000.")
    if ca is not None and not ca.is_file():
        _misused(f"there is no file {ca}.")
    encrypted = not is_local(host) if tls is None else tls
    return Tcp(host, port, tls=encrypted, ca=str(ca) if ca else None)


def _greeting(game: int | None, color: Colour | None, key: str) -> Greeting | None:
    """The seat that is wanted of the daemon here; None for a free board."""
    from gtp.client.handshake import ByKey, BySeat

    if key:
        return ByKey(key)
    return BySeat(game, color.value) if game is not None and color is not None else None


def _here(config: Path | None, seat: Greeting | None, board: int | None) -> int:
    """Sit down, or have a free board, at this machine's own daemon; without it, a free board."""
    from godaemon.config.config_file import gtp_socket
    from godaemon.control import control_client as control

    socket = gtp_socket(config, os.environ) or settings(config).gtp.socket
    if control.running(socket):
        from gtp.client import relay
        from gtp.client.connect import Unix
        from gtp.client.handshake import ByBoard

        wanted = ByBoard(board) if board is not None else seat
        return relay.run(Unix(socket), wanted, sys.stdin.buffer, sys.stdout.buffer)
    if seat is not None or board is not None:
        what = "no board to take up" if seat is None else "no game to sit down at"
        typer.echo(
            f"godaemon gtp: no daemon runs here, so there is {what};"
            " start one with `godaemon serve`.",
            err=True,
        )
        return EXIT_UNAVAILABLE
    from gtp.board import stdio

    return stdio.run(sys.stdin.buffer, sys.stdout.buffer)
