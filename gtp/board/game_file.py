"""The game on a free board as a record, and SGF files. Imported on first use."""

import base64
import zlib
from pathlib import Path

from godaemon.errors import Refusal
from godaemon.records.record import Record
from godaemon.records.sgf_read import MAX_FILE
from godaemon.rules.named_rulesets import sgf_ruleset
from godaemon.rules.points import Color
from gtp.board.free_board import CANNOT_LOAD, FreeBoard


def record_of(board: FreeBoard) -> Record:
    """The game as a record: setup, moves, komi, rules."""
    position = board.position
    first = position.moves[0].color if position.moves else position.to_move
    default = Color.WHITE if board.handicap else Color.BLACK
    set_up = not board.handicap and (position.handicap or position.set_up_white)
    return Record(
        size=board.size,
        komi=board.komi,
        handicap=board.handicap,
        rules=sgf_ruleset(board.ruleset),
        setup_black=position.handicap,
        setup_white=position.set_up_white,
        to_move=None if first is default and not set_up else first,
        moves=position.moves,
    )


def is_same_game(one: Record, other: Record) -> bool:
    """True if one record is the beginning of the other."""
    one_setup, other_setup = (
        (record.size, {*record.setup_black}, {*record.setup_white}) for record in (one, other)
    )
    shorter = min(len(one.moves), len(other.moves))
    return one_setup == other_setup and one.moves[:shorter] == other.moves[:shorter]


def read_file(name: str) -> bytes:
    """The content of an operator's file, up to the size limit; raises `Refusal`."""
    file = Path(name)
    try:
        if not file.is_file():
            raise Refusal(f"{CANNOT_LOAD}: {name} is no file")
        with file.open("rb") as opened:
            return opened.read(MAX_FILE + 1)
    except (OSError, ValueError) as fault:
        raise Refusal(f"{CANNOT_LOAD}: {name} cannot be read", detail=str(fault)) from fault


def pack(data: bytes) -> str:
    """Pack a file into one word, so that a program can send it to the daemon."""
    return base64.b64encode(zlib.compress(data)).decode("ascii")


def unpack(word: str) -> bytes:
    """Unpack the file in a word; raises `Refusal`."""
    try:
        packed = base64.b64decode(word, validate=True)
        return zlib.decompressobj().decompress(packed, MAX_FILE + 1)
    except (ValueError, zlib.error) as fault:
        raise Refusal(CANNOT_LOAD, detail=str(fault)) from fault
