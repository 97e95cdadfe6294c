"""A KataGo network, read from its file and evaluated in numpy.

A file is a sequence of words, gzipped or not; the binary numbers of a layer follow `@BIN@`. A
reader takes the file and returns the layer as a function. Model versions 8 to 10 are supported: all
networks that KataGo trained from 2020 to 2022, with 6 to 40 blocks. Raises only `Unreadable`, for
another file. Flows are arrays of (height, width, channels).

Every module imports numpy from here, because OpenBLAS reads its limit on threads when it is loaded,
and our matrices are too small to gain from threads.
"""

import gzip
import os
import zlib
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from godaemon.errors import Unreadable

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy  # noqa: ICN001 - `np` is for other modules too
from numpy.typing import NDArray

np = numpy
Array = NDArray[np.float32]
AnyArray = NDArray[Any]
Layer = Callable[[Array], Array]

BUILT_IN_NETWORK = Path(__file__).parent / "data" / "g170-b6c96-s175395328-d26788732.bin.gz"
"""The network that comes with the program; its origin and licence are in its folder."""

PLANES, NUMBERS = 22, 19
"""Inputs for each point, and for the position as a whole (KataGo's inputs of version 7)."""

_VERSIONS = range(8, 11)
_MARK = b"@BIN@"
_POINTS_IN_UNIT = 20.0
"""The points in one unit of the network's scores."""
_USUAL_SIDE, _TENTH = np.float32(14), np.float32(0.1)
"""The network measures the size of a board as a tenth of the difference from this side."""


class Evaluation(NamedTuple):
    """The network's opinion on one position, from the view of the player to move."""

    policy: Array
    """The logarithm of each move's likelihood, up to a constant; the pass comes last."""
    winrate: float
    """The chance of winning; a game without a result counts as half a win."""
    lead: float
    """The player's lead in points."""
    owners: Array
    """The owner of each point, from 1 (the player) to -1."""
    spread: float = 0.0
    """The usual difference between the final score and the expected one, in points."""


@lru_cache(maxsize=1)
def load_network(path: Path = BUILT_IN_NETWORK) -> "Network":
    """The network in a file; raises `Unreadable`."""
    try:
        data = path.read_bytes()
    except OSError as fault:
        raise Unreadable(f"{path} cannot be read: {fault.strerror}.") from fault
    try:
        network = Network(_File(gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data))
        network.evaluate(np.zeros((7, 7, PLANES), np.float32), np.zeros(NUMBERS, np.float32))
    except (EOFError, ValueError, IndexError, zlib.error, gzip.BadGzipFile) as fault:
        raise Unreadable(
            f"{path} is not a network that we can read ({fault}): use a .bin.gz file of KataGo's"
            f" with model version {_VERSIONS[0]} to {_VERSIONS[-1]}."
        ) from fault
    return network


class _File:
    """Reads the words of a file in order; raises `ValueError` if they end early or are invalid.

    Each layer is a `name`, sizes, and numbers; names are skipped.
    """

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    def word(self) -> str:
        words = self._data[self._at : self._at + 300].split(maxsplit=1)
        if not words:
            raise ValueError("it ends early")
        self._at = self._data.index(words[0], self._at) + len(words[0])
        return words[0].decode("ascii")

    def sizes(self, count: int) -> list[int]:
        sizes = [int(self.word()) for _ in range(count)]
        if not all(0 < size < 10_000 for size in sizes):
            raise ValueError("a size is out of range")
        return sizes

    def floats(self, *shape: int) -> Array:
        start = self._data.find(_MARK, self._at, self._at + 16) + len(_MARK)
        if start < len(_MARK):
            raise ValueError("numbers are missing")
        self._at = start + 4 * int(np.prod(shape))
        if self._at > len(self._data):
            raise ValueError("it ends early")
        numbers = np.frombuffer(self._data[start : self._at], "<f4").astype(np.float32)
        if not np.isfinite(numbers).all():
            raise ValueError("a number is not finite")
        return numbers.reshape(shape)

    def array(self, dimensions: int) -> Array:
        """A matrix of inputs by outputs, or a row of numbers."""
        self.word()
        return self.floats(*self.sizes(dimensions))


