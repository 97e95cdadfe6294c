"""Boards as people see them, pure: text, HTML and pictures, from the rows of `board_rows`."""
