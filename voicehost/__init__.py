"""voicehost: an offline voice that hosts a game of Mafia."""

__version__ = "0.1.0"
