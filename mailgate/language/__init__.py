"""From lines of text to commands: forgiving in form, strict in meaning. Pure."""
