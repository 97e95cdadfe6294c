"""Front end: the Go Text Protocol, for graphical boards and for engines (gtp/README.md).

It translates between GTP lines and the games of `godaemon`; it may import `godaemon.games`,
`godaemon.engine` and what lies below them, and never `mailgate` or `godaemon.storage`. A command
that fails is answered `?` and the reason, in one place (`command_table`). In the order of reading:

    client            the program that a GUI starts; the form of lines and greetings, for both ends
    client_file       it as one file, for other computers
    argument_readers  a command's arguments
    board_in_words    a board drawn and in sentences, for either kind of session
    command_table     the table of commands, and what every session is
    every_session     the commands of every session
    board, seat       the two kinds of session
    read_ahead        the lines of one connection, read ahead
    server            the daemon's connections
    engines           programs that we drive
"""
