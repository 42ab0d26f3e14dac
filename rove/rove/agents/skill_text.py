"""The text of the skill that teaches agents to use Rove."""

from pathlib import Path
from typing import Final

_FILE: Final = Path(__file__).with_name("rove-context") / "SKILL.md"


def skill_text() -> str:
    """Return the skill as agents read it."""
    return _FILE.read_text("utf-8")
