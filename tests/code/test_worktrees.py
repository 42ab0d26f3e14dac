"""Git worktrees: each is asked as it stands there, and belongs to the repository that lists it."""

import json
from pathlib import Path

import pytest
from tests.code.asking import called
from tests.code.developer import Developer

import rove_code
from rove_code.access import Visitor
from rove_code.project_code import access_of
from rove_code.repositories.worktrees import is_worktree_of
from rove_code.routes import answer_query
from rove_core import HttpRequest, MemoryStore, open_project
from rove_core.errors import RepositoryRefused


@pytest.fixture
def worktree(ann: Developer) -> Developer:
    """Return a worktree whose basket differs from the one in the main worktree."""
    ann.write("basket.py", "def total_of_main():\n    return 1\n")
    ann.commit("Begin")
    ann.git("worktree", "add", "--quiet", "../wt", "-b", "wt")
    other = ann.beside("wt")
    other.write("basket.py", "def total_of_worktree():\n    return 2\n")
    return other


def test_the_current_worktree_is_asked(
    worktree: Developer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever works in a worktree gets its lines, not those of the main worktree."""
    monkeypatch.chdir(worktree.folder)

    answer = called("code_query", question="total")

    assert "total_of_worktree" in answer.rag_text
    assert "total_of_main" not in answer.rag_text
    assert answer.metadata.versions[0].repository == str(worktree.folder)


def test_a_folder_of_a_worktree_is_in_it(
    worktree: Developer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The current folder may lie deep in a worktree."""
    worktree.write("deep/er/file.py")
    monkeypatch.chdir(worktree.folder / "deep" / "er")

    assert "total_of_worktree" in called("code_query", question="total").rag_text


def test_worktrees_share_what_is_kept(
    worktree: Developer, ann: Developer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A content that both have is taken apart once."""
    ann.write("shared.py", "def shared():\n    return 1\n")
    ann.commit("Share")
    monkeypatch.chdir(ann.folder)
    called("code_refresh")
    worktree.git("reset", "--hard", "--quiet", "main")
    monkeypatch.chdir(worktree.folder)

    refreshed = called("code_refresh")

    assert (refreshed.files, refreshed.read) == (2, 0)


def test_an_agent_may_name_a_worktree(
    worktree: Developer, ann: Developer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worktree of the project's repository is allowed; another repository is refused."""
    monkeypatch.chdir(ann.folder)
    other = ann.beside("other")
    other.folder.mkdir()
    other.git("init", "--quiet")

    answer = called("code_query", question="total", worktree=str(worktree.folder))

    assert "total_of_worktree" in answer.rag_text
    with pytest.raises(RepositoryRefused):
        called("code_query", question="total", worktree=str(other.folder))


@pytest.mark.anyio
async def test_a_worktree_of_an_allowed_repository_is_answered_over_http(
    worktree: Developer, ann: Developer
) -> None:
    """A request may name the worktree that its agent works in."""
    body = {
        "messages": [{"role": "user", "content": "total"}],
        "repos": [{"checkoutPath": str(worktree.folder)}],
    }
    async with open_project(
        ann.folder, accounts=[], plugins=[rove_code], credentials=MemoryStore()
    ) as rove:
        request = HttpRequest("POST", "/coderag/query", "", {}, json.dumps(body).encode())
        reply = await answer_query(request, rove, Visitor.of(access_of(rove)))

    assert "total_of_worktree" in json.loads(reply.body)["ragText"]


def test_a_folder_that_claims_to_be_a_worktree_is_none(ann: Developer, tmp_path: Path) -> None:
    """A folder that points at a repository is no worktree of it unless the repository lists it."""
    ann.write("basket.py")
    ann.commit("Begin")
    claimer = tmp_path / "claimer"
    claimer.mkdir()
    (claimer / ".git").write_text(f"gitdir: {ann.folder}/.git\n", "utf-8")

    assert not is_worktree_of(claimer, ann.folder)
    assert not is_worktree_of(tmp_path, ann.folder)
    assert is_worktree_of(ann.folder, ann.folder)


def test_a_worktree_that_was_moved_away_is_none(worktree: Developer, ann: Developer) -> None:
    """A copy of a worktree points at the repository, which points at the original."""
    copy = ann.beside("copy")
    copy.folder.mkdir()
    (copy.folder / ".git").write_bytes((worktree.folder / ".git").read_bytes())

    assert is_worktree_of(worktree.folder, ann.folder)
    assert not is_worktree_of(copy.folder, ann.folder)
