"""What a letter comes to: who speaks, what they ask, what is answered."""
