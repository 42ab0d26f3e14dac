"""How a session stands, and how one ended."""

from typing import Literal, TypeAlias

SessionOutcome: TypeAlias = Literal["success", "partial", "blocked", "failed"]
SessionStatus: TypeAlias = Literal["active", "completed", "abandoned", "interrupted"]
