"""Acceptance criteria as agents and people use them."""

import subprocess
from pathlib import Path

import pytest
from benchmarks.criteria import as_adf
from tests.memory.operating import call

from rove_core import ItemNotFound, WrongCall
from rove_core.project.local import LocalProject
from rove_core.testing import VirtualClock
from rove_memory.criteria.parsing import update_criteria
from rove_memory.criteria.table import CriteriaTable
from rove_memory.store import ProjectStore
from rove_memory.store.values import json_text
from rove_memory.tickets.table import ensure_ticket

TEXT = (
    "## Acceptance criteria\n- PNG is shown at once\n- Files over 5 MB are refused\n- Safari works"
)


def _parse(rove: LocalProject, text: str, **more: object) -> list[dict[str, object]]:
    found = call(rove, "ac_parse", external_item_id="TB-1", description=text, **more)
    return list(found)


def _changes(found: list[dict[str, object]]) -> list[tuple[object, object]]:
    return [(each["number"], each["change"]) for each in found]


@pytest.fixture
def repository(tmp_path: Path, clock: VirtualClock) -> LocalProject:
    """Give a project in a repository with a test, a picture and one commit."""
    root = tmp_path / "project"
    (root / "tests").mkdir(parents=True)
    (root / "tests" / "test_upload.py").write_text("def test_png() -> None: ...\n")
    (root / "shot.png").write_bytes(b"\x89PNG")
    commit = ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "Show PNG"]
    for words in (["init", "-q"], ["add", "tests"], commit):
        subprocess.run(["git", "-C", root, *words], check=True)  # noqa: S603, S607  # a repository of the test
    return LocalProject.at(root, clock)


def test_criteria_are_read_with_their_reason(rove: LocalProject) -> None:
    """Each criterion has a number, its place and why it is one; nobody has looked at it yet."""
    first, *_ = found = _parse(rove, TEXT)

    assert [each["criterion_text"] for each in found] == [
        "PNG is shown at once",
        "Files over 5 MB are refused",
        "Safari works",
    ]
    assert (first["number"], first["status"], first["source_type"]) == (1, "pending", "parsed")
    assert first["reason"] == "listed under “Acceptance criteria”"
    assert {each["change"] for each in found} == {""}


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("wiki", "h2. Acceptance criteria\n* PNG is shown at once\n* Safari works"),
        ("html", "<b>Acceptance criteria</b><ul><li>PNG is shown at once<li>Safari works</ul>"),
    ],
)
def test_other_markups_are_read_alike(rove: LocalProject, markup: str, text: str) -> None:
    """The same criteria in another tracker's markup are the same criteria."""
    _parse(rove, "## Acceptance criteria\n- PNG is shown at once\n- Safari works")

    assert _changes(_parse(rove, text, markup=markup)) == [(1, ""), (2, "")]


def test_an_edit_keeps_what_was_proven(rove: LocalProject) -> None:
    """Evidence, attempts and numbers survive an edit; what it did to each criterion is told."""
    _parse(rove, TEXT)
    call(rove, "ac_verify", criterion_id="TB-1#1", status="verified", notes="seen")
    call(rove, "ac_verify", criterion_id="TB-1#2", status="failed", notes="6 MB got through")

    after = _parse(
        rove,
        "## AC\n1. Files over 10 MB are refused\n2. **PNG** is shown at once!\n3. Readers name who",
    )

    assert _changes(after) == [(2, "changed"), (1, ""), (4, "new"), (3, "gone")]
    refused, shown, *_ = after
    assert (shown["status"], shown["criterion_text"]) == ("verified", "PNG is shown at once!")
    assert (refused["attempts"], refused["failed_reason"]) == (1, "6 MB got through")
    assert refused["previous_text"] == "Files over 5 MB are refused"
    assert _changes(_parse(rove, TEXT))[2] == (3, "back")


def test_what_says_something_else_is_no_longer_verified(rove: LocalProject) -> None:
    """A verified criterion whose words change has to be verified again, and keeps its evidence."""
    _parse(rove, TEXT)
    call(rove, "ac_verify", criterion_id="TB-1#2", status="verified", notes="with 6 MB")

    changed = _parse(rove, TEXT.replace("5 MB", "1 MB"))[1]

    assert (changed["status"], changed["verified_at"]) == ("pending", None)
    assert changed["evidence"]["notes"] == "with 6 MB"  # type: ignore[index]  # a table


def test_what_was_added_by_hand_stays(rove: LocalProject) -> None:
    """A criterion that no text has is added at its place, and no edit takes it away."""
    _parse(rove, TEXT)
    added = call(rove, "ac_add", external_item_id="TB-1", criterion_text="It is logged", index=1)
    with pytest.raises(WrongCall, match="has this criterion already"):
        call(rove, "ac_add", external_item_id="TB-1", criterion_text="it is  logged.")
    with pytest.raises(WrongCall, match="index 9: expected 0 to 4"):
        call(rove, "ac_add", external_item_id="TB-1", criterion_text="More", index=9)

    assert (added["number"], added["criterion_index"]) == (4, 1)
    _parse(rove, "## AC\n- PNG is shown at once")
    there = call(rove, "ac_status", external_item_id="TB-1")
    assert {each["number"] for each in there["criteria"]} == {1, 4}
    assert {each["number"] for each in there["gone"]} == {2, 3}


