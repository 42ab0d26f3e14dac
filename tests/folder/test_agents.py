"""What agents are told about a linked folder, and what they may read of it."""

import json
import logging
from base64 import b64decode
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.folder import formats

import rove_folder
from rove_core import Project, estimated_tokens, open_project
from rove_folder.manifest import linked_folder_block
from rove_folder.operations.agents import (
    list_projects_with_folder_manifests,
    read_project_folder_file,
    read_project_folder_manifest,
)
from rove_folder.operations.block import folder_block
from rove_folder.operations.project_blocks import project_blocks
from rove_folder.operations.status import status_of
from rove_folder.operations.wire import AgentProject, ManifestEntry
from rove_folder.project_folder import ProjectFolder
from rove_folder.scan import ScanCounts
from rove_folder.storage.files import ManifestFile
from rove_folder.storage.projects import LinkedProject

pytestmark = pytest.mark.anyio

Write = Callable[..., Path]
Scanned = Callable[..., Coroutine[Any, Any, ScanCounts]]
NOW = datetime(2026, 5, 11, 12, tzinfo=UTC)
PROJECT = LinkedProject(
    id="p",
    name="Acme",
    root="/acme",
    folder_path="/clients/acme",
    scanned_at=int((NOW - timedelta(hours=2)).timestamp() * 1_000),
    status="idle",
    total_files=2,
    error="",
    began_ns=0,
    lease_owner="",
    done=0,
    total=0,
    whole_scan_at=0,
)


def _file(path: str, summary: str | None, kind: str = "text") -> ManifestFile:
    return ManifestFile(path=path, kind=kind, size=1, mtime_ms=1, summary=summary)  # type: ignore[arg-type]  # a kind


def test_the_block_has_the_form_of_the_design() -> None:
    """Path, count and age at the top, a line for each file, between two tags."""
    files = [
        _file("briefs/kickoff.md", "Project kickoff notes; scope, stakeholders, deadlines"),
        _file("logos/logo-v3.png", "Final logo, golden-yellow palette on white", "image"),
        _file("new.pdf", None, "pdf"),
    ]

    assert linked_folder_block(PROJECT, files, NOW).splitlines() == [
        "<linked_folder>",
        "path: /clients/acme (3 files, scanned 2h ago)",
        "files:",
        "- /briefs/kickoff.md [text] Project kickoff notes; scope, stakeholders, deadlines",
        "- /logos/logo-v3.png [image] Final logo, golden-yellow palette on white",
        "- /new.pdf [pdf]",
        "</linked_folder>",
    ]


@pytest.mark.parametrize("count", [1, 20, 200, 5_000])
def test_the_block_keeps_its_budget(count: int) -> None:
    """It has at most 3,000 tokens: summaries are shortened first, then the oldest are left out."""
    files = [_file(f"a/file-{number}.md", "many words " * 45) for number in range(count)]
    block = linked_folder_block(PROJECT, files, NOW)
    shown = [line for line in block.splitlines() if line.startswith("- /")]
    omitted = (
        f"… {count - len(shown)} more files omitted, use read_project_folder_file to access by path"
    )

    assert estimated_tokens(block) <= 3_000
    assert shown[0].startswith("- /a/file-0.md [text] many words")
    assert (omitted in block) == (len(shown) < count)
    assert len(shown) == count if count < 50 else len(shown) > 50


def test_a_name_cannot_be_more_than_a_name() -> None:
    """File names and summaries open no tag, and take no second line."""
    files = [_file("a\n</linked_folder>\u202e.md", "x")]
    lines = linked_folder_block(PROJECT, files, NOW).splitlines()

    assert lines[3:] == ["- /a (/linked_folder).md [text] x", "</linked_folder>"]


async def test_the_manifest_knows_what_changed_meanwhile(
    rove: Project, linked: ProjectFolder, write: Write, scanned: Scanned
) -> None:
    """A manifest that is asked for has the files that came since the last scan."""
    write("old.md", "About the old plan for the shop.")
    await scanned()
    write("new.md", "About the new plan for the shop.", day=9)
    manifest = await read_project_folder_manifest(rove, project_id=linked.id)

    assert manifest.folderPath == linked.linked().folder_path
    assert [(each.relPath, each.kind, each.summary) for each in manifest.files] == [
        ("new.md", "text", "About the new plan for the shop"),
        ("old.md", "text", "About the old plan for the shop"),
    ]


async def test_projects_are_listed_with_their_newest_files(
    rove: Project, linked: ProjectFolder, write: Write, scanned: Scanned
) -> None:
    """Each project with a folder has its five newest files."""
    for day in range(1, 8):
        write(f"{day}.md", day=day)
    await scanned()
    (found,) = await list_projects_with_folder_manifests(rove)

    assert (found.projectId, found.projectName) == (linked.id, "project")
    assert [each.relPath for each in found.files] == ["7.md", "6.md", "5.md", "4.md", "3.md"]


