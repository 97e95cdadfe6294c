"""The options of [engines]: the programs that can be played against."""

from __future__ import annotations

from typing import Annotated, ClassVar, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    model_validator,
)

from godaemon.config.checks import (
    AbsolutePath,
    absolute_paths,
    engine_name,
    one_line,
    program_command,
)
from godaemon.config.section import Section


class Engine(Section):
    """[engines.NAME]: a program that speaks GTP, as an opponent. Times are in seconds."""

    command: Annotated[list[str], AfterValidator(program_command)]
    seconds: Annotated[float, Field(gt=0, le=3600)] = 30
    start_seconds: Annotated[float, Field(gt=0, le=3600)] = 60
    memory_mib: Annotated[int, Field(ge=0, le=1_048_576)] = 1024
    processes: Annotated[int, Field(ge=1, le=64)] = 2
    idle_seconds: Annotated[float, Field(ge=0, le=86_400)] = 300
    strikes: Annotated[int, Field(ge=1, le=20)] = 3
    largest: Annotated[int, Field(ge=2, le=25)] = 19
    rectangular: bool = False
    contained: bool = True
    disk_mib: Annotated[int, Field(ge=0, le=1_048_576)] = 64
    tasks: Annotated[int, Field(ge=1, le=4096)] = 64
    network: bool = False
    gpu: bool = False
    read: Annotated[list[str], AfterValidator(absolute_paths)] = Field(default_factory=list)
    write: Annotated[list[str], AfterValidator(absolute_paths)] = Field(default_factory=list)
    note: Annotated[str, Field(max_length=80), AfterValidator(one_line)] = ""


class Engines(Section):
    """[engines]: the programs that can be played against, each in a section of its own."""

    model_config = ConfigDict(extra="allow", frozen=True, strict=True)
    __pydantic_extra__: dict[str, Engine]

    each: ClassVar[type[BaseModel]] = Engine
    """What every section of a name of the operator's own is."""

    network: AbsolutePath | None = None
    opinion: Annotated[str, AfterValidator(engine_name)] | None = None
    games_per_player: Annotated[int, Field(ge=1, le=10_000)] = 20

    @model_validator(mode="after")
    def _names(self) -> Self:
        for name in self.named:
            engine_name(name)
        return self

    @property
    def named(self) -> dict[str, Engine]:
        """The engines by their names."""
        return self.__pydantic_extra__

    @property
    def untrusted(self) -> list[str]:
        """Those of them that are to be contained."""
        return [name for name, engine in self.named.items() if engine.contained]
