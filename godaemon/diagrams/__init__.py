"""Boards as people see them, pure: text, HTML and pictures, from the rows of `board_rows`.

It imports the rules and, for PNG alone, Pillow. Nothing here can fail. In the order of reading:

    symbols        the seven states of a point, and a whole board, in words; `hoshi`: star points
    description    the board in sentences, for those who hear it read
    text           the board in ASCII or Unicode
    html_board     the board as a table of HTML, with a link at each point
    part           a part of a board, which text and html_board draw too
    picture        the board as a `drawing`, in a `style`: shapes, from which `svg` and `png` are
                   made, the second in `fonts`; `kifu` draws a game with the numbers of its moves,
                   and `film` one move after another
"""
