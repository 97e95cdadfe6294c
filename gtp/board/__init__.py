"""The free board: an ordinary engine, which needs no daemon."""
