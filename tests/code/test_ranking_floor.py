"""What nothing speaks for is not shown."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.code.asking import called
from tests.code.developer import Developer
from tests.code.written import ask, found

from rove_code.engine import CodeEngine
from rove_code.model import CodeQuestion
from rove_core.errors import NoCodeFound

SHOP = {f"shop/part{at}.py": f"def part{at}():\n    return {at}\n" for at in range(30)}


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[CodeEngine]:
    """Open an engine."""
    with CodeEngine(tmp_path / ".rove") as opened:
        yield opened


@pytest.mark.parametrize(
    "text", ["xyzzy plugh frobnicate", "x", "?", "木星 土星 火星", "ζωή", "Zm9v" * 4000]
)
def test_words_that_stand_nowhere_find_nothing(text: str) -> None:
    """A question that no file has a word of is not answered with any file."""
    assert ask(SHOP, text).scored == ()


def test_a_file_that_changes_often_is_no_answer(ann: Developer, engine: CodeEngine) -> None:
    """How often a file changed settles ties; it does not answer."""
    for number in range(5):
        ann.write("server.py", f"def serve():\n    return {number}\n")
        ann.commit(f"Serve {number}")

    answer = engine.query(CodeQuestion("xyzzy plugh", 10_000), [(ann.folder, "workspace")])

    assert answer.rag_text == ""


def test_what_is_found_by_a_word_comes_without_the_rest() -> None:
    """A file that has nothing of the question does not fill the room that is left."""
    assert found(ask({**SHOP, "quokka.py": "def quokka():\n    return 1\n"}, "quokka")) == [
        "quokka.py"
    ]


def test_nothing_found_is_told_with_what_is_near(
    ann: Developer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A misspelt name is answered with the names that are written much like it."""
    ann.write("basket.py", "def checkout_basket():\n    return 1\n")
    monkeypatch.chdir(ann.folder)

    with pytest.raises(NoCodeFound, match="fits the question") as raised:
        called("code_query", question="chekcout_baskte")

    assert raised.value.exit_code == 3
    assert "checkout_basket" in raised.value.hint


def test_a_misspelt_word_of_a_name_is_near(ann: Developer, engine: CodeEngine) -> None:
    """Who knows one word of a name, and not how to spell it, gets the name."""
    ann.write("basket.py", "def checkout_basket():\n    return 1\n")

    answer = engine.query(CodeQuestion("chekcout", 10_000), [(ann.folder, "workspace")])

    assert "checkout_basket" in answer.metadata.near


def test_the_name_that_is_most_alike_comes_first(ann: Developer, engine: CodeEngine) -> None:
    """A question of several words brings the best names of all of them."""
    ann.write("basket.py", "def basin(): ...\ndef gasket(): ...\ndef checkout(): ...\n")

    answer = engine.query(CodeQuestion("bask chekout", 10_000), [(ann.folder, "workspace")])

    assert answer.metadata.near[0] == "checkout"


def test_words_like_no_name_bring_none(ann: Developer, engine: CodeEngine) -> None:
    """Nothing is near nonsense, however long."""
    ann.write("basket.py", "def checkout_basket():\n    return 1\n")

    answer = engine.query(
        CodeQuestion(f"wumblegock {'x' * 100_000}", 10_000), [(ann.folder, "workspace")]
    )

    assert answer.metadata.near == ()


def test_a_text_that_is_linked_is_found() -> None:
    """What a text says of a matter goes on where it links to, and not in any other text."""
    files = {
        "alpha.md": "# Alpha\n\nquokka: see [details](guides/beta.md)\n",
        "guides/beta.md": "# Beta\n\nThe marsupial.\n",
        "gamma.md": "# Gamma\n\nUnrelated.\n",
        **{f"part{at}.md": f"# Part {at}\n\nText {at}.\n" for at in range(60)},
    }

    assert found(ask(files, "quokka")) == ["alpha.md", "guides/beta.md"]
