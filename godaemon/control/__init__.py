"""The control socket, over which the command line talks to a running daemon.

One JSON object a line each way: `{"do": NAME, ...}` is answered by `{"ok": VALUE}` or by
`{"error": SENTENCE, "kind": CLASS}`. Neither side imports the database or the mail stack. The
client raises the daemon's errors again, and `Temporary` if the daemon does not answer.
Read `daemon_here`, `control_client`, then `control_server`; `godaemon.daemon.operations` has the
handlers.
"""
