"""Sets and tables of words, from one text."""


def words_of(text: str) -> frozenset[str]:
    return frozenset(text.split())


def letters_of(table: str) -> dict[str, str]:
    """The letter of each word in a table, of which each row is a letter and its words.

    >>> letters_of("U day days | m move")
    {'day': 'U', 'days': 'U', 'move': 'm'}
    """
    rows = (row.split() for row in table.replace("|", "\n").strip().split("\n"))
    return {word: letter for letter, *words in rows for word in words}
