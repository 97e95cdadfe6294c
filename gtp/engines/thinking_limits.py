"""Timeouts and limits of engines' opinions, reviews and analyses. Times are in seconds.

The timeout of a move is each program's own (`EngineProgram.seconds`).
"""

OPINION = 120.0
"""An engine's opinion on dead stones, time in the queue included."""
OUR_OPINION = 20.0
"""Our own player's opinion; a simpler one replaces it."""
REVIEW = 600.0
"""A review, time in the queue included; shorter than the outbox's lease."""
REVIEW_ALONE = 300.0
"""A review without its time in the queue; a larger network takes minutes."""
ANALYSIS = 300.0
"""One analysis; by then it hardly finds anything new."""
ANALYSES_AT_ONCE = 2
