"""The operator's configuration: one TOML file, read into frozen models.

Imports pydantic, the standard library and `godaemon.errors`, and knows no other room. Whatever is
wrong raises `ConfigError` (exit 78) with a line for each fault. To be read in this order:

    settings        the whole configuration; its sections stand in mail_options, gtp_options and
                    engine_options, what they share in section, and what is checked in checks
    defaults        the defaults that depend on the environment
    config_file     which file counts; the GTP socket, for programs that must start at once
    loading         text -> `Settings`; report says what is wrong with it, and in which line
    reloadable      what a running daemon can take from a changed file
"""
