"""A repository as a source: what it finds, what it gives, and what it takes for its own."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType

import attrs
import pytest
from tests.code.changes import history, history_changes
from tests.code.developer import Developer

from rove_code.repository_facts import short
from rove_code.settings import CodeSettings
from rove_code.source import CodeSource
from rove_core import Account, ContextItem, Facts, ItemNotFound, ItemRef, ListScope, Query
from rove_core.errors import RepositoryNotFound
from rove_core.sources import AnySourceKind
from rove_core.testing import ExpectedItem, SourceTests, Vendor, VirtualClock

BASKET = '''\
class Basket:
    """What a customer is about to buy."""

    def total(self) -> int:
        """Return what all articles cost."""
        return sum(each.price for each in self.articles)
'''
ORIGIN = "https://github.com/acme/shop.git"


@pytest.fixture
def shop(ann: Developer, monkeypatch: pytest.MonkeyPatch) -> Developer:
    """Let Ann work on a shop for some days."""
    ann.git("remote", "add", "origin", ORIGIN)
    for day, (path, text) in enumerate(
        {
            "shop/basket.py": BASKET,
            "shop/till.py": "def pay(basket):\n    return basket.total()\n",
            "docs/my notes.md": "# Notes\n\nThe total of a basket is net.\n",
        }.items(),
        1,
    ):
        monkeypatch.setenv("GIT_COMMITTER_DATE", f"2024-12-{day:02}T12:00:00Z")
        ann.write(path, text)
        ann.commit(f"Add {path}\n\nIt is for TB-12, and about the total.")
    return ann


@pytest.fixture
def source(shop: Developer) -> CodeSource:
    """Return the source of that repository."""
    return CodeSource(_account(shop.folder))


def _account(folder: Path, *hosts: str) -> Account[CodeSettings]:
    settings, here = CodeSettings(), folder.as_uri()
    return Account(name="code", kind="code", settings=settings, base_url=here, hosts=hosts)


async def found(source: CodeSource, text: str, **options: object) -> Sequence[ContextItem]:
    """Return what a search finds."""
    query = Query(account="code", text=text, **options)  # type: ignore[arg-type]  # as given
    return [item async for item in source.rove_search(query)]


def ref(name: str) -> ItemRef:
    """Return a reference to some code."""
    return ItemRef(account="code", kind="code", id=name)


class TestCompliance(SourceTests):
    kind = "code"
    known, known_kind, unknown = "shop/basket.py:4", "code", "shop/gone.py:4"
    query = "total"
    newest_first = False
    # A place is read by its line; a search finds the declaration that it stands in.
    unsearched = ("code",)
    in_fields = MappingProxyType({"code_text": ("till", ("shop/till.py#pay",))})
    expected = ExpectedItem(
        id="shop/basket.py:4",
        role="code",
        title="shop/basket.py:1-6",
        timestamp=datetime(2024, 12, 1, 12, tzinfo=UTC),
        url="/shop/basket.py#L1-L6",
        words=tuple(BASKET.splitlines()),
        facts=Facts(path="shop/basket.py", line=1, last_line=6),
    )
    mentions = (
        "see shop/basket.py:4",
        "shop/basket.py:4",
        "`shop/basket.py:4`",
        'File "shop/basket.py", line 4, in total',
    )

    @pytest.fixture
    def vendor(self, shop: Developer) -> AbstractAsyncContextManager[Vendor]:
        """Give a repository."""
        vendor = Vendor(base_url=shop.folder.as_uri())
        steps = history_changes(shop, VirtualClock()).steps()
        return nullcontext(attrs.evolve(vendor, steps=steps, there=lambda: history(shop)))

    @pytest.mark.xfail(
        reason="commits are listed; code is read from the repository, which is here anyway",
        raises=AssertionError,
        strict=True,
    )
    def test_listing_brings_the_known_item(  # noqa: D102  # as its original says
        self, source_kind: AnySourceKind, vendor: AbstractAsyncContextManager[Vendor]
    ) -> None:
        super().test_listing_brings_the_known_item(source_kind, vendor)

    @pytest.mark.xfail(
        reason="an address on GitHub leads to GitHub's source; code is named by path and line",
        raises=AssertionError,
        strict=True,
    )
    def test_addresses_of_items_are_recognised(  # noqa: D102  # as its original says
        self, source_kind: AnySourceKind, vendor: AbstractAsyncContextManager[Vendor]
    ) -> None:
        super().test_addresses_of_items_are_recognised(source_kind, vendor)


@pytest.mark.anyio
async def test_the_repository_tells_what_it_is(source: CodeSource, shop: Developer) -> None:
    """Its name, how much there is, and where its pages are."""
    identity = await source.rove_identity()

    assert identity.name == "shop"
    assert identity.reads == (f"3 files and 3 commits in {shop.folder}",)
    assert identity.hosts == ("github.com",)


@pytest.mark.anyio
async def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    """No repository is an error that names the folder."""
    account = _account(tmp_path)
    missing = attrs.evolve(account, settings=CodeSettings(folder="gone"))

    with pytest.raises(RepositoryNotFound, match="gone"):
        await CodeSource(missing).rove_identity()


@pytest.mark.anyio
async def test_a_declaration_is_found_by_its_words(source: CodeSource) -> None:
    """It comes with its text as code, its place, and the day its file was changed last."""
    (item,) = await found(source, "articles cost")

    assert item.ref.kind == "code"
    assert item.content.startswith("```\nclass Basket:")
    assert (item.facts.line, item.facts.last_line) == (1, 6)
    assert item.timestamp == datetime(2024, 12, 1, 12, tzinfo=UTC)


@pytest.mark.anyio
async def test_commits_are_found_by_what_they_say(source: CodeSource) -> None:
    """A ticket's id finds the commits for it, the newest first, with author and files."""
    first, *others = await found(source, "TB-12")

    assert (first.ref.kind, first.author, first.title) == ("commit", "Ann", "Add docs/my notes.md")
    assert "- `docs/my notes.md`" in first.content
    assert first.timestamp == datetime(2024, 12, 3, 12, tzinfo=UTC)
    assert len(others) == 2
    assert await found(source, "TB-1") == []


