"""The settings of a configuration file; mistakes raise `ConfigError`."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import reduce
from operator import getitem
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
    return parse(read_text(source), source, service_environ(source, environ))


def load_private(path: File | None, environ: Mapping[str, str]) -> Settings:
    """The settings for a daemon, which `require_private` accepts."""
    settings = load(path, environ)
    require_private(find_config(path, environ), settings)
    return settings


def require_private(source: str | None, settings: Settings) -> None:
    """Raise `ConfigError` for a password of the database in a file that others can read."""
    has_password = re.search(r"//[^/:]*:[^@]+@|[?&]password=", settings.database_url)
    if source is None or not has_password or not (status := Path(source).stat()).st_mode & 0o004:
        return
    mode = "chmod 600" if status.st_uid else f"chown root:godaemon-gtp {source} && chmod 640"
    raise ConfigError(
        f"{source}: database_url: Others on this machine can read this file, which contains the"
        f" database's password: run `{mode} {source}`"
    )


def parse(
    text: str, source: str, environ: Mapping[str, str], without: Iterable[tuple[str, ...]] = ()
) -> Settings:
    """The settings of a TOML text without some options; `source` names it in a `ConfigError`."""
    try:
        data = tomllib.loads(text)
        for *outer, name in without:
            reduce(getitem, outer, data).pop(name, None)
        return Settings.model_validate(data, context=environ)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(explain_syntax(source, str(error), text)) from error
    except ValidationError as error:
        lines = explain_errors(error.errors(), Settings, source, text)
        raise ConfigError("\n".join(lines)) from error
