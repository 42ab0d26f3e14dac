"""What an item of GitHub holds, and how GitHub says that it holds none."""

from datetime import UTC, datetime

import attrs
import pytest

from rove_core import Facts, ItemNotFound, ItemRef, ItemStatus, Link, RateLimited, ScopeMissing
from rove_core.http import Counts, counting
from rove_core.testing import Scene
from rove_sim.company_github import ChangedFile, PullRequest
from rove_sim.github import GitHub

pytestmark = pytest.mark.anyio

PULL = ItemRef(account="github", kind="pr", id="acme/api#847")
ISSUE = ItemRef(account="github", kind="issue", id="acme/api#12")


async def test_a_pull_request_has_its_own_words_and_state(scene: Scene) -> None:
    """Title, description, author and time are GitHub's; a merged one is merged, not closed."""
    item = await scene.detail(PULL)

    assert item.ref.url == "https://github.com/acme/api/pull/847"
    assert item.title == "PR #847: Rotate keys"
    assert item.content == "Implements TB-123: one key an hour."
    assert item.author == "ben-doe"
    assert item.timestamp == datetime(2024, 12, 9, 12, tzinfo=UTC)
    assert item.role == "change"
    assert item.facts == Facts(
        short_name="PR #847",
        created=datetime(2024, 12, 3, 12, tzinfo=UTC),
        status=ItemStatus(name="merged", category="done"),
        labels=("auth",),
        branch="TB-123-keys",
    )
    assert item.metadata == {"merged": "2024-12-09T12:00:00Z", "base": "main"}


async def test_everything_said_is_there_once_in_its_order(scene: Scene) -> None:
    """Commits, comments, reviews, and the comments at lines, those of one thread together."""
    item = await scene.detail(PULL)

    assert [(part.author, part.content) for part in item.thread] == [
        ("ben-doe", "Rotate keys\n\nEach hour, for TB-123."),
        ("ann-doe", "Why an hour?"),
        ("ann-doe", "A constant, please."),
        ("ben-doe", "Done."),
        ("cy-doe", "No clock in here."),
        ("ann-doe", "And a test."),
        ("", "From the spike."),
        ("ann-doe", "approved these changes"),
    ]


async def test_comments_of_one_number_are_two_items(scene: Scene) -> None:
    """GitHub numbers comments on a pull request and comments at its lines apart."""
    item = await scene.detail(PULL)
    same = {part.content: part.ref for part in item.thread if part.ref.id.endswith("/71")}

    assert {words: (ref.id, ref.url) for words, ref in same.items()} == {
        "Why an hour?": (
            "acme/api#847/comment/71",
            "https://github.com/acme/api/pull/847#issuecomment-71",
        ),
        "A constant, please.": (
            "acme/api#847/review-comment/71",
            "https://github.com/acme/api/pull/847#discussion_r71",
        ),
    }
    assert len({part.ref.id for part in item.thread}) == len(item.thread)


async def test_a_comment_at_a_line_says_where_it_is(scene: Scene) -> None:
    """File and line, the comment it answers, and whether its thread is settled."""
    item = await scene.detail(PULL)
    lines = [part for part in item.thread if part.facts.path]

    assert [(part.facts.on, part.facts.path, part.facts.line) for part in lines] == [
        ("api#847", "auth/keys.py", 12)
    ] * 3
    assert [link for part in lines for link in part.links] == [
        Link(ref=lines[0].ref, relation="replies_to")
    ]
    assert [part.facts.resolved for part in lines] == [True, True, False]
    assert lines[0].ref.url == "https://github.com/acme/api/pull/847#discussion_r71"


async def test_a_review_has_its_verdict(scene: Scene) -> None:
    """In GitHub's words."""
    item = await scene.detail(PULL)
    reviews = [part for part in item.thread if part.ref.kind == "review"]

    assert [part.facts.verdict for part in reviews] == ["changes requested", "approved"]


async def test_a_pull_request_links_what_it_closes(scene: Scene) -> None:
    """An issue that is closed by it is one of its links."""
    item = await scene.detail(PULL)

    assert [(link.relation, link.ref.id) for link in item.links] == [("implements", "acme/api#12")]


async def test_an_issue_links_what_closes_it(scene: Scene) -> None:
    """An issue has labels, who shall do it, what is said below it, and what closes it."""
    item = await scene.detail(ISSUE)

    assert item.role == "ticket"
    assert item.facts.status == ItemStatus(name="open", category="todo")
    assert item.facts.labels == ("bug", "auth")
    assert item.facts.assignees == ("ben-doe",)
    assert [part.content for part in item.thread] == ["Once an hour."]
    assert [(link.words, link.ref.id) for link in item.links] == [("closed by", "acme/api#847")]


async def test_a_commit_can_be_read(scene: Scene) -> None:
    """A part of its name is enough; the item has the whole."""
    item = await scene.detail(ItemRef(account="github", kind="commit", id="acme/api@aaaaaaa"))

    assert item.ref.id == f"acme/api@{'a' * 40}"
    assert item.title == "Commit aaaaaaa: Rotate keys"
    assert item.content == "Rotate keys\n\nEach hour, for TB-123."
    assert item.timestamp == datetime(2024, 12, 3, 12, tzinfo=UTC)


@pytest.mark.parametrize("id_", ["acme/api#14", "acme/backend#12"])
async def test_what_was_moved_has_the_id_it_has_now(scene: Scene, id_: str) -> None:
    """A transferred issue and one of a renamed repository are followed, with all below them."""
    item = await scene.detail(ItemRef(account="github", kind="issue", id=id_))

    assert item.ref.id == "acme/api#12"
    assert [part.content for part in item.thread] == ["Once an hour."]


