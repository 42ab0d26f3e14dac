"""What an agent's memory finds, what that costs, and what it survives, beside a control."""

import argparse
import gzip
import json
import math
import os
import random
import re
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from time import perf_counter, process_time, sleep  # noqa: TID251  # time is what it measures
from typing import Any, Final

from attrs import frozen

from rove_core.operations import finish
from rove_core.project.local import LocalProject
from rove_core.testing import VirtualClock
from rove_memory.memory.draft import MemoryDraft
from rove_memory.memory.memories import Condition, Memories
from rove_memory.memory.ranking import find_hits
from rove_memory.memory.text_index import check_index
from rove_memory.memory.words import question_words
from rove_memory.sessions.start_operation import session_start
from rove_memory.store import ProjectStore
from rove_memory.store.values import time_text

NOW: Final = datetime(2026, 11, 1, tzinfo=UTC)
ROUNDS: Final = 2_000


@frozen
class Record:
    """One thing to remember.

    Attributes:
        id: Its id.
        text: What it says.
        at: When it was said.
        session: In which session; empty if in none.
    """

    id: str
    text: str
    at: datetime
    session: str = ""


@frozen
class Asked:
    """One question, with the records that answer it.

    Attributes:
        text: The question.
        gold: Ids of what answers.
        kind: Its kind, for the table.
        own: The record it was made of, which is no answer.
    """

    text: str
    gold: frozenset[str]
    kind: str
    own: str = ""


