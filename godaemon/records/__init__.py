"""Records of games: reading and writing SGF and SGN, and their replay on a board. Pure.

Imports the rules. Any input that is not a record raises `Unreadable`; an illegal move raises
`IllegalMove`. Read in this order:

    record         a game as facts, whatever file it came from
    replay         a record on a board, by a ruleset or as SGF executes it
    sgf            written as SGF; read by `sgf_read`, from the nodes that `sgf_tree` finds in
                   the text that `sgf_charset` makes of bytes, with what `sgf_dialects` knows of
                   other programs
    sgn            a game on one line
    printable      text that a record, an email and a terminal can all show
"""
