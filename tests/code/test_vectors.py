"""Vectors beside words: an engine asks whatever makes them, and needs it for nothing."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from tests.code.asking import called
from tests.code.developer import Developer
from tests.code.embedding import Topics

from rove_code.answer import CodeAnswer, VectorStatus
from rove_code.engine import CodeEngine
from rove_code.model import CodeQuestion
from rove_code.ranking.arrays import Floats
from rove_code.vectors.embedder_choice import Embedding
from rove_core.store.files import FileLock
from rove_core.testing import VirtualClock

TILL = 'def settle(bill):\n    """Take money out of a purse."""\n    return bill\n'
SKY = 'def look():\n    """Tell of the weather."""\n    return "rain"\n'
BASKET = 'class Basket:\n    """What is to be bought."""\n\n    articles = ()\n'
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
#: None of its words stands in any file.
PAY = CodeQuestion("How does one pay?", 2000)


@pytest.fixture
def clock() -> VirtualClock:
    """Return a clock that stands still."""
    return VirtualClock()


@pytest.fixture
def topics() -> Topics:
    """Return an embedder."""
    return Topics()


@pytest.fixture
def engine(tmp_path: Path, clock: VirtualClock, topics: Topics) -> Iterator[CodeEngine]:
    """Open an engine that has it."""
    with CodeEngine(tmp_path / ".rove", clock=clock, embedding=Embedding(topics)) as opened:
        yield opened


@pytest.fixture
def shop(ann: Developer) -> Path:
    """Return a repository of three files."""
    for path, text in (("till.py", TILL), ("sky.py", SKY), ("basket.py", BASKET)):
        ann.write(path, text)
    return ann.folder


def asked(engine: CodeEngine, folder: Path, question: CodeQuestion = PAY) -> CodeAnswer:
    """Return an answer about the files as they are."""
    return engine.query(question, [(folder, "workspace")])


def filled(engine: CodeEngine, folder: Path) -> VectorStatus:
    """Make what vectors can be made, and return how things stand."""
    engine.refresh(folder)
    engine.finish_vectors()
    status = engine.status([(folder, "workspace")]).vectors
    assert status is not None
    return status


def shown(answer: CodeAnswer) -> list[str]:
    """Return the files that are shown, the best first."""
    chunks = sorted(answer.metadata.chunks, key=lambda each: -each.score)
    return list(dict.fromkeys(each.path for each in chunks if each.spans))


def test_what_is_near_in_meaning_is_found(engine: CodeEngine, shop: Path) -> None:
    """It need not have a word of the question; why it is there is said."""
    assert asked(engine, shop).rag_text == ""
    filled(engine, shop)
    answer = asked(engine, shop)

    assert shown(answer)[0] == "till.py"
    assert "similar meaning" in answer.metadata.chunks[0].reason


def test_words_come_first(engine: CodeEngine, shop: Path) -> None:
    """Who names something gets it, whatever else is near in meaning."""
    filled(engine, shop)

    answer = asked(engine, shop, CodeQuestion("Who can pay for a Basket, and pay, and pay?", 2000))

    assert shown(answer)[0] == "basket.py"


def test_without_an_embedder_answers_are_those_of_words(
    tmp_path: Path, clock: VirtualClock, engine: CodeEngine, shop: Path
) -> None:
    """Vectors that are not there yet change no letter of an answer, and nothing is kept of them."""
    words = CodeQuestion("What does the basket hold, and who looks at the weather?", 2000)
    with CodeEngine(tmp_path / "off", clock=clock) as off:
        without = asked(off, shop, words)

    assert asked(engine, shop, words) == without
    assert without.metadata.words_only == ""
    assert not list(tmp_path.glob("off/*vectors*"))


def test_by_default_nothing_of_it_is_loaded(ann: Developer) -> None:
    """A question costs not even an import where the settings want no vectors."""
    ann.write("till.py", TILL)
    code = (
        "import sys, pathlib\n"
        "from rove_code.engines import engine_of\n"
        "from rove_code.model import CodeQuestion\n"
        "from rove_core.clock import SYSTEM\n"
        "from rove_core.project.layout import ProjectPaths\n"
        "with engine_of(ProjectPaths.at(pathlib.Path('.')), SYSTEM) as engine:\n"
        "    engine.query(CodeQuestion('purse', 900), [(pathlib.Path('.'), 'workspace')])\n"
        "print({'rove_code.vectors.vectors', 'tokenizers', 'openai'} & sys.modules.keys())\n"
    )

    run = subprocess.run(  # noqa: S603  # our own interpreter
        [sys.executable, "-c", code], cwd=ann.folder, capture_output=True, text=True, check=True
    )

    assert run.stdout == "set()\n"


def test_an_embedder_that_fails_leaves_words(
    engine: CodeEngine, topics: Topics, shop: Path, clock: VirtualClock
) -> None:
    """The answer says why; it is asked again a minute later, and not with each question."""
    filled(engine, shop)
    topics.fails = "it does not answer"
    first, second = asked(engine, shop), asked(engine, shop)
    questions = topics.texts.count(PAY.text)
    status = engine.status([(shop, "workspace")]).vectors
    topics.fails = ""
    clock.advance(61)
    again = asked(engine, shop)
    later = engine.status([(shop, "workspace")]).vectors

    assert (first.rag_text, first.metadata.words_only) == ("", "it does not answer")
    assert second == first
    assert questions == 1
    assert status is not None
    assert status.trouble == "it does not answer"
    assert (shown(again)[0], again.metadata.words_only) == ("till.py", "")
    assert later is not None
    assert later.trouble == ""


@pytest.mark.parametrize(
    ("lie", "said"),
    [
        (lambda rows: rows[:-1], "vectors came for"),
        (lambda rows: rows[:, :0], "vectors of 0 numbers"),
        (lambda rows: np.tile(rows, 4000), "vectors of 12000 numbers"),
        (lambda rows: rows * np.float32("nan"), "what is not a number"),
        (lambda rows: rows[0], "vectors came for"),
        (lambda rows: rows[99], "it fails: IndexError"),
    ],
)
def test_what_cannot_be_right_is_not_kept(
    engine: CodeEngine, topics: Topics, shop: Path, lie: Callable[[Floats], Floats], said: str
) -> None:
    """Nothing is kept of it, and questions are answered by words."""
    topics.lie = lie
    status = filled(engine, shop)

    assert said in status.trouble
    assert (status.chunks, status.dimension, status.missing) == (0, 0, 3)
    assert asked(engine, shop).rag_text == ""


def test_vectors_of_another_length_are_refused(
    engine: CodeEngine, topics: Topics, shop: Path
) -> None:
    """A model that was exchanged under the same name is found out, by questions as well."""
    filled(engine, shop)
    topics.lie = lambda rows: rows[:, :2]

    assert asked(engine, shop).metadata.words_only == ("vectors of 2 numbers came where 3 are kept")


def test_a_content_is_embedded_once(
    engine: CodeEngine, topics: Topics, shop: Path, ann: Developer
) -> None:
    """Files that are moved cost nothing; of those that are new, only they are given away."""
    filled(engine, shop)
    topics.texts.clear()
    (shop / "till.py").rename(shop / "counter.py")
    ann.write("new.py", "def purse_of(owner): ...\n")
    status = filled(engine, shop)

    assert topics.texts == ["purse_of\ndef purse_of(owner): ..."]
    assert (status.missing, status.trouble) == (0, "")


def test_a_secret_is_given_to_nobody(
    engine: CodeEngine, topics: Topics, shop: Path, ann: Developer
) -> None:
    """What is known for one by its form is blanked before a file is cut into texts."""
    ann.write("secret.py", f'TOKEN = "{TOKEN}"\n')
    filled(engine, shop)

    assert any("TOKEN" in text for text in topics.texts)
    assert TOKEN not in "".join(topics.texts)


def test_what_is_given_away_is_limited(tmp_path: Path, shop: Path, clock: VirtualClock) -> None:
    """Each look makes as much as its budget allows, and the next one goes on from there."""
    topics = Topics()
    embedding = Embedding(topics, most_tokens=40)
    with CodeEngine(tmp_path / ".rove", clock=clock, embedding=embedding) as engine:
        first = filled(engine, shop)
        spent = sum(map(len, topics.texts)) / 3
        rest = [filled(engine, shop) for _ in range(3)]

    assert first.missing > 0
    assert "40 tokens" in first.trouble
    assert spent <= 40
    assert (rest[-1].missing, rest[-1].trouble) == (0, "")
    assert len(topics.texts) == len(set(topics.texts))


def test_two_embedders_are_not_mixed(tmp_path: Path, shop: Path, clock: VirtualClock) -> None:
    """Each has its own vectors, also if they have as many numbers."""
    for name in ("one", "two"):
        with CodeEngine(
            tmp_path / ".rove", clock=clock, embedding=Embedding(Topics(name))
        ) as engine:
            assert asked(engine, shop).rag_text == ""
            assert filled(engine, shop).embedder == name


def test_questions_are_answered_while_vectors_are_made(
    engine: CodeEngine, topics: Topics, ann: Developer
) -> None:
    """Nobody waits for them, and no answer breaks."""
    for number in range(80):
        ann.write(f"m{number}.py", TILL.replace("settle", f"settle{number}"))
    release = ThreadPoolExecutor(8)
    engine.refresh(ann.folder)
    with release:
        answers = list(release.map(lambda _: asked(engine, ann.folder), range(32)))
    engine.finish_vectors()

    assert {each.metadata.words_only for each in answers} == {""}
    assert len({text for text in topics.texts if text != PAY.text}) == 80


def test_who_is_asked_more_than_once_makes_them_itself(
    engine: CodeEngine, topics: Topics, shop: Path
) -> None:
    """A process that asks a single question would only begin, so it does not."""
    asked(engine, shop)
    engine.finish_vectors()
    after_one = len(topics.texts)
    asked(engine, shop)
    engine.finish_vectors()

    assert after_one == 0
    assert len(topics.texts) == 3


def test_an_endpoint_that_failed_is_tried_again_later(
    engine: CodeEngine, topics: Topics, shop: Path, clock: VirtualClock
) -> None:
    """Not with each question, but ten minutes later, and at once by whoever asks for it."""
    topics.fails = "it does not answer"
    filled(engine, shop)
    topics.fails = ""
    asked(engine, shop)
    asked(engine, shop)
    engine.finish_vectors()
    tried = len(topics.texts)
    clock.advance(601)
    asked(engine, shop)
    engine.finish_vectors()
    status = engine.status([(shop, "workspace")]).vectors

    assert tried == 3
    assert status is not None
    assert (status.chunks, status.missing, status.trouble) == (3, 0, "")


def test_two_processes_do_not_make_the_same(
    engine: CodeEngine, topics: Topics, shop: Path, tmp_path: Path
) -> None:
    """Who comes second leaves it to the first, and says so."""
    with FileLock(tmp_path / ".rove" / "code-vectors.db.filling"):
        status = filled(engine, shop)

    assert "is locked by another process" in status.trouble
    assert topics.texts == []


def test_a_damaged_database_of_vectors_leaves_words(
    engine: CodeEngine, shop: Path, tmp_path: Path
) -> None:
    """It is named where one looks how things stand."""
    (tmp_path / ".rove" / "code-vectors.db").write_bytes(b"no database at all" * 100)
    answer = asked(engine, shop, CodeQuestion("purse", 2000))

    assert shown(answer) == ["till.py"]
    assert "code-vectors.db" in answer.metadata.words_only
    assert "code-vectors.db" in filled(engine, shop).trouble


KILLED = """
import os, signal, sys
from pathlib import Path
from tests.code.embedding import Topics
from rove_code.engine import CodeEngine
from rove_code.vectors.embedder_choice import Embedding

