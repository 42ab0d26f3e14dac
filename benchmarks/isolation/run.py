"""Build a document beside a plugin that misbehaves, in a process of its own, and judge it."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, Literal, TypeAlias

from attrs import frozen

from benchmarks.isolation.deeds import Misdeed
from rove_core.clock import SYSTEM

Mode: TypeAlias = Literal["foreground", "server"]

_PACKAGES: Final = Path(__file__).parent / "packages"
_TICKET: Final = "CALM-1"
_WORDS: Final = "the cookie lives 60 seconds"
#: A row of the table, or a note, that says what went wrong and whose fault it is.
_FAILED_ROW: Final = re.compile(r"^\| ([^|]+?) \| \d+ \| (?:[\d-]+; )?failed: ", re.MULTILINE)
_NOTE: Final = re.compile(r"^Note: ([^:\s]+): ", re.MULTILINE)
_CULPRIT: Final = re.compile(r"(?:rove-)?bad\b.*", re.IGNORECASE)
#: A command that takes so many times as long as a call may take never ends.
_NEVER: Final = 45.0
#: What each process that runs plugins does first; until it is done, nobody is to blame.
_START: Final = "import rove.server.worker, rove_core.plugins.loader"
#: A call may take so many times as long as that start takes on this machine now.
_STARTS: Final = 4.0
_OK: Final = frozenset({0, 5})


@frozen(kw_only=True)
class Judged:
    """What became of one build.

    Attributes:
        misdeed: What the plugin did.
        mode: Where.
        seconds: How long it took.
        wrong: What is not as it should be; empty if all is.
        told: What the document says of the plugin.
    """

    misdeed: Misdeed
    mode: Mode
    seconds: float
    wrong: str
    told: str


def install(site: Path) -> None:
    """Install the two plugins into a folder."""
    site.mkdir(parents=True)
    for name in ("calm", "bad"):
        source = _PACKAGES / f"rove_{name}.py"
        (site / source.name).write_bytes(source.read_bytes())
        info = site / f"rove_{name}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: rove-{name}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[rove]\n{name} = rove_{name}\n")


def judge(misdeed: Misdeed, mode: Mode, folder: Path, site: Path, *, seconds: float) -> Judged:
    """Build the document of a project beside the plugin, and judge what came of it.

    Args:
        misdeed: What the plugin does.
        mode: Where the build is done.
        folder: A folder that does not exist yet.
        site: Where the plugins are installed.
        seconds: How long a call of the plugin may take; longer on a machine that is busy now.
    """
    project = folder / "project"
    project.mkdir(parents=True)
    seconds = max(seconds, _STARTS * _seconds_of_start())
    environment = _environment(misdeed, mode, folder, site, seconds)
    begun = SYSTEM.monotonic()
    try:
        done = _rove(project, environment, "build", _TICKET, timeout=_NEVER * seconds)
    except subprocess.TimeoutExpired:
        done = None
    took = SYSTEM.monotonic() - begun
    if mode == "server":
        quiet = {**environment, "BAD_DEED": "", "BAD_HOOK": ""}
        _rove(project, quiet, "server", "stop", timeout=_NEVER * seconds)
    documents = [*(project / ".context").glob("*.md")]
    text = documents[0].read_text("utf-8") if documents else ""
    wrong = "; ".join(_wrong(misdeed, done, documents, text))
    notice = next((line for line in text.splitlines() if _tells(line)), "")
    return Judged(misdeed=misdeed, mode=mode, seconds=took, wrong=wrong, told=notice)


def _seconds_of_start() -> float:
    """Return how long a process that runs plugins takes to start, as busy as the machine is."""
    begun = SYSTEM.monotonic()
    subprocess.run([sys.executable, "-P", "-c", _START], check=True)  # noqa: S603  # our own
    return SYSTEM.monotonic() - begun


def _wrong(
    misdeed: Misdeed,
    done: "subprocess.CompletedProcess[str] | None",
    documents: list[Path],
    text: str,
) -> Iterator[str]:
    if done is None:
        yield "the command never ends"
    elif done.returncode not in _OK:
        yield f"exit code {done.returncode}: {done.stderr.strip()[-300:]!r}"
    elif done.stdout.splitlines() != [str(each) for each in documents]:
        yield f"standard output is {done.stdout[:200]!r}"
    if not text:
        yield "no document"
        return
    named = [*_FAILED_ROW.findall(text), *_NOTE.findall(text)]
    others = [name for name in named if not _CULPRIT.fullmatch(name)]
    if others:
        yield f"blames {', '.join(others)}"
    if len(others) == len(named):
        yield "the culprit is not named"
    if (_WORDS in text) is misdeed.withholds:
        yield "the words are there" if misdeed.withholds else "the words are missing"


def _tells(line: str) -> bool:
    return any(
        _CULPRIT.fullmatch(found[1])
        for found in (_FAILED_ROW.match(line), _NOTE.match(line))
        if found
    )


def _environment(
    misdeed: Misdeed, mode: Mode, folder: Path, site: Path, seconds: float
) -> Mapping[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "LC_ALL": "C.UTF-8",
        "PYTHONPATH": os.pathsep.join([str(site), *filter(None, sys.path)]),
        "ROVE_DATA_DIR": str(folder / "data"),
        "ROVE_CONFIG_DIR": str(folder / "config"),
        "ROVE_SOURCES_USE": "calm,bad",
        "ROVE_SOURCES_DEFAULT_TICKET_SOURCE": "calm",
        "ROVE_LOAD_PLUGINS": "calm,bad",
        "ROVE_PLUGIN_SECONDS": str(seconds),
        "ROVE_PLUGIN_MEMORY": "400",
        "BAD_DEED": misdeed.deed,
        "BAD_HOOK": misdeed.hook,
        **({"ROVE_DAEMON": "0"} if mode == "foreground" else {}),
    }


def _rove(
    project: Path, environment: Mapping[str, str], *arguments: str, timeout: float
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(  # noqa: S603  # our own program
        [sys.executable, "-m", "rove", *arguments],
        cwd=project,
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
