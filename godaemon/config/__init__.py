"""The operator's configuration: one TOML file, read into frozen models.

Imports pydantic, the standard library and `godaemon.errors`, and knows no other room. Mistakes
raise `ConfigError` (exit 78) with a line for each. Read in this order:

    settings        the whole configuration; [mail] is in mail_options, the base of all sections
                    in section, with files and secrets; validators in checks
    config_file     finds the file, its sockets, and defaults that depend on the environment
    loading         text -> `Settings`; mistakes: a sentence for each mistake, with its line
"""
