"""Status of an acceptance criterion."""

from typing import Literal, TypeAlias

CriterionStatus: TypeAlias = Literal["pending", "in_progress", "verified", "failed", "blocked"]
