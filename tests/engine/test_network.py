"""Network files: ours, and invalid ones."""

import gzip
from pathlib import Path

import pytest

from godaemon.engine.network import BUILT_IN_NETWORK, load_network
from godaemon.errors import Unreadable


def test_our_network_has_its_licence_in_the_package() -> None:
    """Also its source."""
    beside = {
        path.name: path.read_text("utf-8")
        for path in BUILT_IN_NETWORK.parent.iterdir()
        if path != BUILT_IN_NETWORK
    }
    assert "https://github.com/lightvector/KataGo" in beside["README.md"]
    assert BUILT_IN_NETWORK.name in beside["README.md"]
    assert "Permission is hereby granted, free of charge" in beside["g170-b6c96.LICENSE.txt"]


PACKED = BUILT_IN_NETWORK.read_bytes()
DATA = gzip.decompress(PACKED)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "it ends early"),
        (b"hello", "it ends early"),
        (PACKED[:1000], "is not a network"),
        (b"\x1f\x8b" + PACKED[2:50][::-1], "is not a network"),
        (DATA[:200_000], "it ends early"),
        (DATA[:-4], "it ends early"),
        (DATA.replace(b"\n8\n22", b"\n14\n22", 1), "its version is 14"),
        (DATA.replace(b"\n8\n22", b"\n8\n23", 1), "its inputs are not"),
        (DATA.replace(b"gpool_block", b"other_block", 1), "other_block is an unknown kind"),
        (DATA.replace(b"\n5\n5\n22", b"\n5\n5\n-22", 1), "a size is out of range"),
        (DATA.replace(b"\n5\n5\n22\n96\n1", b"\n5\n5\n22\n96\n2", 1), "of an unknown kind"),
        (DATA.replace(b"@BIN@", b"@ABC@", 1), "numbers are missing"),
        (DATA[:100] + b"\x00\x00\xc0\x7f" * 50 + DATA[300:], "a number is not finite"),
        (DATA.replace(b"\n96\n32\n@", b"\n32\n96\n@", 1), "is not a network"),
        (bytes(range(256)) * 9, "is not a network"),
    ],
)
def test_invalid_networks_are_refused(data: bytes, why: str, tmp_path: Path) -> None:
    """With the file and a reason."""
    path = tmp_path / "network.bin.gz"
    path.write_bytes(data)
    with pytest.raises(Unreadable, match=why) as refusal:
        load_network(path)
    assert str(path) in refusal.value.public
    assert "with model version 8 to 10" in refusal.value.public


def test_a_missing_network_is_refused(tmp_path: Path) -> None:
    """With the system's reason."""
    with pytest.raises(Unreadable, match="No such file"):
        load_network(tmp_path / "none.bin.gz")
