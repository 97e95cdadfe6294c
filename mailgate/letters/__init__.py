"""The letters that godaemon writes: what each kind says, its text and HTML, its bytes.

May import the language, the reading (for the marker that a reply quotes), tokens, addresses, and
`godaemon` from games and engine down; no clock or network. It cannot fail on any state that a game
can be in, but with `ConfigError` where our own address is too long to carry a token.

Read it in this order:

- `letter_data`: what a letter is written from, read in one transaction; `letter_view`: the same as
  its recipient sees it;
- `compose`: the table of which function writes which kind; these are in `invitations`, `playing`,
  `counting`, `replies`, `guides`, `history_letter`, `engine_letters`, `games_list`,
  `settings_letter` and `account`;
- `blocks`: what a letter is made of; `shared_blocks`, `board_blocks`, `phrases`, `time_phrases`:
  what several letters share;
- `compose` again: from the notice to the email, by `plain_text`, `html_page` and `html_blocks`
  (which share `page_words`), and `headers`; `calendar_entries` writes the deadlines.
"""
