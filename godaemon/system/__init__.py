"""The machine as a daemon needs it: clock, sockets, TLS, systemd, the log, keys, limits.

May import `godaemon.errors` and no room above. A machine that lacks something raises `ConfigError`;
what can pass raises `Temporary`. Each module stands alone:

    clock           the one place that reads the time
    log_setup       the form of the log
    sockets         listening sockets, and the process at the other end;  tls  certificates
    acceptor        takes connections in from them
    durable_files   files that outlive a power cut, and whose they are
    signing_keys    the keys that sign tokens
    source_limits   connections, wrong keys and emails of each source
    systemd         readiness, status and watchdog
"""
