"""Boards as people see them: text, HTML and pictures, made from the rows of `board_rows`.

Imports the rules and, only for PNG and GIF, Pillow. Nothing here can fail. Read in this order:

    symbols        the states of a point, star points, and parts of a board
    description    the board in sentences, for screen readers
    text           the board in ASCII or Unicode
    html_board     the board as a table of HTML, with a link at each point
    board_style    a player's own style of boards in emails
    picture        the board as a `drawing`, a list of shapes, which it turns into SVG and `raster`
                   into PNG with `fonts`; `kifu` draws a game with the numbers of its moves; `film`
                   shows one position after another
"""
