"""The log files of a project."""

import asyncio
import logging
import multiprocessing
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import attrs
import pytest
from attrs import frozen

from rove_core.project import log_file
from rove_core.project.layout import ProjectPaths
from rove_core.project.log_file import append_line
from rove_core.project.logs import TaskMetrics, log_performance, performance_line, start_logging
from rove_core.safety.secret import Secret
from rove_core.testing.clock import VirtualClock

LOGGER = logging.getLogger("rove.test")
METRICS = TaskMetrics(
    task="t-1",
    ticket="TB-123",
    accounts=("jira", "slack:work"),
    requests=7,
    bytes=2048,
    items=12,
    hops=1,
    model_calls=0,
    tokens=0,
    wall=1.25,
    cpu=0.1,
    exit=0,
)


@frozen
class Logs:
    """What a project's log files hold."""

    places: ProjectPaths

    def __getitem__(self, name: str) -> list[str]:
        path = self.places.logs / f"{name}.log"
        return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


@pytest.fixture
def logs(places: ProjectPaths) -> Iterator[Logs]:
    """Log to a project during a test."""
    started = start_logging(places, clock=VirtualClock(datetime(2024, 12, 15, 10, tzinfo=UTC)))
    yield Logs(places)
    started.close()


def keep_pytest_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing reach pytest's own handler, which raises what a handler should swallow."""
    monkeypatch.setattr(logging.getLogger("rove"), "propagate", False)


def other_project(places: ProjectPaths) -> ProjectPaths:
    """Give a second project beside the first."""
    other = attrs.evolve(places, root=places.root.parent / "other")
    other.rove.mkdir(parents=True)
    return other


def test_levels(logs: Logs) -> None:
    """Everything goes to the debug log, warnings and worse to the error log too."""
    LOGGER.debug("details of %s", "TB-1")
    LOGGER.warning("jira is slow")

    assert [line.split(" ", 1)[0] for line in logs["debug"]] == ["2024-12-15T10:00:00.000Z"] * 2
    assert [line.split("] ")[1] for line in logs["debug"]] == ["details of TB-1", "jira is slow"]
    assert [line.split("] ")[1] for line in logs["error"]] == ["jira is slow"]


def test_files_are_private(logs: Logs) -> None:
    """Nobody else may read what Rove did."""
    LOGGER.error("x")
    modes = {path.name: path.stat().st_mode & 0o777 for path in logs.places.logs.iterdir()}

    assert modes == {"debug.log": 0o600, "error.log": 0o600}
    assert logs.places.logs.stat().st_mode & 0o777 == 0o700


def test_performance(logs: Logs) -> None:
    """The figures of a task are one line of a file of their own."""
    log_performance(METRICS)
    (line,) = logs["performance"]

    assert line.endswith(
        " task=t-1 ticket=TB-123 accounts=jira,slack:work requests=7 bytes=2048 items=12 hops=1 "
        "model_calls=0 tokens=0 wall=1.250 cpu=0.100 exit=0"
    )
    assert not logs["debug"]


def test_performance_of_words() -> None:
    """A value with spaces is quoted, so that the line can be split again."""
    line = performance_line(attrs.evolve(METRICS, ticket='log "in" x=1', accounts=()))

    assert 'ticket="log \\"in\\" x=1" accounts= requests=7' in line


def test_only_rove(logs: Logs) -> None:
    """What other libraries log stays out, and the root logger is left alone."""
    before = list(logging.getLogger().handlers)
    logging.getLogger("httpx").error("GET https://example.com/?token=1")
    LOGGER.error("ours")

    assert len(logs["error"]) == 1
    assert logging.getLogger().handlers == before


def test_closing(places: ProjectPaths) -> None:
    """After closing nothing is written, and the loggers are unchanged."""
    before = (logging.getLogger("rove").level, list(logging.getLogger("rove").handlers))
    started = start_logging(places)
    started.close()
    started.close()
    LOGGER.error("too late")

    assert not places.logs.exists()
    assert before == (logging.getLogger("rove").level, logging.getLogger("rove").handlers)


def test_starting_twice(logs: Logs) -> None:
    """Started twice, a project has each line once, until both are closed."""
    again = start_logging(logs.places)
    LOGGER.error("one")
    again.close()
    LOGGER.error("two")

    assert [line.split("] ")[1] for line in logs["error"]] == ["one", "two"]


def test_two_projects(places: ProjectPaths) -> None:
    """Two projects in one process do not write into each other's files."""
    projects = {"a": places, "b": other_project(places)}
    started = {name: start_logging(each) for name, each in projects.items()}

    async def work(name: str) -> None:
        with started[name].here():
            await asyncio.to_thread(LOGGER.error, "from a thread of %s", name)
            LOGGER.error("from %s", name)

    async def both() -> None:
        await asyncio.gather(*map(work, projects))

    asyncio.run(both())
    LOGGER.error("from nobody")
    for each in started.values():
        each.close()
    said = {
        name: [line.split("] ")[1] for line in Logs(project)["error"]]
        for name, project in projects.items()
    }

    assert said == {name: [f"from a thread of {name}", f"from {name}"] for name in projects}


