"""The commands of a seat, family by family, as on a free board."""