def test_evidence_is_kept_as_it_is_found(repository: LocalProject) -> None:
    """Files, tests, commits and pictures that are there are kept, commits in full."""
    _parse(repository, TEXT)
    root = repository.places.root
    head = ["git", "-C", str(root), "rev-parse", "HEAD"]
    commit = subprocess.run(head, check=True, capture_output=True, text=True).stdout.strip()  # noqa: S603  # as above

    found = call(
        repository,
        "ac_verify",
        criterion_id="TB-1#1",
        status="verified",
        evidence={"files": ["tests/test_upload.py:1"], "screenshots": [str(root / "shot.png")]},
        tests=["test_png", "tests/test_upload.py::test_png[a]"],
        commits=[commit[:8]],
    )

    assert found["evidence"] == {
        "files": ["tests/test_upload.py:1"],
        "tests": ["test_png", "tests/test_upload.py::test_png[a]"],
        "commits": [commit],
        "screenshots": ["shot.png"],
        "notes": "",
    }
    assert found["verified_at"] is not None


def test_the_current_commit_is_evidence(repository: LocalProject) -> None:
    """HEAD is kept as the id of the commit that it is now."""
    _parse(repository, TEXT)
    verify = {"criterion_id": "TB-1#1", "status": "verified", "commits": ["HEAD"]}
    (commit,) = call(repository, "ac_verify", **verify)["evidence"]["commits"]

    assert len(commit) == 40


@pytest.mark.parametrize(
    ("kind", "value", "words"),
    [
        ("files", "tests/test_uploads.py", r"is it tests/test_upload.py\?"),
        ("files", "../outside.txt", r"file '../outside.txt'"),
        ("files", "tests", "file 'tests'"),
        ("files", "tests/test_upload.py:2", "line 2 of 'test_upload.py', which has 1"),
        ("files", "tests/test_upload.py#L1-L7", "line 7 of 'test_upload.py', which has 1"),
        ("files", f"tests/test_upload.py:{'9' * 200}", "line 999999999999 of"),
        ("files", "f" * 5000, "file 'fff"),
        ("files", "~nobody/file", "file '~nobody/file'"),
        ("files", ".git/config", "file '.git/config'"),
        ("tests", "test_jpeg", "test 'test_jpeg'"),
        ("tests", "tests/test_upload.py::test_gif", "test 'test_gif' in tests/test_upload.py"),
        ("tests", "png", "test 'png'"),
        ("commits", "abcdef0", "commit 'abcdef0'"),
        ("commits", "--all", "commit '--all'"),
        ("commits", "HEAD~9", "commit 'HEAD~9'"),
        ("commits", "HEAD;ls", "commit 'HEAD;ls'"),
        ("screenshots", "no.png", "file 'no.png'"),
        ("tests", "tests/test_none.py", "file 'tests/test_none.py'"),
    ],
)
def test_evidence_that_is_not_there_is_refused(
    repository: LocalProject, tmp_path: Path, kind: str, value: str, words: str
) -> None:
    """What is named as evidence has to be in the checkout; else nothing is written down."""
    (tmp_path / "outside.txt").write_text("not the project's")
    _parse(repository, TEXT)

    with pytest.raises(WrongCall, match=words):
        call(
            repository,
            "ac_verify",
            criterion_id="TB-1#1",
            status="verified",
            **{kind: [value]},
        )

    status = call(repository, "ac_status", external_item_id="TB-1")
    assert (status["verified"], status["criteria"][0]["attempts"]) == (0, 0)


def test_failures_are_counted(rove: LocalProject) -> None:
    """Each failure is one more attempt; what is verified after it keeps the count."""
    _parse(rove, TEXT)
    for note in ("too slow", "still too slow"):
        call(rove, "ac_verify", criterion_id="TB-1#1", status="failed", notes=note)

    found = call(rove, "ac_verify", criterion_id="TB-1#1", status="verified")

    assert (found["attempts"], found["failed_reason"], found["status"]) == (2, None, "verified")


def test_a_test_file_is_evidence(repository: LocalProject) -> None:
    """A file of tests is accepted as a test, without naming one of its functions."""
    _parse(repository, TEXT)

    found = call(
        repository,
        "ac_verify",
        criterion_id="TB-1#1",
        status="verified",
        tests=["tests/test_upload.py"],
    )

    assert found["evidence"]["tests"] == ["tests/test_upload.py"]


