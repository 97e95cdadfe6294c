"""From the bytes of a letter to the new text that its writer wrote. Pure: no I/O, no clock."""
