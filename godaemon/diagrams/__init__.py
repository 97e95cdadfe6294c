"""Boards as people see them, pure: text and HTML from the rows of `rules.scoring.board_rows`."""
