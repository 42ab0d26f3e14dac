"""The section of a ticket's document that names the code it is about."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType

import pytest
from tests.code.developer import Developer

import rove_code
from rove_code.engines import close_engines
from rove_code.section import sections
from rove_code.settings import CodeSettings
from rove_core import (
    Account,
    CommonSettings,
    ContextItem,
    ItemRef,
    MemoryStore,
    Query,
    Section,
    SourceHooks,
    SourceKind,
    hookimpl,
    open_project,
)
from rove_core.testing import VirtualClock

BASKET = '''\
class Basket:
    """What a customer is about to buy."""

    def total(self) -> int:
        """Return what all articles of a basket cost."""
        paid = 0
        for article in self.articles:
            paid += article.price
        return paid
'''
DECIDED = '''\
def rounded(total):
    """Decision of T-1: we decided that the basket total is never rounded up."""
    # Should the total be rounded up for Globex? It must not be negative.
    # Still open: who pays the fraction of the total of a basket?
    return int(total)
'''
TICKET = ContextItem(
    ref=ItemRef(account="pages", kind="ticket", id="T-1"),
    source="pages",
    role="ticket",
    title="The basket total is too low",
    content="Since yesterday the total is wrong.",
    timestamp=datetime(2024, 12, 15, tzinfo=UTC),
)


@pytest.fixture
def shop(ann: Developer) -> Developer:
    """Return a repository with a class and a page."""
    ann.git("remote", "add", "origin", "git@github.com:acme/shop.git")
    ann.write("shop/basket.py", BASKET)
    ann.write("shop/mail.py", "def greet(name):\n    return f'Hello {name}'\n")
    ann.commit("Begin")
    return ann


def made(folder: Path, title: str = TICKET.title, text: str = TICKET.content) -> Sequence[Section]:
    """Return the sections for a ticket."""
    ticket = ContextItem(
        ref=TICKET.ref,
        source="pages",
        role="page",
        title=title,
        content=text,
        timestamp=TICKET.timestamp,
    )
    try:
        return asyncio.run(sections(ticket, 800, folder))
    finally:
        # The next document looks again, as one of another process would.
        close_engines()


def test_the_declaration_that_matters_is_cited(shop: Developer) -> None:
    """It is named with its file, lines, commit and page; what does not matter is not named."""
    (section,) = made(shop.folder)
    commit = shop.git("rev-parse", "HEAD")
    page = f"https://github.com/acme/shop/blob/{commit}/shop/basket.py#L1-L9"

    assert section.content.startswith(
        f"`Basket` in `shop/basket.py:1-9` at {commit[:12]}: `{page}`\n\n```\nclass Basket:\n"
    )
    assert "    def total(self) -> int:\n" in section.content
    assert "greet" not in section.content


def test_a_file_is_cited_where_it_was_changed_last(shop: Developer) -> None:
    """A commit to something else does not change the section."""
    before = made(shop.folder)
    shop.write("other.txt", "Something else.\n")
    shop.commit("Add something else")

    assert made(shop.folder) == before


@pytest.mark.parametrize("text", ["It is `greet`.", "See shop/mail.py", "greet() fails"])
def test_what_the_ticket_names_matters(shop: Developer, text: str) -> None:
    """A name or a path that is written as code is enough."""
    (section,) = made(shop.folder, "It does not work", text)

    assert "`greet` in `shop/mail.py:1-2`" in section.content


@pytest.mark.parametrize("title", ["Move to the new office", "Greet", "Total rewrite of the docs"])
def test_without_a_good_reason_nothing_is_named(shop: Developer, title: str) -> None:
    """A word that happens to occur is no reason."""
    assert made(shop.folder, title, "") == ()


def test_a_folder_without_git_has_no_section(tmp_path: Path) -> None:
    """Without a commit there is nothing to cite."""
    (tmp_path / "basket.py").write_text(BASKET, "utf-8")

    assert made(tmp_path) == ()


def test_a_repository_without_commits_has_no_section(ann: Developer) -> None:
    """That is no error either."""
    ann.write("shop/basket.py", BASKET)

    assert made(ann.folder) == ()


def test_what_was_never_committed_is_not_cited(shop: Developer) -> None:
    """The commit that is cited has the lines that are shown."""
    shop.write("shop/basket.py", "def unfinished_basket_total():\n    pass\n")

    assert "unfinished" not in made(shop.folder)[0].content


def test_secrets_in_code_are_not_shown(shop: Developer) -> None:
    """A token in a repository does not travel on in documents."""
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    shop.write("shop/basket.py", f"def basket_total(token='{token}'):\n    pass\n")
    shop.commit("Be careless")

    (section,) = made(shop.folder)

    assert "def basket_total(token='[secret:" in section.content
    assert token not in section.content


def test_a_document_does_not_wait_for_a_large_repository(shop: Developer) -> None:
    """What is taken apart in the time there is, is kept; the next document goes on from there."""
    for number in range(150):
        shop.write(f"many/file{number}.py", f"def one{number}():\n    return {number}\n")
    shop.commit("Add many")

    class Hurried(VirtualClock):
        """A clock on which each look takes a while."""

        def monotonic(self) -> float:
            self.advance(6)
            return super().monotonic()

    tries = [asyncio.run(sections(TICKET, 800, shop.folder, clock=Hurried())) for _ in range(4)]

    assert tries[0] == ()
    assert "`Basket` in" in tries[-1][0].content


class Pages(SourceHooks):
    """The ticket's own home."""

    @hookimpl
    async def rove_search(self, query: Query) -> AsyncIterator[ContextItem]:
        """Yield nothing: it is all in the ticket."""
        for item in (TICKET,) if query.text == TICKET.ref.id else ():
            yield item

    @hookimpl
    async def rove_item_detail(self, ref: ItemRef) -> ContextItem:  # noqa: ARG002  # there is one
        """Return the ticket."""
        return TICKET

    @hookimpl
    def rove_recognise(self, text: str, origin: ItemRef | None) -> Sequence[ItemRef]:  # noqa: ARG002  # it has one name
        """Know the ticket."""
        return [TICKET.ref] if text == TICKET.ref.id else []


