"""The delivery of letters: notices claimed from the outbox, composed, signed, and handed over.

May import `mailgate.letters` and what is below it, and godaemon's stored values, notices, game
cache, clock and errors; neither `receiving` nor `handling`. Each way out raises `Temporary`,
`PutOff` or `Undeliverable`, which tell the worker what to do with a letter.

Read it in this order:

- `outbox_worker`: claim, compose, store, deliver, record, and the table of failures;
- `composing_thread`: composed off the loop; `dkim_signer`: the signature of a letter;
- `ways_out`: their interface; one is configured: `smarthost`, `sendmail` or `maildir`.
"""
