"""The free board: an ordinary engine, which needs no daemon.

It imports the rules, records, diagrams, `godaemon.engine` and the time systems of games, nothing of
stored games or seats. Failures raise a `Refusal` in the specification's words. In the order of
reading:

    free_board     the board; `time_settings` computes the time for a move
    board_session  answers a line with a response
    commands       family by family; `game_file` reads and writes SGF
    stdio          a session on standard input and output
    kept_board     a session beside a daemon, which saves the record
"""
