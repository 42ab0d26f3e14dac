"""What the server answers over its socket: the documents, the tasks, and what can be done."""

import json
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from rove_core import run
from rove_core.clock import SYSTEM
from rove_core.project.layout import ProjectPaths
from rove_core.store.documents import DocumentRecord, save_document
from rove_core.store.store import open_store

if TYPE_CHECKING:
    from tests.app.conftest import Daemon

DOCUMENT = "TB-123_oauth_authentication.md"
#: How many generated requests there must be at least.
FEWEST = 1_000


def add_document(places: ProjectPaths, account: str, ticket: str, filename: str) -> None:
    """Put a document's file and its row where a build would."""
    places.prepare()
    places.context.mkdir(exist_ok=True)
    (places.context / filename).write_text("# Context\n", "utf-8")
    moment = datetime(2024, 12, 22, 10, 30, tzinfo=UTC)
    record = DocumentRecord(
        account=account,
        ticket_id=ticket,
        filename=filename,
        keywords=("oauth", "authentication"),
        title="OAuth for everyone",
        last_updated=moment,
        created_at=moment,
    )

    async def save() -> None:
        async with open_store(places.index, clock=SYSTEM) as store, store.transaction() as db:
            await save_document(db, record, {})

    run(save())


@pytest.fixture
def served(daemon: "Daemon") -> "Daemon":
    """Give a running server of a project with one document."""
    add_document(daemon.places, "jira", "TB-123", DOCUMENT)
    daemon.start()
    return daemon


def test_a_document_is_found(served: "Daemon") -> None:
    """The answer has the four fields that were promised, and no other."""
    assert served.get("/find/TB-123") == (
        200,
        {
            "ticket_id": "TB-123",
            "filename": DOCUMENT,
            "keywords": ["oauth", "authentication"],
            "last_updated": "2024-12-22T10:30:00Z",
        },
    )


@pytest.mark.parametrize("path", ["/find/tb-123", "/find/TB%2D123", "/find/OAuth%20for%20everyone"])
def test_a_document_is_found_as_people_write(path: str, served: "Daemon") -> None:
    """In small letters, percent-encoded, or by its title."""
    assert served.get(path)[0] == 200


@pytest.mark.parametrize("path", ["/find/TB-9", "/find/%2e%2e%2fpasswd", "/tasks/nobody"])
def test_what_is_not_there_is_404(path: str, served: "Daemon") -> None:
    """With an error that names it."""
    status, told = served.get(path)

    assert status == 404
    assert isinstance(told, dict)
    assert told["message"]


def test_a_document_whose_file_is_gone_is_404(served: "Daemon") -> None:
    """A row in the index is not a document."""
    (served.places.context / DOCUMENT).unlink()

    assert served.get("/find/TB-123")[0] == 404


def test_an_id_of_two_accounts_is_409(served: "Daemon") -> None:
    """The answer says which there are, and one can ask for one of them."""
    add_document(served.places, "linear", "TB-123", "TB-123-2_oauth.md")
    status, told = served.get("/find/TB-123")

    assert status == 409
    assert isinstance(told, dict)
    assert told["choices"] == [
        {"account": "jira", "ticket_id": "TB-123", "filename": DOCUMENT},
        {"account": "linear", "ticket_id": "TB-123", "filename": "TB-123-2_oauth.md"},
    ]
    assert served.get("/find/TB-123?account=linear")[0] == 200


def test_documents_are_searched(served: "Daemon") -> None:
    """The answer has the fields that were promised, the score with two decimals."""
    add_document(served.places, "jira", "TB-456", "TB-456_oauth.md")
    status, told = served.get("/search?q=TB-456+oauth")

    assert status == 200
    assert isinstance(told, dict)
    assert told["query"] == "TB-456 oauth"
    results: Any = told["results"]
    assert [each["ticket_id"] for each in results] == ["TB-456", "TB-123"]
    promised = {"ticket_id", "filename", "keywords", "score"}
    assert all(promised < each.keys() for each in results)
    assert all(0 < each["score"] <= 1 for each in results)


@pytest.mark.parametrize(
    "path",
    [
        "/search",
        "/search?q=",
        "/search?q=a&q=b",
        "/search?w=a",
        "/search?q=a&limit=x",
        "/tasks?state=odd",
    ],
)
def test_a_question_that_is_none_is_400(path: str, served: "Daemon") -> None:
    """What is missing, given twice, unknown or no number is said."""
    status, told = served.get(path)

    assert status == 400
    assert isinstance(told, dict)
    assert told["code"] == "ROVE-USE-001"


def test_a_task_can_be_looked_at(served: "Daemon") -> None:
    """With what happened in it, from wherever one wants."""
    task = served.submit("reindex")
    served.ended(task)
    status, told = served.get(f"/tasks/{task}")

    assert status == 200
    assert isinstance(told, dict)
    looked_at: Any = told["task"]
    assert (looked_at["operation"], looked_at["state"]) == ("reindex", "done")
    assert isinstance(told["events"], list)


def test_a_task_that_has_ended_cannot_be_cancelled(served: "Daemon") -> None:
    """The answer is a conflict."""
    task = served.submit("reindex")
    served.ended(task)

    assert served.post(f"/tasks/{task}/cancel")[0] == 409


@pytest.mark.parametrize("name", ["trust", "purge", "setup", "sources_default"])
def test_what_only_a_person_may_do_is_no_task(name: str, served: "Daemon") -> None:
    """It is refused, whoever asks."""
    assert served.post("/tasks", {"operation": name, "arguments": {}})[0] == 403


@pytest.fixture
def address(served: "Daemon") -> Iterator[str]:
    """Give an address at which TCP reaches the socket."""
    bridged = Path(__file__).with_name("bridge.py")
    command = [sys.executable, str(bridged), str(served.places.socket)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as bridge:  # noqa: S603  # our own
        assert bridge.stdout
        yield f"http://127.0.0.1:{bridge.stdout.readline().strip()}"
        bridge.terminate()


@pytest.mark.timeout(900)
def test_generated_requests_are_answered_as_described(
    served: "Daemon", address: str, tmp_path: Path
) -> None:
    """Of a thousand and more, good and bad, none gets a 5xx or what was not described."""
    # The tool itself waits ten seconds for a description, which a busy machine may need longer for.
    description = tmp_path / "openapi.json"
    description.write_text(json.dumps(served.get("/openapi.json")[1]), "utf-8")
    command = [
        *(str(Path(sys.executable).parent / "schemathesis"), "run", str(description)),
        *("--url", address),
        *("--phases", "coverage,fuzzing", "--max-examples", "4"),
        *("--checks", "all", "--exclude-checks", "positive_data_acceptance"),
        *("--warnings", "off", "--seed", "1"),
        # A busy machine may take longer for a request than the ten seconds of its default.
        *("--request-timeout", "120", "--max-response-time", "120"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)  # noqa: S603  # the tool

    assert done.returncode == 0, done.stdout[-4000:]
    (generated,) = [
        int(line.split()[0]) for line in done.stdout.splitlines() if " generated" in line
    ]
    assert generated >= FEWEST
