"""A project with accounts at vendors on this machine, for its server and all it starts."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from benchmarks.context.projects import Place
from rove.server.start import stop
from rove_core.auth.account_names import account_variable, environment_name
from rove_core.auth.accounts import AccountRecord, AccountStore
from rove_core.project.layout import ProjectPaths

#: Only the speed of this machine limits how often a server on it may be asked.
_RATE: Final = 1_000_000


@contextmanager
def served(
    folder: Path, vendors: Sequence[Place], answers: Mapping[str, str], **variables: str
) -> Iterator[ProjectPaths]:
    """Work in a project of a user with an account at each vendor; its server ends with this.

    Args:
        folder: Where the project and the user's own files are put.
        vendors: Where each answers.
        answers: What opens them, by the field's name.
        variables: What else stands in the environment.
    """
    logins = {
        f"{account_variable(vendor.kind)}_{environment_name(name)}": answer
        for vendor in vendors
        for name, answer in answers.items()
    }
    own = {
        "HOME": str(folder),
        "ROVE_DATA_DIR": str(folder / "data"),
        "ROVE_CONFIG_DIR": str(folder / "config"),
        "ROVE_CREDENTIALS_BACKEND": "encrypted_file",
        "ROVE_SOURCES_USE": ",".join(vendor.kind for vendor in vendors),
    }
    before = dict(os.environ)
    os.environ.pop("ROVE_DAEMON", None)
    os.environ |= {**own, **logins, **variables}
    try:
        places = _prepared(folder / "project", vendors)
        try:
            yield places
        finally:
            stop(places)
    finally:
        os.environ.clear()
        os.environ |= before


def processes_of(places: ProjectPaths) -> dict[int, str]:
    """Return the server and the workers of a project that live, with what each was started as."""
    named = f'"root": "{places.root}"'.encode()
    commands = {int(path.parent.name): _read(path) for path in Path("/proc").glob("[0-9]*/cmdline")}
    return {
        pid: "worker" if b"rove.server.worker" in command else "server"
        for pid, command in commands.items()
        if named in command
    }


def _prepared(root: Path, vendors: Sequence[Place]) -> ProjectPaths:
    root.mkdir(parents=True)
    places = ProjectPaths.at(root)
    places.prepare()
    book = AccountStore(places.data_dir)
    for vendor in vendors:
        rate = {"rate_limit": _RATE} if vendor.base_url.startswith("http") else {}
        book.add(
            AccountRecord(
                name=vendor.kind,
                kind=vendor.kind,
                base_url=vendor.base_url,
                login="token",
                settings={**rate, **vendor.settings},
            )
        )
    return places


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""
