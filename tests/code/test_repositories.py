"""Git repositories: which files a version has, and what is in them."""

import os
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.code.developer import Developer

from rove_code.model import Version
from rove_code.repositories import Repository, open_repository
from rove_core.errors import RepositoryNotFound, RepositoryUnusable, RevisionNotFound, RoveError


def read(repository: Repository, version: Version) -> Mapping[str, bytes]:
    """Return the content of all files of a version, by path."""
    return {file.path: data for file, data in repository.read(version, version.files)}


def skipped(version: Version) -> Mapping[str, str]:
    """Return why files are skipped, by path."""
    return {each.path: each.why for each in version.skipped}


def test_a_commit_keeps_what_it_had(ann: Developer) -> None:
    """A commit, a tag and a branch have the files that they had, whatever came later."""
    ann.write("basket.py", "old\n")
    first = ann.commit()
    ann.git("tag", "v1")
    ann.git("branch", "slow")
    ann.write("basket.py", "new\n")
    ann.commit()
    repository = open_repository(ann.folder)

    for specifier in (first, first[:8], "v1", "slow", "HEAD~1"):
        version = repository.version(specifier)

        assert (version.name, version.commit) == (first, first)
        assert read(repository, version) == {"basket.py": b"old\n"}


@pytest.mark.parametrize("specifier", ["latest", "HEAD", "main"])
def test_latest_is_the_newest_commit(ann: Developer, specifier: str) -> None:
    """What is edited is not part of the newest commit."""
    ann.write("basket.py", "committed\n")
    commit = ann.commit()
    ann.write("basket.py", "edited\n")
    repository = open_repository(ann.folder)

    version = repository.version(specifier)

    assert version.commit == commit
    assert read(repository, version) == {"basket.py": b"committed\n"}


def test_the_workspace_is_as_it_is_now(ann: Developer) -> None:
    """Edited and new files count, removed and ignored ones do not."""
    for name in ("kept.py", "edited.py", "removed.py"):
        ann.write(name, f"{name}\n")
    ann.write(".gitignore", "*.log\n")
    commit = ann.commit()
    ann.write("edited.py", "edited since\n")
    ann.write("new.py", "new\n")
    ann.write("debug.log", "noise\n")
    (ann.folder / "removed.py").unlink()
    repository = open_repository(ann.folder)

    version = repository.version()

    assert (version.name, version.commit) == ("workspace", commit)
    assert read(repository, version) == {
        ".gitignore": b"*.log\n",
        "edited.py": b"edited since\n",
        "kept.py": b"kept.py\n",
        "new.py": b"new\n",
    }


def test_a_file_is_called_what_git_calls_it(ann: Developer) -> None:
    """An edited file has the name that git would give to its content."""
    ann.write("edited.py", "one\n")
    ann.commit()
    ann.write("edited.py", "two\n")

    (file,) = open_repository(ann.folder).version().files

    assert ann.git("hash-object", "edited.py") == file.blob
    assert file.size == 4


def test_an_edit_in_the_same_moment_is_seen(ann: Developer) -> None:
    """An edit that keeps size and time of a file is seen: what is too young is not trusted."""
    path = ann.write("basket.py", "one\n")
    ann.commit()
    before = path.stat()
    path.write_text("two\n", "utf-8")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    repository = open_repository(ann.folder)

    assert read(repository, repository.version()) == {"basket.py": b"two\n"}


def test_the_same_repository_sees_the_next_edit(ann: Developer) -> None:
    """A repository that stays open gives each version what was there at its time."""
    ann.write("basket.py", "one\n")
    repository = open_repository(ann.folder)
    first = repository.version()
    ann.write("basket.py", "two\n")
    second = repository.version()

    assert read(repository, first) == {}
    assert read(repository, second) == {"basket.py": b"two\n"}


def test_a_file_that_vanishes_is_left_out(ann: Developer) -> None:
    """A file that is gone by the time it is read is no error."""
    ann.write("gone.py")
    ann.write("kept.py")
    repository = open_repository(ann.folder)
    version = repository.version()
    (ann.folder / "gone.py").unlink()

    assert read(repository, version) == {"kept.py": b"value = 1\n"}


def test_a_file_that_stands_there_in_another_form_is_read_as_git_keeps_it(ann: Developer) -> None:
    """Line ends are git's, whatever the working tree makes of them."""
    ann.write(".gitattributes", "*.txt text eol=crlf\n")
    file = ann.write("list.txt", "eggs\nmilk\n")
    ann.commit()
    file.unlink()
    ann.git("checkout", "--", "list.txt")
    os.utime(file, (1_700_000_000, 1_700_000_000))
    ann.git("status")
    repository = open_repository(ann.folder)

    content = read(repository, repository.version())["list.txt"]

    assert file.read_bytes() == b"eggs\r\nmilk\r\n"
    assert content == b"eggs\nmilk\n"


