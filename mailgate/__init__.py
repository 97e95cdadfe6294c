"""Front end: email, by which people play without an account, a password or a web page.

It translates between letters and the games of `godaemon`; it may import `godaemon.games`, its
sibling `engine`, what lies below, and `godaemon.system`; never `gtp`, `godaemon.storage` or the
configuration. The README beside this file has the path of a letter hop by hop, and how it fails.
The rooms in order:

- `receiving`: letters in, by SMTP, LMTP, or from an IMAP mailbox;
- `reading`: the new text of a letter, or the failure that a bounce report tells of (pure);
- `language`: the commands in that text, and what its words may mean (pure);
- `handling`: who speaks, what it comes to, and what is owed in answer, in one transaction;
- `letters`: what is written in answer, as the bytes of one email (pure);
- `delivery`: letters out, from the outbox to the next mail server.

Loose beside them, and pure: `address`, `tokens` and `sender_checks`.
"""
