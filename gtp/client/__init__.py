"""The program's side of GTP: standard input and output, relayed to a daemon."""
