"""The delivery of letters: notices are claimed from the outbox, composed, signed and handed over.

May import `mailgate.letters` and the layers below it, and godaemon's stored values, notices, game
cache, clock and errors; neither `receiving` nor `handling`. Each way out raises `Temporary`,
`Deferred` or `Undeliverable`, by which the worker retries a letter or sets it aside.

Read it in this order:

- `outbox_worker`: claim, compose, store, deliver, record, and the table of failures;
- `composing_thread`: composes letters off the loop; `dkim_signer`: signs them;
- `ways_out`: the interface of the ways out; one is configured: `smarthost`, `sendmail`, `maildir`.
"""