@pytest.mark.anyio
async def test_a_field_may_be_asked_alone(source: CodeSource) -> None:
    """Code and commits can be searched apart."""
    code = await found(source, "total", fields=("code_text",))
    commits = await found(source, "total", fields=("commit_message",))

    assert {item.ref.kind for item in code} == {"code"}
    assert {item.ref.kind for item in commits} == {"commit"}


@pytest.mark.anyio
async def test_words_alone_are_searched(source: CodeSource) -> None:
    """A query without a word finds nothing."""
    assert await found(source, "?!") == []


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("shop/basket.py#Basket.total", [4, 6]),
        ("shop/basket.py:5-6", [5, 6]),
        ("shop/basket.py:5", [1, 6]),
        ("shop/basket.py", [1, 6]),
        ("shop/basket.py:5-900", [5, 6]),
        ("docs/my notes.md:1-3", [1, 3]),
    ],
)
async def test_code_can_be_read_by_its_place(
    source: CodeSource, name: str, lines: list[int]
) -> None:
    """A name, some lines, or a line that stands for what it is in."""
    item = await source.rove_item_detail(ref(name))

    assert (item.ref.id, [item.facts.line, item.facts.last_line]) == (name, lines)


@pytest.mark.anyio
@pytest.mark.parametrize(
    "name",
    [
        "shop/basket.py#Basket.gone",
        "shop/basket.py:900",
        "shop/basket.py:6-5",
        "shop/gone.py",
        "../shop/basket.py",
        "/etc/passwd",
        ".git/config",
        "abcdef0",
        "0" * 40,
        "",
        "\x00",
        "--all",
    ],
)
async def test_what_is_not_there_is_not_found(source: CodeSource, name: str) -> None:
    """Whatever the id, it is an item of the repository, or none."""
    with pytest.raises(ItemNotFound):
        await source.rove_item_detail(ref(name))


@pytest.mark.anyio
async def test_a_commit_can_be_read_by_its_name(source: CodeSource, shop: Developer) -> None:
    """The whole name, or the beginning of it, is enough."""
    commit = shop.git("rev-parse", "HEAD~1")

    for name in (commit, commit[:7]):
        item = await source.rove_item_detail(ref(name))
        assert (item.ref.id, item.title, item.author) == (name, "Add shop/till.py", "Ann")


