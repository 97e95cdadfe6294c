"""Front end: email, by which people play without an account, a password or a web page.

It translates between letters and the games of `godaemon`; it may import `godaemon.games` and what
lies below it, and never `gtp` or `godaemon.storage`.
"""
