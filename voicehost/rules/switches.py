"""Allowed values of the rule switches; their meanings stand in the message files under ``switches``."""

from __future__ import annotations

CHOICES: dict[str, tuple[str, ...]] = {
    "language": ("ru", "bg"),
    "black_cards": ("third",),
    "seating": ("given", "drawn"),
    "opener": ("rotate", "day-number"),
    "withdrawal": ("forbidden", "by-word", "last-counts"),
    "alone_on_day_one": ("no-vote", "vote"),
    "alone_later": ("vote", "leaves", "no-vote"),
    "revote_order": ("nomination", "reverse"),
    "tie_at_four": ("shootout", "no-revote", "night"),
    "repeated_tie": ("lift", "stay"),
    "vote_after_removal": ("held", "not-held", "not-held-or-next"),
    "third_foul": ("counted", "nominate-only"),
    "sheriff_answer": ("colour", "colour-and-don"),
    "best_move_counts": ("voted", "all"),
}
"""Words a switch may have."""

RANGES: dict[str, tuple[int, int]] = {
    "players_min": (5, 20),
    "players_max": (5, 20),
    "black_cards": (1, 9),
    "contract_seconds": (0, 600),
    "meeting_don_seconds": (0, 120),
    "meeting_sheriff_seconds": (0, 120),
    "free_seating_seconds": (0, 300),
    "speech_seconds": (5, 600),
    "shootout_seconds": (5, 600),
    "last_word_voted_seconds": (0, 600),
    "last_word_shot_seconds": (0, 600),
    "nominate_only_seconds": (3, 120),
    "third_foul_small_table_seconds": (0, 120),
    "foul_limit": (0, 10),
    "technical_foul_limit": (0, 10),
    "hunt_number_seconds": (1, 10),
    "check_seconds": (3, 120),
    "best_move_seconds": (0, 120),
    "best_move_lost_after": (0, 20),
    "misses_city_wins": (0, 10),
    "quiet_nights_draw": (0, 10),
}
"""The least and the greatest number a switch may have; 0 switches a thing off."""

MANNERS = ("sport", "professional", "classic", "club", "virtual", "fsm")
"""Whose words the host uses; the announcement packs have lines for each."""

CHOICES["manner"] = MANNERS
