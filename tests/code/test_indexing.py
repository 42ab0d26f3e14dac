"""Bringing what is kept of a repository up to date."""

import pickle
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from tests.code.developer import Developer

from rove_code import version_index
from rove_code.content_record import SourceContent, make_all
from rove_code.model import Version, text_of
from rove_code.parser_processes import made_by
from rove_code.repositories import open_repository
from rove_code.store import CodeStore
from rove_code.version_index import ensure, history


@pytest.fixture
def store(tmp_path: Path) -> Iterator[CodeStore]:
    """Open a store."""
    with CodeStore(tmp_path / "code.db") as opened:
        yield opened


class Counted:
    """Writes down how far the work is."""

    def __init__(self) -> None:
        self.told: list[tuple[int, int]] = []

    def __call__(self, done: int, total: int) -> None:
        """Write it down."""
        self.told.append((done, total))

    @property
    def total(self) -> int:
        """How many files were missing."""
        return self.told[-1][1] if self.told else 0


def index(
    folder: Path, store: CodeStore, specifier: str = "workspace"
) -> tuple[version_index.IndexedVersion, int]:
    """Return what is indexed of a version, and how many files had to be taken apart for it."""
    repository = open_repository(folder)
    counted = Counted()
    return ensure(repository, repository.version(specifier), store, counted), counted.total


def test_each_content_is_taken_apart_once(ann: Developer, store: CodeStore) -> None:
    """Copies, branches, versions and worktrees share what was made of equal files."""
    ann.write("one.py", "def one(): ...\n")
    ann.write("copy.py", "def one(): ...\n")
    ann.write("two.py", "def two(): ...\n")
    ann.commit()
    ann.git("worktree", "add", "--quiet", "../other", "-b", "other")

    assert index(ann.folder, store)[1] == 2
    assert index(ann.folder, store)[1] == 0
    assert index(ann.folder, store, "HEAD")[1] == 0
    assert index(ann.beside("other").folder, store)[1] == 0
    ann.write("two.py", "def three(): ...\n")
    assert index(ann.folder, store)[1] == 1


def test_files_come_back_taken_apart(ann: Developer, store: CodeStore) -> None:
    """Each file has its declarations and what it is found by."""
    ann.write("one.py", "def one():\n    return 1\n")
    ann.write("notes.md", "# Notes\n")

    indexed, _ = index(ann.folder, store)

    files = indexed.version.files
    parsed = dict(zip([file.path for file in files], indexed.parsed(files), strict=True))
    assert [each.name for each in parsed["one.py"].declarations] == ["one"]
    assert parsed["notes.md"].language == "markdown"
    assert all(indexed.features(files))
    assert len({indexed.key(file) for file in files}) == 2


def test_what_is_no_text_is_named(ann: Developer, store: CodeStore) -> None:
    """A binary file is skipped, by name, and is not read again to see that."""
    ann.write("logo.png", b"\x89PNG\0\0")
    ann.write("old.py", "caf\xe9 = 1\n".encode("latin-1"))

    for expected in (2, 0):
        indexed, made = index(ann.folder, store)

        assert made == expected
        assert [file.path for file in indexed.version.files] == ["old.py"]
        assert [(each.path, each.why) for each in indexed.version.skipped] == [
            ("logo.png", "binary")
        ]


def test_a_file_that_vanishes_is_named(ann: Developer, store: CodeStore) -> None:
    """What is gone by the time it is read is skipped, by name."""
    ann.write("gone.py")
    ann.write("kept.py", "x = 2\n")
    repository = open_repository(ann.folder)
    version = repository.version()
    (ann.folder / "gone.py").unlink()

    left = ensure(repository, version, store).version

    assert [file.path for file in left.files] == ["kept.py"]
    assert [each.path for each in left.skipped] == ["gone.py"]


@pytest.mark.parametrize("files", [{}, {"a.txt": "Just words.\n"}, {"empty.py": ""}])
def test_no_code_is_no_error(ann: Developer, store: CodeStore, files: dict[str, str]) -> None:
    """A repository without files, without code, or with nothing in its files is as good as any."""
    for path, text in files.items():
        ann.write(path, text)

    indexed, _ = index(ann.folder, store)

    assert {file.path for file in indexed.version.files} == files.keys()
    assert len(list(indexed.parsed(indexed.version.files))) == len(files)


def many(ann: Developer, count: int) -> Version:
    """Write many files, and return their version."""
    for number in range(count):
        ann.write(f"src/m{number}.py", f"def f{number}():\n    return {number}\n")
    ann.commit()
    return open_repository(ann.folder).version("HEAD")


