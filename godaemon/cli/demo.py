"""`godaemon demo`: see it play."""

from __future__ import annotations

import typer


def demo() -> None:
    """Play one real game through a daemon of its own, by letters, and show where they are."""
    from godaemon.cli import demo_game as demonstration

    demonstration.run(typer.echo)
