"""What Rove can do with code, as a program calls it and as a person sees it."""

import asyncio
import os
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.code.asking import OPERATIONS, called, listened
from tests.code.developer import Developer

import rove_code
from rove_core import JSON, Event, WrongCall, open_project
from rove_core.errors import NoCodeFound, RepositoryNotFound, RevisionNotFound
from rove_core.operations import Operation

if TYPE_CHECKING:
    from collections.abc import Iterator

BASKET = '''\
class Basket:
    """What a customer is about to buy."""

    def total(self) -> int:
        """Return what all articles cost."""
        return sum(each.price for each in self.articles)
'''


@pytest.fixture
def shop(ann: Developer, monkeypatch: pytest.MonkeyPatch) -> Developer:
    """Return a repository with two files, and stand in it."""
    ann.write("shop/basket.py", BASKET)
    ann.write("shop/till.py", "def pay(basket):\n    return basket.total()\n")
    ann.commit("Begin")
    monkeypatch.chdir(ann.folder)
    return ann


def shown(name: str, **arguments: JSON) -> str:
    """Return what a person is shown."""
    show = OPERATIONS[name].show
    assert show
    return show(called(name, **arguments))


def test_a_question_is_answered_in_a_folder_without_any_account(shop: Developer) -> None:
    """The answer is the text for a model, as it is."""
    answer = called("code_query", question="What do all articles cost?")

    assert answer.metadata.versions[0].repository == str(shop.folder)
    assert shown("code_query", question="What do all articles cost?") == answer.rag_text.rstrip()
    assert "def total(self) -> int:" in answer.rag_text


@pytest.mark.usefixtures("shop")
def test_the_budget_is_kept() -> None:
    """An answer never has more characters than it may."""
    assert len(called("code_query", question="total", budget=300).rag_text) <= 300


def test_an_older_version_can_be_asked(shop: Developer) -> None:
    """Code that is gone is found where it still was."""
    shop.git("tag", "v1")
    shop.write("shop/basket.py", "GONE = True\n")
    shop.commit("Remove it")

    assert "def total" in called("code_query", question="total", at="v1").rag_text
    assert "def total" in called("code_map", at="v1")
    assert "def total" not in called("code_query", question="total").rag_text


def test_another_repository_can_be_asked_by_a_person(shop: Developer) -> None:
    """A path is one from where the person is; git is not needed there."""
    other = shop.beside("stock")
    other.folder.mkdir()
    other.write("stock.py", "def stock_total():\n    return 1\n")

    assert "stock_total" in called("code_query", question="total", repo="../stock").rag_text
    assert "stock_total" in called("code_map", repo="../stock")
    assert called("code_refresh", repo="../stock").repository == str(other.folder)
    assert called("code_status", repo="../stock").versions[0].repository == str(other.folder)


@pytest.mark.usefixtures("shop")
@pytest.mark.parametrize("name", ["code_query", "code_map", "code_refresh", "code_status"])
def test_an_agent_can_name_no_repository(name: str) -> None:
    """On a wire, the project's own is asked, and no schema speaks of another."""
    operation = OPERATIONS[name]

    async def call() -> None:
        async with open_project(accounts=[], plugins=[rove_code]) as rove:
            await operation.call(rove, {"question": "x", "repo": "/etc"})

    assert "'repo'" not in str(operation.input_schema())
    with pytest.raises(WrongCall, match="can only be used at a terminal"):
        asyncio.run(call())


@pytest.mark.usefixtures("shop")
def test_what_is_wanted_is_shown_in_any_case() -> None:
    """Files, declarations and signatures may be asked for by name; what is not there is told."""
    text = shown(
        "code_query",
        question="nothing of the kind",
        show=["shop/till.py", "shop/gone.py"],
        signature=["shop/basket.py#Basket.total"],
    )

    assert "return basket.total()" in text
    assert "def total(self) -> int:" in text
    assert text.endswith("not there: shop/gone.py")


