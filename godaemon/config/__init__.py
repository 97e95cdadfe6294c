"""The operator's configuration: one TOML file, read into frozen models.

Imports pydantic, the standard library and `godaemon.errors`, and knows no other room. Whatever is
wrong raises `ConfigError` (exit 78) with a line for each fault. To be read in this order:

    settings        the whole configuration, and what of it a running daemon takes; mail_options
                    has [mail], section what sections share, checks what is checked
    config_file     which file counts, its sockets, and defaults that depend on the environment
    loading         text -> `Settings`, or what is wrong with it, and in which line
"""
