"""A seat in a stored game: a cursor on the game's log that a controller moves."""
