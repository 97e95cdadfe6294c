"""Engine configurations for tests."""

from gtp.engines.engine_program import EngineProgram
from tests.support.waiting import PATIENCE


def engine_program(name: str, command: tuple[str, ...], **changes: object) -> EngineProgram:
    """An engine with generous time limits and no memory limit; `changes` override fields."""
    usual: dict[str, object] = {
        "seconds": PATIENCE,
        "start_seconds": PATIENCE,
        "memory_mib": 0,
        "processes": 2,
        "idle_seconds": 300.0,
        "strikes": 3,
    }
    return EngineProgram(name, command, **{**usual, **changes})  # type: ignore[arg-type]
