"""One-line faults of a source that also writes: ``python -m benchmarks mutants_github``.

Each is put into a copy of ``rove_github``, and its compliance suite is run with that. The kinds of
mistake were listed first, and then placed in the code.
"""

# a fault is one line, whatever its length

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import pytest

from benchmarks.mutants import Fault

_ROOT: Final = Path(__file__).parents[1]
#: The suites of a source, by what their names have: the first one, and the others.
_SUITES: Final = ("not WithAnApp and not Enterprise", "WithAnApp or Enterprise")
_WORK: Final = "work.py"
_ITEMS: Final = "items.py"
_LIST: Final = "listing.py"
_SOURCE: Final = "source.py"
_API: Final = "api.py"
_KEYS: Final = "keys.py"

FAULTS: Final = (
    # What is read
    Fault("title lost", _ITEMS, 'title=f"{called}: {issue.title}"', "title=called"),
    Fault("text lost", _ITEMS, "content=without_key(issue.body)", 'content=""'),
    Fault("nobody wrote it", _ITEMS, "author=_login(issue.user)", 'author=""'),
    Fault(
        "created instead of changed",
        _ITEMS,
        "first_moment(issue.updated_at, issue.created_at)",
        "first_moment(issue.created_at)",
    ),
    Fault("wrong role", _ITEMS, '"change" if is_pull else "ticket"', '"ticket"'),
    Fault("status lost", _ITEMS, "status=_status(issue)", "status=None"),
    Fault(
        "another account",
        "references.py",
        "account=self.account, kind=kind",
        'account="github", kind=kind',
    ),
    Fault(
        "address of another host",
        "references.py",
        'url = f"https://{self.host}/{repository}/{folder}',
        'url = f"https://github.example/{repository}/{folder}',
    ),
    # What is looked for
    Fault("limit ignored", "search.py", "limit=self.query.limit", "limit=1_000"),
    Fault(
        "one page of a list",
        _API,
        'next_link,\n            params={"per_page"',
        'lambda _: None,\n            params={"per_page"',
    ),
    # What is listed
    Fault("no work in the listing", _LIST, "work=work)", "work=None)"),
    Fault("everything anew", _LIST, "or not place.update.is_new(name, at)", "or False"),
    Fault(
        "since ignored",
        _LIST,
        "UpdateCursor.of(evolve(scope, cursor=update, unconfirmed=unconfirmed), keep_ids=True)",
        "UpdateCursor.of(evolve(scope, cursor=update, since=None), keep_ids=True)",
    ),
    Fault("containers ignored", _LIST, "names = scope.containers or", "names ="),
    Fault("gone is not told", _LIST, 'if place.kind == "pr" or', "if True or"),
    # What is changed
    Fault("no guard", _WORK, 'if change.if_revision not in ("", before.revision):', "if False:"),
    Fault(
        "guard always refuses",
        _WORK,
        'if change.if_revision not in ("", before.revision):',
        "if change.if_revision:",
    ),
    Fault(
        "revision in whole seconds",
        _WORK,
        'return f"{issue.updated_at} {sha256',
        'return issue.updated_at or f"{sha256',
    ),
    Fault("title not sent", _WORK, 'body["title"] = change.title', "pass"),
    Fault(
        "description not sent",
        _WORK,
        'body["body"] = with_key(words, key) if key else words',
        "pass",
    ),
    Fault(
        "title always sent too",
        _WORK,
        "body: dict[str, JSON] = {}",
        'body: dict[str, JSON] = {"labels": ["rove"]}',
    ),
    Fault("reason lost", _WORK, '"state_reason": reason}', '"state_reason": "completed"}'),
    Fault(
        "category wrong",
        _WORK,
        'ItemStatus(name="completed", category="done")',
        'ItemStatus(name="completed", category="todo")',
    ),
    Fault("its own status offered", _WORK, " if each.name != work.status.name]", "]"),
    Fault(
        "unknown status passed on",
        _WORK,
        "if change.status and change.status not in _STATUSES:",
        "if False:",
    ),
    Fault("refusal names nothing", _WORK, "only {possible}", "sorry"),
    Fault(
        "labels not cleared",
        _WORK,
        'if change.labels is not None or "labels" in change.clear:',
        "if change.labels:",
    ),
    Fault("assignee not cleared", _WORK, '"assignee" in change.clear:', "False:"),
    Fault("a field that is not there", _WORK, '    "parent",\n)', '    "parent",\n    "due",\n)'),
    # What is done once
    Fault(
        "comment without its key",
        _WORK,
        '{"body": with_key(comment.content, comment.key)}',
        '{"body": comment.content}',
    ),
    Fault(
        "comment never changed", _WORK, "if without_key(each.body) != comment.content:", "if False:"
    ),
    Fault(
        "issue without its key",
        _WORK,
        "body = with_key(new.description, new.key)",
        "body = new.description",
    ),
    Fault(
        "only open issues compared",
        _WORK,
        "there = [each for each in latest if key_of(each.body) == new.key]",
        "there = []",
    ),
    Fault("key is seen", _KEYS, 'return _KEY.sub("", text)', "return text"),
    # What is refused
    Fault(
        "missing right is a wrong call",
        "errors.py",
        '    return ScopeMissing(\n        f"{reply.where}',
        '    return WrongCall(\n        f"{reply.where}',
    ),
    Fault(
        "gone is a wrong call",
        "errors.py",
        'return ItemNotFound(f"{reply.where}: {why}")',
        'return WrongCall(f"{reply.where}: {why}")',
    ),
    Fault(
        "a hook without its marker",
        _SOURCE,
        "    @hookimpl\n    async def rove_work_item",
        "    async def rove_work_item",
    ),
)


