"""SGF with broken syntax, and with variations."""

import os
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import event, given
from hypothesis import strategies as st
from sgfmill import sgf_grammar

from godaemon.errors import Unreadable
from godaemon.records import sgf_read
from godaemon.records.record import Record
from godaemon.records.sgf import format_sgf, parse_sgf
from godaemon.records.sgf_read import MAX_MOVES
from godaemon.rules.points import Color, Size
from godaemon.texts.catalogue import sentence
from tests.records.test_dialects import DIALECTS, WORDS, as_written
from tests.records.test_sgf import LINES
from tests.support.cost import LONGER, is_in_proportion

WITH_VARIATIONS = (
    "(;FF[4]SZ[9]PB[ann];B[ee]C[centre]LB[ee:A];W[cc](;B[gg];W[gc]N[kept])(;B[gc]TR[cc]"
    "(;W[gg])(;W[ge]C[or so];B[dd])))"
)


def moves(record: Record) -> str:
    """The moves of a record in one line: `E5 C7 -`."""
    return " ".join(str(point or "-") for _, point in record.moves)


@pytest.mark.parametrize("line", LINES["warnings"])
def test_a_broken_file_is_read_with_warnings(line: str) -> None:
    """The readable part is kept, and the warning names the rest."""
    text, played, warning = line.split(" => ")
    warning = sentence("sgf-faulty") if warning == "faulty" else warning
    record = parse_sgf(text.encode())
    assert moves(record) == played
    assert any(one.startswith(warning) for one in record.left_out), record.left_out


@pytest.mark.parametrize("line", LINES["small deviations"])
def test_deviating_files_are_read_completely(line: str) -> None:
    """Small letters, a missing “;”, a property without a value, and moves as people name them."""
    text, played = line.split(" => ")
    record = parse_sgf(text.encode())
    assert (record.size, moves(record)) == (Size(9, 9), played)
    assert set(record.left_out) <= {sentence("sgf-faulty")}


def test_variations_and_marks_are_kept() -> None:
    """Every node, in its place."""
    written = format_sgf(parse_sgf(WITH_VARIATIONS.encode()))
    before, after = (
        sgf_grammar.parse_sgf_game(text.encode()) for text in (WITH_VARIATIONS, written)
    )
    after.sequence[0] = {name: after.sequence[0][name] for name in before.sequence[0]}
    assert shape(after) == shape(before)
    assert "CA[UTF-8]" in written


def shape(tree: sgf_grammar.Coarse_game_tree) -> object:
    """A tree as sgfmill reads it, as lists that can be compared."""
    return tree.sequence, [shape(child) for child in tree.children]


@pytest.mark.parametrize(
    "text",
    [
        WITH_VARIATIONS,
        "(;SZ[9]KM[3.75]AB[cc](;AW[dd];B[ee])(;AW[gg](;B[ee])(;B[ed])))",
        "(;SZ[9]PB[a];B[ee];PW[b](;W[cc])(;W[gg]))",
        "(;SZ[9];B[ee](;W[cc])(;W[gg]);B[gc])",
        "(;SZ[9];B[ee];W[zz]TR[aa];B[gg])",
        "(;GM[2]SZ[8];B[ee])(;SZ[9]PB[x];B[E5](;W[C7])(;W[cc]))(;SZ[19]CA[GBK];B[pd])",
    ],
)
def test_trees_are_parsed_as_written(text: str) -> None:
    record = parse_sgf(text.encode())
    assert record.tree
    assert parse_sgf(format_sgf(record).encode()) == record


def test_changed_properties_join_old_variations() -> None:
    record = parse_sgf(WITH_VARIATIONS.encode())
    named = format_sgf(replace(record, white="bea", result="B+R"))
    assert "PW[bea]" in named
    assert "(;B[gc]TR[cc]" in named.replace("\n", "")


def test_a_file_without_variations_has_no_tree() -> None:
    """OGS writes each move as a variation of its own."""
    record = parse_sgf(b"(;SZ[9];B[ee](;W[cc]BL[9](;B[gg]C[so])))")
    assert (record.tree, record.left_out) == ((), ())


BYTES = int(os.environ.get("GODAEMON_BOMB_BYTES", "60000"))
"""Size of the bombs; the largest file that is read is 4 MB."""

