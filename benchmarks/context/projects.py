"""Projects in folders of their own, connected to vendors on this machine."""

import tempfile
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Final

from attrs import field, frozen

from rove_core import Account, Project, Secret, open_project
from rove_core.auth.credentials import MemoryStore
from rove_core.auth.prepared_login import PreparedLogin
from rove_core.clock import Clock
from rove_core.testing import VirtualClock
from rove_core.wire.json_types import JSON

#: Only the speed of this machine limits how often a server on it may be asked.
_RATE: Final = 1_000_000


@frozen
class Place:
    """Where an account is.

    Attributes:
        kind: The kind of source.
        base_url: Where it answers; empty for a folder.
        settings: What the account sets.
    """

    kind: str
    base_url: str = ""
    settings: Mapping[str, JSON] = field(factory=dict)


@asynccontextmanager
async def connected(
    places: Iterable[Place], answers: Mapping[str, str], clock: Clock | None = None
) -> AsyncIterator[Project]:
    """Open a project with an account at each place.

    Args:
        places: Where the accounts are.
        answers: What to answer when a source asks for a login, by the field's name.
        clock: What tells the time; without any, waiting costs no time.
    """
    secrets = {name: Secret(answer) for name, answer in answers.items()}
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        async with open_project(
            root, accounts=(), credentials=MemoryStore(), clock=clock or VirtualClock()
        ) as project:
            for place in places:
                account = _account(project, place, root)
                if place.base_url:
                    await project.log_in(account, partial(PreparedLogin, "token", secrets))
                else:
                    await project.connect(account)
            yield project


def _account(project: Project, place: Place, root: Path) -> Account[object]:
    rate = {"rate_limit": _RATE} if place.base_url else {}
    return Account(
        name=place.kind,
        kind=place.kind,
        settings=project.plugins.kind(place.kind).settings(**rate, **place.settings),
        base_url=place.base_url or root.as_uri(),
    )
