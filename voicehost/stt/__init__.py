"""Speech to words: recognisers behind one protocol, and what they are worth on recordings."""
