"""Print the outcome of a table of phrases: the failing cells, and the share of good ones.

    python -m tests.mailgate.handling.phrase_report known.txt [situation or meaning ...]

A cell that fails is `situation | meaning | phrase | wanted | fault: got`.
"""

import logging
import sys
from collections import Counter
from collections.abc import Sequence

import structlog

from tests.support.phrase_outcome import Cell, run
from tests.support.phrase_table import FOLDER, SITUATIONS, read_meanings, read_phrases


def summary(cells: Sequence[Cell]) -> str:
    """How the good cells were met, and the faults of the others."""
    met = Counter(cell.way for cell in cells if not cell.fault)
    faults = Counter(cell.fault for cell in cells if cell.fault)
    return (
        f"{met.total()} of {len(cells)} do well ({100 * met.total() / len(cells):.1f} %): "
        f"{dict(met.most_common())}; faults: {dict(faults.most_common())}"
    )


def main(name: str, *only: str) -> None:
    """Print the report of a table; of some situations or meanings alone, where they are named."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    situations = [one for one in SITUATIONS if one in only] or SITUATIONS
    named = set(only) - set(SITUATIONS)
    phrases = [one for one in read_phrases(FOLDER / name) if not named or one.meaning in named]
    cells = [cell for one in situations for cell in run(one, phrases, read_meanings())]
    for cell in cells:
        if cell.fault:
            sys.stdout.write(f"{cell}\n")
    sys.stdout.write(f"\n{summary(cells)}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
