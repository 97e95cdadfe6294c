"""A seat in a stored game: a cursor on the game's log that a controller moves.

It imports `godaemon.games` and what lies below, and nothing of free boards. All but the session is
pure: a command returns a `SeatDecision`. What departs from the record raises a `Refusal`, and the
cursor stays. In the order of reading:

    seat_view      the game, seen from one colour
    cursor         the cursor, whose methods return a `seat_decision`
    seat_state     what a command acts on: the cursor and the game
    commands       family by family; `sentences` are for people
    seat_session   carries decisions out against a `SeatGame`
    quiet_seconds  waits for lines, and for a pending move to be released
"""
