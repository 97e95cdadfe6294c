"""The settings of a configuration file; mistakes raise `ConfigError`."""

import operator
import tomllib
from collections.abc import Collection, Mapping
from functools import reduce

from pydantic import ValidationError

from godaemon.config.config_file import File, find_config, read_text, service_environ
from godaemon.config.mistakes import Key, explain_errors, explain_syntax
from godaemon.config.settings import Settings
from godaemon.errors import ConfigError


def load(
    path: File | None, environ: Mapping[str, str], *, without: Collection[Key] = ()
) -> Settings:
    """The settings of the file that `find_config` finds; `ConfigError` lists all mistakes.

    The sections of `without` are left out.
    """
    source = find_config(path, environ)
    if source is None:
        return parse("", "godaemon's defaults", environ)
    return parse(read_text(source), source, service_environ(source, environ), without=without)


def parse(
    text: str, source: str, environ: Mapping[str, str], *, without: Collection[Key] = ()
) -> Settings:
    """The settings of a TOML text; `source` is its name in a `ConfigError`."""
    try:
        data = tomllib.loads(text)
        for *parents, name in without:
            reduce(operator.getitem, parents, data).pop(name, None)
        return Settings.model_validate(data, context=environ)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(explain_syntax(source, str(error), text)) from error
    except ValidationError as error:
        lines = explain_errors(error.errors(), Settings, source, text)
        raise ConfigError("\n".join(lines)) from error
