"""The skill that teaches an agent to use Rove."""

from typing import TYPE_CHECKING

from attrs import frozen

from rove.agents.skill_text import skill_text
from rove_core.operations import Operation

if TYPE_CHECKING:
    from rove_core.project.local import LocalProject


@frozen(kw_only=True)
class Skill:
    """The skill as agents read it.

    Attributes:
        text: The file ``SKILL.md``.
    """

    text: str


async def skill(rove: "LocalProject") -> Skill:  # noqa: ARG001  # it is the same in each project
    """Print the skill that tells agents how to use Rove."""
    return Skill(text=skill_text())


SKILL = Operation(skill, offline=True, show=lambda found: found.text.rstrip("\n"), verbatim=True)
