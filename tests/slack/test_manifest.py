"""The app that a person makes: it may do what Rove does, and nothing else."""

import gzip
import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from rove_slack.api import METHODS, SlackMethod

ROOT = Path(__file__).parents[2]


@pytest.fixture
def manifest() -> str:
    """Return the manifest that comes with the package."""
    return files("rove_slack").joinpath("manifest.yaml").read_text("utf-8")


def test_asks_for_what_the_methods_need_and_no_more(manifest: str) -> None:
    """Each scope is one of a method that is called."""
    scopes = re.findall(r"^ {6}- (\S+)$", manifest, re.MULTILINE)

    assert sorted({scope for method in METHODS for scope in method.scopes}) == scopes


BOT = "bot_manifest.yaml"


@pytest.mark.parametrize("page", ["rove_slack/README.md", "docs/how-to/connect-sources.md"])
def test_the_bots_manifest_is_shown_too(page: str) -> None:
    """What it asks for is no more than a bot needs to read channels."""
    manifest = files("rove_slack").joinpath(BOT).read_text("utf-8")
    scopes = re.findall(r"^ {6}- (\S+)$", manifest, re.MULTILINE)
    needed = {scope for method in METHODS for scope in method.scopes}

    assert manifest in (ROOT / page).read_text("utf-8")
    assert scopes == sorted(
        scope for scope in needed if scope.startswith(("channels", "groups", "files", "users"))
    )


def test_only_reads(manifest: str) -> None:
    """Each scope is one to search, or to read something."""
    scopes = re.findall(r"^ {6}- (\S+)$", manifest, re.MULTILINE)

    assert {"history", "read", "search"} == {
        "search" if scope.startswith("search:") else scope.partition(":")[2] for scope in scopes
    }


@pytest.mark.parametrize("page", ["rove_slack/README.md", "docs/how-to/connect-sources.md"])
def test_is_shown_where_one_needs_it(manifest: str, page: str) -> None:
    """What people paste is what the tests are about, letter for letter."""
    assert manifest in (ROOT / page).read_text("utf-8")


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_methods_need_what_slack_says(specifications: Path, method: SlackMethod) -> None:
    """Each scope is one that Slack's own reference names for the method."""
    scopes = _spec(specifications, method).get("scope", {}).get("user", [])

    assert {*method.scopes} <= {*scopes}


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_methods_go_as_often_as_slack_says(specifications: Path, method: SlackMethod) -> None:
    """No method is called more often than its tier lets it, as far as there is one."""
    tiers = {"t1": 1, "t2": 20, "t3": 50, "t4": 100}
    tier = _spec(specifications, method).get("rate_limits", "")

    assert method.per_minute <= tiers.get(tier, 100)


def _spec(folder: Path, method: SlackMethod) -> dict[str, Any]:
    packed = (folder / "slack-api-ref.selected.json.gz").read_bytes()
    spec: dict[str, Any] = json.loads(gzip.decompress(packed))[method.name]["spec"]
    return spec
