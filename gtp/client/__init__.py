"""The program's side of GTP: standard input and output, relayed to a daemon.

It imports the standard library alone, because it is to run by itself on other machines, where
Python may be as old as 3.9 and the system Windows: no `select`, nothing of POSIX alone. The
daemon's side takes the form of lines and greetings from here. Trouble with a connection is
`OSError`, a daemon that will not have us `ConnectionRefused`. In the order of reading:

    syntax         bytes to lines, lines to requests, replies to bytes; greetings; pure
    connect        a connection on which a greeting was accepted; or why there is none
    resend         what must be asked again after a break; pure
    relay          all of it together
    options        the words of a command line
    program        the client by itself, which `gtp.client_file` puts into one file
"""
