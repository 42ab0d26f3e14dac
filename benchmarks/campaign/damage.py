"""Damage one stored file, or put something else in its place: what do commands make of it?

No command may wait for ever, fail as by a fault of Rove's own, or touch what a person wrote in a
document that is not damaged. Whatever fails names a file or the next command, and once the file is
as it was, or ``rove doctor --fix`` has mended it, the next build works.
"""

import os
import random
import shutil
import socket
from collections.abc import Callable, Mapping
from contextlib import chdir
from pathlib import Path
from typing import Final

from attrs import frozen

from benchmarks.campaign.commands import Ended, rove
from benchmarks.campaign.gates import lay_notes, tracker_running
from benchmarks.campaign.tally import Deadline, Tally
from benchmarks.context.projects import Place
from benchmarks.daemon.projects import served

_THEIRS: Final = "We checked this by hand.\n"
_BUILD: Final = "--ticket SV-2 --fresh"
_COMMANDS: Final = (
    *(_BUILD, "--ticket SV-1", "refresh --all", "find SV-1", "show SV-1", "status", "list"),
    *("search part", "settings", "sources list", "prime", "doctor", "verify SV-1", "mirror status"),
    *("mirror update", "memory store blue Blue decision", "memory recall red", "session start"),
)


def damage_files(folder: Path, chance: random.Random, deadline: Deadline) -> Tally:
    """Damage files of a project and of its user until the time is over."""
    tally = Tally("damaged files")
    with tracker_running(2) as world:
        vendors = [
            Place("jira", world.urls["jira"]),
            Place("notes", lay_notes(folder / "written", 2).as_uri()),
        ]
        with served(folder / "user", vendors, world.answers, ROVE_DAEMON="0") as places:
            home = _Home(folder / "user", folder / "whole", places.root, tally)
            home.prepare()
            while not deadline.passed:
                home.try_damage(chance)
    return tally


@frozen
class _Home:
    """A user's files, and the same as they were before anything was damaged.

    Attributes:
        used: The files that commands use.
        whole: The undamaged ones.
        project: The project among the used ones.
        tally: What is counted.
    """

    used: Path
    whole: Path
    project: Path
    tally: Tally

    def prepare(self) -> None:
        """Build two documents, let a person write into one, and remember something."""
        for command in (
            "--ticket SV-1",
            "--ticket SV-2",
            "mirror start jira",
            "memory store red Red decision",
        ):
            done = rove(command, self.project)
            if done.code:
                raise RuntimeError(str(done))
        shutil.copytree(self.used, self.whole)
        document = self._document()
        document.write_text(document.read_text("utf-8") + f"\n{_THEIRS}", "utf-8")

    def try_damage(self, chance: random.Random) -> None:
        """Damage a file, run a command, repair, and build; note what is wrong."""
        shutil.rmtree(self.used)
        shutil.copytree(self.whole, self.used)
        names = sorted(each.relative_to(self.used) for each in self.used.rglob("*"))
        name = chance.choice([each for each in names if (self.whole / each).is_file()])
        how = chance.choice(sorted(_DAMAGES))
        command = chance.choice(_COMMANDS)
        where = f"{name} {how}, rove {command}"
        _DAMAGES[how](self.used / name, chance)
        self.tally.add(how)
        for each in (command, "doctor --fix"):
            self._check(rove(each, self.project), where)
        built = rove(_BUILD, self.project)
        self._check(built, where)
        if built.code:
            self.tally.add("put back by hand")
            self._put_back(name)
            built = rove(_BUILD, self.project)
        if built.code:
            self._note(where, f"no build afterwards: {built}")
        document = self._document().relative_to(self.whole)
        if name != document and _THEIRS not in (self.used / document).read_text("utf-8"):
            self._note(where, "what a person wrote is gone")

    def _check(self, ended: Ended, where: str) -> None:
        """Note a command that hangs, fails as by a fault of Rove's own, or says nothing of use."""
        if ended.failed_by_itself:
            self._note(where, f"Rove's own fault: {ended}")
        elif ended.code and not ended.names_way_out:
            self._note(where, f"no way out is named: {ended}")

    def _put_back(self, name: Path) -> None:
        """Put back a file; what SQLite keeps beside a database belongs to it."""
        stem = self.used / f"{name}".removesuffix("-wal").removesuffix("-shm")
        for suffix in ("", "-wal", "-shm"):
            path = stem.with_name(f"{stem.name}{suffix}")
            _remove(path)
            original = self.whole / path.relative_to(self.used)
            if original.is_file():
                shutil.copy2(original, path)

    def _document(self) -> Path:
        (found,) = self.whole.glob("project/.context/SV-1_*.md")
        return found

    def _note(self, where: str, what: str) -> None:
        self.tally.violations.append(f"{where}: {what}")


def _truncate(path: Path, chance: random.Random) -> None:
    os.truncate(path, chance.randrange(path.stat().st_size + 1))


def _flip(path: Path, chance: random.Random) -> None:
    """Change a few bits, each in a place of its own."""
    content = bytearray(path.read_bytes())
    for _ in range(chance.randint(1, 8) if content else 0):
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    path.write_bytes(content)


def _overwrite(path: Path, chance: random.Random) -> None:
    """Write zeros or noise over a block, as a disk does that fails."""
    size = path.stat().st_size
    at = chance.randrange(size + 1)
    block = chance.choice([bytes(4096), chance.randbytes(4096)])
    with path.open("r+b") as file:
        file.seek(at)
        file.write(block[: max(1, size - at)])


def _garble(path: Path, chance: random.Random) -> None:
    path.write_bytes(chance.choice([b"", b"{", b"[]", b"null", b"\xff\xfe\x00", b"a = [", b"\0"]))


def _pipe(path: Path, _: random.Random) -> None:
    path.unlink()
    os.mkfifo(path, 0o600)


def _socket(path: Path, _: random.Random) -> None:
    path.unlink()
    with socket.socket(socket.AF_UNIX) as there, chdir(path.parent):
        there.bind(path.name[:80])


def _folder(path: Path, _: random.Random) -> None:
    path.unlink()
    path.mkdir()


def _link(path: Path, chance: random.Random) -> None:
    """Put a link in its place: to nowhere, to itself, or to what never ends."""
    path.unlink()
    path.symlink_to(chance.choice(["nowhere", path.name, "/dev/zero", "/"]))


def _remove(path: Path, _: random.Random | None = None) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


_DAMAGES: Final[Mapping[str, Callable[[Path, random.Random], None]]] = {
    "truncated": _truncate,
    "bits flipped": _flip,
    "overwritten": _overwrite,
    "garbled": _garble,
    "a pipe": _pipe,
    "a socket": _socket,
    "a folder": _folder,
    "a link": _link,
    "removed": _remove,
}
