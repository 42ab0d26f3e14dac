"""Which files of a folder are read."""

import os
import random
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from rove_core import UnsafePlace, WrongCall
from rove_folder.files.ignore_patterns import IgnorePatterns
from rove_folder.files.places import linkable_folder
from rove_folder.files.walk import walk


@pytest.mark.parametrize(
    "name",
    ["a.md", "b.TXT", "c.pdf", "d.docx", "e.csv", "f.py", "g.png", "h.JPG", "README", "x/y/z.rs"],
)
def test_finds_what_is_read(folder: Path, write: Callable[..., Path], name: str) -> None:
    """Text, tables, code, PDF and Word documents and images are found, in any folder."""
    write(name)

    assert list(walk(folder).files) == [name]


@pytest.mark.parametrize(
    "name",
    [
        ".git/a.md",
        "node_modules/a.js",
        "x/__pycache__/a.py",
        ".rove/a.md",
        ".ssh/notes.txt",
        ".hidden.md",
        ".env",
        "id_rsa.txt",
        "credentials.json",
        "secrets.yaml",
        "prod.tfvars",
        "prod.env",
        "prod.env.md",
        "film.mp4",
    ],
)
def test_leaves_alone_what_is_not(folder: Path, write: Callable[..., Path], name: str) -> None:
    """Caches, hidden files, files of secrets and other formats are not found."""
    write(name)

    assert not walk(folder).files


def test_counts_what_it_leaves_alone(folder: Path, write: Callable[..., Path]) -> None:
    """The endings that are not read and the names that promise secrets are counted."""
    for name in ("a.mp4", "b.mp4", "credentials.json"):
        write(name)
    write("c.xyz", b"\0\1\2")
    found = walk(folder)

    assert (found.unsupported, found.withheld) == ({".mp4": 2, ".xyz": 1}, 1)


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("a.unknown", "Größe: 3".encode(), "text"),
        ("contract", b"\n%PDF-1.7 ...", "pdf"),
        ("letter.bin", b"PK\x03\x04 [Content_Types].xml", "docx"),
        ("picture", b"\x89PNG\r\n\x1a\n", "image"),
        ("other.bin", b"PK\x03\x04 a.txt", None),
        ("half.dat", b"text, and then \xff\xfe", None),
        ("empty", b"", None),
        ("archive.zip", b"Text.", None),
    ],
)
def test_the_content_tells_what_a_name_does_not(
    folder: Path, write: Callable[..., Path], name: str, content: bytes, kind: str | None
) -> None:
    """A file of an unknown ending, or of none, is what its first bytes are."""
    write(name, content)

    assert [each.kind for each in walk(folder).files.values()] == ([kind] if kind else [])


def test_counts_folders_that_lie_too_deep(folder: Path, write: Callable[..., Path]) -> None:
    """A chain of folders is followed for a while; then it is said that it goes on."""
    write("d/" * 70 + "a.md")

    assert (len(walk(folder).files), walk(folder).deep) == (0, 1)


def test_keeps_to_gitignore(folder: Path, write: Callable[..., Path]) -> None:
    """Lists of patterns hold in their folder and below, and the deepest one decides."""
    write(".gitignore", "*.log\nbuild/\n/top.md\n")
    write("sub/.gitignore", "!keep.log\n")
    kept = {"sub/keep.log", "sub/top.md", "a.md"}
    for name in (*kept, "x.log", "build/a.md", "top.md", "sub/y.log"):
        write(name)

    assert set(walk(folder).files) == kept


def _git(folder: Path, *arguments: str, said: str = "") -> str:
    run = subprocess.run(  # noqa: S603  # our own arguments
        ["git", "-C", str(folder), *arguments],  # noqa: S607  # whichever there is
        input=said,
        capture_output=True,
        text=True,
        check=False,
    )
    return run.stdout


