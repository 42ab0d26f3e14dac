"""Asking repositories, while they change."""

import gc
import signal
import subprocess
import sys
import weakref
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.code.developer import Developer

from rove_code.answer import CodeAnswer
from rove_code.engine import CodeEngine
from rove_code.model import Boost, CodeQuestion
from rove_core.errors import RepositoryNotFound, RevisionNotFound
from rove_core.testing import VirtualClock

BASKET = '''\
class Basket:
    """What is to be bought."""

    def total(self) -> int:
        """Return what it costs, {word}."""
        return 1
'''

TOTAL = CodeQuestion("What is the total of a basket?", 4000)


@pytest.fixture
def clock() -> VirtualClock:
    """Return a clock that stands still."""
    return VirtualClock()


@pytest.fixture
def engine(tmp_path: Path, clock: VirtualClock) -> Iterator[CodeEngine]:
    """Open an engine."""
    with CodeEngine(tmp_path / ".rove", clock=clock) as opened:
        yield opened


def paths(answer: CodeAnswer) -> set[str]:
    """Return the files that are shown."""
    return {each.path for each in answer.metadata.chunks if each.spans}


def test_a_question_is_answered_from_the_files_as_they_are(
    ann: Developer, engine: CodeEngine
) -> None:
    """What was never committed counts as well."""
    ann.write("shop/basket.py", BASKET.format(word="net"))

    answer = engine.query(TOTAL, [(ann.folder, "workspace")])

    assert "Return what it costs, net." in answer.rag_text
    assert paths(answer) == {"shop/basket.py"}
    assert [each.name for each in answer.metadata.versions] == ["workspace"]


def test_a_change_is_seen_by_the_next_question(
    ann: Developer, engine: CodeEngine, clock: VirtualClock
) -> None:
    """Nobody has to say that a file has changed; a second later it is known."""
    file = ann.write("basket.py", BASKET.format(word="net"))
    engine.query(TOTAL, [(ann.folder, "workspace")])
    file.write_text(BASKET.format(word="gross of all that has to be paid"), encoding="utf-8")
    clock.advance(2)

    answer = engine.query(TOTAL, [(ann.folder, "workspace")])

    assert "gross" in answer.rag_text


def test_a_file_that_has_changed_is_not_shown_as_it_was(ann: Developer, engine: CodeEngine) -> None:
    """What is no longer what was found is left out, rather than quoted at wrong lines."""
    file = ann.write("first.py", BASKET.format(word="net"))
    ann.write("other.py", "def total_of_basket(): ...\n")
    engine.query(TOTAL, [(ann.folder, "workspace")])
    file.write_text("# Gone.\n", encoding="utf-8")

    assert paths(engine.query(TOTAL, [(ann.folder, "workspace")])) == {"other.py"}


def test_old_versions_are_answered_as_they_were(ann: Developer, engine: CodeEngine) -> None:
    """A commit, a tag or a branch is asked for by its name, and several at once are told apart."""
    ann.write("basket.py", BASKET.format(word="net"))
    first = ann.commit()
    ann.git("tag", "v1")
    ann.write("basket.py", BASKET.format(word="gross of all that has to be paid"))
    ann.commit()

    by_tag = engine.query(TOTAL, [(ann.folder, "v1")])
    both = engine.query(TOTAL, [(ann.folder, first), (ann.folder, "latest")])

    assert "net" in by_tag.rag_text
    assert [each.name for each in by_tag.metadata.versions] == [first]
    assert f"shop@{first[:12]}:basket.py" in both.rag_text
    assert "net" in both.rag_text
    assert "gross" in both.rag_text


def test_several_repositories_are_one_answer(ann: Developer, engine: CodeEngine) -> None:
    """Their files are told apart by their folders' names."""
    till = ann.beside("till")
    ann.write("basket.py", BASKET.format(word="net"))
    till.write("basket.py", "def total_of_basket(basket): ...\n")

    answer = engine.query(TOTAL, [(ann.folder, "workspace"), (till.folder, "workspace")])

    assert "shop:basket.py:" in answer.rag_text
    assert "till:basket.py:" in answer.rag_text


def test_what_is_asked_for_by_name_is_read_from_the_repository(
    ann: Developer, engine: CodeEngine
) -> None:
    """A boost needs no words in common with the question."""
    ann.write("basket.py", BASKET.format(word="net"))
    ann.write("LICENSE", "Do what you want.\n")
    question = CodeQuestion("total", 4000, boosted=(Boost("LICENSE"),))

    answer = engine.query(question, [(ann.folder, "workspace")])

    assert answer.rag_text.startswith(
        "<codeRag:file><codeRag:chunk><codeRag:metadata>LICENSE:1 @0-18</codeRag:metadata>"
        "<codeRag:content>\nDo what you want.\n</codeRag:content>"
    )


