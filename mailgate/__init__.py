"""Front end: email, by which people play without an account, a password or a web page.

It translates between letters and the games of `godaemon`; it may import `godaemon.games` and what
lies below it, and never `gtp` or `godaemon.storage`. A letter goes through its rooms in this order:

- `doors` take it: SMTP, LMTP, an IMAP mailbox; `reception` keeps it, whatever it is;
- `reading` finds the words that its writer wrote, and `language` the commands in them;
- `inbound`, `desk` and what lies beside them decide who speaks and what it comes to;
- `letters` are what is written in answer; `delivery` brings them to the next mail server.
"""
