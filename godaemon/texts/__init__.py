"""The sentences that people read in our emails: a gettext catalogue for each language.

`godaemon/texts/en.po` has all of them, by key; a test requires the same keys of each language.
`say` returns a sentence in the language of the current email, `sentence` an English one that can be
translated later. Imports nothing of ours.
"""
