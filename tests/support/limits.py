"""Values for the protocol `games.stranger_limits.WritingLimits`: letters per day."""

from dataclasses import dataclass


@dataclass(slots=True)
class Limits:
    """Limits that a test can change."""

    confirmations_per_sender: int = 20
    invitations_per_sender: int = 20
    invitations_per_address: int = 5
    open_challenges: int = 5
    letters_per_stranger: int = 10
    strangers_per_domain: int = 100
    strangers_per_network: int = 50
    strangers_in_all: int = 300
