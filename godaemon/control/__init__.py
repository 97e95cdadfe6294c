"""The control socket: the way by which the command line speaks to a running daemon.

One JSON object a line each way: `{"do": NAME, ...}` is answered by `{"ok": VALUE}` or by
`{"error": SENTENCE, "kind": CLASS}`. Neither side imports the database or the mail stack. An error
of the daemon's is raised again at the client's side; a daemon that does not answer is `Temporary`.
Read `daemon_here`, `control_client`, then `control_server`; `godaemon.daemon.operations` has the
handlers.
"""
