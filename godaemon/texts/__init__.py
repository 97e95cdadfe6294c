"""The sentences that people read in our emails: a gettext catalogue for each language.

`godaemon/texts/en.po` has them all, by key; a file for another language has the same keys, or a
test fails. `say` gives a sentence in the language of the email that is being written, `sentence`
one in English that can be said in another language later. Imports nothing of ours.
"""