@pytest.mark.anyio
async def test_places_and_commits_are_recognised(source: CodeSource, shop: Developer) -> None:
    """Once the repository was looked at, paths and commits of its own are known in any text."""
    await source.rove_identity()
    commit = shop.git("rev-parse", "HEAD")
    text = (
        f"In {shop.folder}/shop/till.py:2 and ./shop/basket.py#Basket.total"
        f" (see `docs/my notes.md`) since {commit[:8]},"
        " not in shop/gone.py:1 or deadbeef, nor in basket.py."
    )

    refs = source.rove_recognise(text, None)

    assert [each.id for each in refs] == [
        "docs/my notes.md",
        "shop/till.py:2",
        "shop/basket.py#Basket.total",
        commit[:12],
    ]


@pytest.mark.anyio
async def test_pages_of_a_known_form_are_linked(shop: Developer) -> None:
    """Where the account's host is that of the repository, items lead to its pages."""
    source = CodeSource(_account(shop.folder, "github.com"))
    commit = shop.git("rev-parse", "HEAD")
    page = "https://github.com/acme/shop"

    lines = await source.rove_item_detail(ref("shop/basket.py:5-6"))
    whole = await source.rove_item_detail(ref(commit[:7]))

    assert lines.url == f"{page}/blob/{commit}/shop/basket.py#L5-L6"
    assert whole.url == f"{page}/commit/{commit}"


@pytest.mark.anyio
async def test_without_a_host_items_are_files(source: CodeSource, shop: Developer) -> None:
    """Nobody has vouched for the pages: the file itself is where it is read."""
    item = await source.rove_item_detail(ref("docs/my notes.md:1-3"))

    assert item.url == f"{shop.folder.as_uri()}/docs/my%20notes.md#L1-L3"


@pytest.mark.anyio
async def test_a_folder_without_git_has_code_alone(tmp_path: Path) -> None:
    """Its files are as old as they are on disk, and there are no commits."""
    folder = tmp_path / "plain"
    folder.mkdir()
    (folder / "plain.py").write_text("def total():\n    return 1\n", "utf-8")

    items = await found(CodeSource(_account(folder)), "total")

    assert [item.ref.id for item in items] == ["plain.py#total"]


@pytest.mark.anyio
async def test_an_empty_repository_has_nothing(ann: Developer) -> None:
    """Before the first commit there is nothing to find, and that is no error."""
    source = CodeSource(_account(ann.folder))

    assert await found(source, "total") == []
    assert (await source.rove_identity()).reads == (f"0 files and 0 commits in {ann.folder}",)


async def listed(source: CodeSource, cursor: str = "", limit: int = 1000) -> tuple[list[str], str]:
    """Return the titles of listed commits and the ids of those that are gone, and the cursor."""
    told = []
    async for change in source.rove_list(ListScope(account="code", cursor=cursor, limit=limit)):
        told += [change.item.title] if change.item else []
        told += [f"gone {change.gone.id}"] if change.gone else []
        cursor = change.cursor or cursor
    return told, cursor


@pytest.mark.anyio
async def test_the_history_is_listed(source: CodeSource, shop: Developer) -> None:
    """Newest first, in steps, and then what came since."""
    first, cursor = await listed(source, limit=2)
    second, cursor = await listed(source, cursor)
    shop.write("shop/new.py")
    shop.commit("Add a new file")
    third, cursor = await listed(source, cursor)

    assert first == ["Add docs/my notes.md", "Add shop/till.py"]
    assert (second, third) == (["Add shop/basket.py"], ["Add a new file"])
    assert (await listed(source, cursor))[0] == []


@pytest.mark.anyio
async def test_a_rewritten_history_is_noticed(source: CodeSource, shop: Developer) -> None:
    """The commits that it does not have any more are gone."""
    before = shop.git("rev-parse", "HEAD")
    _, cursor = await listed(source)
    shop.git("commit", "--quiet", "--amend", "--message", "Add my notes")
    told, cursor = await listed(source, cursor)

    assert told == [f"gone {short(before)}", "Add my notes"]
    assert (await listed(source, cursor))[0] == []
