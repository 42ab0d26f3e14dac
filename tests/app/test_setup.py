"""``rove setup``: agents are told of Rove in their own files, and nothing else in them changes."""

import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rove.agents.recipes import recipes
from rove.agents.skill_text import skill_text
from rove.manifest import plugin_commands
from rove.operations import OWN
from rove_core.build.write.token_count import tokens

if TYPE_CHECKING:
    from tests.app.conftest import Rove

MINE = "# Our rules\n\nTests first.\n"
MOST_TOKENS = 1_000


@pytest.mark.parametrize("agent", list(recipes()))
def test_a_recipe_leaves_no_trace(agent: str, empty: Path, rove: "Rove") -> None:
    """Set up and removed again, the project is as it was."""
    before = sorted(empty.rglob("*"))
    rove("setup", agent)
    assert rove("setup", agent, "--check").code == 0
    outcome = rove("setup", agent, "--remove")

    assert outcome.code == 0
    assert [path for path in sorted(empty.rglob("*")) if ".rove" not in path.parts] == before


@pytest.mark.parametrize("agent", list(recipes()))
def test_a_persons_text_stays(agent: str, empty: Path, rove: "Rove") -> None:
    """What was added after the set-up is all that is left when it is removed."""
    rove("setup", agent)
    files = [empty / file.path for file in recipes()[agent].files]
    for file in files:
        file.write_text(file.read_text("utf-8") + MINE, "utf-8")
    rove("setup", agent)
    rove("setup", agent, "--remove")

    assert [file.read_text("utf-8") for file in files] == [MINE] * len(files)


def test_a_file_that_is_there_keeps_its_text(empty: Path, rove: "Rove") -> None:
    """The part for agents comes after it, and goes without a trace."""
    (empty / "AGENTS.md").write_text(MINE, "utf-8")
    rove("setup", "agents-md")
    assert (empty / "AGENTS.md").read_text("utf-8").startswith(MINE)
    rove("setup", "agents-md", "--remove")

    assert (empty / "AGENTS.md").read_text("utf-8") == MINE


def test_a_persons_change_is_left(empty: Path, rove: "Rove") -> None:
    """It is told, the command ends with 1, and --force does it all the same."""
    rove("setup", "agents-md")
    file = empty / "AGENTS.md"
    file.write_text(file.read_text("utf-8").replace("is data", "is gold"), "utf-8")
    left = rove("setup", "agents-md")

    assert left.code == 1
    assert "changed by hand" in left.out
    assert "is gold" in file.read_text("utf-8")
    assert rove("setup", "agents-md", "--force").code == 0
    assert "is gold" not in file.read_text("utf-8")


def test_a_skill_of_somebody_elses_is_left(empty: Path, rove: "Rove") -> None:
    """A file where Rove's would be is not overwritten, not even with --force."""
    file = empty / ".claude" / "skills" / "rove-context" / "SKILL.md"
    file.parent.mkdir(parents=True)
    file.write_text(MINE, "utf-8")
    outcome = rove("setup", "claude", "--force")

    assert outcome.code == 1
    assert file.read_text("utf-8") == MINE


def test_a_link_out_of_the_project_is_refused(
    empty: Path, tmp_path_factory: pytest.TempPathFactory, rove: "Rove"
) -> None:
    """A cloned repository writes into no file elsewhere."""
    other = tmp_path_factory.mktemp("elsewhere") / "notes.md"
    other.write_text(MINE, "utf-8")
    (empty / "AGENTS.md").symlink_to(other)
    outcome = rove("setup", "agents-md")

    assert outcome.code == 7
    assert other.read_text("utf-8") == MINE


def test_a_link_within_the_project_is_followed(empty: Path, rove: "Rove") -> None:
    """Many projects make AGENTS.md and CLAUDE.md one file."""
    (empty / "CLAUDE.md").write_text(MINE, "utf-8")
    (empty / "AGENTS.md").symlink_to("CLAUDE.md")
    rove("setup", "agents-md")

    assert "rove --find" in (empty / "CLAUDE.md").read_text("utf-8")
    assert (empty / "AGENTS.md").is_symlink()


def test_printing_writes_nothing(empty: Path, rove: "Rove") -> None:
    """It shows the files whole."""
    outcome = rove("setup", "claude", "--print")

    assert "name: rove-context" in outcome.out
    assert not (empty / ".claude").exists()


def test_without_a_name_every_agent_is_shown(empty: Path, rove: "Rove") -> None:  # noqa: ARG001  # it is the project
    """One sees what there is, and nothing is written."""
    outcome = rove("setup")

    assert outcome.code == 0
    assert [line.split()[0] for line in outcome.out.splitlines()] == list(recipes())


def test_the_skill_is_valid(empty: Path, rove: "Rove") -> None:
    """The validator of the skills' own specification finds nothing."""
    rove("setup", "claude")
    validator = Path(sys.executable).parent / "agentskills"
    folder = empty / ".claude" / "skills" / "rove-context"
    told = subprocess.run([validator, "validate", folder], capture_output=True, check=False)  # noqa: S603  # our own

    assert told.returncode == 0, told.stdout + told.stderr


def test_each_command_of_the_skill_exists() -> None:
    """What an agent is told to run is a command or a flag, spelled as it is."""
    flags = {"--find", "--ticket", "--search", "--help"}
    words = re.findall(r"`rove ([a-z-]+)", skill_text())

    assert words
    plugins = {command.partition(" ")[0] for command in plugin_commands()}
    assert {word for word in words if not word.startswith("-")} <= {*OWN, *plugins}
    assert {word for word in words if word.startswith("-")} <= flags


def test_the_instructions_are_short() -> None:
    """An agent reads them in each session: all that is always there is below a thousand tokens."""
    assert tokens(skill_text()) < MOST_TOKENS
    assert all(
        tokens(file.managed.whole().decode()) < MOST_TOKENS
        for recipe in recipes().values()
        for file in recipe.files
    )
