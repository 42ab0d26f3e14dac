"""``rove setup AGENT --mcp``: Rove among an agent's servers, and nothing else changes."""

import json
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rove.agents.recipes import mcp_recipes

if TYPE_CHECKING:
    from tests.app.conftest import Rove

OTHER = {"mcpServers": {"wiki": {"command": "wiki"}}, "theme": "dark"}


@pytest.mark.parametrize("agent", list(mcp_recipes()))
def test_an_entry_leaves_no_trace(agent: str, empty: Path, rove: "Rove") -> None:
    """Set up, checked and removed again, the project is as it was."""
    assert rove("setup", agent, "--mcp", "--check").code == 1
    assert rove("setup", agent, "--mcp").code == 0
    assert rove("setup", agent, "--mcp", "--check").code == 0
    assert rove("setup", agent, "--mcp", "--remove").code == 0

    assert [path for path in sorted(empty.rglob("*")) if ".rove" not in path.parts] == []


def test_other_servers_stay(empty: Path, rove: "Rove") -> None:
    """An entry is added beside those of others, and goes without them."""
    file = empty / ".mcp.json"
    before = json.dumps(OTHER, indent=4) + "\n"
    file.write_text(before, "utf-8")

    rove("setup", "claude", "--mcp")
    servers = json.loads(file.read_text("utf-8"))["mcpServers"]
    rove("setup", "claude", "--mcp", "--remove")

    assert list(servers) == ["wiki", "rove"]
    assert servers["rove"] == {"type": "stdio", "command": "rove", "args": ["mcp", "serve"]}
    assert file.read_text("utf-8") == before


def test_other_tables_stay(empty: Path, rove: "Rove") -> None:
    """A table is added to a TOML file, and comments and tables around it stay."""
    file = empty / ".codex" / "config.toml"
    file.parent.mkdir()
    before = '# mine\nmodel = "x"\n\n[mcp_servers.wiki]\ncommand = "wiki"\n'
    file.write_text(before, "utf-8")

    rove("setup", "codex", "--mcp")
    servers = tomllib.loads(file.read_text("utf-8"))["mcp_servers"]
    rove("setup", "codex", "--mcp", "--remove")

    assert servers["rove"] == {"command": "rove", "args": ["mcp", "serve"]}
    assert file.read_text("utf-8") == before


@pytest.mark.parametrize("text", ["// a comment\n{}", "[1]", "{", '{"mcpServers": 7}'])
def test_a_file_that_cannot_be_read_is_left(text: str, empty: Path, rove: "Rove") -> None:
    """What is not a list of servers stays as it is, and the command ends with 1."""
    file = empty / ".mcp.json"
    file.write_text(text, "utf-8")

    done = rove("setup", "claude", "--mcp")

    assert done.code == 1
    assert file.read_text("utf-8") == text


def test_an_entry_that_a_person_changed_stays(empty: Path, rove: "Rove") -> None:
    """Options that somebody added stay, unless they are forced out."""
    file = empty / ".cursor" / "mcp.json"
    rove("setup", "cursor", "--mcp")
    changed = file.read_text("utf-8").replace('"serve"', '"serve", "--toolsets=all"')
    file.write_text(changed, "utf-8")

    assert rove("setup", "cursor", "--mcp").code == 1
    assert rove("setup", "cursor", "--mcp", "--remove").code == 1
    assert file.read_text("utf-8") == changed
    assert rove("setup", "cursor", "--mcp", "--remove", "--force").code == 0
