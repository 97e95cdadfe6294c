"""The letters that godaemon writes: what each kind says, its text and HTML, its bytes.

May import the language, the reading (for the marker that a reply quotes), tokens, addresses, and
`godaemon` from games and engine down; no clock or network. It cannot fail on any state that a game
can be in, but with `ConfigError` where our own address is too long to carry a token.

Read it in this order:

- `letter_data`: what a letter is written from, read in one transaction; `letter_view`: the same as
  its recipient sees it;
- `letter_kinds`: the table of which function writes which kind; these are in `invitations`,
  `playing`, `counting`, `dead_stones_opinion`, `replies`, `help_letter`, `history_letter`,
  `games_list`, `watched_games`, `settings_letter`, `account`, `gui`, `lesson_letters` ...;
- `blocks`: what a letter is made of; `shared_blocks`, `board_blocks`, `phrases`,
  `time_phrases`, `possible_lines`: what several letters share;
- `compose`: from the notice to the email, by `plain_text`, `html_page` and `html_blocks` (which
  share `page_words`), `headers` and `mime_message`; `calendar_entries` writes the deadlines.
"""