@pytest.mark.parametrize(
    ("id_", "said"),
    [
        ("acme/api#13", "it was deleted"),
        ("acme/api#99", "not found, or not visible to ann-doe"),
        ("acme/secret#1", "not found, or not visible to ann-doe"),
        (f"acme/api@{'b' * 40}", "not found, or not visible to ann-doe"),
        ("nonsense", "names nothing on GitHub"),
    ],
)
async def test_what_is_not_there_is_not_found(scene: Scene, id_: str, said: str) -> None:
    """The error says whether it is gone, or perhaps hidden from whose login it is."""
    with pytest.raises(ItemNotFound, match=said):
        await scene.detail(ItemRef(account="github", kind="pr", id=id_))


async def test_single_sign_on_has_its_page_in_the_hint(scene: Scene) -> None:
    """An organization that wants its sign-on first says where."""
    with pytest.raises(ScopeMissing) as caught:
        await scene.detail(ItemRef(account="github", kind="pr", id="acme/guarded#1"))

    assert "https://github.com/orgs/acme/sso?authorization_request=AB12" in caught.value.hint


@pytest.mark.parametrize("status", [401, 404, 429, 500])
async def test_without_graphql_only_its_own_is_missing(
    scene: Scene, github: GitHub, status: int
) -> None:
    """What the pull request closes is not known then, and nothing else is lost."""
    whole = await scene.detail(PULL)
    github.fail_next(status, times=9, path="/graphql")
    item = await scene.detail(PULL)

    assert item.links == ()
    assert [part.content for part in item.thread] == [part.content for part in whole.thread]


async def test_a_part_of_the_graph_is_used(scene: Scene, github: GitHub) -> None:
    """When GitHub spares itself the closing references, the threads are still known."""
    github.starved = True
    item = await scene.detail(PULL)

    assert item.links == ()
    assert True in [part.facts.resolved for part in item.thread]


@pytest.mark.parametrize("ref", [PULL, ISSUE])
async def test_one_question_is_enough_for_what_fits_on_a_page(
    scene: Scene, github: GitHub, ref: ItemRef
) -> None:
    """It brings just what all the requests of REST bring."""
    piece_by_piece = await scene.detail(ref)
    github.conduct = attrs.evolve(github.conduct, page_size=None)
    before = len(github.exchanges)
    whole = await scene.detail(ref)

    assert [exchange.request.path for exchange in github.exchanges[before:]] == ["/graphql"]
    assert whole == piece_by_piece


async def test_what_does_not_know_the_question_is_not_asked_it_again(
    scene: Scene, github: GitHub
) -> None:
    """Where there is no GraphQL at all, a request for each item would tell nothing."""
    github.fail_next(404, path="/graphql")
    await scene.detail(ISSUE)
    before = len(github.exchanges)
    await scene.detail(ISSUE)

    asked = [exchange.request.path for exchange in github.exchanges[before:]]
    assert asked == ["/repos/acme/api/issues/12", "/repos/acme/api/issues/12/comments"]


@pytest.mark.parametrize("path", ["issues/847", "pulls/847", "pulls/847/reviews"])
async def test_a_limit_that_stays_is_told(scene: Scene, github: GitHub, path: str) -> None:
    """A pull request without its reviews is not the pull request."""
    github.fail_next(429, times=15, path=path)

    with pytest.raises(RateLimited, match="GitHub asks to wait"):
        await scene.detail(PULL)


async def test_a_pull_request_names_the_files_it_changes(scene: Scene, github: GitHub) -> None:
    """They come with the one query that reads the rest of it."""
    pull = github.hub.item("acme/api", 847)
    assert isinstance(pull, PullRequest)
    files = (ChangedFile(path="auth/keys.py"), ChangedFile(path="tests/test_keys.py"))
    small = attrs.evolve(pull, comments=(), reviews=(), review_comments=(), commits=())
    github.put(attrs.evolve(small, files=files))

    assert (await scene.detail(PULL)).facts.files == ("auth/keys.py", "tests/test_keys.py")


async def test_the_files_of_a_pull_request_are_read_without_graphql(
    scene: Scene, github: GitHub
) -> None:
    """Over REST they come from a list of their own, page after page, as over GraphQL."""
    pull = github.hub.item("acme/api", 847)
    assert isinstance(pull, PullRequest)
    files = tuple(ChangedFile(path=f"auth/{name}.py") for name in ("keys", "clock", "tokens"))
    github.put(attrs.evolve(pull, files=files))

    item = await scene.detail(PULL)

    asked = [each.request.path for each in github.exchanges]
    assert "/repos/acme/api/pulls/847/files" in asked
    assert item.facts.files == ("auth/keys.py", "auth/clock.py", "auth/tokens.py")
    assert item.facts.incomplete == ()


async def test_few_requests_bring_what_was_said_first(scene: Scene, github: GitHub) -> None:
    """A pull request that takes more requests than allowed says what of it was not read."""
    github.fail_next(404, path="/graphql")
    before = len(github.exchanges)
    with counting(Counts(most=4)):
        item = await scene.detail(PULL)

    asked = [each.request.path.rpartition("/api/")[2] for each in github.exchanges[before:]]
    assert asked[1] == "issues/847"
    assert sorted(asked[2:]) == ["issues/847/comments", "pulls/847/reviews"]
    assert item.title
    assert {each.partition(" ")[0] for each in item.facts.incomplete} >= {"branch", "files"}
