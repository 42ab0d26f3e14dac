"""Engines, shared by all who ask about the same project."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.code.developer import Developer

from rove_code.engines import engine_of
from rove_code.model import CodeQuestion
from rove_core.clock import SYSTEM
from rove_core.project.layout import ProjectPaths

if TYPE_CHECKING:
    from rove_code.engine import CodeEngine


@pytest.fixture
def places(ann: Developer) -> ProjectPaths:
    """Return the places of a project with one file."""
    ann.write("shop.py", "def total():\n    return 1\n")
    ann.commit()
    return ProjectPaths.at(ann.folder)


def test_one_project_has_one_engine(places: ProjectPaths) -> None:
    """Whoever asks next finds what was held for the last."""
    with engine_of(places, SYSTEM) as first, engine_of(places, SYSTEM) as second:
        assert first is second
    with engine_of(places, SYSTEM) as third:
        assert third is first


def test_many_may_ask_at_once(places: ProjectPaths, ann: Developer) -> None:
    """All of them get the same answer."""

    def ask(_: int) -> str:
        with engine_of(places, SYSTEM) as engine:
            return engine.query(CodeQuestion("total", 1000), [(ann.folder, "latest")]).rag_text

    with ThreadPoolExecutor(16) as pool:
        answers = set(pool.map(ask, range(32)))

    assert len(answers) == 1
    assert "def total" in answers.pop()


def test_only_a_few_stay_open(tmp_path: Path) -> None:
    """A process that serves many projects does not hold them all."""
    opened: list[CodeEngine] = []
    for number in range(6):
        folder = tmp_path / str(number)
        folder.mkdir()
        with engine_of(ProjectPaths.at(folder), SYSTEM) as engine:
            opened.append(engine)

    with engine_of(ProjectPaths.at(tmp_path / "5"), SYSTEM) as last:
        assert last is opened[5]
    with engine_of(ProjectPaths.at(tmp_path / "0"), SYSTEM) as first:
        assert first is not opened[0]


def test_what_is_kept_is_hidden_from_git(places: ProjectPaths, ann: Developer) -> None:
    """Neither the database nor what belongs to it is something to commit."""
    with engine_of(places, SYSTEM) as engine:
        engine.query(CodeQuestion("total", 1000), [(ann.folder, "workspace")])

    assert "code" not in ann.git("status", "--porcelain", "--untracked-files=all")