@pytest.mark.usefixtures("shop")
def test_a_map_shows_signatures() -> None:
    """It is drawn without a question."""
    assert "shop/basket.py\nclass Basket:\n    def total(self) -> int:" in shown("code_map")


def test_a_refresh_tells_what_was_new(shop: Developer) -> None:
    """Each file is taken apart once."""
    first = called("code_refresh")
    shop.write("shop/new.py")
    second = called("code_refresh")

    assert (first.files, first.read) == (2, 2)
    assert (second.files, second.read) == (3, 1)
    assert f"3 files, based on {first.commit[:12]}" in shown("code_refresh")


def test_the_status_tells_languages_and_what_is_not_read(shop: Developer) -> None:
    """Whoever misses a file finds out why."""
    shop.write("picture.png", b"\x89PNG\0")
    shop.write("notes.md", "# Notes\n")
    called("code_refresh")
    text = shown("code_status")

    assert f"{shop.folder} (workspace)" in text
    assert "      2 python" in text
    assert "picture.png: binary" in text
    assert "kept here: " in text


@pytest.mark.usefixtures("shop")
def test_a_status_before_the_first_question_says_what_is_to_do() -> None:
    """Nothing is read for it."""
    assert "2 are yet to be taken apart" in shown("code_status")


def test_much_work_is_told_while_it_is_done(shop: Developer) -> None:
    """In at most eleven steps, whoever listens hears how many files are done."""
    for number in range(250):
        shop.write(f"many/file{number}.py", f"def one{number}():\n    return {number}\n")
    events: list[Event] = []

    listened(events, "code_query", {"question": "one7"})

    assert 1 < len(events) <= 11
    assert {event.stage for event in events} == {"code"}
    assert (events[-1].done, events[-1].total) == (252, 252)
    assert events[-1].note == "252 of 252 files are taken apart"


@pytest.mark.usefixtures("shop")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"question": " "}, "nothing to search for"),
        ({"question": "x", "budget": 0}, "budget 0"),
        ({"question": "x", "show": ["#name"]}, "'#name' names no file"),
        ({"question": "x", "repo": "\0"}, "can be no folder"),
    ],
)
def test_a_wrong_call_is_told(arguments: dict[str, JSON], message: str) -> None:
    """What makes no sense is an error that says so."""
    with pytest.raises(WrongCall, match=message):
        called("code_query", **arguments)


@pytest.mark.usefixtures("shop")
def test_what_is_not_there_is_told() -> None:
    """A folder or a version that is none is not found."""
    with pytest.raises(RepositoryNotFound, match="/nowhere"):
        called("code_query", question="x", repo="/nowhere")
    with pytest.raises(RevisionNotFound, match="nope"):
        called("code_query", question="x", at="nope")


@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=OPERATIONS)
def test_every_operation_can_be_described(operation: Operation) -> None:
    """Whatever a door shows of it, it has."""
    assert operation.title.endswith(".")
    assert operation.command.startswith("code ")
    assert operation.input_schema()
    assert operation.output_schema()


def test_a_lost_database_is_made_anew(shop: Developer) -> None:
    """Who removes it while it is open costs a moment, and nothing else."""

    async def call() -> list[int]:
        async with open_project(accounts=[], plugins=[rove_code]) as rove:
            operation = OPERATIONS["code_refresh"]
            first: Any = await operation.run(rove, {})
            for file in (shop.folder / ".rove").glob("code.db*"):
                file.unlink()
            second: Any = await operation.run(rove, {})
            return [first.read, second.read, (shop.folder / ".rove/code.db").exists()]

    assert asyncio.run(call()) == [2, 2, True]


