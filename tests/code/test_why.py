"""Why a declaration is as it is."""

import asyncio
import random
from datetime import UTC, datetime

import pytest
from tests.code.asking import called
from tests.code.developer import Developer

import rove_code
from rove_code.why_operation import print_why
from rove_core import MemoryStore, WrongCall, open_project
from rove_core.errors import NoCodeFound, RevisionNotFound
from rove_core.store.document_texts import save_text
from rove_core.store.documents import DocumentRecord, save_document

_NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
BASKET = (
    "class Basket:\n    def total(self):\n        return {total}\n\n"
    "    def add(self):\n        {add}\n"
)


@pytest.fixture
def shop(ann: Developer, monkeypatch: pytest.MonkeyPatch) -> Developer:
    """Return a repository in which two methods change, each on its own."""
    ann.write("shop/basket.py", BASKET.format(total=0, add="pass"))
    ann.commit("Begin")
    ann.write("shop/basket.py", BASKET.format(total=1, add="pass"))
    ann.commit("Charge tax (#12)\n\nTB-7: the law wants it.")
    ann.write("shop/basket.py", BASKET.format(total=1, add="return 1"))
    ann.commit("Add more")
    monkeypatch.chdir(ann.folder)
    return ann


def keep_document(text: str) -> None:
    """Keep a document about TB-7, as a build does."""
    record = DocumentRecord(
        account="jira",
        ticket_id="TB-7",
        filename="TB-7_tax.md",
        title="Charge tax",
        url="https://acme.example/TB-7",
        last_updated=_NOON,
        created_at=_NOON,
    )

    async def keep() -> None:
        async with open_project(
            accounts=[], plugins=[rove_code], credentials=MemoryStore()
        ) as rove:
            rove.places.context.mkdir(exist_ok=True)
            (rove.places.context / record.filename).write_text(text, "utf-8")
            async with rove.store.transaction() as db:
                await save_document(db, record, {})
                await save_text(db, record, rove.places.context)

    asyncio.run(keep())


@pytest.mark.usefixtures("shop")
def test_the_commits_that_changed_a_declaration_are_shown() -> None:
    """What changed its neighbours alone is left out."""
    why = called("code_why", name="shop/basket.py#Basket.total")

    assert [cause.subject for cause in why.causes] == ["Charge tax (#12)", "Begin"]
    assert (why.causes[0].pull_request, why.causes[0].tickets) == ("#12", ("TB-7",))
    assert why.causes[0].author == "Ann"
    assert why.causes[0].body == "TB-7: the law wants it."


@pytest.mark.usefixtures("shop")
def test_what_is_known_of_a_ticket_is_quoted() -> None:
    """A document that Rove keeps of a commit's ticket says what was decided."""
    keep_document("# TB-7: Charge tax\n\n> We decided that TB-7 charges 19 percent.\n")
    why = called("code_why", name="shop/basket.py#Basket.total")

    (quote,) = why.causes[0].quotes
    assert quote.document == "TB-7_tax.md"
    assert "We decided that TB-7 charges 19 percent." in quote.text
    assert quote.url == "https://acme.example/TB-7"
    assert "(.context/TB-7_tax.md) https://acme.example/TB-7" in print_why(why)


@pytest.mark.usefixtures("shop")
@pytest.mark.parametrize("place", ["shop/basket.py:3", "shop/basket.py:2-3"])
def test_a_line_stands_for_the_declaration_around_it(place: str) -> None:
    """A place as an editor or a traceback prints it is enough."""
    assert called("code_why", name=place) == called("code_why", name="shop/basket.py#Basket.total")


def test_a_repository_without_commits_says_so(
    ann: Developer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There is no history before the first commit."""
    ann.write("a.py", "def one():\n    pass\n")
    monkeypatch.chdir(ann.folder)

    with pytest.raises(RevisionNotFound, match="has no commits yet"):
        called("code_why", name="a.py#one")


@pytest.mark.usefixtures("shop")
def test_a_name_that_one_file_declares_needs_no_path() -> None:
    """Its file is found."""
    assert called("code_why", name="Basket.total") == called(
        "code_why", name="shop/basket.py#Basket.total"
    )


def test_an_older_version_can_be_asked(shop: Developer) -> None:
    """What came later is not its cause."""
    why = called("code_why", name="shop/basket.py#Basket.total", at="HEAD~2")

    assert [cause.subject for cause in why.causes] == ["Begin"]
    assert why.commit == shop.git("rev-parse", "HEAD~2")


def test_an_edit_that_is_not_committed_is_told(shop: Developer) -> None:
    """The lines are those of the newest commit, so it is said that the file differs."""
    shop.write("shop/basket.py", BASKET.format(total=3, add="return 1"))

    assert "the file was edited since" in print_why(
        called("code_why", name="shop/basket.py#Basket.total")
    )


@pytest.mark.usefixtures("shop")
def test_a_long_history_is_cut_and_says_so() -> None:
    """The newest commits are shown."""
    why = called("code_why", name="shop/basket.py#Basket.total", limit=1)

    assert [cause.subject for cause in why.causes] == ["Charge tax (#12)"]
    assert why.is_cut


@pytest.mark.usefixtures("shop")
@pytest.mark.parametrize(
    ("name", "error", "message"),
    [
        ("#total", WrongCall, "names no declaration"),
        ("nothing", NoCodeFound, "no declaration of 'nothing'"),
        ("shop/gone.py#total", NoCodeFound, "no file shop/gone.py"),
        ("shop/basket.py#gone", NoCodeFound, "no declaration of 'gone'"),
        ("shop/basket.py", WrongCall, "is a file, not a declaration"),
        ("shop/gone.py:1", NoCodeFound, "no file shop/gone.py"),
        ("shop/basket.py:99", NoCodeFound, "line 99 of shop/basket.py is in no declaration"),
    ],
)
def test_what_is_not_there_is_told(name: str, error: type[Exception], message: str) -> None:
    """A wrong name is an error with its value."""
    with pytest.raises(error, match=message):
        called("code_why", name=name)


@pytest.mark.parametrize("seed", range(5))
def test_the_causes_are_the_commits_that_changed_its_lines(
    ann: Developer, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """However a file changes, a declaration's causes are the commits that changed its text."""
    choice = random.Random(seed)  # noqa: S311  # a seeded world
    numbers = dict.fromkeys("abcd", 0)
    changed: dict[str, list[str]] = {name: [] for name in numbers}
    monkeypatch.chdir(ann.folder)
    for step in range(12):
        name = choice.choice(sorted(numbers)) if step else "d"
        numbers[name] += 1
        text = "\n\n".join(
            f"def {each}():\n    x = '{each}{each}'\n    return {count}\n"
            for each, count in numbers.items()
        )
        ann.write("a.py", text)
        changed[name].append(ann.commit(f"Change {step}"))

    for name in numbers:
        causes = [cause.commit for cause in called("code_why", name=f"a.py#{name}").causes]
        wanted = dict.fromkeys([*reversed(changed[name]), changed["d"][0]])
        assert causes == list(wanted)[:10]