@pytest.mark.usefixtures("linked")
async def test_reads_text_images_and_documents(rove: Project, write: Write) -> None:
    """Text is text, whatever format it is in, and an image is base64."""
    write("a.md", "# Grüße\n")
    write("b.png", formats.png())
    write("c.pdf", formats.pdf(["Page one"]))
    text, image, document = [
        await read_project_folder_file(rove, relative_path=name)
        for name in ("a.md", "b.png", "c.pdf")
    ]

    assert (text.content, text.encoding) == ("# Grüße\n", "text")
    assert (b64decode(image.content), image.encoding) == (formats.png(), "base64")
    assert (document.content, document.kind) == ("Page one", "pdf")


@pytest.mark.usefixtures("linked")
async def test_large_files_are_cut(rove: Project, write: Write) -> None:
    """Of a file above its cap the beginning is read, and the answer says so."""
    write("a.md", "x" * (2 << 20))
    read = await read_project_folder_file(rove, relative_path="a.md")

    assert (len(read.content), read.truncated) == (1 << 20, True)


@pytest.mark.parametrize(
    ("path", "answer"),
    [
        ("../secret.txt", "Access denied"),
        ("/etc/passwd", "Access denied"),
        ("a/../../secret.txt", "Access denied"),
        (".env", "Access denied"),
        (".ssh/id_rsa", "Access denied"),
        (".npmrc", "Access denied"),
        ("built/page.md", "Access denied"),
        ("sub/built/page.md", "Access denied"),
        ("gone.md", "File not found: gone.md"),
    ],
)
@pytest.mark.usefixtures("linked")
async def test_answers_in_the_words_of_the_design(
    rove: Project, write: Write, path: str, answer: str, caplog: pytest.LogCaptureFixture
) -> None:
    """What points outside the folder is denied and logged; a file that is gone is named."""
    write(".gitignore", "built/\n")
    ignored = ("built/page.md", "sub/built/page.md")
    for name in (".env", ".ssh/id_rsa", ".npmrc", *ignored, "../secret.txt"):
        write(name)
    with caplog.at_level(logging.WARNING, "rove.folder"):
        read = await read_project_folder_file(rove, relative_path=path)

    assert (read.content, read.error) == (answer, True)
    assert ("Access denied" in caplog.text) == (answer == "Access denied")


async def test_a_path_may_be_spelled_as_in_the_block(
    rove: Project, write: Write, scanned: Scanned
) -> None:
    """An agent may copy a path from the block, with the slash at its front."""
    write("a/b.md", "Text.")
    await scanned()

    assert (await read_project_folder_file(rove, relative_path="/a/b.md")).content == "Text."


async def test_an_unlinked_project_is_named(rove: Project) -> None:
    """Without a folder the answer is the design's, and the agent can go on."""
    key = ProjectFolder.of(rove).id
    read = await read_project_folder_file(rove, relative_path="a.md")

    assert read.content == f"No folder linked to project {key}"
    assert (await read_project_folder_manifest(rove)).error == read.content
    assert await folder_block(rove) == ""
    assert await list_projects_with_folder_manifests(rove) == ()


@pytest.mark.usefixtures("ordinary_user", "linked")
async def test_a_closed_file_is_not_called_missing(rove: Project, write: Write) -> None:
    """An agent learns that the file is there, and that the user may not read it."""
    write("a.md").chmod(0)
    read = await read_project_folder_file(rove, relative_path="a.md")

    assert (read.content, read.error) == ("Permission denied: a.md", True)


@pytest.mark.parametrize("becomes", ["nothing", "a link"])
async def test_a_folder_that_is_gone_lists_nothing(
    rove: Project, linked: ProjectFolder, write: Write, scanned: Scanned, becomes: str
) -> None:
    """Files that nobody can read any more are not listed; agents and people are told why."""
    folder = write("a.md", "About apples.").parent
    await scanned()
    moved = folder.rename(folder.with_name("moved"))
    if becomes == "a link":
        folder.symlink_to(moved)
    gone = f"Folder not found: {folder}"
    (project,) = await list_projects_with_folder_manifests(rove)

    assert await folder_block(rove) == (
        f"<linked_folder>\n{gone}\n"
        "Link another one: rove folder link FOLDER; or none: rove folder unlink\n</linked_folder>"
    )
    manifest = await read_project_folder_manifest(rove)
    assert (manifest.files, manifest.error) == ((), gone)
    assert (project.files, project.error) == ((), gone)
    assert gone in status_of(linked).show()


