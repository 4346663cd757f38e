"""One vote: its candidates, the hands counted so far, and when its result is known."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ballot:
    """One vote with all its rounds. ``cast`` holds (candidate, hands, whose or None) of the running round."""

    candidates: tuple[int, ...]
    round: int = 1
    cast: tuple[tuple[int, int, tuple[int, ...] | None], ...] = ()
    tied: tuple[int, ...] = ()
    defended: tuple[int, ...] = ()

    @property
    def candidate(self) -> int | None:
        """The candidate being counted, or None when all are."""
        return self.candidates[len(self.cast)] if len(self.cast) < len(self.candidates) else None

    @property
    def hands_used(self) -> int:
        """How many hands are counted in this round."""
        return sum(count for _, count, _ in self.cast)

    @property
    def voted(self) -> frozenset[int]:
        """The seats whose hands are known to be used."""
        return frozenset(seat for _, _, seats in self.cast for seat in seats or ())

    @property
    def all_known(self) -> bool:
        """Whether it is known whose every counted hand was."""
        return all(seats is not None for _, _, seats in self.cast)

    def leader(self, living: int) -> int | None:
        """Return the candidate that can no longer be caught by any hand (committee's comment to FSM 7.2), or None."""
        if not self.cast:
            return None
        (first, most, _), *others = sorted(self.cast, key=lambda item: item[1], reverse=True)
        rivals = [count for _, count, _ in others]
        if self.candidate is not None:
            rivals.append(living - self.hands_used)
        return first if most > max(rivals, default=0) else None