BOMBS = {
    "rectangles": (b"(;SZ[52];B[aa]", b";AB[aa:ZZ]AW[aa:ZZ]AE[aa:ZZ]"),
    "one list of rectangles": (b"(;SZ[52]AB", b"[aa:ZZ]"),
    "territory": (b"(;SZ[52];B[aa]TB", b"[aa:ZZ]"),
    "edits": (b"(;SZ[52];B[aa];AB[aa:ZZ]", b";AB[aa]"),
    "comments": (b"(;SZ[9];B[aa]", b";C[x]"),
    "moves": (b"(;SZ[52];B[aa]TB[aa]", b";B[aa];W[ZZ]"),
    "depth": (b"(;SZ[9]", b"(;B[aa]"),
    "forks": (b"(;SZ[9]", b"(;B[aa])"),
    "crowd": (b"(;SZ[9];B", b"[aa]"),
    "games": (b"", b"(;B[aa])"),
    "empty nodes": (b"(;SZ[9];B[aa]", b";"),
    "brackets": (b"(;SZ[9];B[aa]C", b"["),
    "backslashes": (b"(;SZ[9];B[aa]C[", b"\\"),
    "openings": (b"", b"("),
    "openings and blanks": (b"", b"(   "),
    "names": (b"(;", b"A"),
    "digits": (b"(;RE[B+", b"9"),
    "komi": (b"(;KM[", b"9"),
    "eastern result": ("(;CA[UTF-8]RE[黑胜".encode(), b"3"),
    "half letters": (b"(;PB[", b"\xb0"),
    "one plain word": ("(;PB[é ".encode("latin-1"), b"a"),
    "every byte": (b"(;C[", bytes(range(256))),
    "zeros": (b"(;", b"\0"),
}


def bomb(begins: bytes, goes_on: bytes, size: int) -> bytes:
    """A file that begins so, and goes on and on."""
    return begins + goes_on * ((size - len(begins)) // len(goes_on))


def read_and_write(data: bytes) -> None:
    """Rejected input gives no record."""
    with suppress(Unreadable):
        format_sgf(parse_sgf(data))


@pytest.mark.parametrize(("begins", "goes_on"), BOMBS.values(), ids=BOMBS)
def test_any_file_takes_linear_time(begins: bytes, goes_on: bytes) -> None:
    """To be read and written, or refused."""
    short, long = (bomb(begins, goes_on, size) for size in (BYTES // LONGER, BYTES))
    assert is_in_proportion(read_and_write, short, long)


SIGNS = st.sampled_from(
    [*"()[];:\\ \n", "B[ee]", "W[]", "W[zz]", "AB[aa:cc]", "SZ[9]", "TB[aa]", "C[", "KM[", "RE[白"]
)


@given(st.data())
def test_a_corrupted_file_is_read_or_refused(data: st.DataObject) -> None:
    """After bytes were changed, cut and inserted; with a plain sentence."""
    dialect = data.draw(st.sampled_from([*DIALECTS.values()]))
    file = as_written(dialect, data.draw(st.sampled_from([*WORDS]))) or b""
    for _ in range(data.draw(st.integers(1, 4))):
        begin, end = sorted(data.draw(st.tuples(*[st.integers(0, len(file))] * 2)))
        if data.draw(st.booleans()):
            end = begin
        put = data.draw(st.binary(max_size=3) | SIGNS.map(str.encode))
        file = file[:begin] + put + file[end:]
    try:
        record = parse_sgf(file)
    except Unreadable as refusal:
        event(refusal.public[:20])
    else:
        assert parse_sgf(format_sgf(record).encode()) == record


def test_the_limits_are_reported() -> None:
    """A game longer than the limit is cut, with a warning."""
    record = parse_sgf(b"(;SZ[9]" + b";B[aa]" * (MAX_MOVES + 1) + b")")
    assert len(record.moves) == MAX_MOVES
    assert record.left_out == (
        f"The game is read up to move {MAX_MOVES}: No game needs a record this large.",
    )
    assert record.moves[0].color is Color.BLACK
    with pytest.raises(Unreadable, match="a record this large"):
        parse_sgf(bomb(b"(;SZ[52]AB", b"[aa:ZZ]", BYTES))
    assert sgf_read.MAX_POINTS == 100_000
