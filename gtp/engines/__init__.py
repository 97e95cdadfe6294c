"""Other programs as GTP engines: the daemon asks them for moves and dead stones.

It imports the rules, `games.commands` and `gtp.argument_readers`, and nothing of boards and seats.
An engine that dies or hangs raises `Temporary`; an answer with `?` raises `Refusal`. In the order
of reading:

    engine_process  one process
    controller      one engine with its processes
    engine_program  the rights and limits of an engine
    sandbox         enforces them: starts the engine and watches it
    seccomp_filter  the system calls that the kernel refuses it
    control_groups  a control group for each engine
"""