def documents(shop: Developer, *accounts: Account[CodeSettings]) -> list[str]:
    """Return the ticket's document, built twice; the accounts are asked besides the ticket's."""
    plugin = ModuleType("pages")
    kind = SourceKind(
        name="pages", title="Pages", settings=CommonSettings, connect=lambda *_: Pages()
    )
    vars(plugin)["rove_sources"] = hookimpl(lambda: [kind], specname="rove_sources")
    account = Account(name="pages", kind="pages", settings=CommonSettings())

    async def built() -> list[str]:
        async with open_project(
            shop.folder,
            accounts=[account, *accounts],
            plugins=[plugin, rove_code],
            credentials=MemoryStore(),
            clock=VirtualClock(),
        ) as rove:
            texts = []
            for fresh in (False, True):
                document = (await rove.build("T-1", fresh=fresh)).document
                path = shop.folder / ".context" / document.filename
                texts.append(path.read_text("utf-8"))
            return texts

    return asyncio.run(built())


def test_the_section_survives_in_documents(shop: Developer) -> None:
    """Its code is in the document as it is in the file, below the heading, and stays so."""
    first, second = documents(shop)

    assert "## Related Code in the Repository\n\n`Basket` in `shop/basket.py:1-9` at " in first
    assert "```\nclass Basket:\n" in first
    assert "    def total(self) -> int:\n" in first
    assert first == second


def test_code_is_nobodys_word(shop: Developer) -> None:
    """With code as a source, it is quoted as code: it neither decides nor asks anything."""
    shop.write("shop/rounding.py", DECIDED)
    shop.commit("Round")
    settings, here = CodeSettings(), shop.folder.as_uri()

    document, _ = documents(
        shop, Account(name="code", kind="code", settings=settings, base_url=here)
    )
    said, _, code = document.partition("## Related Code\n")

    assert "rounded" not in said
    assert "> ```\n> def rounded(total):\n" in code
    assert "— *Code in shop/rounding.py:1-5, " in code
    assert "also said by" not in code
    assert "## Open Questions" not in document
