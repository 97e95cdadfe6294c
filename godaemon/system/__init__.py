"""What a daemon needs of its machine: clock, sockets, TLS, systemd, the log, keys, source limits.

It may import `godaemon.errors` and the configuration, and knows no room above. A machine that lacks
something raises `ConfigError`; what can pass raises `Temporary`.
"""
