"""Programs that we drive as GTP engines: asked for moves and dead stones.

It imports the rules, `games.commands` and `gtp.argument_readers`, and nothing of boards and seats.
An engine that dies or hangs raises `Temporary`, one that answers `?` a `Refusal`. Read
`engine_process` (one process) first, then `controller` (one engine, with as many processes as it
may have). What an engine may do is in `containment`; `keeper` runs before it and beside it,
`seccomp_filter` is what it may not ask of the kernel, `control_groups` what systemd lets us divide.
"""
