"""The program's side of GTP: relays standard input and output to a daemon.

It imports only the standard library, because it also runs by itself on other machines, with Python
3.9 and on Windows: no `select`, nothing that only POSIX has. The daemon's side imports the syntax
from here. A connection fails with `OSError`; a refusal by the daemon is `ConnectionRefused`. In the
order of reading:

    syntax         bytes to lines, lines to requests, replies to bytes; greetings; pure
    connect        opens a connection with a greeting, or explains why there is none
    resend         remembers what to send again after a broken connection; pure
    relay          the threads that use these three
    options        parses the command line
    program        the client by itself, which `gtp.client_file` puts into one file
"""
