"""Programs that we drive as GTP engines: asked for moves and dead stones."""
