"""Whatever a repository is like, and whatever is in it: a clear error or a named skip."""

import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.code.asking import OPERATIONS, called
from tests.code.developer import Developer

from rove_core.errors import (
    NoCodeFound,
    RepositoryNotFound,
    RepositoryUnusable,
    RevisionNotFound,
)

CODE = "def total_of_basket():\n    return 1\n"


@pytest.fixture
def shop(ann: Developer, monkeypatch: pytest.MonkeyPatch) -> Developer:
    """Return a repository with one good file, and stand in it."""
    ann.write("good.py", CODE)
    ann.commit("Begin")
    monkeypatch.chdir(ann.folder)
    return ann


def answered() -> str:
    """Return what is answered; the good file is always found."""
    text: str = called("code_query", question="total of basket").rag_text

    assert "def total_of_basket():" in text
    return text


def skipped() -> dict[str, str]:
    """Return why what is not read is not read, by its path."""
    called("code_refresh")
    status: Any = called("code_status")
    return {each.path: each.why for each in status.versions[0].skipped if each.path != ".rove"}


def test_a_folder_that_is_none(shop: Developer) -> None:
    """A file, and nothing at all, are no repository."""
    for name in ("good.py", "gone"):
        with pytest.raises(RepositoryNotFound, match=name):
            called("code_query", question="x", repo=str(shop.folder / name))


def test_a_folder_without_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is read as it is; it has no older version."""
    (tmp_path / "good.py").write_text(CODE, "utf-8")
    monkeypatch.chdir(tmp_path)

    answered()
    with pytest.raises(RevisionNotFound, match="no git repository"):
        called("code_query", question="x", at="v1")


def test_a_broken_repository(shop: Developer) -> None:
    """Git's own words say what is wrong."""
    shutil.rmtree(shop.folder / ".git" / "objects")

    with pytest.raises((RepositoryUnusable, RevisionNotFound)):
        called("code_query", question="x", at="main")


def test_an_empty_repository(ann: Developer, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is nothing to find; of the latest version there is none."""
    monkeypatch.chdir(ann.folder)

    with pytest.raises(NoCodeFound):
        called("code_query", question="x")
    assert called("code_map") == ""
    with pytest.raises(RevisionNotFound):
        called("code_query", question="x", at="latest")


def test_a_shallow_clone(shop: Developer, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was not cloned is not missed."""
    shop.commit("Again")
    clone = shop.beside("clone")
    shop.git("clone", "--quiet", "--depth=1", shop.folder.as_uri(), str(clone.folder))
    monkeypatch.chdir(clone.folder)

    answered()


def test_a_partial_clone(shop: Developer, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is there is read; of a version that is not, it is said how to get it."""
    shop.git("config", "uploadpack.allowFilter", "true")
    shop.write("good.py", f"{CODE}\n")
    shop.commit("Again")
    clone = shop.beside("clone")
    source, filtered = shop.folder.as_uri(), "--filter=blob:none"
    shop.git("clone", "--quiet", filtered, source, str(clone.folder))
    monkeypatch.chdir(clone.folder)

    answered()
    with pytest.raises(RepositoryUnusable) as error:
        called("code_query", question="x", at="HEAD~1")
    assert "partial clone" in error.value.hint


def test_a_terminal_obeys_no_code(shop: Developer) -> None:
    """What anybody has written does nothing to the terminal of who looks at it."""
    title = "\x1b]0;owned\x07\x9b2J"
    shop.write("odd.py", f"def total_of_basket(a='{title}'):\n    return a\n")

    for name, arguments in (("code_query", {"question": "total of basket"}), ("code_map", {})):
        show = OPERATIONS[name].show
        assert show
        shown = show(called(name, **arguments))

        assert "\ufffd]0;owned\ufffd" in shown
        assert shown.replace("\n", "").isprintable()


def test_submodules_and_links(shop: Developer, tmp_path: Path) -> None:
    """A repository within is one of its own, and no link leads anywhere."""
    (tmp_path / "secret.py").write_text("def total_of_secrets():\n    pass\n", "utf-8")
    library = shop.beside("library")
    library.folder.mkdir()
    library.git("init", "--quiet")
    library.write("library.py", "def total_of_library():\n    pass\n")
    library.commit()
    shop.git("submodule", "--quiet", "add", str(library.folder), "library")
    (shop.folder / "out.py").symlink_to(tmp_path / "secret.py")
    (shop.folder / "folder").symlink_to(tmp_path)
    shop.commit("Add them")

    text = answered()

    assert "secrets" not in text
    assert "total_of_library" not in text
    assert skipped() == {"library": "a submodule", "out.py": "a link", "folder": "a link"}


def test_files_that_are_no_text(shop: Developer) -> None:
    """Of what is large, binary or a pipe, the name is told; nothing of it is read."""
    with (shop.folder / "huge.py").open("wb") as huge:
        huge.truncate(200 << 20)
    shop.write("binary.py", b"def total():\0")
    os.mkfifo(shop.folder / "pipe.py")

    answered()

    assert skipped().items() >= {"huge.py": "too large", "binary.py": "binary"}.items()


def test_files_that_are_hard_to_read(shop: Developer) -> None:
    """Minified, with broken UTF-8, with odd names: they are read as well as can be."""
    shop.write("min.js", "function total(){return 1};" * 20_000)
    shop.write("latin.py", b"# total of basket \xff\xfe\ndef latin_total():\n    pass\n")
    shop.write("with space/ünïcödé \u2028 #1:2.py", "def odd_total_of_basket():\n    pass\n")
    shop.write("<codeRag:file>.py", "def tagged_total_of_basket():\n    pass\n")

    text = answered()

    assert "odd_total_of_basket" in text
    assert "tagged_total_of_basket" in text
    assert skipped() == {}


def test_files_that_vanish(shop: Developer) -> None:
    """What git knows and is no longer there is just not there."""
    shop.write("gone.py", "def total_gone():\n    pass\n")
    shop.commit("Add it")
    called("code_refresh")
    (shop.folder / "gone.py").unlink()

    assert "total_gone" not in answered()