def test_reads_patterns_as_git_does(folder: Path, write: Callable[..., Path]) -> None:
    """Wild cards, classes, escapes and negations mean what they mean to git."""
    dice = random.Random(21)  # noqa: S311  # the same patterns each time
    signs = ["a", "b", "*", "*", "**/", "/**", "/", "?", "[ab]", "[!a]", "[[:alpha:]]", "[]-]"]
    signs += ["[b-a]", "\\*", "\\", "!", "#", " ", "[", ".md"]
    names = ["a", "b", "ab", "a.md", "ba.md", "*", "]", "#a", "!a", "a b", "[", "abab"]
    _git(folder, "init", "-q")
    asked: dict[str, bool] = {}
    for number in range(80):
        lines = ["".join(dice.choices(signs, k=dice.randint(1, 5))) for _ in range(3)]
        write(f"{number}/.gitignore", "\n".join(lines))
        patterns = IgnorePatterns.parse("\n".join(lines))
        for _ in range(20):
            parts = dice.choices(names, k=dice.randint(1, 4))
            parents = ["/".join(parts[:depth]) for depth in range(1, len(parts))]
            asked[f"{number}/{'/'.join(parts)}"] = any(
                patterns.decide(path, is_folder=True) for path in parents
            ) or bool(patterns.decide("/".join(parts), is_folder=False))
    ask = ["-c", "core.excludesFile=", "check-ignore", "--no-index", "-z", "--stdin"]
    told = _git(folder, *ask, said="\0".join(asked)).split("\0")

    assert {path for path, ignored in asked.items() if ignored} == set(told) - {""}


def test_no_pattern_costs_time(folder: Path, write: Callable[..., Path]) -> None:
    """A pattern that could be matched in countless ways is decided at once."""
    write(".gitignore", f"{'a*' * 60}b\n{'*a' * 60}b\n{'**/a/' * 40}b\n{'?*' * 60}b")
    deep = "/".join(["a" * 100, *"a" * 30, "a" * 200])
    write(f"{deep}.md")

    assert list(walk(folder).files) == [f"{deep}.md"]


def test_follows_no_link(folder: Path, write: Callable[..., Path], tmp_path: Path) -> None:
    """Links to files and folders, inside and outside, are not followed."""
    write("a.md")
    (folder / "b.md").symlink_to("a.md")
    (folder / "up").symlink_to(tmp_path)
    os.mkfifo(folder / "c.md")

    assert list(walk(folder).files) == ["a.md"]


def test_counts_names_that_are_not_text(folder: Path) -> None:
    """A name in no encoding cannot be named to anybody, so the file is left out."""
    Path(os.fsdecode(os.fsencode(folder) + b"/\xff.md")).touch()
    found = walk(folder)

    assert (found.files, found.unnamed) == ({}, 1)


def test_tells_twins_of_case_apart(folder: Path, write: Callable[..., Path]) -> None:
    """Names that differ in case alone are two files."""
    write("A.md")
    write("a.md")

    assert set(walk(folder).files) == {"A.md", "a.md"}


def test_links_a_folder(folder: Path, tmp_path: Path) -> None:
    """A link to a folder is resolved once, when it is linked."""
    (tmp_path / "way").symlink_to(folder)

    assert linkable_folder("way", relative_to=tmp_path, rove=tmp_path / ".rove") == folder


@pytest.mark.parametrize(
    "place", ["/", "~", "/proc", "/etc", "..", "p/.rove/x", "p/.ssh", "data/state", "share"]
)
def test_refuses_folders_nobody_means(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """A root, a home or what holds one, the system's folders and Rove's own are refused."""
    home = tmp_path / "home" / "me"
    for each in ("p/.rove/x", "p/.ssh", "data/state", "share/rove"):
        (home / each).mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("ROVE_DATA_DIR", str(home / ("share/rove" if place == "share" else "data")))
    with pytest.raises(UnsafePlace):
        linkable_folder(place, relative_to=home, rove=home / "p" / ".rove")


@pytest.mark.parametrize("place", ["gone", "a.md", "x\0y"])
def test_refuses_what_is_no_folder(folder: Path, write: Callable[..., Path], place: str) -> None:
    """What is not there, or not a folder, is a wrong call."""
    write("a.md")
    with pytest.raises(WrongCall):
        linkable_folder(place, relative_to=folder, rove=folder / ".rove")


def test_refuses_the_folder_of_another_user(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that belongs to somebody else is refused."""
    monkeypatch.setattr(os, "geteuid", lambda: folder.stat().st_uid + 1)
    with pytest.raises(UnsafePlace, match="belongs to user"):
        linkable_folder(str(folder), relative_to=folder, rove=folder / ".rove")
