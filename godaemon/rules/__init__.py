"""The rules of Go, pure: no I/O, clock, SQL or log; imports only the errors and the texts.

Raises `Unreadable`, `IllegalMove` and `Unknown`, with sentences for people. Read in this order:

    points         colours, sizes and points, and their names
    board          stones, chains, liberties and capture, without history: the hot path
    ruleset        the dimensions in which rules differ, as one value; `named_rulesets` has the
                   published ones, `ruleset_terms` the notation of variations, `kata_rules`
                   KataGo's notation
    repetition     moves; ko and superko: which position a move repeats, and whether it may
    position       a board with its history: legal moves, play, undo, stops and ends
    handicap       the points of handicap stones
    scoring        groups that die together, the seven-state board, the count; uses `seki`
                   and `inseparable_chains`
    benson         stones that can never be captured
"""
