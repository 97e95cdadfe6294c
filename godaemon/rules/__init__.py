"""The rules of Go, pure: no I/O, no clock, no SQL, no logging; imports `godaemon.errors` alone.

What a person wrote or played and cannot be raises a `Refusal` in words for people: `Unreadable`,
`IllegalMove`, `Unknown`. In the order of reading:

    points         colours, sizes and points, and their names
    board          stones, chains, liberties and capture, without history: the hot path
    ruleset        the dimensions in which rules differ, as one value; `named_rulesets` has the
                   published ones, `ruleset_terms` the words for what differs from them,
                   `kata_rules` KataGo's form of all that
    repetition     ko and superko: what a move would repeat, and what the rules forbid
    position       a board with its past: legal moves, play, undo; `moves` are what is played
    handicap       where handicap stones stand
    turn_order     whose move it is, what stops a game, and what ends it
    scoring        groups that die together, the seven-state board, the count; it takes off
                   what `seki` finds by `inseparable_chains`, and adds `pass_stones`
    benson         stones that can never be taken
"""
