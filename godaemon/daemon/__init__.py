"""The daemon: one process that holds the games, and serves emails, Go programs and its operator.

May import every room but the command line. Opening raises `ConfigError` (exit 78) or `Busy`; once
it is open, a part that fails never takes the others down. Read in this order:

    main            the process: signals, the lock on its folder, opening, waiting, closing
    app             the composition root: every part, in the order in which it is opened, and the
                    hooks that report each COMMIT;
                    core  the base of all parts: settings, store, how games are opened
    mail            emails in and out
    gtp_listener    Go programs;  free_boards  their free boards
    engine_roster   the available engines;  engine_pool  their processes, and what we ask them;
                    engine_worker  lets them play in games
    operations      the operator's requests, with or without a running daemon;  status;  reload
    timers          the background jobs;  other_daemons  on the same database server
    health          the troubles of a daemon and its measurements;  metrics
    doctor_checks   checks of the machine, without a daemon;  doctor_dns
"""
