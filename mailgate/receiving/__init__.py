"""Where letters come in: SMTP, LMTP, an IMAP mailbox. What is taken goes to the reception."""
