"""What to say of a copy that is not whole yet: why, and what goes on with it."""

import asyncio
import os
from http import HTTPStatus
from typing import TYPE_CHECKING, Final, Literal

from attrs import evolve

from rove_core.errors import RateLimited, RoveError
from rove_core.mirror.schedule import plan_update
from rove_core.operations import Failure
from rove_core.project.server_state import server_state

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rove_core.mirror.mirror import Mirror
    from rove_core.mirror.state import MirrorState
    from rove_core.mirror.update import MirrorUpdated
    from rove_core.project.layout import ProjectPaths
    from rove_core.project.project import Project

#: Whether a server goes on copying; ``forbidden`` where the environment allows none, ``other`` if
#: it was started with other logins or settings in its environment.
CopyingServer = Literal["running", "stopped", "forbidden", "other"]


#: Seconds to wait for a running server.
_MOMENT: Final = 5.0


async def copying_server(
    rove: "Project", accounts: "Iterable[str]", *, starts: bool
) -> CopyingServer:
    """Return whether the project's server goes on copying, and let it begin at once.

    Args:
        rove: The project.
        accounts: The accounts whose copies may not be whole yet.
        starts: Whether to start a server.
    """
    server = await _server(rove, starts=starts)
    if server == "running" and any(_is_under_way(rove.mirror(each)) for each in accounts):
        # The next round of a server may be minutes away.
        await plan_update(rove.store)
    return server


def update_note(
    account: str, state: "MirrorState | None", updated: "MirrorUpdated", server: CopyingServer
) -> str:
    """Return why an update did nothing, or not all; empty if it did, or if it failed.

    Args:
        account: The account.
        state: The state of its mirror.
        updated: Its last update.
        server: Whether a server goes on.
    """
    is_limited = isinstance(updated.failure, RateLimited)
    if state is None or not state.running:
        return ""
    if not state.incomplete:
        return f"Another process is updating {account} just now" if updated.busy else ""
    if updated.failure and not (is_limited and server == "running"):
        return ""  # The failure says why, and what comes next.
    failure = updated.failure
    why = _harmless(failure.message) if failure else "this command's minute is over"
    why = "another process is copying it" if updated.busy else why
    return f"{account} is not copied to the end yet: {why}. {next_step(account, server)}"


def update_failure(account: str, error: RoveError, server: CopyingServer | None) -> Failure:
    """Return the failure of an update, with its account and the next step.

    Args:
        account: The account.
        error: Why its update failed.
        server: Whether a server goes on; None if the server is where the update ran.
    """
    failure = Failure.of(error)
    failure = evolve(failure, message=_harmless(failure.message), hint=_harmless(failure.hint))
    if not failure.message.lower().startswith(account.lower()):
        failure = evolve(failure, message=f"{account}: {failure.message}")
    if isinstance(error, RateLimited) and server not in {"running", None}:
        # Without a server nothing retries.
        failure = evolve(failure, hint=next_step(account, server))
    return failure


def next_step(account: str, server: CopyingServer | None) -> str:
    """Return what goes on with a copy that is not whole, or the command that goes on."""
    command = f"rove mirror update --account {account}"
    match server:
        case "running":
            return "The server goes on in the background; see how far it is: rove mirror status"
        case "forbidden":
            return f"ROVE_DAEMON=0 allows no server to go on with it. Go on: {command}"
        case "other":
            return (
                "The running server has another environment, so it does not go on with this login."
                f" Go on: {command}; or restart it from here: rove server stop && rove server start"
            )
        case _:
            return f"No server is running. Go on: {command}; or leave it to one: rove server start"


async def _server(rove: "Project", *, starts: bool) -> CopyingServer:
    if os.environ.get("ROVE_DAEMON") == "0":
        return "forbidden"
    if starts:
        from rove.server.start import ensure_server  # noqa: PLC0415  # most commands start none

        try:
            await asyncio.to_thread(ensure_server, rove.places)
        except (OSError, RoveError):
            return "stopped"
    elif not server_state(rove.places.rove).running:
        return "stopped"
    return await asyncio.to_thread(_running_server, rove.places)


def _running_server(places: "ProjectPaths") -> CopyingServer:
    """Return whether a running server has the environment of this process."""
    from rove.server.client import call  # noqa: PLC0415  # most commands ask none
    from rove.server.environment import HEADER, environment_digest  # noqa: PLC0415  # as above

    try:
        headers = {HEADER: environment_digest()}
        status, _ = call(places, "GET", "/health", headers=headers, timeout=_MOMENT)
    except OSError:
        return "running"  # It is just starting, or has much to do.
    return "other" if status == HTTPStatus.CONFLICT else "running"


def _is_under_way(mirror: "Mirror") -> bool:
    """Return whether a copy is not whole yet; a damaged one is not completed."""
    try:
        state = mirror.state()
    except RoveError:
        return False
    return state is not None and state.running and bool(state.incomplete)


def _harmless(message: str) -> str:
    """Return a vendor's message without what may not be printed."""
    from rove_core.safety.sanitise import harmless_message  # noqa: PLC0415  # few updates fail

    return harmless_message(message)
