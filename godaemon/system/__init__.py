"""The machine that a daemon needs: clock, sockets, TLS, systemd, the log, keys, limits.

May import `godaemon.errors` and no room above. Raises `ConfigError` if the machine lacks something,
and `Temporary` for trouble that may pass. The modules are independent:

    clock           the only module that reads the time;  outages_and_pauses  time that is lost
    log_setup       the format of the log
    sockets         listening sockets, and the process at the other end;  tls  certificates
    acceptor        accepts their connections
    durable_files   files that survive a power cut, and their owners
    signing_keys    the keys that sign tokens
    source_limits   connections, wrong keys and emails of each source
    systemd         readiness, status and watchdog
"""
