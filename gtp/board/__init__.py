"""The free board: an ordinary engine, which needs no daemon.

It imports the rules, records, diagrams and `godaemon.engine`, nothing of stored games or seats.
What cannot be done raises a `Refusal` in the specification's words. In the order of reading:

    free_board     the board; `time_systems` says how long a move may take
    board_session  a line in, a response out
    commands       family by family; `game_file` writes SGF
    stdio          a session on standard input and output
    kept_board     a session on a board of which a daemon has a copy, and the player
"""
