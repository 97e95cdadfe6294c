"""The daemon's side of GTP: its connections, and sessions that outlive them.

It imports boards and seats. Who may play where comes in as an `Authenticator`; a refusal is one
line, and the connection is closed.
"""