def lie(rows):
    if len(topics.texts) > 128:
        os.kill(os.getpid(), signal.SIGKILL)
    return rows

topics = Topics(lie=lie)
with CodeEngine(Path(sys.argv[1]), embedding=Embedding(topics)) as engine:
    engine.refresh(Path(sys.argv[2]))
    engine.finish_vectors()
"""


def test_a_killed_process_loses_one_batch(
    engine: CodeEngine, topics: Topics, ann: Developer, tmp_path: Path
) -> None:
    """What was made before is there, and is not made again."""
    for number in range(200):
        ann.write(f"m{number}.py", f"def pay_{number}(): ...\n")
    run = subprocess.run(  # noqa: S603  # our own interpreter
        [sys.executable, "-c", KILLED, str(tmp_path / ".rove"), str(ann.folder)],
        cwd=Path(__file__).parents[2],
        check=False,
    )
    status = filled(engine, ann.folder)

    assert run.returncode == -9
    assert (status.chunks, status.missing) == (200, 0)
    assert len(topics.texts) == 72


def test_status_and_refresh_at_the_terminal(
    shop: Path, monkeypatch: pytest.MonkeyPatch, write_settings: Callable[[str], None]
) -> None:
    """A folder that holds no vectors is named where one looks how things stand."""
    write_settings('[embedding]\nengine = "static"\nfolder = "models"\n')
    monkeypatch.chdir(shop)
    called("code_refresh")

    status = called("code_status").vectors

    assert status.trouble == f"{shop}/models needs tokenizer.json and one .safetensors file"
