"""Voices: a line of text becomes sound. Knows nothing of the game, plays nothing itself."""
