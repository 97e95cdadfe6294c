"""The program's side of GTP: standard input and output, relayed to a daemon.

It imports the standard library alone, because it is to run by itself on other machines; the
daemon's side takes the form of lines and greetings from here. Trouble with a connection is
`OSError`, a daemon that will not have us `ConnectionRefused`. In the order of reading:

    syntax         bytes to lines, lines to requests, replies to bytes; pure
    handshake      the first line of a connection; pure
    connect        a connection on which it was accepted
    resend         what must be asked again after a break; pure
    relay          all of it together
"""
