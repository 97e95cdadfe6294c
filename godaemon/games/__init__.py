"""Games and their players: what may be done when, as events in a log."""
