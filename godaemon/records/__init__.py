"""Records of games, pure: SGF (through sgfmill) and SGN in and out, and their replay on a board."""
