"""The handling of a letter: who speaks, what they ask, what is done, and what is owed in answer.

May import the reading, the language, tokens, `sender_checks`, addresses and `godaemon.games`; the
writer and the clock are given to it. A `Refusal` becomes a letter to the sender. Any other fault
rolls the letter's transaction back and puts the letter into quarantine; `Temporary` alone is
raised, where it could not be kept.

Read it in this order:

- `intake`: one letter, one transaction, and the quarantine;
- `parsed_letter`: the letter parsed, before the transaction; `context`: the letter in hand;
  `player_games`: a game and the seat that somebody speaks for, and the open games of an address;
- `dispatcher`: by whose token it speaks; `confirmations`: what waits for somebody's yes;
- `handler`: act on a game, act without one, refuse; all or nothing;
- `talk_or_commands`: what a letter means at this moment; `plain_words`: the lines offered for words
  that are no command; `decision_table`: the table behind both; `follow_ups`: `send`, or a yes to an
  offer;
- `letters_without_token`: what answers none of ours; `list_answers`: what answers a list;
- `actions`, `queries`, `requests`, `game_requests`: what its commands ask; `answer_limits`: how
  often we answer.
"""
