"""The daemon's side of GTP: its connections, and sessions that outlive them.

It imports seats. An `Authenticator` decides who may play where; after a refusal the
connection is closed.
"""
