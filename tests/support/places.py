"""Paths of the checkout and the test data."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data"
FAKE_ENGINE = str(ROOT / "tests" / "support" / "fake_engine.py")
