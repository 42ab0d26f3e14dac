"""Each fault while an issue is changed: a word that helps, and nothing is lost or doubled."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Final, TypeAlias
from urllib.parse import urlsplit

import attrs
import pytest
from tests.fault_matrix import FaultStage, check_each_fault
from tests.github.conftest import DAY

from rove_core import Http, ItemRef, NewComment, NewWorkItem, WorkItemChange
from rove_core.http import Caps
from rove_core.plugins.calls import answer
from rove_core.testing import FaultProxy, Scene, VirtualClock
from rove_core.testing.faults import SeenRequest
from rove_sim.company_github import RepositoryIssue
from rove_sim.github import GitHub

pytestmark = pytest.mark.anyio

Talk: TypeAlias = Callable[..., Http]
Call: TypeAlias = Callable[[Scene], Awaitable[object]]

REPOSITORY: Final = "acme/api"
REF: Final = ItemRef(account="github", kind="issue", id=f"{REPOSITORY}#12")
PARENT: Final = ItemRef(account="github", kind="issue", id=f"{REPOSITORY}#20")


async def _change(scene: Scene) -> object:
    change = WorkItemChange(title="Turn keys", status="completed", labels=("auth",))
    work = await scene.awaited("rove_change_work_item", ref=REF, change=change)
    return work.title, work.status, work.labels


async def _move(scene: Scene) -> object:
    change = WorkItemChange(title="Turn keys", parent=PARENT)
    work = await scene.awaited("rove_change_work_item", ref=REF, change=change)
    return work.title, work.parent and work.parent.id


async def _comment(scene: Scene) -> object:
    comment = NewComment(content="Said once", key="matrix-of-github")
    return (await scene.awaited("rove_add_comment", ref=REF, comment=comment)).kind


async def _create(scene: Scene) -> object:
    new = NewWorkItem(
        container=REPOSITORY, title="Made once", parent=PARENT, key="matrix-of-github"
    )
    work = await scene.awaited("rove_create_work_item", new=new)
    return work.title, work.parent and work.parent.id


CALLS: Final = {"change": _change, "parent": _move, "comment": _comment, "new issue": _create}


def _writes(seen: SeenRequest) -> bool:
    return seen.method in {"POST", "PATCH", "DELETE"} and not seen.path.endswith("/graphql")


def _reads(seen: SeenRequest) -> bool:
    return not _writes(seen)


STAGES: Final = {
    f"{name}, {when}": (call, is_hit)
    for name, call in CALLS.items()
    for when, is_hit in (("before", _reads), ("sent", _writes))
}


@pytest.fixture
async def proxy(scene: Scene) -> AsyncIterator[FaultProxy]:
    """Give what stands between the account and GitHub."""
    address = urlsplit(scene.account.base_url)
    async with FaultProxy((str(address.hostname), address.port or 0)) as between:
        assert scene.credential
        hosts = (*scene.credential.hosts, between.host)
        scene.credential = attrs.evolve(scene.credential, hosts=hosts)
        yield between


@pytest.mark.parametrize("stage", STAGES)
async def test_a_fault_of_a_change_loses_and_doubles_nothing(  # noqa: PLR0913, PLR0917  # fixtures
    scene: Scene, proxy: FaultProxy, talk: Talk, github: GitHub, clock: VirtualClock, stage: str
) -> None:
    """While it lasts there is a typed error or the right answer; afterwards all is there, once."""
    call, when = STAGES[stage]
    above = RepositoryIssue(
        repository=REPOSITORY, number=20, title="Above", author="ann", created=DAY
    )
    before = github.hub.item(REPOSITORY, 12)
    assert before is not None

    def connect(caps: Caps | None = None) -> Scene:
        options = {"base_url": proxy.url, "caps": caps} if caps else {}
        talk(scene, **options)
        return scene

    async def as_called(source: Scene) -> object:
        return await answer("github", lambda: call(source), deadline=60)

    def made() -> list[RepositoryIssue]:
        issues = [each for each in github.hub.items() if isinstance(each, RepositoryIssue)]
        return [each for each in issues if each.title == "Made once"]

    def reset() -> None:
        for each in made():
            github.hub.put(attrs.evolve(each, deleted=True))
        github.hub.put(before)
        github.hub.put(above)

    def check(fault: str) -> None:
        issue, parent = github.hub.item(REPOSITORY, 12), github.hub.item(REPOSITORY, 20)
        assert issue is not None
        assert isinstance(parent, RepositoryIssue)
        said = [each for each in issue.comments if "Said once" in each.text]
        below = [each.number for each in made()] or [12] * (call is _move)
        counts = (len(said), len(made()), [*parent.sub_issues])
        assert counts == (call is _comment, call is _create, below), fault

    reset()
    await check_each_fault(proxy, FaultStage(as_called, when, reset, check), connect, clock)