def test_an_empty_repository_has_no_files(ann: Developer) -> None:
    """Without a commit there is a workspace, with nothing in it, and nothing latest."""
    repository = open_repository(ann.folder)

    assert repository.version().files == ()
    with pytest.raises(RevisionNotFound):
        repository.version("latest")


@pytest.mark.parametrize(
    "specifier", ["nothing", "", "-h", "--all", "a\0b", "\udcff", "HEAD^{tree}", "^HEAD", "a:b"]
)
def test_an_unknown_revision_is_named(ann: Developer, specifier: str) -> None:
    """What names no commit is told by its name, also if git took it for an option."""
    ann.write("basket.py")
    ann.commit()

    with pytest.raises(RevisionNotFound) as error:
        open_repository(ann.folder).version(specifier)

    assert repr(specifier) in error.value.message


def test_a_branch_of_the_remote_has_its_short_name(ann: Developer) -> None:
    """A branch that is only at the remote is found as it is called there."""
    ann.write("basket.py")
    ann.commit()
    ann.git("branch", "slow")
    ann.git("clone", "--quiet", ".", "../copy")
    copy = ann.beside("copy")

    assert ann.git("rev-parse", "slow") == open_repository(copy.folder).version("slow").commit


def test_odd_names_are_names(ann: Developer) -> None:
    """Spaces, line breaks, quotes and letters of any script are part of a name."""
    names = ["a b.py", "ü/ж.py", "q\"u'o.py", "line\nbreak.py", "-dash.py", "tab\t.py"]
    for name in names:
        ann.write(name, name)
    ann.commit()
    ann.write("un tracked\n.py", "new")
    repository = open_repository(ann.folder)

    committed = read(repository, repository.version("HEAD"))

    assert committed == {name: name.encode() for name in names}
    assert read(repository, repository.version()) == {**committed, "un tracked\n.py": b"new"}


@given(
    st.dictionaries(
        st.text(
            st.characters(exclude_characters="/\0", exclude_categories=["Cs"]),
            min_size=1,
            max_size=30,
        ).filter(lambda name: name.lower() not in {".", "..", ".git", "git~1"}),
        st.binary(max_size=100),
        max_size=5,
    )
)
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_was_written_is_read(
    tmp_path_factory: pytest.TempPathFactory, files: dict[str, bytes]
) -> None:
    """Whatever files hold, workspace and commit give it back byte by byte."""
    ann = Developer(tmp_path_factory.mktemp("shop"))
    ann.git("init", "--quiet")
    for name, data in files.items():
        ann.write(f"src/{name}", data)
    repository = open_repository(ann.folder)
    expected = {f"src/{name}": data for name, data in files.items()}

    assert read(repository, repository.version()) == expected
    ann.git("add", "--force", "--all")
    ann.commit()
    assert read(repository, repository.version("HEAD")) == expected


def test_links_and_other_things_are_named(ann: Developer, tmp_path: Path) -> None:
    """A link, a pipe and a large file are skipped, and it is said why."""
    ann.write("basket.py")
    ann.write("large.json", b"1" * 2_000_000)
    (ann.folder / "out.py").symlink_to(tmp_path / "secret.py")
    (tmp_path / "secret.py").write_text("secret", "utf-8")
    ann.commit()
    (ann.folder / "new.py").symlink_to("/etc/passwd")
    os.mkfifo(ann.folder / "pipe.py")
    repository = open_repository(ann.folder)

    assert skipped(repository.version("HEAD")) == {"large.json": "too large", "out.py": "a link"}
    assert skipped(repository.version()) == {
        "large.json": "too large",
        "new.py": "a link",
        "out.py": "a link",
    }


def test_a_folder_that_became_a_link_is_not_followed(ann: Developer, tmp_path: Path) -> None:
    """What git knows below a folder is not read where the folder is a link by now."""
    ann.write("src/secret.py", "known to git\n")
    ann.commit()
    repository = open_repository(ann.folder)
    before = repository.version()
    (ann.folder / "src").rename(tmp_path / "outside")
    (tmp_path / "outside" / "secret.py").write_text("outside\n", "utf-8")
    (ann.folder / "src").symlink_to(tmp_path / "outside")

    after = repository.version()

    assert read(repository, before) == {"src/secret.py": b"known to git\n"}
    assert (after.files, skipped(after)) == ((), {"src": "a link"})


def test_a_submodule_is_named(ann: Developer) -> None:
    """A submodule is a repository of its own: it is named, and not read."""
    library = ann.beside("library")
    library.folder.mkdir()
    library.git("init", "--quiet")
    library.write("lib.py")
    library.commit()
    ann.git("submodule", "--quiet", "add", str(library.folder), "vendor/lib")
    ann.commit()
    repository = open_repository(ann.folder)

    for specifier in ("workspace", "HEAD"):
        version = repository.version(specifier)

        assert skipped(version) == {"vendor/lib": "a submodule"}
        assert [file.path for file in version.files] == [".gitmodules"]
    inside = open_repository(ann.folder / "vendor" / "lib").version("HEAD")
    assert [file.path for file in inside.files] == ["lib.py"]


