"""The letters that godaemon writes: what each kind says, its text and HTML, its bytes.

May import the language, the reading (for the marker that a reply quotes), tokens, addresses, and
`godaemon` from games and engine down; no clock or network. It cannot fail on any state that a game
can be in, but with `ConfigError` where our own address is too long to carry a token.

Read it in this order:

- `letter_data`: what a letter is written from, read in one transaction; `letter_view`: the same as
  its recipient sees it;
- `letter_kinds`: the table of which function writes which kind; these are in `invitations`,
  `playing`, `counting`, `dead_stones_opinion`, `replies`, `described_board`, `games_list`, `gui`
  and `account`; `did_you_mean` goes before any of them;
- `blocks`: what a letter is made of; `shared_blocks`, `count_blocks`, `phrases`, `board_links`,
  `gtp_access`: what several letters share;
- `compose`: from the notice to the email, by `plain_text`, `html_page` (its head, its blocks
  and boards: `html_head`, `html_blocks`), `mailto` (links that open a reply), `headers` and
  `mime_message`; `calendar_entries` writes the deadlines that come along; `safe_words` sees to it
  that no words of ours are obeyed.
"""
