"""Front end: the Go Text Protocol, for graphical boards and for engines.

It translates between GTP lines and the games of `godaemon`; it may import `godaemon.games`,
`godaemon.engine` and what lies below them, and never `mailgate` or `godaemon.storage`.
"""
