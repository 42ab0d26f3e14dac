"""Check evidence: a missing file, line, test or commit proves nothing."""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from attrs import frozen

from rove_core import WrongCall, read_file
from rove_memory.criteria.model import Evidence
from rove_memory.git import git_lines
from rove_memory.memory.redaction import clean_text, quoted

#: An id, or HEAD and the commits before it.
_COMMIT: Final = re.compile(r"[0-9a-fA-F]{4,64}|(HEAD|@)([~^][0-9]{0,3}){0,5}")
_LINE: Final = re.compile(r"(?P<path>.+?)(?::\d+(?:-\d+)?|#L\d+(?:-L\d+)?)")
_NAME: Final = re.compile(r"[A-Za-z_][\w-]*")
#: A file of tests. Its suffix is a word that nearly every checkout has somewhere.
_TEST_FILE: Final = re.compile(
    r"[\w.@+-]+(?:/[\w.@+-]+)*\.(?:py|[jt]sx?|[cm][jt]s|rb|go|rs|java|kt|cs|php|swift|exs?)(?::\d+)?"
)
#: Folders that hold no tests of the project's own.
_SKIPPED: Final = frozenset({".git", ".rove", ".venv", "node_modules", "__pycache__", ".context"})
_MOST_FILES: Final = 20_000
_LARGEST: Final = 2_000_000
_MOST: Final = 50
#: A line number has no more digits.
_DIGITS: Final = 9


@frozen
class EvidenceCheck:
    """Looks at evidence in a checkout.

    Attributes:
        checkout: Its folder.
    """

    checkout: Path

    def checked(self, evidence: Evidence) -> Evidence:
        """Return evidence in stored form: paths relative to the checkout, full commit ids.

        Raises:
            WrongCall: Something of it is not there; the error names all that is missing.
        """
        missing: list[str] = []

        def each(values: Sequence[str], look: Callable[[str], str]) -> tuple[str, ...]:
            found = []
            for value in values[:_MOST]:
                try:
                    found.append(look(value))
                except WrongCall as error:
                    missing.append(error.message)
            return tuple(dict.fromkeys(found))

        stored = Evidence(
            files=each(evidence.files, self._file),
            tests=each(evidence.tests, self._test),
            commits=each(evidence.commits, self._commit),
            screenshots=each(evidence.screenshots, self._file),
            notes=clean_text(evidence.notes, "the notes") if evidence.notes.strip() else "",
        )
        if missing:
            raise WrongCall(
                f"this evidence does not exist: {'; '.join(missing)}",
                hint="Name something in this checkout, or put it in --notes.",
            )
        return stored

    def _file(self, text: str) -> str:
        """Return a file's path from the checkout's folder, with the lines that were named."""
        root = self.checkout.resolve()
        lines = _LINE.fullmatch(text)
        for name in (text, *([lines["path"]] if lines else [])):
            if not name.strip() or "\0" in name:
                continue
            try:
                path = (root / Path(name).expanduser()).resolve()
                is_file = path.is_file() and path.is_relative_to(root)
            except (OSError, RuntimeError):  # too long, a loop of links, a home nobody has
                continue
            if not is_file:
                continue
            inside = path.relative_to(root)
            if ".git" not in inside.parts:
                _check_lines(path, text[len(name) :])
                return inside.as_posix() + text[len(name) :]
        name = lines["path"] if lines else text
        near = get_close_matches(name, self._files(), n=2)
        meant = f" (is it {' or '.join(near)}?)" if near else ""
        raise WrongCall(f"file {quoted(text)}{meant}")

    def _commit(self, text: str) -> str:
        """Return a commit's full id."""
        if _COMMIT.fullmatch(text):
            found = git_lines(self.checkout, "rev-parse", "--verify", "-q", f"{text}^{{commit}}")
            if found:
                return found[0]
        raise WrongCall(f"commit {quoted(text)}")

    def _test(self, text: str) -> str:
        """Return a test that is in the checkout: in the file it names, or in any."""
        if _TEST_FILE.fullmatch(text):
            return self._file(text)
        path, separator, rest = text.partition("::")
        names = _NAME.findall((rest if separator else text).split("[")[0])
        if not names:
            raise WrongCall(f"test {quoted(text)}")
        name = names[-1]
        word = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
        if separator:
            file = self._file(path)
            if word.search(_text(self.checkout / file)):
                return f"{file}::{rest}"
            raise WrongCall(f"test {quoted(name)} in {path}")
        tracked = git_lines(
            self.checkout, "grep", "-l", "-w", "-F", "--untracked", "-e", name, "--", "."
        )
        if tracked or any(word.search(_text(self.checkout / file)) for file in self._walk()):
            return text
        raise WrongCall(f"test {quoted(text)}")

    def _files(self) -> Sequence[str]:
        listed = git_lines(self.checkout, "ls-files", "--cached", "--others", "--exclude-standard")
        return listed[:_MOST_FILES] or [*self._walk()]

    def _walk(self) -> Iterator[str]:
        """Yield the files of a folder without git."""
        if git_lines(self.checkout, "rev-parse", "--git-dir"):
            return
        count = 0
        for folder, folders, files in os.walk(self.checkout):
            folders[:] = sorted(set(folders) - _SKIPPED)
            for file in sorted(files):
                count += 1
                if count > _MOST_FILES:
                    return
                yield (Path(folder) / file).relative_to(self.checkout).as_posix()


def _check_lines(path: Path, named: str) -> None:
    """Raise WrongCall if lines like ``:10-12`` or ``#L10`` are not in a file.

    Files too large to read are not checked.
    """
    text = _text(path)
    count = len(text.splitlines())
    for number in re.findall(r"\d+", named):
        if text and (len(number) > _DIGITS or not 1 <= int(number) <= count):
            raise WrongCall(f"line {number:.12} of {path.name!r}, which has {count}")


def _text(path: Path) -> str:
    """Return a file's text; empty for large and binary files."""
    try:
        return read_file(path, most=_LARGEST).decode("utf-8", "replace")
    except OSError:
        return ""