def test_what_is_not_there_is_a_clear_error(ann: Developer, engine: CodeEngine) -> None:
    """Neither a folder nor a revision is made up."""
    ann.write("basket.py")
    ann.commit()

    with pytest.raises(RepositoryNotFound):
        engine.query(TOTAL, [(ann.folder / "none", "workspace")])
    with pytest.raises(RevisionNotFound):
        engine.query(TOTAL, [(ann.folder, "v9")])


def test_nothing_to_read_is_an_empty_answer(tmp_path: Path, engine: CodeEngine) -> None:
    """An empty folder has nothing to show, and that is no error."""
    (tmp_path / "empty").mkdir()

    answer = engine.query(TOTAL, [(tmp_path / "empty", "workspace")])

    assert not answer.rag_text
    assert engine.map(tmp_path / "empty", 1000) == ""


def test_a_refresh_says_what_it_read(ann: Developer, engine: CodeEngine) -> None:
    """What is known is not read again."""
    ann.write("basket.py", BASKET.format(word="net"))
    ann.write("till.py")

    first = engine.refresh(ann.folder)
    ann.write("basket.py", BASKET.format(word="gross"))
    second = engine.refresh(ann.folder)

    assert (first.files, first.read, first.skipped) == (2, 2, 0)
    assert (second.files, second.read) == (2, 1)
    assert "gross" in engine.query(TOTAL, [(ann.folder, "workspace")]).rag_text


def test_parallel_questions_are_answered_while_a_refresh_runs(
    ann: Developer, engine: CodeEngine, clock: VirtualClock
) -> None:
    """Each of them is about one version: of what was there before or of what is there now."""
    commits = []
    for word in ("net", "gross"):
        for number in range(40):
            ann.write(f"basket_{number}.py", BASKET.format(word=f"{word} of all of {number}"))
        commits.append(ann.commit())
        if word == "net":
            engine.query(TOTAL, [(ann.folder, "latest")])
    clock.advance(2)

    def ask(number: int) -> CodeAnswer:
        return engine.query(CodeQuestion(f"total {number}", 4000), [(ann.folder, "latest")])

    with ThreadPoolExecutor(33) as threads:
        refreshed = threads.submit(engine.refresh, ann.folder)
        answers = list(threads.map(ask, range(32)))

    assert refreshed.result().files == 40
    for answer in answers:
        ((name, said, other),) = [
            (each.name, *(("net", "gross") if each.name == commits[0] else ("gross", "net")))
            for each in answer.metadata.versions
        ]
        assert name in commits
        assert f"Return what it costs, {said} of" in answer.rag_text
        assert f"Return what it costs, {other} of" not in answer.rag_text
    assert answers[0].metadata.versions[0].name in commits
    assert ask(1).metadata.versions[0].name == commits[1]


def test_what_others_removed_is_made_again(
    ann: Developer, engine: CodeEngine, clock: VirtualClock
) -> None:
    """A version is held in memory while the store keeps only those that were asked for later."""
    commits = []
    for number in range(8):
        ann.write("basket.py", BASKET.format(word=f"net {number}"))
        commits.append(ann.commit())
    asked = [engine.query(TOTAL, [(ann.folder, each)]) for each in commits]
    clock.advance(86_400)
    for each in commits[1:]:
        engine.query(TOTAL, [(ann.folder, each)])

    assert asked[0] == engine.query(TOTAL, [(ann.folder, commits[0])])


def test_what_was_not_asked_for_lately_is_not_held(ann: Developer, tmp_path: Path) -> None:
    """Where there is no room for two repositories, one that was asked before is read anew."""
    till = ann.beside("till")
    file = ann.write("basket.py", BASKET.format(word="net"))
    till.write("till.py", "def total_of_basket(basket): ...\n")
    with CodeEngine(tmp_path / ".rove", clock=VirtualClock(), cache_size=1) as engine:
        engine.query(TOTAL, [(ann.folder, "workspace")])
        file.write_text(BASKET.format(word="gross of all"), encoding="utf-8")
        engine.query(TOTAL, [(till.folder, "workspace")])

        answer = engine.query(TOTAL, [(ann.folder, "workspace")])

    assert "gross" in answer.rag_text


