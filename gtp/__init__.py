"""Front end: the Go Text Protocol, for graphical boards and for engines (gtp/README.md).

It translates between GTP lines and the games of `godaemon`. It may import `godaemon.games`,
`godaemon.engine` and the rooms below them, but never `mailgate` or `godaemon.storage`. A failed
command is answered `?` and the reason, in one place (`command_table`). In the order of reading:

    client            the program that a GUI starts; the syntax of lines and greetings
    client_file       the client as one file, for other computers
    argument_readers  readers of a command's arguments
    board_in_words    a board as a drawing and in sentences
    command_table     the table of commands, and the base class of sessions
    every_session     the commands of both kinds of session
    board, seat       the two kinds of session
    read_ahead        the queue of a connection's lines
    server            the daemon's connections, and sessions that outlive them
    engines           other programs, as opponents
"""
