"""The reading of a letter: from its bytes to the new text that its sender wrote.

May import `mailgate.address`, the names of charsets and the errors. It accepts any bytes, uses
bounded time and memory, and raises only `Unreadable`. It checks no sender, and reads no command.

Read it in this order:

- `inbound_letter`: its bytes and envelope; `message`: the letter as the gateway sees it; `mime`:
  its parts, headers and charsets;
- `bodies`: the part that a person reads; `html_text`: HTML as text;
- `reply_trimming`: the new text, down to the first quotation, signature or header; `additions`,
  `attribution`, `our_sentences`: how to recognise these;
- `program_phrases`: the phrases of programs, in all languages: the data of `words/`, as patterns;
- `automatic_mail`: the signs that no person wrote it;
- `bounce_reports`: bounces and complaints, and the letter of ours that they are about.
"""