def _powers(count: int) -> AnyArray:
    """The matrix from a polynomial's coefficients to its values at 0, 1, -1, 2, -2 and infinity."""
    rows = [[float(place) ** power for power in range(count)] for place in (0, 1, -1, 2, -2)]
    return np.array([*rows, [0.0] * (count - 1) + [1.0]])


# Convolutions of 3x3 points follow S. Winograd ("Arithmetic Complexity of Computations", 1980): a
# square of 4x4 results takes 36 products instead of 144, which halves the time on 19x19. Each
# matrix transforms one side of a square; the scales make `_INPUTS` a matrix of whole numbers.
_SQUARE, _WINDOW = 4, 6
_SCALES = np.array([[4], [-6], [-6], [24], [24], [1]])
_WEIGHTS = _powers(3) / _SCALES
_INPUTS = (np.linalg.inv(_powers(_WINDOW)).T * _SCALES).round().astype(np.float32)
_RESULTS = _powers(_SQUARE).T.astype(np.float32)


def _turn_squares(matrix: AnyArray, squares: AnyArray) -> AnyArray:
    """Apply a matrix to both sides of squares, which are the first two axes."""
    rows, side = matrix.shape
    half = (matrix @ squares.reshape(side, -1)).reshape(rows, side, -1)
    result: AnyArray = np.matmul(matrix, half)
    return result


def _read_convolution(file: _File) -> Layer:
    """A convolution of the window around each point; inputs beyond the edge are zero."""
    file.word()
    side, width, inward, outward, *dilations = file.sizes(6)
    if dilations != [1, 1] or side != width or not width % 2:
        raise ValueError("a convolution is of an unknown kind")
    weights = file.floats(side, side, inward, outward)
    if side != 3:
        return lambda flow: np.tensordot(
            _windows(flow, side, 1).transpose(2, 3, 0, 1, 4), weights, 3
        )
    transformed = _turn_squares(_WEIGHTS, weights).astype(np.float32)
    products = transformed.reshape(_WINDOW**2, inward, outward)

    def _convolve(flow: Array) -> Array:
        height, width, channels = flow.shape
        windows = _windows(flow, _WINDOW, _SQUARE)
        down, across = windows.shape[2:4]
        inputs = _turn_squares(_INPUTS, windows).reshape(_WINDOW**2, -1, channels)
        squares = _turn_squares(_RESULTS, np.matmul(inputs, products))
        rows = squares.reshape(_SQUARE, _SQUARE, down, across, -1).transpose(2, 0, 3, 1, 4)
        whole: Array = rows.reshape(_SQUARE * down, _SQUARE * across, -1)
        return whole[:height, :width]

    return _convolve


