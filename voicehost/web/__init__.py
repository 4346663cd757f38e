"""The pages: the table on a screen, the host's remote, the players' phones. Needs the ``web`` extra."""
