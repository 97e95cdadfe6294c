"""The machine that a daemon needs: clock, sockets, TLS, systemd, the log, keys, limits.

Imports only `godaemon.errors`. Raises `ConfigError` if the machine lacks something, and `Temporary`
for problems that may pass. The modules are independent:

    clock, outages_and_pauses   the time, and time that does not count
    log_setup, lossy_stream     the format of the log, and its output
    sockets, passed_sockets     listening sockets; `acceptor` accepts connections
    tls, signing_keys           certificates, and the keys that sign tokens
    durable_files               files that survive a power cut, and their owners
    source_limits               limits on connections, wrong keys and emails of each source
    systemd, counts             messages to systemd, and metrics
"""
