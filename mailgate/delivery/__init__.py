"""How letters go out: claimed from the outbox, signed, and handed to the next hop."""
