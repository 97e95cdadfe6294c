"""The language that players write in: from lines of text to commands. Pure.

Forgiving in form, strict in meaning: what is perhaps a command is asked about. May import
`mailgate.reading` (for folding spaces), addresses and tokens, and of godaemon the rules and the
games' values; raises `Unreadable` alone, with lines that would work as hints.

Read it in this order:

- `verb_table`: every verb, from which the help letter is made too;
- `parser`: lines to commands and words; `arguments`, `new_game`, `written_moves`,
  `board_questions`, `translations`: what follows a verb, proposals, moves, questions about the
  board, and other languages;
- `wished_terms`, `wished_games`, `wished_settings`, `counted`: the terms of a game, a new one,
  settings, and stones in a count, in sentences: offered as lines;
- `talk`: a command within a sentence; `consent`: a yes or a no; `questions`, `glossary`,
  `reserved`, `reserved_words`, `complaints`, `learning`: words that are meant for us, and that no
  opponent reads;
- `game_lines`: lines that name the game they are about, by which a list of games is answered;
- `near_moves`, `near_commands`: what only looks like one; `told_places`: a move by its place;
  `opponent_words`: what is passed on; `third_person`: what is about the opponent, and so is not.
"""