def _windows(flow: Array, side: int, step: int) -> Array:
    """The overlapping windows of a flow, `step` points apart, padded with zeros.

    The axes are row and column in the window, row and column of the window, and the channel.
    """
    height, width, channels = flow.shape
    down, across, edge = -(-height // step), -(-width // step), (side - step) // 2
    padded = np.zeros((step * down + 2 * edge, step * across + 2 * edge, channels), np.float32)
    padded[edge : edge + height, edge : edge + width] = flow
    row, column, channel = padded.strides
    steps = (row, column, step * row, step * column, channel)
    return np.lib.stride_tricks.as_strided(padded, (side, side, down, across, channels), steps)


def _read_normalisation(file: _File) -> Layer:
    """A normalisation followed by a rectifier."""
    file.word()
    (channels,) = file.sizes(1)
    epsilon = float(file.word())
    scaled = file.word() == "1"
    shifted = file.word() == "1"
    mean, variance = file.floats(channels), file.floats(channels)
    scale = 1 / np.sqrt(variance + np.float32(epsilon))
    if scaled:
        scale = scale * file.floats(channels)
    shift = (file.floats(channels) if shifted else 0) - mean * scale
    file.word()

    def _normalise(flow: Array) -> Array:
        flow = flow * scale
        flow += shift
        return np.maximum(flow, 0, out=flow)

    return _normalise


def _means(flow: Array) -> tuple[Array, np.float32]:
    """The mean of each channel, and the network's measure of the board's size."""
    height, width, _ = flow.shape
    measure = np.float32((np.sqrt(np.float32(height * width)) - _USUAL_SIDE) * _TENTH)
    return flow.mean(axis=(0, 1)), measure


def _read_pool(file: _File) -> tuple[Layer, Array]:
    """Summaries of the whole board (means, scaled means, maxima), and their weights."""
    convolution, normal = _read_convolution(file), _read_normalisation(file)

    def _summarise(flow: Array) -> Array:
        flow = normal(convolution(flow))
        mean, measure = _means(flow)
        return np.concatenate([mean, mean * measure, flow.max(axis=(0, 1))])

    return _summarise, file.array(2)


def _read_block(file: _File) -> Layer:
    """One step of the trunk, which adds the output of two convolutions in place."""
    kind, _ = file.word(), file.word()
    if kind not in {"ordinary_block", "gpool_block"}:
        raise ValueError(f"{kind} is an unknown kind of block")
    before, first = _read_normalisation(file), _read_convolution(file)
    pool = _read_pool(file) if kind == "gpool_block" else None
    after, second = _read_normalisation(file), _read_convolution(file)

    def _add(trunk: Array) -> Array:
        flow = before(trunk)
        summary = pool[0](flow) @ pool[1] if pool else 0
        trunk += second(after(first(flow) + summary))
        return trunk

    return _add


def _read_policy_head(file: _File) -> Layer:
    """The logarithm of each move's likelihood, and the pass's."""
    file.word()
    first, (pool, weights) = _read_convolution(file), _read_pool(file)
    after, second, passing = _read_normalisation(file), _read_convolution(file), file.array(2)

    def _policy(trunk: Array) -> Array:
        summary = pool(trunk)
        flow = second(after(first(trunk) + summary @ weights))
        return np.append(flow[:, :, 0].ravel(), (summary @ passing)[0])

    return _policy


def _read_dense(file: _File) -> Layer:
    """A dense layer: each output is a sum of all inputs."""
    weights, shift = file.array(2), file.array(1)
    return lambda inputs: inputs @ weights + shift


def _read_value_head(file: _File) -> Callable[[Array], tuple[Array, Array, Array]]:
    """Logarithms of the results (won, lost, none); scores; owners.

    The scores are the expected one of self-play, its spread, and the lead; others are not used.
    """
    file.word()
    first, normal, second = _read_convolution(file), _read_normalisation(file), _read_dense(file)
    file.word()
    results, scores, owners = _read_dense(file), _read_dense(file), _read_convolution(file)

    def _values(trunk: Array) -> tuple[Array, Array, Array]:
        flow = normal(first(trunk))
        mean, measure = _means(flow)
        summary = np.concatenate([mean, mean * measure, mean * (measure * measure - _TENTH)])
        hidden = np.maximum(second(summary), 0)
        return results(hidden), scores(hidden), np.tanh(owners(flow)[:, :, 0].ravel())

    return _values


class Network:
    """The whole network; evaluates one position at a time."""

    def __init__(self, file: _File) -> None:
        file.word()
        version = int(file.word())
        if version not in _VERSIONS:
            raise ValueError(f"its version is {version}")
        if file.sizes(2) != [PLANES, NUMBERS]:
            raise ValueError("its inputs are not those that we know")
        file.word()
        (blocks,) = file.sizes(1)
        file.sizes(5)
        self._spatial, self._numbers = _read_convolution(file), file.array(2)
        self.blocks = [_read_block(file) for _ in range(blocks)]
        self._last, self._policy = _read_normalisation(file), _read_policy_head(file)
        self._value = _read_value_head(file)

    def evaluate(self, planes: Array, numbers: Array, *, unresolved: bool = True) -> Evaluation:
        """The opinion on a position; `unresolved` is true if a game can end without a result."""
        trunk = self._spatial(planes) + numbers @ self._numbers
        for block in self.blocks:
            trunk = block(trunk)
        trunk = self._last(trunk)
        results, scores, ownership = self._value(trunk)
        chances = np.exp(results - results.max()) * np.array([1, 1, unresolved])
        won, _, neither = (chances / chances.sum()).tolist()
        lead = float(scores[2]) * _POINTS_IN_UNIT * (1 - neither)
        spread = float(np.logaddexp(0, scores[1])) * _POINTS_IN_UNIT
        return Evaluation(self._policy(trunk), won + neither / 2, lead, ownership, spread)
