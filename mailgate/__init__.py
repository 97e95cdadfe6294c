"""Front end: email, by which people play without an account, a password or a web page.

It translates between letters and the games of `godaemon`. It may import `godaemon.games`, its
sibling `engine`, the layers below, and `godaemon.system`; never `gtp`, `godaemon.storage` or the
configuration. The README beside this file has the path of a letter step by step, and how it fails.
The rooms in order:

- `receiving`: letters in, by SMTP, LMTP, or from an IMAP mailbox;
- `reading`: the new text of a letter, or the failure in a bounce report (pure);
- `language`: the commands in that text, and what its words may mean (pure);
- `handling`: the sender, the commands and the answers of a letter, in one transaction;
- `letters`: the answers, as the bytes of one email (pure);
- `delivery`: letters out, from the outbox to the next mail server.

Modules beside them, all pure: `address`, `links`, `sender_checks`, `tokens` and `word_sets`.
"""
