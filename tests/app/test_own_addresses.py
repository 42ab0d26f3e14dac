"""Vendors that answer at one address for everybody: nobody says where, and all goes through it."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from tests.app.own_addresses import standing_in

from rove_core.plugins.loader import load_plugins
from rove_sim import World

if TYPE_CHECKING:
    from tests.app.conftest import Rove


@pytest.fixture
def _at_home(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the vendors answer at their own addresses."""
    kinds = load_plugins().kinds
    homes = {
        urlsplit(kinds[kind].base_url).netloc: url
        for kind, url in world.urls.items()
        if kinds[kind].base_url
    }
    certificate = tmp_path / "vendors.pem"
    with standing_in(homes, certificate) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", proxy)
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        yield


@pytest.mark.usefixtures("_at_home", "empty")
def test_from_the_login_to_the_document(rove: "Rove", world: World) -> None:
    """Slack, GitHub and Linear, with a token and nothing else."""
    for kind in ("github", "linear", "slack"):
        added = rove("--add-source", kind, "--token-stdin", typed=f"{world.company.token}\n")
        assert (added.code, added.err) == (0, "")
    built = rove("--ticket", "OPS-31")
    document = Path(built.out.strip()).read_text("utf-8")

    assert built.code == 0
    assert "| Slack |" in document
    assert "| GitHub |" in document
    assert all(world.vendors[kind].exchanges for kind in ("github", "linear", "slack"))
