"""What is around an issue: sub-issues, the issue above it, its projects, and what mentions it."""

import attrs
import pytest

from rove_core import ItemRef, Link, NamedValue
from rove_core.testing import Scene
from rove_sim.company_github import ProjectPlace, RepositoryIssue
from rove_sim.github import GitHub
from rove_sim.server import Request, Response

pytestmark = pytest.mark.anyio

ISSUE = ItemRef(account="github", kind="issue", id="acme/api#12")
BELOW = ItemRef(account="github", kind="issue", id="acme/api#16")


@pytest.fixture
def github(github: GitHub) -> GitHub:
    """Give a GitHub in which issue 12 has two sub-issues and a place in two projects."""
    issue = github.hub.item("acme/api", 12)
    assert isinstance(issue, RepositoryIssue)
    small = attrs.evolve(issue, comments=(), labels=(), assignees=())
    github.put(attrs.evolve(small, number=16, title="Rotate by hand"))
    github.put(attrs.evolve(small, number=17, title="Rotate at night", state="closed"))
    places = (
        ProjectPlace(project="Pilot", number=3, status="In Review"),
        ProjectPlace(project="Roadmap", number=4),
    )
    github.put(attrs.evolve(issue, sub_issues=(16, 17), projects=places))
    return github


def _related(links: tuple[Link, ...]) -> list[tuple[str, str, str, str]]:
    near = [link for link in links if link.relation in {"parent", "child"}]
    return [(link.relation, link.ref.id, link.title, link.status) for link in near]


@pytest.mark.parametrize("lacks", [(), ("repository",)], ids=["GraphQL", "REST"])
async def test_sub_issues_are_relations(
    scene: Scene, github: GitHub, lacks: tuple[str, ...]
) -> None:
    """Whoever tells of them; only GraphQL tells the title of the issue above."""
    github.lacks = frozenset(lacks)
    title = ("", "") if lacks else ("Keys are never rotated", "open")

    assert _related((await scene.detail(ISSUE)).links) == [
        ("child", "acme/api#16", "Rotate by hand", "open"),
        ("child", "acme/api#17", "Rotate at night", "closed"),
    ]
    assert _related((await scene.detail(BELOW)).links) == [("parent", "acme/api#12", *title)]


async def test_a_fault_that_passes_costs_one_item_its_relations(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where GitHub does not say what it refuses, the next item is asked for whole again."""
    faults, answer = iter([True]), GitHub.__call__

    def failing(self: GitHub, request: Request) -> Response:
        if b"subIssues" in request.body and next(faults, False):
            return Response({"data": None, "errors": [{"message": "Something went wrong."}]})
        return answer(self, request)

    monkeypatch.setattr(GitHub, "__call__", failing)
    first, second = await scene.detail(ISSUE), await scene.detail(ISSUE)

    assert [len(_related(each.links)) for each in (first, second)] == [0, 2]


async def test_the_status_in_a_project_is_a_fact(scene: Scene) -> None:
    """With the project's name; one without a status is named as the project alone."""
    facts = (await scene.detail(ISSUE)).facts

    assert facts.project == "Pilot"
    assert facts.fields == (NamedValue(name="Status in Pilot", value="In Review"),)


@pytest.mark.parametrize("missing", ["permission", "scope", "known scope", "fields"])
async def test_what_is_not_told_costs_nothing_else(
    scene: Scene, github: GitHub, missing: str
) -> None:
    """The items are whole, and it is asked for in vain once at most."""
    match missing:
        case "permission":
            github.forbidden = frozenset({"projects", "discussions"})
        case "fields":
            github.lacks = frozenset({"projectItems", "subIssues", "discussion", "timelineItems"})
        case _:
            github.scopes = ("repo",)
    if missing == "known scope":
        assert scene.source is not None
        await scene.source.rove_identity()
    before = len(github.exchanges)

    for _ in range(3):
        item = await scene.detail(ISSUE)
        assert [part.content for part in item.thread] == ["Once an hour."]
        assert item.facts.project == ""
    in_vain = {"scope": 1, "fields": 1}.get(missing, 0)
    assert len(github.exchanges) == before + 3 + in_vain


@pytest.mark.parametrize(("kind", "number"), [("issue", 12), ("pr", 850)])
async def test_what_mentions_an_item_is_linked(
    scene: Scene, github: GitHub, kind: str, number: int
) -> None:
    """GitHub notes on an item what mentions it: nothing more is asked for that."""
    issue = github.hub.item("acme/api", 16)
    assert issue is not None
    github.put(attrs.evolve(issue, number=18, body=f"It began with #{number}."))
    before = len(github.exchanges)

    item = await scene.detail(ItemRef(account="github", kind=kind, id=f"acme/api#{number}"))

    assert [
        (link.ref.kind, link.ref.id) for link in item.links if link.relation == "mentioned_by"
    ] == [("issue", "acme/api#18")]
    assert len(github.exchanges) == before + 1


async def test_what_a_pull_request_closes_is_no_mere_mention(scene: Scene) -> None:
    """The pull request that closes an issue names it, too: it is linked once."""
    links = (await scene.detail(ISSUE)).links

    assert len({link.ref for link in links}) == len(links)
