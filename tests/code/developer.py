"""Somebody who works in a repository."""

import os
import subprocess
from pathlib import Path

from attrs import frozen


@frozen
class Developer:
    """Writes files in a folder, and uses git there as a person does.

    Attributes:
        folder: The folder.
    """

    folder: Path

    def git(self, *arguments: str) -> str:
        """Run git, and return what it prints."""
        identity = ("-c", "user.name=Ann", "-c", "user.email=ann@example.com")
        done = subprocess.run(  # noqa: S603  # the arguments are the tests' own
            ["git", *identity, "-c", "protocol.file.allow=always", *arguments],  # noqa: S607  # any
            cwd=self.folder,
            check=True,
            capture_output=True,
            encoding="utf-8",
        )
        return done.stdout.strip()

    def write(self, path: str, text: str | bytes = "value = 1\n") -> Path:
        """Write a file, with the folders that it stands in."""
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        is_new = not file.exists()
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        if is_new:
            # Of a file as young as itself, git's index is not believed.
            os.utime(file, (1_700_000_000, 1_700_000_000))
        return file

    def commit(self, message: str = "Change it") -> str:
        """Commit all that is there, and return the commit's name."""
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", message)
        return self.git("rev-parse", "HEAD")

    def beside(self, name: str) -> "Developer":
        """Return the same person in a folder beside this one."""
        return Developer(self.folder.with_name(name))
