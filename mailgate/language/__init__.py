"""The language that players write in: from lines of text to commands. Pure, but for `train`.

Exact lines and whole statements of the lexicon act. All other words are only ranked: a small model
says whether they are talk, and what they may mean; `mailgate.handling` decides. May import
`mailgate.reading` (for folding spaces), addresses and tokens, and of godaemon the rules and the
games' values; raises `Unreadable` alone, with lines that would work as hints.

Read it in this order:

- `verb_table`, `verbs.toml`, `topics.toml`: every verb and topic; `arguments`, `new_game`,
  `written_moves`, `written_times`: what follows a verb;
- `statement_splitting`: a line cut at its stops; `lexicon` and `words/`: what acts, in every
  language; `acting_statements`: what a line does beyond doubt, or a yes or a no;
- `command_lines`: lines that are commands; `parser`: a letter as commands and words;
- `meaning_model`: what words may mean; `train`: how `model.bin` is made;
- `terms`: the terms of a game that words name; `near_misses`: what only looks like a command;
- `game_lines`: lines that name the game they are about, by which a list of games is answered;
- `closings`: what stands below a letter, and is not passed on.
"""
