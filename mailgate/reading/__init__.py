"""The reading of a letter: from its bytes to the new text that its sender wrote. Pure.

May import `mailgate.address`, the names of charsets and the errors. It accepts any bytes, uses
bounded time and memory, and raises only `Unreadable`. It trusts nothing, and reads no command.

Read it in this order:

- `inbound_letter`: its bytes and envelope, and those kept for later; `message`: the letter as the
  gateway sees it; `mime`: its parts, headers and charsets;
- `bodies`: the part that a person reads; `html_text`: HTML as text;
- `reply_trimming`: what was written now, down to the first quotation, signature or header;
  `additions`, `attribution`, `our_sentences`, `reply_marker`: how that is known;
- `program_phrases`: what programs write, in all languages: the data of `words/`, as patterns;
- `automatic_mail`: the signs that no person wrote it;
- `bounce_reports`: bounces and complaints, and which letter of ours they are about.
"""
