"""Records of games, pure: SGF and SGN, in and out, and their replay on a board.

It imports the rules. What is no record raises `Unreadable`, whatever
its bytes are; a move that no ruleset allows, `IllegalMove`. In the order of reading:

    record         a game as facts, whatever file it came from
    replay         a record on a board, by a ruleset or as SGF executes it
    sgf            written as SGF; read by `sgf_read`, from the nodes that `sgf_tree` finds in
                   the text that `sgf_charset` makes of bytes, with what `sgf_dialects` knows of
                   other programs
    sgn            a game on one line
    printable      words as a record, a letter and a terminal can show them
"""
