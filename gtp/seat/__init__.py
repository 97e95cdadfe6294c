"""A seat in a stored game: a cursor on the game's log that a controller moves.

It imports `godaemon.games` and the rooms below it, and nothing of free boards. Commands are pure: a
command returns a `SeatDecision`. A command that departs from the record raises a
`Refusal`, and the cursor does not move. In the order of reading:

    seat_view      the game, seen from one colour
    cursor         the cursor, the decisions of commands, and the state on which commands act
    commands       family by family; `sentences` are for people
    stored_seat    the seat in the store, in which decisions are carried out
    seat_session   carries decisions out; the main loop, with the timer of a pending move
"""
