"""Records of games: reading and writing SGF and SGN, and their replay on a board.

Imports the rules. Any input that is not a record raises `Unreadable`; an illegal move raises
`IllegalMove`. Read in this order:

    record         the contents of a record in any format
    replay         a record on a board, by a ruleset or as SGF executes it
    sgf            writes SGF; `sgf_read` reads it: `sgf_charset` turns bytes into text, `sgf_tree`
                   text into nodes, `sgf_dialects` other programs' forms into FF[4]
    sgn            a game on one line
    printable      text that a record, an email and a terminal can all show
"""
