"""The daemon: one process that holds the games, and hears letters, Go programs and its operator.

May import every room but the command line. Opening raises `ConfigError` (exit 78) or `Busy`; once
it is open, a part that fails never takes the others down. To be read in this order:

    main            the process: signals, the lock on its folder, opening, waiting, closing
    app             the composition root: every part, in the order in which it is opened;
                    core  what all of them stand on: settings, store, how games are opened
    commit_hook     the parts that hear of each COMMIT; the other daemons on a server
    mail            emails in and out
    gtp_listener    Go programs and their keys;  seat_service  their seats;
                    free_boards  their free boards
    engine_roster   the engines that there are;  engine_worker  has them play in games
    operations      the operator's requests, and the same without a daemon;  status;  reload
    timers          all that goes on by itself
    monitor         what is measured of it, for its  health  and  metrics
    doctor          what it stands on, asked without one:  dns_hints;  game_examination
"""
