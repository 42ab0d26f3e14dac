"""Rove's entry in an agent's list of MCP servers; other entries are left alone."""

import json
import re
import tomllib
from collections.abc import Mapping
from typing import Any, Final

from attrs import frozen

from rove.agents.managed_block import InstallState

#: What the server is called there.
NAME: Final = "rove"
_COMMAND: Final[Mapping[str, Any]] = {"command": "rove", "args": ["mcp", "serve"]}
_INDENT: Final = re.compile(r"^\{\r?\n([ \t]+)")


@frozen
class JsonEntry:
    """An entry in a JSON file.

    Attributes:
        key: The object that lists the servers (``mcpServers``).
        more: What this agent wants in an entry besides the command.
    """

    key: str
    more: Mapping[str, Any]

    @property
    def entry(self) -> Mapping[str, Any]:
        """The entry as it should be."""
        return {**self.more, **_COMMAND}

    def whole(self) -> bytes:
        """Return a file with nothing else in it."""
        return _dump({self.key: {NAME: self.entry}}, "  ")

    def state(self, file: bytes | None) -> InstallState:
        """Return the state of the entry in a file; a file that is no JSON object is left alone."""
        if file is None or not file.strip():
            return InstallState.MISSING
        servers = self._servers(_parse(file))
        if servers is None:
            return InstallState.FOREIGN
        if NAME not in servers:
            return InstallState.MISSING
        return InstallState.CURRENT if servers[NAME] == self.entry else InstallState.CHANGED

    def put(self, file: bytes) -> bytes:
        """Return a file with the entry in it."""
        config = _parse(file) or {}
        servers = {**(self._servers(config) or {}), NAME: self.entry}
        return _dump({**config, self.key: servers}, _indent(file))

    def taken_out(self, file: bytes) -> bytes | None:
        """Return a file without the entry; None if nothing else is in it."""
        config = _parse(file)
        servers = self._servers(config)
        if not config or not servers or NAME not in servers:
            return file
        rest = {name: entry for name, entry in servers.items() if name != NAME}
        others = {name: each for name, each in config.items() if name != self.key or rest}
        if rest:
            others[self.key] = rest
        return _dump(others, _indent(file)) if others else None

    def is_changed(self, file: bytes) -> bool:
        """Return whether a person has changed the entry."""
        return self.state(file) is InstallState.CHANGED

    def _servers(self, config: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
        """Return the servers that a file lists; None if it is not a list of servers."""
        servers = None if config is None else config.get(self.key, {})
        return servers if isinstance(servers, Mapping) else None


@frozen
class TomlEntry:
    """A table in a TOML file, which is the last one of it when Rove wrote it.

    Attributes:
        table: The table that lists the servers (``mcp_servers``).
    """

    table: str

    def whole(self) -> bytes:
        """Return a file with nothing else in it."""
        rows = [f"{key} = {json.dumps(value)}\n" for key, value in _COMMAND.items()]
        return "".join([f"[{self.table}.{NAME}]\n", *rows]).encode()

    def state(self, file: bytes | None) -> InstallState:
        """Return the state of the entry in a file; a file that is not TOML is left alone."""
        try:
            config = tomllib.loads((file or b"").decode())
        except (UnicodeDecodeError, tomllib.TOMLDecodeError):
            return InstallState.FOREIGN
        servers = config.get(self.table, {})
        if not isinstance(servers, Mapping):
            return InstallState.FOREIGN
        if NAME not in servers:
            return InstallState.MISSING
        return InstallState.CURRENT if servers[NAME] == _COMMAND else InstallState.CHANGED

    def put(self, file: bytes) -> bytes:
        """Return a file with the table in it."""
        rest = self._without(file)
        gap = b"" if not rest else b"\n" if rest.endswith(b"\n") else b"\n\n"
        return rest + gap + self.whole()

    def taken_out(self, file: bytes) -> bytes | None:
        """Return a file without the table; None if nothing else is in it."""
        return self._without(file) or None

    def is_changed(self, file: bytes) -> bool:
        """Return whether a person has changed the table."""
        return self.state(file) is InstallState.CHANGED

    def _without(self, file: bytes) -> bytes:
        head = re.escape(f"[{self.table}.{NAME}]".encode())
        return re.sub(rb"(?m)\n?^" + head + rb"[ \t]*\r?\n(?:(?!\[)[^\n]*(?:\n|\Z))*", b"", file)


def _parse(file: bytes) -> Mapping[str, Any] | None:
    try:
        config = json.loads(file)
    except (ValueError, RecursionError):
        return None
    return config if isinstance(config, Mapping) else None


def _indent(file: bytes) -> str:
    found = _INDENT.match(file.decode(errors="replace"))
    return found[1] if found else "  "


def _dump(config: Mapping[str, Any], indent: str) -> bytes:
    return (json.dumps(config, indent=indent, ensure_ascii=False) + "\n").encode()
