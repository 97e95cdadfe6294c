"""A seat in a stored game: a cursor on the game's log that a controller moves.

It imports `godaemon.games` and the rooms below it, and nothing of free boards. Everything but the
session is pure: a command returns a `SeatDecision`. A command that departs from the record raises a
`Refusal`, and the cursor does not move. In the order of reading:

    seat_view      the game, seen from one colour
    cursor         the cursor, the decisions of commands, and the state on which commands act
    commands       family by family; `sentences` are for people
    seat_session   carries decisions out in a `SeatGame`
    quiet_seconds  the main loop, with the timer that releases a pending move
"""
