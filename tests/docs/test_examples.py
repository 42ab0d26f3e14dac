import re
from pathlib import Path

import pytest
from docs_src.blocks import FENCE
from docs_src.generate import ROOT
from docs_src.outputs import kept, outputs
from docs_src.sandbox import Sandbox

from rove_core.plugins.loader import load_plugins
from rove_core.project.layout import ProjectPaths
from rove_core.project.settings import load_settings

EXAMPLES = ROOT / "docs_src"
SETTINGS = sorted({*EXAMPLES.glob("*/*.toml")} - {*EXAMPLES.glob("*/pyproject.toml")})


def test_examples_do_what_the_page_says(steps: Path, sandbox: Sandbox, connected: Path) -> None:
    """Each step of a page runs, and prints what the page shows: python -m docs_src.outputs."""
    expected = dict(kept(steps))
    printed = outputs(steps, sandbox, connected)

    assert expected == {file: printed[file] for file in expected}


def test_progress_of_the_demonstration_is_real(sandbox: Sandbox) -> None:
    """What the first page shows of standard error is what is said there, in whatever order.

    How much each source found by when depends on how soon the others answered.
    """
    expected = (EXAMPLES / "first_document" / "progress.txt").read_text("utf-8")
    said, _, _ = sandbox.run("rove --demo ~/northwind 2>&1 >/dev/null").partition("\n\n")

    assert _without_counts(said) == _without_counts(expected)


def _without_counts(progress: str) -> set[str]:
    """Return the lines of some progress; how many were found or read is left out."""
    counts = re.compile(r"\d+ (?:found|read)(?:, \d+ read)?")
    return {counts.sub("some", line).rstrip() for line in progress.splitlines()}


@pytest.mark.parametrize("file", SETTINGS, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_settings_on_pages_are_settings(file: Path, tmp_path: Path) -> None:
    """What a page shows of a settings file is read without complaint, also for its accounts."""
    (tmp_path / "settings.toml").write_bytes(file.read_bytes())
    places = ProjectPaths(root=tmp_path / "project", data_dir=tmp_path, config_dir=tmp_path)
    settings = load_settings(places, environ={})
    kinds = load_plugins().kinds
    for account in settings.sources.use:
        kind = account.partition(":")[0]
        settings.account_settings(account, kind, kinds[kind].settings)

    assert settings.ignored == ()


def test_every_code_block_is_a_file(page: Path) -> None:
    """Whatever is code on a page lies in a file, where it is run; what is no code says text."""
    heads = re.findall(r"^```(\S.*)$", page.read_text("utf-8"), re.MULTILINE)
    files = [head for head in heads if re.fullmatch(r"\w+ docs_src/[\w./#-]+", head)]

    assert [head for head in heads if head not in files and head != "text"] == []


def test_every_example_is_shown(pages: list[Path]) -> None:
    """No example is left that no page shows."""
    found = [FENCE.findall(page.read_text("utf-8")) for page in pages]
    shown = {ROOT / path for page in found for _, path, _, _ in page}
    files = {file for file in EXAMPLES.glob("*/*.*") if file.parent.name not in _NO_EXAMPLES}

    assert files - shown == set()


_NO_EXAMPLES = {"blocks", "pictures", "__pycache__"}
