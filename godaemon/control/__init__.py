"""The control socket: how the command line speaks to a running daemon.

One JSON object a line each way: `{"do": NAME, ...}` is answered by `{"ok": VALUE}` or by
`{"error": SENTENCE, "kind": CLASS}`. Neither side imports the database or the mail stack.
"""