@pytest.fixture
def server(shop: Developer) -> "Iterator[subprocess.Popen[str]]":
    """Serve the repository, as a person does, until the test is over."""
    code = (
        "import asyncio, rove_code\n"
        "from rove_code.serve_operation import code_serve\n"
        "from rove_core import open_project\n"
        "async def main():\n"
        "    async with open_project(accounts=[], plugins=[rove_code]) as rove:\n"
        "        await code_serve(rove, port=0)\n"
        "if __name__ == '__main__':\n"
        "    asyncio.run(main())\n"
    )
    script = shop.beside("serve.py").folder
    script.write_text(code, "utf-8")
    with subprocess.Popen(  # noqa: S603  # our own words
        [sys.executable, script], cwd=shop.folder, stdout=subprocess.PIPE, text=True
    ) as process:
        yield process
        process.kill()


def test_serving_prints_its_address_once_and_ends_well(
    server: "subprocess.Popen[str]",
) -> None:
    """The whole address, with the token, is all that is printed; Ctrl-C is the way to end it."""
    assert server.stdout
    address = server.stdout.readline().strip()

    with urllib.request.urlopen(address) as reply:  # noqa: S310  # it is the address of our own server
        assert reply.status == 200
    os.kill(server.pid, signal.SIGINT)
    assert server.wait(30) == 0
    assert address.startswith("http://127.0.0.1:")
    assert len(address.partition("?token=")[2]) >= 40
    assert server.stdout.read() == ""


def test_serving_answers_over_the_port(server: "subprocess.Popen[str]", shop: Developer) -> None:
    """What the printed address lets in is asked with any client of HTTP."""
    assert server.stdout
    base, _, query = server.stdout.readline().strip().partition("/?")
    body = f'{{"repoPath": "{shop.folder}"}}'.encode()
    wanted = urllib.request.Request(f"{base}/coderag/refresh?{query}", body)  # noqa: S310  # as above

    with urllib.request.urlopen(wanted) as reply:  # noqa: S310  # as above
        assert reply.read() == b'{"status": "ok", "refreshed": true}\n'


def test_the_settings_say_which_repository_it_is(
    shop: Developer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A project may be about a repository that is elsewhere."""
    monkeypatch.setenv("ROVE_SOURCES_CODE_FOLDER", str(shop.folder))
    project = tmp_path / "elsewhere"
    project.mkdir()
    monkeypatch.chdir(project)

    assert called("code_refresh").repository == str(shop.folder)


def test_only_some_files_may_answer(shop: Developer) -> None:
    """Paths, languages and kinds leave out all other files."""
    shop.write("tests/test_basket.py", "def test_total():\n    assert total() == 1\n")
    shop.write("web/basket.js", "export function total() { return 1 }\n")

    def files(**arguments: JSON) -> set[str]:
        answer = called("code_query", question="total", **arguments)
        return {each.path for each in answer.metadata.chunks if each.spans}

    assert files(path=["web"]) == {"web/basket.js"}
    assert files(path=["shop/b*.py"]) == {"shop/basket.py"}
    assert files(language=["javascript"]) == {"web/basket.js"}
    assert files(kind=["test"]) == {"tests/test_basket.py"}
    with pytest.raises(WrongCall, match="no such language: 'klingon'"):
        files(language=["klingon"])


def test_a_filter_that_no_file_fits_is_named(shop: Developer) -> None:
    """A wrong filter is not taken for a question that nothing answers."""
    shop.write("shop/basket.py", "def total():\n    return 1\n")

    with pytest.raises(NoCodeFound, match=r"no file of .* fits --path, --language and --kind"):
        called("code_query", question="total", path=("nowhere",))


def test_an_empty_repository_has_no_file_to_search(
    ann: Developer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody gave a filter, so the error names none."""
    monkeypatch.chdir(ann.folder)

    with pytest.raises(NoCodeFound, match=r".* has no file to search"):
        called("code_query", question="total")


@pytest.mark.usefixtures("shop")
def test_a_question_can_be_read_from_standard_input() -> None:
    """A ticket has line ends, which a command line takes badly."""
    done = subprocess.run(
        [sys.executable, "-m", "rove", "code", "query", "-"],
        input="Where is the total\nof a basket?",
        capture_output=True,
        encoding="utf-8",
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert "def total(self) -> int:" in done.stdout
