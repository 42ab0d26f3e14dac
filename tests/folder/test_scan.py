"""Scanning a linked folder: what is new, changed, deleted and renamed."""

import os
import shutil
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import attrs
import pytest

import rove_folder.scan as scanning
from rove_core import (
    AlreadyRunning,
    FileLock,
    FolderNotLinked,
    Project,
    QuotaExceeded,
    WrongSetting,
)
from rove_folder.operations.results import FolderScanned
from rove_folder.operations.status import status_of
from rove_folder.project_folder import ProjectFolder
from rove_folder.scan import ScanCounts, scan
from rove_folder.settings import FolderSettings
from rove_folder.storage import projects
from rove_folder.storage.files import ManifestFile

pytestmark = pytest.mark.anyio

Write = Callable[..., Path]
Scanned = Callable[..., Coroutine[Any, Any, ScanCounts]]
Manifest = Callable[[], dict[str, ManifestFile]]


async def test_fills_the_manifest(write: Write, scanned: Scanned, manifest: Manifest) -> None:
    """The first scan finds every file as new and writes a line about each."""
    write("brief.md", "# Kickoff\n\nThe shop opens on 3 May.", day=2)
    write("a/b.py", '"""Send invoices."""\n\ndef send():\n    pass\n')
    counts = await scanned()

    assert (counts.new, counts.read, counts.left) == (2, 2, 0)
    assert {path: each.summary for path, each in manifest().items()} == {
        "brief.md": "Kickoff. The shop opens on 3 May",
        "a/b.py": "Send invoices. Declares send",
    }
    assert list(manifest()) == ["brief.md", "a/b.py"]


async def test_finds_nothing_new(write: Write, scanned: Scanned) -> None:
    """A second scan of the same folder reads nothing."""
    write("a.md")
    await scanned()
    counts = await scanned()

    assert (counts.new, counts.changed, counts.read) == (0, 0, 0)


