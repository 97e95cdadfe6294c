"""The examples in docstrings of the product."""

import doctest
import importlib
from pathlib import Path

import pytest

from tests.support.places import ROOT

PACKAGES = ("godaemon", "gtp", "mailgate")


def has_examples(file: Path) -> bool:
    """True if a file has a docstring with an example."""
    return ">>> " in file.read_text(encoding="utf-8")


FILES = sorted(file for name in PACKAGES for file in ROOT.joinpath(name).rglob("*.py"))
MODULES = [".".join(f.relative_to(ROOT).with_suffix("").parts) for f in filter(has_examples, FILES)]


@pytest.mark.parametrize("name", MODULES)
def test_docstring_examples_work(name: str) -> None:
    """Every example of a module, run by the standard library's doctest."""
    results = doctest.testmod(importlib.import_module(name))
    assert results.attempted
    assert not results.failed
