"""The daemon: every part built from the settings, wired together, and closed in order."""
