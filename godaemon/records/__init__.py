"""Records of games, pure: SGF in and out (through sgfmill), and their replay on a board."""
