"""The receiving of letters: by SMTP and by LMTP, and fetched from a mailbox by IMAP.

May import what a letter is as it arrives (`mailgate.reading.inbound_letter`), tokens, and of
godaemon the ports, the clock and the errors; neither `handling`, which it is given as a function,
nor `delivery`. Trouble of ours is `Temporary`: a 451 by SMTP, another try by IMAP. A letter is
acknowledged, or marked, after COMMIT.

Read it in this order:

- `smtp_listener`: a listening socket; `smtp_session`: one session by SMTP or LMTP, and its limits;
  `smtp_handler`: what MAIL, RCPT and DATA are answered; `postmaster`: the operator's own letters;
- `imap_fetcher`: a mailbox watched, each letter taken once; `fetch_progress`: what it stores;
  `imap_client`: one connection, with a limit on every wait; `imap_responses`: a server's answers;
- `recipients`: to whom a letter is, by envelope and header; `line_ends`: CR LF and nothing else.
"""
