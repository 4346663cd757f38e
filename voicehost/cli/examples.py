"""Examples for the help pages of commands that have none of their own beside them."""

from __future__ import annotations

EXAMPLES: dict[str, tuple[str, ...]] = {
    "rules list": ("rules list", "rules list | grep bg"),
    "rules show": ("rules show fsm", "rules show sport > moi.toml", "rules show moi.toml --json"),
    "rules check": ("rules check moi.toml", "rules check pravila/klub.toml"),
    "phrases list": ("phrases list", "phrases list | grep ru"),
    "phrases show": ("phrases show ru", "phrases show bg --announcements"),
    "phrases check": ("phrases check", "phrases check bg", "phrases check phrases/ru"),
    "models list": ("models list", "models list --json"),
    "models install": ("models install vosk-model-small-ru", "models install vosk-model-small-ru --from /media/flash"),
    "models verify": ("models verify", "models verify vosk-model-small-ru"),
    "models remove": ("models remove vosk-model-small-ru", "models remove whisper-base"),
    "voices list": ("voices list", "voices list --language bg --json"),
    "voices test": ("voices test", "voices test --language bg", "voices test --record proba.wav --silent"),
    "voices render": ("voices render golos --rules fsm", "voices render --voice pavel --format opus --jobs 2"),
    "voices verify": ("voices verify golos", "voices verify /media/flash/golos"),
    "voices record": ("voices record moy-golos --rules sport", 'voices record moy-golos --by "Аня" --device USB'),
    "doctor": ("doctor", "doctor --sound --device USB", "doctor --language bg --verbose"),
    "games list": ("games list", "games list --journal vecher.db"),
    "games show": ("games show mirola", "games show mirola --heard", "games show mirola --all"),
    "games resume": ("games resume", "games resume mirola --input text", "games resume --web --voice none"),
    "games export": ("games export mirola -o vecher.html", "games export mirola --format csv"),
    "games delete": ("games delete mirola", "games delete mirola --yes"),
    "bench": ("bench", "bench --json --language bg"),
}
"""By the words that call the command: lines without the program's name."""


def epilog(path: str) -> str | None:
    """Return the end of a command's help page, or None when there are no examples for it."""
    lines = EXAMPLES.get(path)
    return None if lines is None else "\n".join(["\b", "Примеры:", *(f"  voicehost {line}" for line in lines)])
