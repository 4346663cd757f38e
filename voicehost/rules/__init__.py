"""The game itself, pure: no clock, no files, no language, no chance of its own."""