def test_installed_packages_and_nested_repositories_are_named(ann: Developer) -> None:
    """What is not ignored, but not this repository's either, is skipped as a whole."""
    ann.write("node_modules/left/pad.js")
    ann.write("tools/other/main.py")
    Developer(ann.folder / "tools" / "other").git("init", "--quiet")

    version = open_repository(ann.folder).version()

    assert version.files == ()
    assert skipped(version) == {
        "node_modules": "installed or built here, not written",
        "tools/other": "a repository of its own",
    }


def test_a_bare_repository_is_its_newest_commit(ann: Developer) -> None:
    """Without a working tree, the workspace is what is checked out where there is one."""
    ann.write("basket.py")
    commit = ann.commit()
    ann.git("clone", "--quiet", "--bare", ".", "../bare.git")
    repository = open_repository(ann.folder.with_name("bare.git"))

    version = repository.version()

    assert version.name == commit
    assert read(repository, version) == {"basket.py": b"value = 1\n"}


def test_a_worktree_has_its_own_files(ann: Developer) -> None:
    """A worktree of a repository is read as it stands there."""
    ann.write("basket.py", "main\n")
    ann.commit()
    ann.git("worktree", "add", "--quiet", "../other", "-b", "other")
    other = ann.beside("other")
    other.write("basket.py", "other\n")
    repository = open_repository(other.folder)

    assert read(repository, repository.version()) == {"basket.py": b"other\n"}
    assert read(repository, repository.version("main")) == {"basket.py": b"main\n"}


def test_a_shallow_copy_is_read(ann: Developer) -> None:
    """A copy without history has the files of its only commit."""
    ann.write("basket.py")
    ann.commit()
    ann.commit("Again")
    ann.git("clone", "--quiet", "--depth=1", ann.folder.as_uri(), "../shallow")
    repository = open_repository(ann.folder.with_name("shallow"))
    version = repository.version("HEAD")

    assert read(repository, version) == {"basket.py": b"value = 1\n"}
    assert repository.ancestors(version, 10) == (version.commit,)


def test_a_repository_may_name_contents_otherwise(tmp_path: Path) -> None:
    """A repository with longer names is read like any other, edited files too."""
    ann = Developer(tmp_path)
    ann.git("init", "--quiet", "--object-format=sha256")
    ann.write("kept.py", "kept\n")
    ann.commit()
    ann.write("new.py", "new\n")
    repository = open_repository(tmp_path)
    version = repository.version()

    assert [ann.git("hash-object", f.path) for f in version.files] == [
        f.blob for f in version.files
    ]
    assert read(repository, version) == {"kept.py": b"kept\n", "new.py": b"new\n"}


def test_what_is_hidden_in_a_checkout_is_not_missed(ann: Developer) -> None:
    """Of a sparse working tree, only what is there is part of the workspace."""
    ann.write("src/main.py")
    ann.write("docs/notes.md")
    ann.commit()
    ann.git("sparse-checkout", "set", "src")
    repository = open_repository(ann.folder)

    assert [file.path for file in repository.version().files] == ["src/main.py"]
    assert len(repository.version("HEAD").files) == 2


def test_a_damaged_repository_is_told(ann: Developer) -> None:
    """A repository whose objects are gone is an error that names it."""
    ann.write("basket.py")
    commit = ann.commit()
    tree = ann.git("rev-parse", "HEAD^{tree}")
    (ann.folder / ".git" / "objects" / tree[:2] / tree[2:]).unlink()

    with pytest.raises(RepositoryUnusable, match="shop"):
        open_repository(ann.folder).version(commit)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_another_users_repository_is_refused(ann: Developer) -> None:
    """Git does not read what belongs to another user, and it is said how to allow it."""
    ann.write("basket.py")
    ann.commit()
    for path in (ann.folder, ann.folder / ".git"):
        os.chown(path, 12345, 12345)

    with pytest.raises(RepositoryUnusable, match="another user") as error:
        open_repository(ann.folder)

    assert "safe.directory" in error.value.hint
    ann.git("config", "--global", "--add", "safe.directory", str(ann.folder))
    assert len(open_repository(ann.folder).version().files) == 1


def test_a_repository_that_is_gone_is_told(ann: Developer, tmp_path: Path) -> None:
    """A repository that is moved away while it is open is an error that names it."""
    ann.write("basket.py")
    commit = ann.commit()
    repository = open_repository(ann.folder)
    version = repository.version(commit)
    ann.folder.rename(tmp_path / "away")

    for use in (repository.version, lambda: read(repository, version)):
        with pytest.raises(RoveError, match="shop"):
            use()


def test_what_is_no_folder_is_refused(tmp_path: Path) -> None:
    """A path that is not there, or a file, is no place that code is read from."""
    (tmp_path / "file").touch()

    for path in (tmp_path / "nothing", tmp_path / "file", tmp_path / "a\0b"):
        with pytest.raises(RepositoryNotFound):
            open_repository(path)
