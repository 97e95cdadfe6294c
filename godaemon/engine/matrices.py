"""numpy with one thread: the player's matrices are too small to be shared between several.

OpenBLAS reads how many threads it may start when it is loaded, so that all import numpy from here.
"""

from __future__ import annotations

import os
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from numpy.typing import NDArray

__all__ = ["AnyArray", "Array", "np"]

Array = NDArray[np.float32]
AnyArray = NDArray[Any]
