"""Go itself, pure: no I/O, no clock, no SQL, no logging; imports only `godaemon.errors`."""
