"""Tables of quick cases as one test: pytest and xdist need milliseconds for each test."""

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

import pytest


def each_row(
    names: str | tuple[str, ...], cases: Iterable[Any]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Like `pytest.mark.parametrize`, but all cases run in one test, with the same fixtures.

    Every case runs; the test's failure contains the failures of all cases.
    """
    columns = (names,) if isinstance(names, str) else names
    table = [(case,) if isinstance(names, str) else case for case in cases]

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def run(*instance: object, **fixtures: object) -> None:
            failures: list[BaseException] = []
            for case in table:
                try:
                    test(*instance, **fixtures, **dict(zip(columns, case, strict=True)))
                except (Exception, pytest.fail.Exception) as failure:  # noqa: BLE001 - of any kind
                    failure.add_note(f"case: {case!r}")
                    failures.append(failure)
            if failures:
                raise BaseExceptionGroup(f"{len(failures)} of {len(table)} cases", failures)

        signature = inspect.signature(test)
        fixtures = [one for name, one in signature.parameters.items() if name not in columns]
        vars(run)["__signature__"] = signature.replace(parameters=fixtures)
        return run

    return decorate