def test_processes_make_the_same(
    ann: Developer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With much to do it is done in processes of its own, with the same result."""
    version = many(ann, 150)
    repository = open_repository(ann.folder)
    results = []
    for at_least in (1000, 1):
        monkeypatch.setattr(version_index, "_MANY", at_least)
        with CodeStore(tmp_path / f"{at_least}.db") as store:
            counted = Counted()
            indexed = ensure(repository, version, store, counted)
            results.append([*indexed.features(version.files), *indexed.parsed(version.files)])

            assert counted.told[-1] == (150, 150)
            assert counted.told == sorted(counted.told)

    assert results[0] == results[1]


def test_whoever_is_told_can_stop_it(ann: Developer, store: CodeStore) -> None:
    """What the progress is told to may raise: what was done by then is kept."""
    version = many(ann, 150)
    repository = open_repository(ann.folder)

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt(done, total)

    with pytest.raises(KeyboardInterrupt) as stopped:
        ensure(repository, version, store, stop)

    done, total = stopped.value.args
    counted = Counted()
    ensure(repository, version, store, counted)
    assert 0 < done < total == 150
    assert counted.total == total - done


_KILLED = """
import os, signal, sys
from pathlib import Path
from rove_code.version_index import ensure
from rove_code.repositories import open_repository
from rove_code.store import CodeStore

def stop(done, total):
    if done >= 128:
        os.kill(os.getpid(), signal.SIGKILL)

repository = open_repository(Path(sys.argv[1]))
ensure(repository, repository.version("HEAD"), CodeStore(Path(sys.argv[2])), stop)
"""


@pytest.mark.parametrize("count", [190, 260])
def test_a_killed_process_repeats_nothing(ann: Developer, tmp_path: Path, count: int) -> None:
    """After kill -9, with processes of its own or without, only what is missing is made."""
    version = many(ann, count)
    path = tmp_path / "code.db"
    command = [sys.executable, "-c", _KILLED, str(ann.folder), str(path)]
    killed = subprocess.run(command, check=False, capture_output=True)  # noqa: S603  # our own
    with closing(sqlite3.connect(path)) as db:
        (kept,) = db.execute("SELECT count(*) FROM made").fetchone()

    with CodeStore(path) as store:
        counted = Counted()
        indexed = ensure(open_repository(ann.folder), version, store, counted)

    assert killed.returncode == -signal.SIGKILL
    assert kept >= 128
    assert counted.total == count - kept
    assert indexed.version.files == version.files


def test_several_at_once_agree(ann: Developer, tmp_path: Path) -> None:
    """Several that index the same at once, and read meanwhile, all have all of it."""
    version = many(ann, 190)

    def work(_: int) -> list[bytes]:
        with CodeStore(tmp_path / "code.db") as store:
            indexed = ensure(open_repository(ann.folder), version, store)
            return list(indexed.features(version.files))

    with ThreadPoolExecutor(4) as threads:
        results = list(threads.map(work, range(4)))

    assert len(results[0]) == 190
    assert all(result == results[0] for result in results)


def test_history_is_read_once(ann: Developer, store: CodeStore) -> None:
    """Messages and paths of what led to a version, the newest first; new ones are added."""
    ann.write("a b.py", "1\n")
    first = ann.commit("Begin\n\nwith ü")
    repository = open_repository(ann.folder)
    (known,) = history(repository, repository.version("HEAD"), store)
    ann.write("src/line\nbreak.py", "2\n")
    ann.write("a b.py", "2\n")
    second = ann.commit("Go on")
    (ann.folder / "a b.py").unlink()
    ann.commit("Remove")

    commits = history(repository, repository.version(second), store)

    assert (known.id, known.message, known.paths) == (first, "Begin\n\nwith ü", ("a b.py",))
    assert [each.id for each in commits] == [second, first]
    assert set(commits[0].paths) == {"a b.py", "src/line\nbreak.py"}
    assert commits == history(repository, repository.version(second), store)
    assert history(repository, repository.version("HEAD"), store, limit=1)[0].message == "Remove"


def test_what_is_known_of_a_history_changes_nothing(ann: Developer) -> None:
    """From whatever version one comes, a version's history is the same: straight, merged, cut."""
    commits = [ann.commit("One"), ann.commit("Two"), ann.commit("Three")]
    ann.git("checkout", "--quiet", "-b", "side", commits[0])
    commits += [ann.commit("Side"), ann.commit("More")]
    ann.git("checkout", "--quiet", "main")
    ann.git("merge", "--quiet", "--no-ff", "side", "--message", "Merge")
    commits += [ann.git("rev-parse", "HEAD"), ann.commit("Last")]
    repository = open_repository(ann.folder)
    versions = [repository.version(commit) for commit in commits]

    for limit in (1, 2, 3):
        found = [repository.ancestors(version, limit) for version in versions]
        for known in (each for each in found if len(each) == limit):
            assert [repository.ancestors(each, limit, known) for each in versions] == found


def test_a_longer_history_goes_on_from_the_one_before(ann: Developer, store: CodeStore) -> None:
    """With as much history as is wanted, a new commit is put before what was kept."""
    for message in ("One", "Two", "Three"):
        ann.commit(message)
        repository = open_repository(ann.folder)
        found = history(repository, repository.version("HEAD"), store, limit=2)

    assert [commit.message for commit in found] == ["Three", "Two"]
    assert store.ancestors(str(ann.folder)) == tuple(commit.id for commit in found)


def test_a_merge_has_no_paths(ann: Developer, store: CodeStore) -> None:
    """A merge, and a commit that changes nothing, are there without paths."""
    ann.write("one.py")
    ann.commit("One")
    ann.git("checkout", "--quiet", "-b", "side")
    ann.write("side.py")
    ann.commit("Side")
    ann.git("checkout", "--quiet", "main")
    ann.commit("Nothing")
    ann.git("merge", "--quiet", "--no-ff", "side", "--message", "Merge")
    repository = open_repository(ann.folder)

    commits = history(repository, repository.version("HEAD"), store)

    paths = {each.message: each.paths for each in commits}
    assert paths == {"One": ("one.py",), "Side": ("side.py",), "Nothing": (), "Merge": ()}


def test_a_file_is_read_as_latin_1_if_it_must(ann: Developer, store: CodeStore) -> None:
    """Places in a file that is no UTF-8 count its bytes."""
    data = b"# caf\xe9\n\ndef one():\n    return 1\n"
    ann.write("old.py", data)

    indexed, _ = index(ann.folder, store)

    (parsed,) = indexed.parsed(indexed.version.files)
    place = parsed.declarations[0].place
    assert text_of(data)[place.start : place.end].startswith("def one")


def test_a_maker_ends_when_nobody_gives_it_more() -> None:
    """A process that takes files apart does not outlive the one that started it."""
    batch = [SourceContent("00", "python", b"def one(): return 1\n")]

    done = subprocess.run(  # our own program
        [sys.executable, "-m", "rove_code.content_record"],
        input=pickle.dumps(batch),
        capture_output=True,
        check=True,
        timeout=60,
    )

    assert pickle.loads(done.stdout) == make_all(batch)  # noqa: S301  # our own program's
    assert done.stderr == b""


def test_a_program_without_a_guard_may_index(ann: Developer, tmp_path: Path) -> None:
    """Whoever asks from the top of a file is not run once more in each process."""
    many(ann, 260)
    program = tmp_path / "program.py"
    program.write_text(
        "import sys\n"
        "from pathlib import Path\n"
        "from rove_code.engine import CodeEngine\n"
        "with CodeEngine(Path(sys.argv[2])) as engine:\n"
        "    print(engine.refresh(Path(sys.argv[1])).read)\n",
        "utf-8",
    )
    command = [sys.executable, str(program), str(ann.folder), str(tmp_path / ".rove")]

    done = subprocess.run(command, capture_output=True, check=True)  # noqa: S603  # our own

    assert (done.stdout, done.stderr) == (b"260\n", b"")


@pytest.mark.parametrize("program", ["/nowhere/python", "/bin/false", "/bin/cat"])
def test_without_processes_it_is_done_here(monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    """Where no other process can be started, or it is not what it should be, nothing is lost."""
    batch = [SourceContent("00", "python", b"def one(): return 1\n")]
    monkeypatch.setattr(sys, "executable", program)

    assert [make_all(batch)] * 3 == list(made_by(2, [batch] * 3))


def test_the_folder_somebody_is_in_gives_no_modules(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A repository that has a ``rove_code.py`` of its own does not get it run."""
    spoiled = tmp_path / "spoiled"
    (tmp_path / "rove_code.py").write_text(f"open({str(spoiled)!r}, 'w')\n", "utf-8")
    monkeypatch.chdir(tmp_path)

    list(made_by(1, [[SourceContent("00", "python", b"x = 1\n")]]))

    assert not spoiled.exists()
