"""Discussions: read with their answers, searched, and no trouble where there are none."""

from datetime import UTC, datetime, timedelta

import pytest

from rove_core import ContextItem, ItemNotFound, ItemRef, ItemStatus, Query
from rove_core.testing import Scene
from rove_sim.company_github import DiscussionComment, DiscussionReply, RepositoryDiscussion
from rove_sim.github import GitHub

pytestmark = pytest.mark.anyio

NOON = datetime(2024, 12, 9, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
TALK = RepositoryDiscussion(
    repository="acme/api",
    number=31,
    title="How long may a key live?",
    body="Asked for TB-123.",
    author="ann",
    created=NOON,
    comments=(
        DiscussionComment(id="901", author="ben", at=NOON + HOUR, text="A day?"),
        DiscussionComment(
            id="902",
            author="cy",
            at=NOON + 2 * HOUR,
            text="An hour, says the spike.",
            answer=True,
            replies=(DiscussionReply(id="904", author="ann", at=NOON + 4 * HOUR, text="Thanks."),),
        ),
        DiscussionComment(id="903", author="", at=NOON + 3 * HOUR, text="Or a week."),
    ),
)


def _asked(github: GitHub) -> int:
    return sum(each.request.path.endswith("/graphql") for each in github.exchanges)


async def _found(scene: Scene, text: str, **options: tuple[str, ...]) -> list[ContextItem]:
    query = Query(account="github", text=text, **options)  # type: ignore[arg-type]  # fields alone
    return [item async for item in scene.source.rove_search(query=query)]


@pytest.mark.parametrize("kind", ["discussion", "issue"])
async def test_a_discussion_is_read_with_its_answer(
    scene: Scene, github: GitHub, kind: str
) -> None:
    """A bare number may name one; pages of two comments are read to their end."""
    github.hub.put_discussion(TALK)

    item = await scene.detail(ItemRef(account="github", kind=kind, id="acme/api#31"))

    assert item.ref.url == "https://github.com/acme/api/discussions/31"
    assert (item.ref.kind, item.role, item.author) == ("discussion", "talk", "ann-doe")
    assert item.title == "Discussion #31: How long may a key live?"
    assert item.facts.status == ItemStatus(name="answered", category="done")
    assert [(each.content, each.facts.answer) for each in item.thread] == [
        ("A day?", False),
        ("An hour, says the spike.", True),
        ("Thanks.", False),
        ("Or a week.", False),
    ]
    assert [link.ref.id for link in item.thread[2].links] == [item.thread[1].ref.id]
    assert item.thread[1].ref.url == f"{item.ref.url}#discussioncomment-902"


async def test_discussions_are_found_by_their_comments(scene: Scene, github: GitHub) -> None:
    """They come with what else names a ticket, and alone when they alone are wanted."""
    github.hub.put_discussion(TALK)

    assert "acme/api#31" in [item.ref.id for item in await _found(scene, "TB-123")]
    assert [item.ref.id for item in await _found(scene, "spike", fields=("discussions",))] == [
        "acme/api#31"
    ]


async def test_places_without_discussions_are_asked_once(scene: Scene, github: GitHub) -> None:
    """Every further search of such places alone costs nothing."""
    before = _asked(github)
    for text in ("TB-123", "keys", "hour"):
        await _found(scene, text, fields=("discussions",))

    assert _asked(github) == before + 1


@pytest.mark.parametrize(("missing", "in_vain"), [("permission", 0), ("field", 1)])
async def test_discussions_that_cannot_be_searched_cost_nothing_else(
    scene: Scene, github: GitHub, missing: str, in_vain: int
) -> None:
    """A token without the permission and a server without discussions find all the rest."""
    github.hub.put_discussion(TALK)
    if missing == "field":
        github.lacks = frozenset({"isAnswered"})
    else:
        github.forbidden = frozenset({"discussions"})

    assert len(await _found(scene, "TB-123")) == 3
    assert len(await _found(scene, "keys")) == 3
    assert _asked(github) == 2 + in_vain


async def test_a_discussion_that_is_not_there_is_not_found(scene: Scene) -> None:
    """GitHub does not tell it from one that may not be seen."""
    with pytest.raises(ItemNotFound, match="no discussion 99"):
        await scene.detail(ItemRef(account="github", kind="discussion", id="acme/api#99"))