def test_threads_of_their_own(logs: Logs) -> None:
    """A thread that knows of no project writes to the only one there is."""
    thread = threading.Thread(target=LOGGER.error, args=("from a thread",))
    thread.start()
    thread.join()

    assert len(logs["error"]) == 1


def test_one_line_each(logs: Logs) -> None:
    """Text from outside can neither begin a line of its own nor steer a terminal."""
    LOGGER.error("got %s", "a\nfake line\r\x1b[2J\u202e\u2028\x85b")

    assert [line.split("] ")[1] for line in logs["error"]] == [
        "got a\\nfake line\\r\\x1b[2J\\u202e\\u2028\\x85b"
    ]


def test_long_lines_are_cut(logs: Logs) -> None:
    """One message cannot fill the disk."""
    LOGGER.error("x" * 1_000_000)

    assert len(logs["error"][0]) < 21_000


@pytest.mark.logs_a_login
@pytest.mark.parametrize(
    "log",
    [
        lambda secret: LOGGER.error("the token is " + secret),  # noqa: G003  # as people do
        lambda secret: LOGGER.error("the token is %s", secret),
        lambda secret: LOGGER.error("%(token)s", {"token": secret}),
        lambda secret: LOGGER.error("%r", ValueError(secret)),
        lambda secret: LOGGER.error("failed", exc_info=ValueError(f"401 for {secret}")),
        lambda secret: LOGGER.error("failed", exc_info=chained(secret)),
        lambda secret: log_performance(attrs.evolve(METRICS, ticket=secret)),
    ],
)
def test_canary(logs: Logs, log: object) -> None:
    """No way to log a live secret leads into a file."""
    secret = Secret("CANARY-7f3a\\x'ü")
    assert callable(log)
    log(secret.reveal())
    written = "\n".join(logs["debug"] + logs["error"] + logs["performance"])

    assert "[secret]" in written
    assert "CANARY" not in written


def chained(secret: str) -> BaseException:
    """Return an error whose cause tells a secret."""
    error = ValueError("outer")
    error.__cause__ = KeyError(secret)
    return error


def test_arguments_that_do_not_fit(logs: Logs, monkeypatch: pytest.MonkeyPatch) -> None:
    """A message with a wrong number of arguments is written as it is, without its secrets."""
    keep_pytest_out(monkeypatch)
    secret = Secret("CANARY-1")
    LOGGER.error("%s and %s", secret.reveal())  # noqa: PLE1206  # that is the point

    assert logs["error"][0].endswith("%s and %s ('[secret]',)")


def test_unprintable_arguments(
    logs: Logs, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An argument that cannot be shown costs its line and nothing else."""
    keep_pytest_out(monkeypatch)

    class Hostile:
        def __repr__(self) -> str:
            raise RuntimeError("no")

    LOGGER.error("%s", Hostile())
    LOGGER.error("next")

    assert [line.split("] ")[1] for line in logs["error"]] == ["next"]
    assert capsys.readouterr() == ("", "")


def test_logs_that_cannot_be_written(
    places: ProjectPaths, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where no log can be written the task goes on in silence."""
    places.logs.symlink_to(tmp_path)
    started = start_logging(places)
    LOGGER.error("nowhere to go")
    started.close()

    assert not (tmp_path / "error.log").exists()
    assert capsys.readouterr() == ("", "")


def test_no_project_folder(places: ProjectPaths) -> None:
    """Logging does not make a `.rove`; once there is one it writes."""
    places.rove.rmdir()
    started = start_logging(places)
    LOGGER.error("lost")
    places.rove.mkdir()
    LOGGER.error("kept")
    started.close()

    assert [line.split("] ")[1] for line in Logs(places)["error"]] == ["kept"]


def test_links_are_not_followed(logs: Logs, tmp_path: Path) -> None:
    """A log file that is a link is not written to."""
    logs.places.logs.mkdir()
    (logs.places.logs / "error.log").symlink_to(tmp_path / "bashrc")
    LOGGER.error("alias ls=rm")

    assert not (tmp_path / "bashrc").exists()
    assert len(logs["debug"]) == 1


def test_full_files_are_put_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There are never more than five files, the newest lines in the first."""
    monkeypatch.setattr(log_file, "MOST_BYTES", 20)
    for number in range(100, 120):
        append_line(tmp_path, "debug.log", f"line {number}\n".encode())
    first = {path.name: path.read_text().split("\n")[0] for path in tmp_path.iterdir()}

    assert first == {
        "debug.log": "line 118",
        "debug.log.1": "line 115",
        "debug.log.2": "line 112",
        "debug.log.3": "line 109",
        "debug.log.4": "line 106",
    }


def _append_many(folder: Path, process: int) -> None:
    log_file.MOST_BYTES = 1500  # type: ignore[misc]  # a child process of its own
    for number in range(200):
        append_line(folder, "debug.log", f"{process} {number:03}\n".encode())


def test_many_processes(tmp_path: Path) -> None:
    """Processes that write and put aside at the same time lose and mangle no line."""
    with multiprocessing.get_context("spawn").Pool(3) as pool:
        pool.starmap(_append_many, [(tmp_path, process) for process in range(3)])
    lines = [line for path in tmp_path.iterdir() for line in path.read_text().splitlines()]

    assert sorted(lines) == [f"{one} {number:03}" for one in range(3) for number in range(200)]
