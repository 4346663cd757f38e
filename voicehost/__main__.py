"""``python -m voicehost``."""

from voicehost.cli import main

main()
