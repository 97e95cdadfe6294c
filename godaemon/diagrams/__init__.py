"""Boards as people see them, pure: text, HTML and pictures, from the rows of `board_rows`.

It imports the rules and, for PNG and GIF alone, Pillow. Nothing here can fail. In the order of
reading:

    symbols        the states of a point, star points, and parts of a board
    description    the board in sentences, for those who hear it read
    text           the board in ASCII or Unicode
    html_board     the board as a table of HTML, with a link at each point
    board_style    a player's own style of boards in emails
    picture        the board as a `drawing`: shapes, which are SVG there and PNG in `png`, with the
                   `fonts` of the machine; `kifu` draws a game with the numbers of its moves, and
                   `film` one position after another
"""