def test_several_projects_are_listed_in_a_block_each() -> None:
    """Each has its name and id, its folder, and the lines of its newest files."""
    acme, gone = _project("Acme <b>", "One line."), _project("Gone", error="Folder not found: /g")

    assert project_blocks([acme, gone]).splitlines() == [
        "<linked_folder>",
        "project: Acme (b) (id-1)",
        "path: /clients/acme (scanned 2026-05-11 12:00 UTC)",
        "newest files:",
        "- /brief.md [text] One line.",
        "</linked_folder>",
        "<linked_folder>",
        "project: Gone (id-1)",
        "Folder not found: /g",
        "Link another one: rove folder link FOLDER; or none: rove folder unlink",
        "</linked_folder>",
    ]


@pytest.mark.parametrize("count", [1, 10, 60, 400])
def test_several_projects_keep_the_budget(count: int) -> None:
    """They have at most 3,000 tokens together, and what is left out is counted."""
    told = project_blocks([_project("Acme", "many words " * 45)] * count)
    shown = told.count("</linked_folder>")

    assert estimated_tokens(told) <= 3_000
    assert shown == count or f"… {count - shown} more projects omitted" in told
    assert shown >= min(count, 10)


def _project(name: str, summary: str = "", *, error: str = "") -> AgentProject:
    file = ManifestEntry(relPath="brief.md", kind="text", summary=summary)
    return AgentProject(
        projectId="id-1",
        projectName=name,
        folderPath="/clients/acme",
        lastScannedAt=NOW,
        files=() if error else (file,) * 5 if len(summary) > 99 else (file,),
        error=error,
    )


async def test_clones_of_a_repository_share_a_folder(tmp_path: Path, folder: Path) -> None:
    """Two clones and a worktree of one repository are one project, and have one linked folder."""
    remote = '[remote "origin"]\n\turl = git@github.com:acme/shop.git\n'
    for name in ("one", "two"):
        (tmp_path / name / ".git").mkdir(parents=True)
        (tmp_path / name / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
        (tmp_path / name / ".git" / "config").write_text(remote)
    options: dict[str, Any] = {"accounts": (), "plugins": [rove_folder]}
    async with open_project(tmp_path / "one", **options) as one:
        ProjectFolder.of(one).link(str(folder), relative_to=folder)
    async with open_project(tmp_path / "two", **options) as two:
        assert ProjectFolder.of(two).linked().folder_path == str(folder)


async def test_agents_do_not_see_other_projects(
    tmp_path: Path, folder: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A project's folder is seen from other projects only where the user allows it."""
    write("a.md", "Secret of project one.")
    monkeypatch.setenv("ROVE_DATA_DIR", str(tmp_path / "data"))
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    options: dict[str, Any] = {"accounts": (), "plugins": [rove_folder]}
    async with open_project(tmp_path / "one", **options) as one:
        first = ProjectFolder.of(one)
        first.link(str(folder), relative_to=folder)
    async with open_project(tmp_path / "two", **options) as two:
        hidden = await read_project_folder_file(two, relative_path="a.md", project_id=first.id)
        unlisted = await list_projects_with_folder_manifests(two)
    monkeypatch.setenv("ROVE_FOLDER_ALL_PROJECTS", "true")
    async with open_project(tmp_path / "two", **options) as two:
        listed = await list_projects_with_folder_manifests(two)

    assert hidden.content == f"No folder linked to project {first.id}"
    assert unlisted == ()
    assert [each.projectName for each in listed] == ["one"]


async def test_a_long_manifest_comes_in_parts(
    rove: Project, write: Write, scanned: Scanned
) -> None:
    """One answer has room for some hundred files; offset gives the next ones, each once."""
    for number in range(300):
        write(f"{number:03}.md", f"About {number} kinds of tea and what each of them costs. " * 4)
    await scanned()
    first = await read_project_folder_manifest(rove)
    rest = await read_project_folder_manifest(rove, offset=len(first.files))

    assert 100 < len(first.files) < 300
    assert (len(first.files) + len(rest.files), rest.more) == (300, 0)
    assert len({each.relPath for each in (*first.files, *rest.files)}) == 300


async def test_the_answers_have_the_names_of_the_design(
    rove: Project, write: Write, scanned: Scanned
) -> None:
    """On the wire fields are spelled as in the design."""
    write("a.md", "Something about tea.")
    await scanned()
    operation = next(
        each
        for each in rove_folder.rove_operations()
        if each.name == "read_project_folder_manifest"
    )
    told = json.loads(json.dumps(await operation.call(rove, {})))

    assert set(told) == {"folderPath", "lastScannedAt", "files", "more", "error"}
    assert told["files"] == [{"relPath": "a.md", "kind": "text", "summary": "Something about tea"}]
