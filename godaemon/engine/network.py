"""A neural network of KataGo's kind, evaluated in numpy; the one room that knows matrices.

Flows are arrays of (height, width, channels). Each block adds to the trunk what two convolutions
make of it; some blocks also tell every point the mean and the maximum over the board. The heads
read policy, value, score and owners off the trunk. `godaemon.engine.network_file` builds it; a
normalisation that follows a convolution is then part of its weights. Cannot fail.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from godaemon.engine.matrices import Array, np

PLANES, NUMBERS = 22, 19
"""Inputs for each point, and for the position as a whole (KataGo's inputs of version 7)."""

_POINTS_IN_UNIT = 20.0
"""The score is learned in units of so many points."""
_USUAL_SIDE, _TENTH = np.float32(14), np.float32(0.1)
"""The network measures how large a board is from this side on, in tenths."""


class Evaluation(NamedTuple):
    """The network's opinion on one position, as the player to move sees it."""

    policy: Array
    """How likely a move is, up to a constant, as a logarithm: each point's, and last the pass."""
    won: float
    """The chance of winning; a game without result is half a win."""
    lead: float
    """The points by which the player is ahead."""
    owned: Array
    """For each point, from 1 (the player's) to -1."""
    spread: float = 0.0
    """How far, in points, games that go on from here usually end from what was expected."""


# Windows of 3x3 points are convolved after S. Winograd ("Arithmetic Complexity of Computations",
# 1980): a square of 4x4 results takes 36 products where it would take 144, which halves the time on
# 19x19. Each matrix turns one side of a square.
_SQUARE, _WINDOW = 4, 6
_FROM_WEIGHTS = (
    np.array([[6, 0, 0], [-4, -4, -4], [-4, 4, -4], [1, 2, 4], [1, -2, 4], [0, 0, 24]]) / 24
)
_FROM_INPUTS = np.array(
    [
        [4, 0, -5, 0, 1, 0],
        [0, -4, -4, 1, 1, 0],
        [0, 4, -4, -1, 1, 0],
        [0, -2, -1, 2, 1, 0],
        [0, 2, -1, -2, 1, 0],
        [0, 4, 0, -5, 0, 1],
    ],
    np.float32,
)
_TO_RESULTS = np.array(
    [[1, 1, 1, 1, 1, 0], [0, 1, -1, 2, -2, 0], [0, 1, 1, 4, 4, 0], [0, 1, -1, 8, -8, 1]],
    np.float32,
)
_IN: Array = np.kron(_FROM_INPUTS, _FROM_INPUTS)
_OUT: Array = np.kron(_TO_RESULTS, _TO_RESULTS)


class Convolution:
    """Weights for the window around each point: (height, width, channels in, channels out)."""

    def __init__(self, weights: Array) -> None:
        self.weights = weights

    def scaled(self, by: Array) -> Convolution:
        """The same with each channel out times a number."""
        return Convolution(self.weights * by)

    @cached_property
    def _prepared(self) -> Array:
        side, _, inward, outward = self.weights.shape
        if side != 3:
            return self.weights.reshape(-1, outward)
        turned = np.kron(_FROM_WEIGHTS, _FROM_WEIGHTS) @ self.weights.reshape(9, -1)
        return turned.reshape(_WINDOW**2, inward, outward).astype(np.float32)

    def __call__(self, flow: Array) -> Array:
        """The sums over the window around each point; beyond the edge all is zero."""
        height, width, _ = flow.shape
        side = self.weights.shape[0]
        if side == 3:
            return self._by_squares(flow)
        if side > 1:
            flow = _windows(flow, side, 1).transpose(2, 3, 0, 1, 4)
        return (flow.reshape(height * width, -1) @ self._prepared).reshape(height, width, -1)

    def _by_squares(self, flow: Array) -> Array:
        height, width, channels = flow.shape
        windows = _windows(flow, _WINDOW, _SQUARE)
        down, across = windows.shape[2:4]
        inputs = (_IN @ windows.reshape(_WINDOW**2, -1)).reshape(_WINDOW**2, -1, channels)
        products: Array = np.matmul(inputs, self._prepared)
        squares = _OUT @ products.reshape(_WINDOW**2, -1)
        rows = squares.reshape(_SQUARE, _SQUARE, down, across, -1).transpose(2, 0, 3, 1, 4)
        whole = rows.reshape(_SQUARE * down, _SQUARE * across, -1)
        return whole[:height, :width]


def _windows(flow: Array, side: int, step: int) -> Array:
    """The windows that end `step` points apart and have a window's edge around them.

    The axes are the place in the window (down, across), which window (down, across), the channel.
    """
    height, width, channels = flow.shape
    down, across, edge = -(-height // step), -(-width // step), (side - step) // 2
    padded = np.zeros((step * down + 2 * edge, step * across + 2 * edge, channels), np.float32)
    padded[edge : edge + height, edge : edge + width] = flow
    row, column, one = padded.strides
    steps = (row, column, step * row, step * column, one)
    return np.lib.stride_tricks.as_strided(padded, (side, side, down, across, channels), steps)


class Normal(NamedTuple):
    """A normalisation with the rectifier after it."""

    scale: Array
    shift: Array

    def __call__(self, flow: Array) -> Array:
        """All of it that is above zero."""
        return _rectified(flow * self.scale, self.shift)


def _rectified(flow: Array, shift: Array) -> Array:
    """What is above zero of the flow, which is written over."""
    np.add(flow, shift, out=flow)
    return np.maximum(flow, 0, out=flow)


class Pool(NamedTuple):
    """What the whole board tells every point."""

    convolution: Convolution
    normal: Normal
    weights: Array

    def pooled(self, flow: Array) -> Array:
        """The means over the board, the same by how large it is, and the maxima."""
        flow = self.normal(self.convolution(flow))
        mean = flow.mean(axis=(0, 1))
        return np.concatenate([mean, mean * _largeness(flow), flow.max(axis=(0, 1))])


def _largeness(flow: Array) -> np.float32:
    height, width, _ = flow.shape
    return np.float32((np.sqrt(np.float32(height * width)) - _USUAL_SIDE) * _TENTH)


class ResidualBlock(NamedTuple):
    """One step of the trunk: what two convolutions make of it is added to it."""

    before: Normal
    first: Convolution
    shift: Array
    second: Convolution
    pool: Pool | None = None

    def __call__(self, trunk: Array) -> Array:
        """The trunk after it; it is written over."""
        flow = self.before(trunk)
        shift = self.shift
        if self.pool is not None:
            shift = shift + self.pool.pooled(flow) @ self.pool.weights
        trunk += self.second(_rectified(self.first(flow), shift))
        return trunk


class PolicyHead(NamedTuple):
    """How likely each move is."""

    first: Convolution
    pool: Pool
    shift: Array
    second: Convolution
    pass_weights: Array

    def __call__(self, trunk: Array) -> Array:
        """Each point's logarithm, and the pass's."""
        told = self.pool.pooled(trunk)
        flow = _rectified(self.first(trunk), self.shift + told @ self.pool.weights)
        return np.append(self.second(flow)[:, :, 0].ravel(), (told @ self.pass_weights)[0])


class Dense(NamedTuple):
    """Each output a sum of all inputs."""

    weights: Array
    shift: Array

    def __call__(self, inputs: Array) -> Array:
        """The sums."""
        return inputs @ self.weights + self.shift


class ValueHead(NamedTuple):
    """Who wins, by how much, and whose each point is."""

    first: Convolution
    normal: Normal
    second: Dense
    results: Dense
    """Won, lost, without result: logarithms."""
    scores: Dense
    """The expected score of self-play, its spread, the lead; further ones are not used."""
    owners: Convolution

    def __call__(self, trunk: Array) -> tuple[Array, Array, Array]:
        """The logarithms of results, the scores, the owners."""
        flow = self.normal(self.first(trunk))
        mean, large = flow.mean(axis=(0, 1)), _largeness(flow)
        told = np.concatenate([mean, mean * large, mean * (large * large - _TENTH)])
        known = np.maximum(self.second(told), 0)
        return self.results(known), self.scores(known), np.tanh(self.owners(flow)[:, :, 0].ravel())


class Network(NamedTuple):
    """All of it; one position is evaluated at a time."""

    spatial: Convolution
    numbers: Array
    blocks: tuple[ResidualBlock, ...]
    last: Normal
    policy: PolicyHead
    value: ValueHead

    def evaluate(self, planes: Array, numbers: Array, *, unresolved: bool = True) -> Evaluation:
        """The opinion on a position: `planes` are (height, width, 22), `numbers` are 19.

        `unresolved` says whether the rules know games without a result.
        """
        trunk = self.spatial(planes) + numbers @ self.numbers
        for block in self.blocks:
            trunk = block(trunk)
        trunk = self.last(trunk)
        results, scores, owned = self.value(trunk)
        chances = np.exp(results - results.max()) * np.array([1, 1, unresolved])
        won, _, neither = (chances / chances.sum()).tolist()
        lead = float(scores[2]) * _POINTS_IN_UNIT * (1 - neither)
        spread = float(np.logaddexp(0, scores[1])) * _POINTS_IN_UNIT
        return Evaluation(self.policy(trunk), won + neither / 2, lead, owned, spread)
