"""One live game: the conductor, its clock, its script."""