def main() -> int:
    """Run the parts that are named, or all but the data sets nobody gave."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks memory", description=__doc__)
    parser.add_argument("--data", type=Path, help="records and questions, JSON lines, gzip")
    parser.add_argument("--sizes", type=int, nargs="*", default=[1_000, 10_000, 100_000])
    parser.add_argument("--processes", type=int, default=8)
    parser.add_argument("--stores", type=int, default=1_000)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--keep", type=Path, help="a folder for the stores of the cost part")
    parser.add_argument("--only", choices=["recall", "cost", "start", "race", "kill"])
    parser.add_argument("--writer", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.writer:
        write_on(options.writer)
    parts: dict[str, Callable[[], bool]] = {
        "recall": lambda: recall_part(options.data),
        "cost": lambda: cost_part(options.sizes, options.keep),
        "start": start_part,
        "race": lambda: race_part(options.processes, options.stores),
        "kill": lambda: kill_part(options.kills),
    }
    chosen = [options.only] if options.only else list(parts)
    ran = [parts[name]() for name in chosen]
    return int(not all(ran))


def recall_part(data: Path | None) -> bool:
    """Compare recall with the control, and with priors that say nothing."""
    if data is None:
        print("recall: no data (--data FILE)")
        return True
    records, questions = read(data)
    dice = random.Random(7)  # noqa: S311  # the same numbers each time
    shuffled = [record.at for record in records]
    dice.shuffle(shuffled)
    noise = [
        Record(one.id, one.text, at, one.session) for one, at in zip(records, shuffled, strict=True)
    ]
    control = control_recall(records, questions)
    ours = our_recall(records, questions)
    says_nothing = our_recall(noise, questions, importance=lambda: dice.randint(1, 5))
    alike = our_recall([Record(one.id, one.text, NOW) for one in records], questions)
    print(f"recall@10 of {len(records)} records")
    for kind in ("all", *sorted({question.kind for question in questions})):
        at = [n for n, entry in enumerate(questions) if kind in ("all", entry.kind)]
        tell(kind, [ours[n] for n in at], [control[n] for n in at])
    loss = mean(alike) - mean(says_nothing)
    print(
        f"importance and age that say nothing: {mean(says_nothing):.3f}, "
        f"all alike: {mean(alike):.3f}, loss {loss:+.3f}"
    )
    return mean(ours) > mean(control)


def cost_part(sizes: Sequence[int], keep: Path | None = None) -> bool:
    """Print the CPU of a question and the memory of the process at several sizes.

    Args:
        sizes: How many memories.
        keep: Where stores stay for further runs, which only ask then.
    """
    with tempfile.TemporaryDirectory() as folder:
        for size in sizes:
            place = (keep or Path(folder)) / str(size)
            for step in ("fill", "ask_all", "ask_control"):
                call = f"m.{step}({size}, m.Path({str(place)!r}))"
                # Each in an interpreter of its own: its memory is its own, too.
                command = [sys.executable, "-c", f"import benchmarks.memory as m; {call}"]
                subprocess.run(command, check=True)  # noqa: S603  # our own interpreter
    return True


def fill(size: int, folder: Path) -> None:
    """Store that many memories in a folder, unless they are there."""
    done = folder / "filled"
    if not done.exists():
        began = process_time()
        with a_project(folder) as store:
            put(store, made_up(size)[0])
        print(f"{size:>7} memories stored: {process_time() - began:.0f} s CPU", flush=True)
        done.touch()


def ask_all(size: int, folder: Path) -> None:
    """Print what questions cost over the memories of a folder."""
    questions = made_up(0)[1]
    with a_project(folder) as store, store.reading() as db:
        taken = [cpu(partial(hits, db, question.text)) for question in questions]
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{size:>7} memories: {_quantiles(taken)}, process at most {most:.0f} MB", flush=True)


def ask_control(size: int, folder: Path) -> None:
    """Print what the same questions cost with the control, over the same memories."""
    with a_project(folder) as store, store.reading() as db:
        records = [
            Record(row["key"], row["content"], NOW)
            for row in db.execute("SELECT key, content FROM memory ORDER BY number")
        ]
    with plain_index(records) as ask:
        taken = [cpu(partial(ask, question.text)) for question in made_up(0)[1]]
    print(f"{size:>7} in the control: {_quantiles(taken)}", flush=True)


def _quantiles(taken: Sequence[float]) -> str:
    return f"CPU p50 {1e3 * part(taken, 0.5):.1f} ms, p95 {1e3 * part(taken, 0.95):.1f} ms"


def start_part() -> bool:
    """Print what session_start takes with 10,000 memories and a graph of 200 plans."""
    records, _ = made_up(10_000)
    with a_project() as store:
        put(store, records)
        with store.writing() as db:
            project, now = store.project_id(db), store.now()
            db.executemany(
                "INSERT INTO local_plans (id, project_id, title, created_at, updated_at) "
                "VALUES (?, ?, ?, ?, ?)",
                [(f"p-{n}", project, f"step {n}", now, now) for n in range(200)],
            )
            db.executemany(
                "INSERT INTO dependencies (id, source_type, source_id, target_type, target_id, "
                "relation, created_at) VALUES (?, 'local', ?, 'local', ?, 'blocks', ?)",
                [(f"d-{n}", f"p-{n}", f"p-{n + 1}", now) for n in range(199)],
            )
        rove = LocalProject.at(store.places.root)

        def start() -> None:
            finish(session_start(rove, external_item_id="TB-123"))

        warm = [timed(start) for _ in range(50)]
        busy = [cpu(start, times=1) for _ in range(50)]
        floor = cold(["-c", "pass"], store.places.root)
        once = cold(["-m", "rove", "session", "start"], store.places.root)
    p50, p95 = 1e3 * part(warm, 0.5), 1e3 * part(warm, 0.95)
    print(
        f"session_start, warm: p50 {p50:.0f} ms, p95 {p95:.0f} ms; CPU p50 "
        f"{1e3 * part(busy, 0.5):.0f} ms, p95 {1e3 * part(busy, 0.95):.0f} ms"
    )
    print(f"session_start, cold from the CLI: {once:.0f} ms CPU (python alone {floor:.0f} ms)")
    return True


def race_part(processes: int, stores: int) -> bool:
    """Let processes store at once: nothing may be lost, and nobody told that it is locked."""
    from benchmarks.memory import store_many as work  # noqa: PLC0415  # workers import it

    with a_project() as store, ProcessPoolExecutor(processes) as pool:
        began = perf_counter()
        errors = list(
            pool.map(work, range(processes), [store.places.root] * processes, [stores] * processes)
        )
        took = perf_counter() - began
        with store.writing() as db:
            (count,) = db.execute("SELECT count(*) FROM memory").fetchone()
            check_index(db)
    failed = sum(map(len, errors))
    print(
        f"{processes} processes x {stores} stores: {processes * stores - count} lost, "
        f"{failed} errors, {took:.0f} s"
    )
    print(*{text for each in errors for text in each}, sep="\n", end="")
    return count == processes * stores and not failed


def kill_part(kills: int) -> bool:
    """Kill a writer with -9 many times: what it acknowledged must be there."""
    lost = total = 0
    with a_project() as store:
        for number in range(kills):
            command = writer_command(store)
            with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:  # noqa: S603  # our own
                assert writer.stdout  # noqa: S101  # it is a pipe
                first = writer.stdout.readline()
                sleep(0.01 + 0.013 * (number % 17))
                writer.send_signal(signal.SIGKILL)
                acknowledged = whole_lines([first, *writer.stdout])
            total += len(acknowledged)
            lost += lost_of(store, acknowledged)
    print(f"{kills} kills: {total} stores and notes acknowledged, {lost} lost")
    return lost == 0


def writer_command(store: ProjectStore) -> list[str]:
    """Return the command that stores and notes without end."""
    return [sys.executable, "-m", "benchmarks.memory", "--writer", str(store.places.root)]


def whole_lines(lines: Iterable[str]) -> list[str]:
    """Return the lines that were printed to their end."""
    return [line.strip() for line in lines if line.endswith("\n")]


def lost_of(store: ProjectStore, acknowledged: Sequence[str]) -> int:
    """Return how many stores and notes are not there; the text index must be whole."""
    with store.writing() as db:
        there = {row[0] for row in db.execute("SELECT key FROM memory")}
        notes = {row[0] for row in db.execute("SELECT content FROM session_events")}
        check_index(db)
    return len(set(acknowledged) - there - notes)


def write_on(root: Path) -> None:
    """Store and note without end, and say each time what has been acknowledged."""
    from rove_memory.memory.store_operation import memory_store  # noqa: PLC0415  # a writer alone
    from rove_memory.sessions.note_operation import session_note  # noqa: PLC0415  # the same

    rove, number = LocalProject.at(root), 0
    finish(session_start(rove))
    while True:
        number += 1
        key = f"{os.getpid()}-{number}"
        finish(memory_store(rove, key=key, content=f"content {key}", memory_type="decision"))
        print(key, flush=True)
        note = f"note {key}"
        finish(session_note(rove, event_type="progress", content=note))
        print(note, flush=True)


def store_many(worker: int, root: Path, stores: int) -> list[str]:
    """Store memories, and return what went wrong."""
    store, errors = ProjectStore.of(LocalProject.at(root)), []
    for number in range(stores):
        draft = MemoryDraft(
            key=f"{worker}-{number}", content=f"said {number} by {worker}", memory_type="pattern"
        )
        try:
            with store.writing() as db:
                Memories(db=db, store=store).put(draft)
        except Exception as error:  # noqa: BLE001  # each of them is a failure to be told
            errors.append(f"{type(error).__name__}: {error}")
    return errors


def our_recall(
    records: Sequence[Record],
    questions: Sequence[Asked],
    importance: Callable[[], int] = lambda: 2,
) -> list[float]:
    """Return recall@10 of each question with what this package does."""
    with a_project() as store:
        put(store, records, importance)
        with store.reading() as db:
            return [
                score([hit for hit in hits(db, one.text) if hit != one.own], one)
                for one in questions
            ]


def control_recall(records: Sequence[Record], questions: Sequence[Asked]) -> list[float]:
    """Return the same with the control: FTS5, porter, OR, a stop list of question words."""
    with plain_index(records) as ask:
        return [score([hit for hit in ask(one.text) if hit != one.own], one) for one in questions]


@contextmanager
def plain_index(records: Sequence[Record]) -> "Iterator[Callable[[str], list[str]]]":
    """Give what asks the control."""
    with tempfile.TemporaryDirectory() as folder:
        db = sqlite3.connect(Path(folder) / "control.db")
        db.execute("CREATE TABLE record (number INTEGER PRIMARY KEY, id TEXT)")
        db.execute("CREATE VIRTUAL TABLE words USING fts5(text, tokenize='porter unicode61')")
        with db:
            for number, record in enumerate(records, 1):
                db.execute("INSERT INTO record VALUES (?, ?)", (number, record.id))
                db.execute("INSERT INTO words (rowid, text) VALUES (?, ?)", (number, record.text))

        def ask(question: str) -> list[str]:
            match = " OR ".join(f'"{word}"' for word in control_words(question))
            rows = db.execute(
                "SELECT record.id FROM words JOIN record ON record.number = words.rowid "
                "WHERE words MATCH ? ORDER BY rank LIMIT 12",
                (match,),
            )
            return [row[0] for row in rows] if match else []

        yield ask
        db.close()


def control_words(question: str) -> list[str]:
    """Return the words of a question as the control has them."""
    vocabulary = set(question_words(question))
    words = re.findall(r"\w+", question.lower())
    return list(dict.fromkeys([word for word in words if word in vocabulary] or words))


def hits(db: sqlite3.Connection, question: str) -> list[str]:
    """Return the keys that are found."""
    found = find_hits(db, question, now=NOW, limit=12, condition=Condition())
    return [hit.key for hit in found]


def put(
    store: ProjectStore, records: Sequence[Record], importance: Callable[[], int] = lambda: 2
) -> None:
    """Store records, those of a session in one."""
    with store.writing() as db:
        memories, project, now = Memories(db=db, store=store), store.project_id(db), store.now()
        for session in dict.fromkeys(record.session for record in records if record.session):
            db.execute(
                "INSERT INTO sessions (id, project_id, started_at, status, last_active_at) "
                "VALUES (?, ?, ?, 'completed', ?)",
                [session, project, now, now],
            )
        for record in records:
            memories.put(
                MemoryDraft(
                    key=record.id,
                    content=record.text or "-",
                    memory_type="decision",
                    importance=importance(),
                    session_id=record.session or None,
                    at=time_text(record.at),
                )
            )


@contextmanager
def a_project(folder: Path | None = None) -> Iterator[ProjectStore]:
    """Give the store of a project of its own, apart from the user's data.

    Args:
        folder: Where it is, and stays; a temporary folder unless given.
    """
    before = os.environ.get("ROVE_DATA_DIR")
    with tempfile.TemporaryDirectory() as temporary:
        place = folder or Path(temporary)
        os.environ["ROVE_DATA_DIR"] = str(place / "data")
        root = place / "project"
        (root / ".rove").mkdir(parents=True, exist_ok=True)
        try:
            yield ProjectStore.of(LocalProject.at(root, VirtualClock(NOW)))
        finally:
            if before is None:
                del os.environ["ROVE_DATA_DIR"]
            else:
                os.environ["ROVE_DATA_DIR"] = before


def read(path: Path) -> tuple[list[Record], list[Asked]]:
    """Return the records and questions of a file."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows: list[dict[str, Any]] = [json.loads(line) for line in lines]
    records = [
        Record(
            row["id"],
            row["text"],
            datetime.fromisoformat(row["created_at"]) if row.get("created_at") else NOW,
            str(row.get("session") or ""),
        )
        for row in rows
        if row["type"] == "item"
    ]
    questions = [
        Asked(
            row["text"],
            frozenset(row["gold"]),
            row["category"],
            row["id"][3:] if row["id"].startswith("df-") else "",
        )
        for row in rows
        if row["type"] == "query"
    ]
    return records, questions