def play_chosen(arguments: Sequence[str], faults: Mapping[str, Sequence[Fault]]) -> None:
    """Play the faults of the kinds that the arguments name, or of all."""
    parser = argparse.ArgumentParser()
    parser.add_argument("kinds", nargs="*", default=[*faults], choices=[*faults])
    for kind in parser.parse_args(arguments).kinds:
        play(kind, faults[kind])


def play(kind: str, faults: Sequence[Fault]) -> None:
    """Put each fault into a copy of a shipped source, and print what its suite caught and missed.

    Args:
        kind: The source's kind.
        faults: The faults.
    """
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder, f"rove_{kind}")
        shutil.copytree(_ROOT / package.name / package.name, package)
        if failure := _first_failure(kind, folder):
            sys.exit(f"the suite of {kind} is not green without a fault: {failure}")
        missed = [*_missed(kind, package, faults)]
    print(f"{kind}: {len(faults) - len(missed)} of {len(faults)} faults caught")
    print(*(f"missed: {fault.kind}" for fault in missed), sep="\n")


def _missed(kind: str, package: Path, faults: Sequence[Fault]) -> Iterator[Fault]:
    for fault in faults:
        file = package / fault.file
        text = file.read_text("utf-8")
        if fault.right not in text:
            raise ValueError(f"{fault.kind}: {fault.right!r} is not in {fault.file}")
        file.write_text(text.replace(fault.right, fault.wrong, 1), "utf-8")
        failure = _first_failure(kind, str(package.parent))
        file.write_text(text, "utf-8")
        print(f"{'caught' if failure else 'MISSED':7} {fault.kind:40} {failure}", flush=True)
        if not failure:
            yield fault


def _first_failure(kind: str, place: str) -> str:
    """Return the first standard test that fails with the copy; empty when none does.

    Suites of further logins and sites take long: they are run for what the first one misses.
    """
    return next(filter(None, (failure_in(kind, place, chosen) for chosen in _SUITES)), "")


def failure_in(kind: str, place: str, chosen: str) -> str:
    """Return the first of some standard tests that fails with the copy; empty when none does.

    Args:
        kind: The source's kind.
        place: The folder with the copy.
        chosen: Which tests, as ``pytest -k`` takes it.
    """
    suite = f"tests/{kind}/test_compliance.py"
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", suite]
    done = subprocess.run(  # noqa: S603  # our own command
        [*command, "-k", chosen],
        capture_output=True,
        text=True,
        check=False,
        cwd=_ROOT,
        env={**os.environ, "PYTHONPATH": _path(place), "PYTHONDONTWRITEBYTECODE": "1"},
    )
    if done.returncode in {0, pytest.ExitCode.NO_TESTS_COLLECTED}:
        return ""
    found = re.search(r"^(?:FAILED|ERROR) \S+?(\w+)(?: - .*)?$", done.stdout, re.MULTILINE)
    return found[1] if found else "the tests cannot be run"


def _path(place: str) -> str:
    """Return the import path with a place in front."""
    return os.pathsep.join(filter(None, (place, os.environ.get("PYTHONPATH"))))


def main() -> None:
    """Play the faults of GitHub's source."""
    play("github", FAULTS)


if __name__ == "__main__":
    main()
