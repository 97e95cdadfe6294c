"""The handling of a letter: find its sender, carry out its commands, queue the answers.

May import the reading, the language, tokens, `sender_checks`, addresses and `godaemon.games`; the
writer and the clock are arguments. A `Refusal` becomes a letter to the sender. Any other fault
rolls back the transaction and quarantines the letter. `Temporary` is raised if nothing was stored.

Read it in this order:

- `intake`: one letter, one transaction, and the quarantine;
- `parsed_letter`: the letter, parsed before the transaction; `context`: the letter being handled;
  `player_games`: a game as seen from a seat, and the open games of an address;
- `dispatcher`: the handler by token; `trust`: how far we trust the sender; `confirmations`: held
  letters and transfers that wait for a yes;
- `handler`: carries out all commands of a letter, or refuses them;
- `talk_or_commands`: what a letter means now; `plain_words`, `sure_lines`: lines for words that are
  no command; `decision_table`: their table; `offer_answers`: `send`, or a yes to an offer;
- `letters_without_token`: letters that answer none of ours; `games_in_words`: games asked for in
  words; `games_list_answers`: answers to a list;
- `actions`, `queries`, `requests`, `game_requests`: the commands; `answer_limits`: limits on our
  answers.
"""
