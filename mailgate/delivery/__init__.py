"""The delivery of letters: notices claimed from the outbox, composed, signed, and handed over.

May import `mailgate.letters` and what stands below it, and of godaemon the games' protocols,
notices and cache, the clock and the errors; neither `receiving` nor `handling`. Each way out raises
`Temporary`, `PutOff` or `Undeliverable`; by these the worker decides what becomes of a letter.

Read it in this order:

- `outbox_worker`: claim, compose, store, deliver, record, and the table of failures;
  `outbox_protocol`: the store as it needs it;
- `dkim_signer`: the signature of a letter;
- the ways out, one of which is configured: `smarthost`, or one of those in `ways_out`.
"""
