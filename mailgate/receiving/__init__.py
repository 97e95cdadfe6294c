"""The receiving of letters: by SMTP and by LMTP, and fetched from a mailbox by IMAP.

May import what a letter is as it arrives (`mailgate.reading.inbound_letter`), tokens, and of
godaemon the ports, the clock and the errors; neither `handling`, which it is given as a function,
nor `delivery`. Trouble of ours is `Temporary`: a 451 by SMTP, another try by IMAP. A letter is
acknowledged, or marked, after COMMIT.

Read it in this order:

- `smtp_session`: listening sockets, and sessions by SMTP or LMTP with their limits;
  `smtp_handler`: the answers to MAIL, RCPT and DATA, and the postmaster's letters;
- `imap_fetcher`: a mailbox watched, each letter taken once; `imap_client`: one connection, with a
  timeout on every wait; `imap_responses`: a server's answers, and what the store remembers;
- `envelopes`: to whom a letter is, and from where, by envelope and header.
"""