async def test_looks_twice_at_what_changed_during_a_scan(
    write: Write, scanned: Scanned, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file may change again within one tick of the file system's clock: it is read once more."""
    write("a.md")
    await scanned()
    monkeypatch.setattr(scanning, "RACY_NS", 60_000_000_000)

    assert (await scanned()).read == 1


async def test_tells_changes_apart(write: Write, scanned: Scanned, manifest: Manifest) -> None:
    """New, changed, deleted and renamed files are four things."""
    for name in ("changed.md", "deleted.md", "renamed.md", "same.md"):
        write(name, f"{name} is about itself and nothing else.")
    await scanned()
    write("changed.md", "Now it is about the price of tea.", day=3)
    write("new.md")
    old = write("deleted.md")
    old.unlink()
    old.with_name("renamed.md").rename(old.with_name("moved.md"))
    counts = await scanned()

    assert (counts.new, counts.changed, counts.deleted, counts.renamed) == (1, 1, 1, 1)
    assert set(manifest()) == {"changed.md", "moved.md", "new.md", "same.md"}
    assert manifest()["moved.md"].summary == "renamed.md is about itself and nothing else"
    assert manifest()["changed.md"].summary == "Now it is about the price of tea"


async def test_two_files_may_change_names(
    write: Write, folder: Path, scanned: Scanned, manifest: Manifest
) -> None:
    """Files that take each other's names keep what is known of them."""
    write("a.md", "About apples, and only about apples.")
    write("b.md", "About bananas, and only about those.")
    await scanned()
    (folder / "a.md").rename(folder / "x")
    (folder / "b.md").rename(folder / "a.md")
    (folder / "x").rename(folder / "b.md")
    await scanned()

    assert "bananas" in str(manifest()["a.md"].summary)
    assert "apples" in str(manifest()["b.md"].summary)


async def test_a_file_that_was_replaced_is_read_again(
    write: Write, scanned: Scanned, manifest: Manifest
) -> None:
    """Size and time of change may be forged; what the kernel says of the file may not."""
    path = write("a.md", "About apples, and only about apples.")
    await scanned()
    status = path.stat()
    path.write_text("About cherry, and only about cherry.")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    await scanned()

    assert "cherry" in str(manifest()["a.md"].summary)


@pytest.mark.usefixtures("ordinary_user")
async def test_a_closed_file_is_skipped(write: Write, scanned: Scanned, manifest: Manifest) -> None:
    """A file that may not be read is in the manifest, skipped and without a summary."""
    closed = write("a.md", "About apples, and only about apples.")
    closed.chmod(0)
    await scanned()

    assert (manifest()["a.md"].kind, manifest()["a.md"].summary) == ("skipped", None)
    closed.chmod(0o600)
    await scanned()
    assert manifest()["a.md"].summary == "About apples, and only about apples"


@pytest.mark.usefixtures("ordinary_user")
async def test_closed_folders_are_counted(write: Write, scanned: Scanned) -> None:
    """A folder that may not be opened costs its own files, and the scan says so."""
    closed = write("closed/a.md").parent
    write("b.md")
    closed.chmod(0)
    counts = await scanned()
    closed.chmod(0o700)

    assert (counts.total, counts.closed) == (1, 1)
    assert "1 folder could not be opened" in FolderScanned.of(counts).show()


@pytest.mark.usefixtures("ordinary_user")
async def test_a_closed_linked_folder_is_not_called_missing(
    write: Write, linked: ProjectFolder
) -> None:
    """When the linked folder itself may not be opened, the error says that and how to open it."""
    folder = write("a.md").parent
    folder.chmod(0)
    try:
        with pytest.raises(WrongSetting, match="Permission denied") as refused:
            await scan(linked)
    finally:
        folder.chmod(0o700)

    assert str(folder) in str(refused.value.hint)


async def test_a_summary_has_no_secret(write: Write, scanned: Scanned, manifest: Manifest) -> None:
    """What marks emphasis elsewhere is part of a token."""
    token = "gh" + "p_" + "a1B2c3D4e5" * 4
    write("a.md", f"# Access\n\nThe pipeline logs in with {token[:40]} every night.")
    await scanned()

    summary = str(manifest()["a.md"].summary)
    assert "every night" in summary
    assert token[4:20] not in summary


async def test_large_files_are_skipped(write: Write, scanned: Scanned, manifest: Manifest) -> None:
    """A file over its cap is skipped with the reason."""
    write("a.md", b"text".ljust((1 << 20) + 1, b"x"))
    write("b.png", b"\x89PNG\r\n\x1a\n".ljust((5 << 20) + 1, b"x"))
    await scanned()

    assert {(each.kind, each.summary) for each in manifest().values()} == {
        ("skipped", "Larger than 1 MB"),
        ("skipped", "Image larger than 5 MB"),
    }


async def test_two_scans_do_not_run_at_a_time(linked: ProjectFolder) -> None:
    """Whoever comes second is told that a scan is running."""
    with FileLock(linked.scan_lock), pytest.raises(AlreadyRunning):
        await scan(linked)


async def test_a_dead_scan_blocks_nobody(linked: ProjectFolder) -> None:
    """A killed process leaves its lease: the status says so, and the next scan begins at once."""
    with linked.database.writing() as db:
        projects.take_lease(db, linked.id, "killed", linked.now)

    assert (linked.linked().status, linked.linked().error) == ("error", projects.INTERRUPTED)
    await scan(linked)
    assert linked.linked().status == "idle"


async def test_a_lease_runs_out(linked: ProjectFolder) -> None:
    """Where nobody can tell whether its process lives, a scan without a sign of life has ended."""
    with linked.database.writing() as db:
        projects.take_lease(db, linked.id, "elsewhere", linked.now - projects.LEASE_MS - 1)
    with FileLock(linked.scan_lock):
        found = linked.linked()

    assert (found.status, found.error) == ("error", projects.INTERRUPTED)


async def test_a_scan_can_be_cancelled(write: Write, linked: ProjectFolder) -> None:
    """A scan that is cancelled stops after its batch, and the next one goes on."""
    for number in range(150):
        write(f"{number}.md", f"File number {number} is about {number} things.")

    def cancel(_done: int, _total: int) -> None:
        with linked.database.writing() as db:
            projects.cancel_scan(db, linked.id, linked.now)

    stopped = await scan(linked, on_progress=cancel)
    shown = status_of(linked).show()
    rest = await scan(linked)

    assert stopped.cancelled
    assert f"{stopped.left} files left to read: rove folder scan" in shown
    assert 0 < stopped.read < 150
    assert stopped.read + rest.read == 150


async def test_a_folder_that_is_gone_is_named(linked: ProjectFolder, folder: Path) -> None:
    """The error has the words of the design, and the status has them too."""
    shutil.rmtree(folder)
    with pytest.raises(WrongSetting, match=f"^Folder not found: {folder}$"):
        await scan(linked)

    assert (linked.linked().status, linked.linked().error) == (
        "error",
        f"Folder not found: {folder}",
    )


async def test_a_folder_with_too_many_files_is_refused(linked: ProjectFolder, write: Write) -> None:
    """Above the tier's cap nothing is read, and the words are those of the design."""
    for number in range(201):
        write(f"{number}.md")
    free = attrs.evolve(linked, settings=FolderSettings(tier="free"))
    with pytest.raises(QuotaExceeded) as told:
        await scan(free)

    assert told.value.message == "Folder too big for Free plan — max 200 files"
    assert told.value.http_status == 402


async def test_a_cap_of_ones_own_is_named(linked: ProjectFolder, write: Write) -> None:
    """Who set it is told which setting it is, and no plan is blamed."""
    for number in range(3):
        write(f"{number}.md")
    own = attrs.evolve(linked, settings=FolderSettings(max_files=2))
    with pytest.raises(QuotaExceeded, match=r"^Folder too big: folder\.max_files allows 2 files$"):
        await scan(own)


async def test_a_touched_file_has_not_changed(
    linked: ProjectFolder, write: Write, scanned: Scanned
) -> None:
    """Its time is another one and its content the same."""
    path = write("a.md", "Text.")
    write("b.md", "Text, too.")
    await scanned()
    os.utime(path, (1, 1))
    write("b.md", "Another text.")

    assert (await scan(linked)).changed == 1


async def test_without_a_link_there_is_nothing_to_scan(rove: Project) -> None:
    """A project without a folder says so, in the words of the design."""
    folder = ProjectFolder.of(rove)
    with pytest.raises(FolderNotLinked, match=f"^No folder linked to project {folder.id}$"):
        await scan(folder)


async def test_unlinking_forgets_the_manifest(
    write: Write, linked: ProjectFolder, scanned: Scanned, manifest: Manifest
) -> None:
    """Nothing of a folder that is no longer linked is remembered but summaries by content."""
    write("a.md")
    await scanned()

    assert linked.unlink()
    assert manifest() == {}
    assert linked.find() is None


async def test_linking_another_folder_forgets_the_first(
    write: Write, linked: ProjectFolder, scanned: Scanned, manifest: Manifest, tmp_path: Path
) -> None:
    """A project has one folder: another link takes the place of the first."""
    write("a.md")
    await scanned()
    (tmp_path / "other").mkdir()
    linked.link("other", relative_to=tmp_path)

    assert manifest() == {}
    assert linked.linked().folder_path == str(tmp_path / "other")
