"""Where an acceptance criterion stands."""

from typing import Literal, TypeAlias

CriterionStatus: TypeAlias = Literal["pending", "in_progress", "verified", "failed", "blocked"]