def test_evidence_may_be_required(rove: LocalProject) -> None:
    """A project can ask for evidence; then words alone verify nothing."""
    _parse(rove, TEXT)
    settings = "[acceptance_criteria]\nrequire_evidence_for_verification = true\n"
    (rove.places.root / ".rove" / "settings.toml").write_text(settings)
    strict = LocalProject.at(rove.places.root, rove.clock)

    for name in ("ac_verify", "ac_update"):
        with pytest.raises(WrongCall, match="needs evidence"):
            call(strict, name, criterion_id="TB-1#1", status="verified")


def test_a_ticket_is_ready_to_close_when_nothing_is_left(rove: LocalProject) -> None:
    """All criteria verified and nothing in the way: only then it may be closed."""
    _parse(rove, "## AC\n- one works\n- two works")
    step = call(rove, "plan_create", title="step", blocks=["TB-1"])["id"]
    call(rove, "ac_verify", criterion_id="TB-1#1", status="verified")
    part = call(rove, "ac_check_all", external_item_id="TB-1")
    assert (part["all_verified"], part["ready_to_close"]) == (False, False)
    assert part["summary"] == f"1 of 2 criteria of TB-1 are verified; 1 pending; blocked by {step}"

    call(rove, "ac_verify", criterion_id="TB-1#2", status="verified")
    blocked = call(rove, "ac_check_all", external_item_id="TB-1")
    assert (blocked["all_verified"], blocked["ready_to_close"]) == (True, False)

    call(rove, "plan_update", plan_id=step, status="canceled")
    assert call(rove, "ac_check_all", external_item_id="TB-1")["ready_to_close"] is True


def test_status_counts_every_state(rove: LocalProject) -> None:
    """The counts add up, and what failed or is blocked is named."""
    _parse(rove, TEXT)
    call(rove, "ac_update", criterion_id="TB-1#1", status="blocked")
    call(rove, "ac_update", criterion_id="TB-1#2", status="verified")

    status = call(rove, "ac_status", external_item_id="TB-1")

    counts = ("pending", "in_progress", "verified", "failed", "blocked")
    assert [status[name] for name in counts] == [1, 0, 1, 0, 1]
    assert status["completion_percentage"] == 33.3
    assert status["blockers"] == [status["criteria"][0]["id"]]


def test_an_unknown_criterion_names_those_that_are_there(rove: LocalProject) -> None:
    """A wrong number names the right ones, a wrong id those that are alike."""
    first = _parse(rove, TEXT)[0]

    with pytest.raises(ItemNotFound, match="TB-1 has no criterion 9; it has: 1, 2, 3"):
        call(rove, "ac_verify", criterion_id="TB-1#9", status="verified")
    with pytest.raises(ItemNotFound) as caught:
        call(rove, "ac_update", criterion_id=f"{str(first['id'])[:-1]}_", status="blocked")
    assert str(first["id"]) in caught.value.message
    with pytest.raises(ItemNotFound, match="no ticket 'TB-2'"):
        call(rove, "ac_status", external_item_id="TB-2")


def test_a_criterion_of_an_unknown_ticket_names_what_is_near(rove: LocalProject) -> None:
    """A criterion by its number, with a slip in the ticket, leads to one that is there."""
    _parse(rove, TEXT)

    with pytest.raises(ItemNotFound, match="there is no criterion 'TB-2#3'") as caught:
        call(rove, "ac_verify", criterion_id="TB-2#3", status="verified")

    assert "TB-1#3" in caught.value.message


def test_what_is_gone_cannot_be_verified(rove: LocalProject) -> None:
    """A criterion that the ticket no longer has is kept to be read, not to be worked on."""
    _parse(rove, TEXT)
    _parse(rove, "## AC\n- PNG is shown at once")

    with pytest.raises(WrongCall, match="TB-1#3 is no longer in the ticket"):
        call(rove, "ac_verify", criterion_id="TB-1#3", status="verified")


def test_a_field_of_the_tracker_comes_first(rove: LocalProject) -> None:
    """Azure DevOps' own field for criteria counts before what the description lists."""
    store = ProjectStore.of(rove)
    field = {"fields": {"Microsoft.VSTS.Common.AcceptanceCriteria": "<ul><li>It loads</ul>"}}
    with store.writing() as db:
        ticket = ensure_ticket(db, store, "7")
        db.execute("UPDATE external_items SET provider_data = ?", [json_text(field)])
        (found,) = update_criteria(CriteriaTable(db, store), ticket)

    assert (found.criterion_text, found.reason) == (
        "It loads",
        "the tracker's own field for criteria",
    )


def test_a_document_tree_is_text_too(rove: LocalProject) -> None:
    """The tree of Atlassian's editor can be given as JSON text."""
    tree = json_text(as_adf("## AC\n- [ ] one works"))

    (found,) = _parse(rove, tree, markup="adf")

    assert found["criterion_text"] == "one works"
