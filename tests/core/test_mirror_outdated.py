"""A document says that its account was not reached, and verifies against what it quotes."""

from pathlib import Path

import pytest
from tests.core.mirrored import Wiki
from tests.core.test_mirror_builds import copied, in_project, wiki

from rove.operations.verify import verify
from rove_core import Project, Unavailable
from rove_core.events import Event

TEN_MINUTES = 600.0


def refreshed(folder: Path, source: Wiki) -> tuple[str, list[Event]]:
    """Refresh a document ten minutes after its copy was updated; return it, and what was told."""
    told: list[Event] = []

    async def work(project: Project) -> str:
        await copied(project)
        await project.build("DOC-1")
        await project.clock.sleep(TEN_MINUTES)
        source.refusal = Unavailable("no answer", account="wiki")
        project.tasks.on_event = told.append
        built = await project.refresh("DOC-1")
        return built.document.path.read_text("utf-8")

    return in_project(folder, source, work), told


def test_the_table_says_that_an_account_was_not_reached(tmp_path: Path) -> None:
    """Nobody may take a document from an old copy for one without news."""
    text, _ = refreshed(tmp_path, wiki())

    assert "| 2026-03-01, not reached, local copy of 09:00 UTC |" in text


def test_a_person_learns_that_an_account_was_not_reached(tmp_path: Path) -> None:
    """While the document is refreshed, with the time of the copy."""
    _, told = refreshed(tmp_path, wiki())

    notes = [each.note for each in told if each.stage == "copy"]
    assert notes == ["not reached; from the copy of 2026-03-01 09:00 UTC"]


@pytest.mark.parametrize(
    ("edited", "states"), [(False, ["fresh", "fresh"]), (True, ["fresh", "changed"])]
)
def test_what_a_copy_lacks_is_no_change(tmp_path: Path, *, edited: bool, states: list[str]) -> None:
    """Verifying reads items in full, with parts that no listing brings: only edits are changes."""
    source = wiki()
    source.parts["DOC-2"] = "Linked pages: The key schedule"

    async def work(project: Project) -> list[str]:
        await copied(project)
        await project.build("DOC-1")
        if edited:
            source.write("DOC-2", "We decided on DOC-1 to rotate the keys every 90 days, or sooner")
        verified = await verify(project, ticket="DOC-1")
        return [each.state for each in verified.items if each.id in {"DOC-1", "DOC-2"}]

    assert in_project(tmp_path, source, work, unlisted_parts="linked pages") == states
