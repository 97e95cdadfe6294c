"""The control socket between the command line and a running daemon.

Both sides send one JSON object per line: `{"do": NAME, ...}` gets the answer `{"ok": VALUE}` or
`{"error": SENTENCE, "kind": CLASS}`. Neither side imports the database or the mail stack. The
client raises the daemon's errors, and `Temporary` if the daemon does not answer. Read
`control_client`, then `control_server`; `godaemon.daemon.operations` has the handlers.
"""
