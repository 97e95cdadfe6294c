"""The players' language: from lines of text to commands. Pure, but for `train`.

Exact lines and whole statements of the lexicon act. A small model ranks all other words: how likely
they are talk, and what else they may mean; `mailgate.handling` decides. May import
`mailgate.reading` (for folding spaces), addresses, tokens, and godaemon's rules and games' values;
raises only `Unreadable`, with lines that would work as hints.

Read it in this order:

- `verb_table`, `verbs.toml`, `topics.toml`: every verb and topic; `arguments`, `new_game`,
  `written_moves`, `written_times`, `written_rates`: the arguments of verbs;
- `statement_splitting`: a line cut at its stops; `lexicon` and `words/`: statements that act, in
  every language; `acting_statements`: the command of a line of talk, or a yes or a no;
- `command_lines`: lines that are commands; `parser`: a letter as commands and words;
- `meaning_model`: what words may mean; `train`: writes `model.bin`;
- `terms`: terms of a game, and days off, in words; `near_misses`: lines that look like commands;
- `game_lines`: lines that name their game, in answer to a list of games;
- `closings`: closings and contact data, which are not passed on.
"""
