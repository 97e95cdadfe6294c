"""The settings of a configuration file; mistakes raise `ConfigError`."""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

from pydantic import ValidationError

from godaemon.config.config_file import File, find_config, read_text, service_environ
from godaemon.config.mistakes import explain_errors, explain_syntax
from godaemon.config.settings import Settings
from godaemon.errors import ConfigError


def load(path: File | None, environ: Mapping[str, str]) -> Settings:
    """The settings of the file that `find_config` finds; `ConfigError` lists all mistakes."""
    source = find_config(path, environ)
    if source is None:
        return parse("", "godaemon's defaults", environ)
    settings = parse(read_text(source), source, service_environ(source, environ))
    status = Path(source).stat()
    has_password = re.match(r"postgresql[^/]*//[^/:]*:[^@]+@", settings.database_url)
    if has_password and status.st_mode & 0o004:
        mode = "chmod 600" if status.st_uid else f"chown root:godaemon-gtp {source} && chmod 640"
        raise ConfigError(
            f"{source}: database_url: Others on this machine can read this file, which contains the"
            f" database's password: run `{mode} {source}`"
        )
    return settings


def parse(text: str, source: str, environ: Mapping[str, str]) -> Settings:
    """The settings of a TOML text; `source` is its name in a `ConfigError`."""
    try:
        return Settings.model_validate(tomllib.loads(text), context=environ)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(explain_syntax(source, str(error), text)) from error
    except ValidationError as error:
        lines = explain_errors(error.errors(), Settings, source, text)
        raise ConfigError("\n".join(lines)) from error
