"""The daemon's side of GTP: its connections, and sessions that outlive them."""
