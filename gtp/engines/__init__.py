"""Programs that we drive as GTP engines: asked for moves and dead stones.

It imports the rules, `games.commands` and `gtp.argument_readers`, and nothing of boards and seats.
An engine that dies or hangs raises `Temporary`, one that answers `?` a `Refusal`. Read
`engine_process` (one process) first, then `controller` (one engine, with as many processes as it
may have) and `thinking_limits`. `bounds` says what an engine may do, and `sandbox` enforces it: its
process runs before the engine and beside it. `seccomp_filter` lists the system calls that the
kernel refuses it, `control_groups` divides what systemd lets us divide.
"""
