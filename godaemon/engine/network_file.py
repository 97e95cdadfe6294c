"""The file of a network: a row of words, with the numbers of a layer behind `@BIN@` between them.

Gzipped or not. Model versions 8 to 10 are read, which is all that KataGo's runs trained from 2020
to 2022, from 6 blocks to 40. Reads the disk; a file that is no such network raises `Unreadable`.
"""

from __future__ import annotations

import gzip
import zlib
from functools import lru_cache
from pathlib import Path

from godaemon.engine.matrices import Array, np
from godaemon.engine.network import (
    NUMBERS,
    PLANES,
    Convolution,
    Dense,
    Network,
    Normal,
    PolicyHead,
    Pool,
    ResidualBlock,
    ValueHead,
)
from godaemon.errors import Unreadable

OURS = Path(__file__).parent / "data" / "g170-b6c96-s175395328-d26788732.bin.gz"
"""The network that comes with the program; where it is from, and its licence, lie beside it."""

_VERSIONS = range(8, 11)
_MARK = b"@BIN@"


@lru_cache(maxsize=1)
def load(path: Path = OURS) -> Network:
    """The network in a file; raises `Unreadable`."""
    try:
        data = path.read_bytes()
    except OSError as fault:
        raise Unreadable(f"{path} cannot be read: {fault.strerror}.") from fault
    try:
        read = _network(_Reader(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data))
        read.evaluate(np.zeros((7, 7, PLANES), np.float32), np.zeros(NUMBERS, np.float32))
    except (EOFError, ValueError, IndexError, zlib.error, gzip.BadGzipFile) as fault:
        raise Unreadable(
            f"{path} is no network that can be read here ({fault}): a file .bin.gz of KataGo's of"
            f" model version {_VERSIONS[0]} to {_VERSIONS[-1]} is wanted."
        ) from fault
    return read


class _Reader:
    """The words of a file one after the other; raises `ValueError` where they end or make no sense.

    The layers stand in it as `name`, sizes, numbers; the names are passed over.
    """

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    def word(self) -> str:
        """The next word."""
        found = self._data[self._at : self._at + 300].split(maxsplit=1)
        if not found:
            raise ValueError("it ends early")
        self._at = self._data.index(found[0], self._at) + len(found[0])
        return found[0].decode("ascii")

    def sizes(self, count: int) -> list[int]:
        """The next words as numbers that can be the size of something."""
        found = [int(self.word()) for _ in range(count)]
        if not all(0 < each < 10_000 for each in found):
            raise ValueError("a size is none")
        return found

    def floats(self, *shape: int) -> Array:
        """The numbers of a layer."""
        start = self._data.find(_MARK, self._at, self._at + 16) + len(_MARK)
        if start < len(_MARK):
            raise ValueError("numbers are missing")
        self._at = start + 4 * int(np.prod(shape))
        if self._at > len(self._data):
            raise ValueError("it ends early")
        found = np.frombuffer(self._data[start : self._at], "<f4").astype(np.float32)
        if not np.isfinite(found).all():
            raise ValueError("a number is none")
        return found.reshape(shape)

    def convolution(self) -> Convolution:
        """A convolution: height, width, channels in and out, and two dilations, which are 1."""
        self.word()
        *shape, down, across = self.sizes(6)
        if (down, across) != (1, 1) or shape[0] != shape[1] or not shape[0] % 2:
            raise ValueError("a convolution is of an unknown kind")
        return Convolution(self.floats(*shape))

    def normal(self) -> Normal:
        """A normalisation as a scale and a shift, and the name of the rectifier after it."""
        self.word()
        (channels,) = self.sizes(1)
        epsilon, scaled, shifted = float(self.word()), self.word() == "1", self.word() == "1"
        mean, variance = self.floats(channels), self.floats(channels)
        scale = 1 / np.sqrt(variance + np.float32(epsilon))
        scale = scale * self.floats(channels) if scaled else scale
        shift = self.floats(channels) - mean * scale if shifted else -mean * scale
        self.word()
        return Normal(scale, shift)

    def pool(self) -> tuple[Pool, Normal]:
        """A pool, and the normalisation that follows; the scale of that is part of its weights."""
        pool, after = Pool(self.convolution(), self.normal(), self.weights()), self.normal()
        return pool._replace(weights=pool.weights * after.scale), after

    def weights(self) -> Array:
        """A matrix of inputs by outputs."""
        self.word()
        return self.floats(*self.sizes(2))

    def dense(self) -> Dense:
        """A matrix, and what is added."""
        weights = self.weights()
        self.word()
        return Dense(weights, self.floats(*self.sizes(1)))


def _network(read: _Reader) -> Network:
    read.word()
    version = int(read.word())
    if version not in _VERSIONS:
        raise ValueError(f"its version is {version}")
    if read.sizes(2) != [PLANES, NUMBERS]:
        raise ValueError("its inputs are others")
    read.word()
    (blocks,) = read.sizes(1)
    read.sizes(5)
    spatial, numbers = read.convolution(), read.weights()
    trunk = tuple(_block(read) for _ in range(blocks))
    last = read.normal()
    return Network(spatial, numbers, trunk, last, _policy(read), _value(read))


def _block(read: _Reader) -> ResidualBlock:
    kind, _ = read.word(), read.word()
    if kind not in {"ordinary_block", "gpool_block"}:
        raise ValueError(f"{kind} is an unknown kind of block")
    before, first = read.normal(), read.convolution()
    pool, after = read.pool() if kind == "gpool_block" else (None, read.normal())
    return ResidualBlock(before, first.scaled(after.scale), after.shift, read.convolution(), pool)


def _policy(read: _Reader) -> PolicyHead:
    read.word()
    first, (pool, after) = read.convolution(), read.pool()
    return PolicyHead(
        first.scaled(after.scale), pool, after.shift, read.convolution(), read.weights()
    )


def _value(read: _Reader) -> ValueHead:
    read.word()
    first, normal, second = read.convolution(), read.normal(), read.dense()
    read.word()
    return ValueHead(first, normal, second, read.dense(), read.dense(), read.convolution())