_KILLED = """
import os, signal, sys
from pathlib import Path
from rove_code.engine import CodeEngine

def kill(done, total):
    if done:
        os.kill(os.getpid(), signal.SIGKILL)

if __name__ == "__main__":
    CodeEngine(Path(sys.argv[2])).refresh(Path(sys.argv[1]), kill)
"""


def test_after_kill_9_only_what_is_missing_is_read(
    ann: Developer, engine: CodeEngine, tmp_path: Path
) -> None:
    """The next call works, and repeats nothing that was done."""
    for number in range(150):
        ann.write(f"basket_{number}.py", BASKET.format(word=f"{number}"))
    command = [sys.executable, "-c", _KILLED, str(ann.folder), str(tmp_path / ".rove")]

    killed = subprocess.run(command, check=False)  # noqa: S603  # the command is our own
    refreshed = engine.refresh(ann.folder)

    assert killed.returncode == -signal.SIGKILL
    assert refreshed.files == 150
    assert 0 < refreshed.read < 150


def test_another_process_reads_nothing_again(ann: Developer, tmp_path: Path) -> None:
    """What was made is there for all, and the answers are the same."""
    ann.write("basket.py", BASKET.format(word="net"))
    answers = []
    for _ in range(2):
        with CodeEngine(tmp_path / ".rove") as engine:
            answers.append(engine.query(TOTAL, [(ann.folder, "workspace")]))
            assert engine.refresh(ann.folder).read == 0

    assert answers[0] == answers[1]


def test_the_status_says_how_much_there_is(ann: Developer, engine: CodeEngine) -> None:
    """Languages, what is skipped and why, and how much of it is there to be asked."""
    ann.write("basket.py", BASKET.format(word="net"))
    ann.write("logo.png", b"\x89PNG\0")
    (before,) = engine.status([(ann.folder, "workspace")]).versions
    engine.refresh(ann.folder)

    status = engine.status([(ann.folder, "workspace")])

    (version,) = status.versions
    assert before.missing == 2
    assert version.missing == 0
    assert version.languages == {"python": 1}
    assert [(each.path, each.why) for each in version.skipped] == [("logo.png", "binary")]
    assert status.size > 0
    assert status.changed_at is not None


def test_a_map_shows_what_most_is_built_on(ann: Developer, engine: CodeEngine) -> None:
    """What much refers to comes first; the map keeps within its budget."""
    ann.write("money.py", "class Money:\n    def rounded(self): ...\n")
    for number in range(9):
        ann.write(
            f"basket_{number}.py",
            f"from money import Money\n\n\ndef total_{number}(): return Money().rounded()\n",
        )

    whole = engine.map(ann.folder, 10_000)
    small = engine.map(ann.folder, 60)

    assert whole.startswith("money.py\nclass Money:\n    def rounded(self): ...\n\n")
    assert "basket_8.py\ndef total_8()" in whole
    assert small == "money.py\nclass Money:\n    def rounded(self): ...\n\n"


def test_a_file_is_found_at_once_in_a_small_repository(ann: Developer, engine: CodeEngine) -> None:
    """A quick look is made for every question: what was written just now is found."""
    ann.write("shop/basket.py", BASKET.format(word="net"))
    engine.query(TOTAL, [(ann.folder, "workspace")])
    ann.write("shop/till.py", "def total_of_the_till():\n    return 1\n")

    assert "shop/till.py" in paths(engine.query(TOTAL, [(ann.folder, "workspace")]))


def test_an_older_version_is_forgotten_by_the_next_question(
    ann: Developer, engine: CodeEngine, clock: VirtualClock
) -> None:
    """What was read for exact answers does not stay in memory once the files have changed."""
    ann.write("basket.py", BASKET)
    older = weakref.ref(engine.codebase(ann.folder))
    ann.write("basket.py", f"{BASKET}\n\nLIMIT = 3\n")
    clock.advance(60)

    engine.query(TOTAL, [(ann.folder, "workspace")])

    gc.collect()
    assert older() is None


def test_much_that_was_read_is_forgotten_by_the_next_question(
    ann: Developer, engine: CodeEngine
) -> None:
    """A name that is all over a large repository does not fill the memory for good."""
    for number in range(9):
        ann.write(f"part{number}.txt", "quokka\n" * 130_000)
    large = engine.codebase(ann.folder)
    large.having("quokka")

    assert large.is_large
    assert engine.codebase(ann.folder) is not large
