"""A sync of known tickets at each of the five trackers."""

import asyncio
from pathlib import Path
from typing import Any

from tests.memory.office import ask
from tests.memory.trackers import TRACKERS, connected, five_trackers, written

from rove_sim import running


def test_a_ticket_that_was_read_is_pulled_at_each_tracker(tmp_path: Path) -> None:
    """Also where ids are plain numbers, which a tracker recognises only with their address."""

    async def spent() -> Any:  # noqa: ANN401  # JSON
        async with running(five_trackers()) as world, connected(tmp_path, world) as (rove, refs):
            for ref in refs:
                await ask(rove, "get_ticket", identifier=written(ref))
            return await ask(rove, "sync_pull", full=True)

    pulled = asyncio.run(spent())

    assert (pulled["status"], pulled["errors"]) == ("success", [])
    assert pulled["items_unchanged"] == len(TRACKERS)
