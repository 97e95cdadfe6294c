"""The letters that godaemon writes: the content of each kind, its text, HTML and bytes.

May import the language, the reading (for the marker that a reply quotes), tokens, addresses, and
`godaemon` from games and engine down; no clock or network. It works for any state of a game, and
raises only `ConfigError`, if our address is too long to carry a token.

Read it in this order:

- `letter_data`: the data of a letter, read in one transaction; `letter_view`: the data as its
  recipient sees it;
- `compose`: the function that writes each kind; these are in `invitations`, `playing`, `counting`,
  `replies`, `guides`, `history_letter`, `engine_letters`, `games_list`, `settings_letter` and
  `account`;
- `blocks`: the parts of a letter; `shared_blocks`, `board_blocks`, `phrases`, `time_phrases`: parts
  that several letters share;
- `compose` again: from the notice to the email, by `plain_text`, `html_page` and `html_blocks`
  (which share `page_words`), and `headers`; `calendar_entries` writes the deadlines.
"""
