"""The daemon's side of GTP: its connections, and sessions that outlive them.

It imports seats. `SeatAuthenticator` decides who may play where; after a refusal the connection is
closed.
"""
