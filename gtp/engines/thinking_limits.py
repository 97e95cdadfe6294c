"""Limits on what engines think about for people: opinions, reviews and analyses. In seconds.

The limit on the thought about a move is each program's own (`EngineProgram.seconds`).
"""

OPINION = 120.0
"""An engine's opinion on dead stones, with the time in the queue."""
OUR_OPINION = 20.0
"""Our own player's opinion: there is a simpler one."""
REVIEW = 600.0
"""A review, with the time in the queue; less than the outbox's lease."""
REVIEW_ALONE = 300.0
"""A review without the time in the queue: minutes with a larger network."""
ANALYSIS = 300.0
"""One analysis: by then it finds hardly anything new."""
ANALYSES_AT_ONCE = 2
"""The number of analyses at one time."""
