"""A container leaves a copy only if a person says so."""

from pathlib import Path

import pytest
from tests.core.mirrored import AT
from tests.core.test_mirror import OWNER, choose, mirror_of
from tests.core.test_mirror_builds import in_project, wiki

from rove.operations.mirror import mirror_start
from rove_core import Container, Project
from rove_core.errors import ConsentNeeded, Locked, WrongCall
from rove_core.mirror.scope import MirrorScope
from rove_core.mirror.scope_choice import choose_scope, named_containers

#: The title of the first is the name of the second; the last two have one title.
CONTAINERS = [
    Container(name="C1", title="#ops"),
    Container(name="OPS", title="Operations"),
    Container(name="C2", title="#general"),
    Container(name="C3", title="#general"),
]


@pytest.mark.parametrize(
    ("text", "name"), [("OPS", "OPS"), ("ops", "OPS"), ("#operations", "OPS"), ("c1", "C1")]
)
def test_a_name_comes_before_a_title(text: str, name: str) -> None:
    """Or the removal of one container would delete another."""
    assert [each.name for each in named_containers(CONTAINERS, [text], "chat")] == [name]


def test_a_title_of_two_containers_is_refused() -> None:
    """Nobody knows which one is meant."""
    with pytest.raises(WrongCall, match="chat has more than one '#general': C2, C3"):
        named_containers(CONTAINERS, ["#general"], "chat")


def test_names_that_differ_in_case_are_two() -> None:
    """The exact one is meant, if there is one."""
    both = [Container(name="Api"), Container(name="api")]

    assert named_containers(both, ["api"], "git") == [both[1]]


def test_a_choice_undoes_no_other_one(tmp_path: Path) -> None:
    """Of two commands at a time, the later one would delete what the first one added."""
    mirror = mirror_of(tmp_path, "DOC")
    before = mirror.state()
    choose(mirror, "DOC", "OPS")
    scope, containers = MirrorScope(containers=("DOC",)), [Container(name="DOC")]
    with pytest.raises(Locked, match="another command has just changed what is copied of wiki"):
        choose_scope(mirror, before, scope, containers, owner=OWNER, now=AT)
    state = mirror.state()

    assert state is not None
    assert state.scope.containers == ("DOC", "OPS")


def test_a_start_undoes_no_other_one(tmp_path: Path) -> None:
    """Neither when there was no mirror before."""
    mirror = mirror_of(tmp_path, "OPS")
    with pytest.raises(Locked):
        choose_scope(mirror, None, MirrorScope(), [], owner=OWNER, now=AT)


def test_the_command_that_consents_copies_what_was_asked_for(tmp_path: Path) -> None:
    """It repeats the choice, so that it can be pasted."""

    async def work(project: Project) -> str:
        with pytest.raises(ConsentNeeded) as refused:
            await mirror_start(project, account="wiki", container=("DOC",), keep="90d", budget=5)
        return refused.value.hint

    hint = in_project(tmp_path, wiki(), work, mirror_terms="Ask your admin.")

    assert hint == (
        "If you agree, run: rove mirror start wiki --container DOC --keep 90d --budget 5 --yes"
    )
