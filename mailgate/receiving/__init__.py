"""The receiving of letters: by SMTP and by LMTP, and fetched from a mailbox by IMAP.

May import `mailgate.reading.inbound_letter`, tokens, and godaemon's stored values, clock and
errors; not `delivery`, nor `handling`, which is a function in its arguments. A fault of ours is
`Temporary`: a 451 by SMTP, a retry by IMAP. A letter is acknowledged, or marked, only after COMMIT.

Read it in this order:

- `smtp_session`: listening sockets, and sessions by SMTP or LMTP with their limits;
  `smtp_handler`: the answers to MAIL, RCPT and DATA; `postmaster`: the letters to the operator;
- `imap_fetcher`: a mailbox watched, each letter taken once; `imap_client`: one connection, with a
  timeout on every wait; `imap_responses`: a server's answers;
- `envelopes`: the recipient and the origin of a letter, by envelope and header.
"""