def made_up(size: int) -> tuple[list[Record], list[Asked]]:
    """Return records of words as frequent as in a language, and questions of such words."""
    dice = random.Random(7)  # noqa: S311  # the same numbers each time
    words = [f"w{n}" for n in range(20_000)]
    weights = [1 / (n + 2) for n in range(len(words))]
    questions = [
        Asked(" ".join(dice.choices(words, weights, k=8)), frozenset(), "made up")
        for _ in range(200)
    ]
    records = [
        Record(f"k{n}", " ".join(dice.choices(words, weights, k=35)), NOW - timedelta(minutes=n))
        for n in range(size)
    ]
    return records, questions


def score(found: Sequence[str], asked: Asked) -> float:
    """Return recall@10."""
    return len(asked.gold & set(found[:10])) / len(asked.gold)


def tell(kind: str, ours: Sequence[float], control: Sequence[float]) -> None:
    """Print two means, their ratio, and the paired 95 % interval of the difference."""
    differences = [one - other for one, other in zip(ours, control, strict=True)]
    dice = random.Random(7)  # noqa: S311  # the same numbers each time
    means = sorted(
        sum(dice.choices(differences, k=len(differences))) / len(differences) for _ in range(ROUNDS)
    )
    low, high = means[int(0.025 * ROUNDS)], means[int(0.975 * ROUNDS)]
    print(
        f"  {kind:16} n={len(ours):4} {mean(ours):.3f} (control {mean(control):.3f}, ratio "
        f"{mean(ours) / mean(control):.3f}, difference {mean(differences):+.3f} "
        f"[{low:+.3f}, {high:+.3f}])"
    )


def mean(values: Sequence[float]) -> float:
    """Return the mean."""
    return math.fsum(values) / len(values)


def part(values: Sequence[float], share: float) -> float:
    """Return a quantile."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def cpu(work: Callable[[], object], times: int = 3) -> float:
    """Return the CPU seconds that some work takes, the least of some: others use the caches."""
    taken = []
    for _ in range(times):
        began = process_time()
        work()
        taken.append(process_time() - began)
    return min(taken)


def timed(work: Callable[[], object]) -> float:
    """Return the seconds that some work takes."""
    began = perf_counter()
    work()
    return perf_counter() - began


def cold(arguments: Sequence[str], folder: Path) -> float:
    """Return the milliseconds of CPU of a new process, the least of five."""
    taken = []
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(  # noqa: S603  # our own interpreter
            [sys.executable, *arguments], cwd=folder, check=True, capture_output=True
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        taken.append(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
    return 1e3 * min(taken)


if __name__ == "__main__":
    sys.exit(main())
