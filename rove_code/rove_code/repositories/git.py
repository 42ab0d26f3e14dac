"""The only module that runs git: reading only, without hooks, filters or prompts.

A repository can come from anywhere, and its own settings with it: what in them starts a program
is switched off, and so is the network but where it is what was asked for.
"""

import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final

from attrs import frozen

from rove_core import RepositoryUnusable

_SETTINGS: Final = {
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    "gc.autoDetach": "false",
    "i18n.logOutputEncoding": "UTF-8",
    "log.showSignature": "false",
}
_ENVIRONMENT: Final = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_ASKPASS": "false",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
    "SSH_ASKPASS": "false",
}
#: The user's own word on how git works here; all else may be about another repository.
_KEPT: Final = frozenset(
    {
        "GIT_CONFIG_GLOBAL",
        "GIT_CONFIG_NOSYSTEM",
        "GIT_CONFIG_SYSTEM",
        "GIT_EXEC_PATH",
        "GIT_SSH",
        "GIT_SSH_COMMAND",
        "GIT_SSL_CAINFO",
        "GIT_SSL_CAPATH",
    }
)
_PARTIAL: Final = (
    "It is a partial clone without the files of that version."
    " Get them: git -C FOLDER fetch --refetch --no-filter"
)
_PIPE_SIZE: Final = 1 << 16
#: A repository elsewhere may take so many seconds; so often it is looked how large it is by now.
_PATIENCE: Final = 900.0
#: A command that only reads may take so many seconds: in a folder with a pipe git waits for ever.
_LONGEST: Final = 120.0
_LOOK: Final = 0.5


class GitFailed(RepositoryUnusable):
    """Git ended with an error; ``output`` is the end of its output."""

    def __init__(self, folder: Path, output: str) -> None:
        hint = _PARTIAL if "promisor remote" in output else ""
        super().__init__(f"git cannot read {folder}: {output}", hint=hint)
        self.output = output


@frozen
class Git:
    """Git, in a folder.

    Attributes:
        folder: Where it runs.
        work_tree: Where the files are, whatever the repository's settings say; None without any.
    """

    folder: Path
    work_tree: Path | None = None

    def run(
        self, *arguments: str, stdin: bytes = b"", allowed: Collection[int] = frozenset({0})
    ) -> bytes:
        """Return the output of a read-only command.

        Args:
            arguments: The command.
            stdin: Its standard input.
            allowed: The exit codes that are no error.
        """
        with _typed_errors(self.folder):
            done = subprocess.run(  # noqa: S603  # no shell, and no argument that git takes for another
                _command(arguments),
                cwd=self.folder,
                env=self._environment(),
                input=stdin,
                capture_output=True,
                check=False,
                timeout=_LONGEST,
            )
        if done.returncode not in allowed:
            _check(self.folder, done.returncode, done.stderr)
        return done.stdout

    @contextmanager
    def running(self, *arguments: str) -> Iterator[tuple[IO[bytes], IO[bytes]]]:
        """Yield pipes to a long-running command."""
        with (
            _typed_errors(self.folder),
            subprocess.Popen(  # noqa: S603  # nothing in it comes from outside
                _command(arguments),
                cwd=self.folder,
                env=self._environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=_PIPE_SIZE,
            ) as process,
        ):
            if process.stdin is None or process.stdout is None:
                raise AssertionError(arguments)
            # A pipe in place of an object would keep git, and its reader, waiting.
            end = threading.Timer(_PATIENCE, process.kill)
            end.daemon = True
            end.start()
            try:
                yield process.stdin, process.stdout
            finally:
                end.cancel()
                process.kill()
                with suppress(BrokenPipeError):
                    process.stdin.close()

    def _environment(self) -> dict[str, str]:
        own = {} if self.work_tree is None else {"GIT_WORK_TREE": str(self.work_tree)}
        return {**_inherited(), **_ENVIRONMENT, **own}


def available() -> bool:
    """Return whether there is a git on this machine."""
    return shutil.which("git") is not None


def run_remote(
    folder: Path,
    *arguments: str,
    protocols: Sequence[str],
    settings: Sequence[tuple[str, str]],
    most: int,
) -> bytes:
    """Return the output of a command that talks to another machine.

    Args:
        folder: Where it runs.
        arguments: The command.
        protocols: How it may talk.
        settings: Settings for its environment only, because everybody can read a command line.
        most: How many bytes the objects in the folder may have at most.
    """
    environment = _inherited() | _ENVIRONMENT | {"GIT_ALLOW_PROTOCOL": ":".join(protocols)}
    environment["GIT_CONFIG_COUNT"] = str(len(settings))
    for number, (key, value) in enumerate(settings):
        environment |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    with (
        _typed_errors(folder),
        subprocess.Popen(  # noqa: S603  # no shell, and no argument that git takes for another
            _command(arguments),
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            # Without a terminal of its own, ssh has nobody to ask either.
            start_new_session=True,
        ) as process,
    ):
        try:
            output, complaints = _watched(process, folder, most)
        except BaseException:
            # The programs that git has started for this would go on without it.
            if process.returncode is None:
                os.killpg(process.pid, signal.SIGKILL)
            raise
    _check(folder, process.returncode, complaints)
    return output


def _command(arguments: Sequence[str]) -> list[str]:
    settings = (f"{key}={value}" for key, value in _SETTINGS.items())
    return ["git", "--no-pager", *(part for each in settings for part in ("-c", each)), *arguments]


def _inherited() -> dict[str, str]:
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") or name in _KEPT
    }


def _watched(process: "subprocess.Popen[bytes]", folder: Path, most: int) -> tuple[bytes, bytes]:
    """Return the output of a process, which may never end by itself."""
    for _ in range(int(_PATIENCE / _LOOK)):
        with suppress(subprocess.TimeoutExpired):
            return process.communicate(timeout=_LOOK)
        if _size(folder) > most:
            raise GitFailed(folder, f"it has more than {most >> 20} MB")
    raise GitFailed(folder, f"it takes longer than {_PATIENCE:.0f} seconds")


def _size(folder: Path) -> int:
    total = 0
    for file in folder.glob("objects/*/*"):
        # Git puts files into their place meanwhile.
        with suppress(FileNotFoundError):
            total += file.stat().st_size
    return total


def _check(folder: Path, code: int, complaints: bytes) -> None:
    if code:
        raise GitFailed(folder, _last_words(complaints) or f"it ended with {code}")


@contextmanager
def _typed_errors(folder: Path) -> Iterator[None]:
    try:
        yield
    except subprocess.TimeoutExpired as error:
        raise GitFailed(folder, f"it takes longer than {_LONGEST:.0f} seconds") from error
    except OSError as error:
        raise GitFailed(folder, error.strerror or str(error)) from error


def _last_words(output: bytes) -> str:
    lines = output.decode(errors="replace").strip().splitlines()
    errors = [line for line in lines if line.startswith(("fatal: ", "error: "))] or lines[-1:]
    return errors[-1].partition(": ")[2] or errors[-1] if errors else ""
