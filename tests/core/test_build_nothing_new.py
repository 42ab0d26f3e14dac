"""Random companies that say nothing new: their documents stay as they are, byte for byte."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from rove_core.build.gather.fetches import FetchCache

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.core.team import Team

pytestmark = pytest.mark.anyio

_DAY = 86_400
_WORDS = "audit cookie export flag index key login page queue redirect session tenant token".split()  # noqa: SIM905  # a list of quotes hides the words
_TICKETS = ("T-1", "T-2", "T-3", "T-4")


def dice(seed: int) -> Random:
    """Return what falls alike for one seed."""
    return Random(seed)  # noqa: S311  # many values, quickly: no secret


def crowd(team: "Team", seed: int) -> None:
    """Let a team say much with few words, and name one thing in the other."""
    rnd = dice(seed)
    size = rnd.choice((8, 20, 40))

    def said(count: int) -> str:
        return " ".join(rnd.choices(_WORDS, k=count)).capitalize()

    def text() -> str:
        names = [
            f"{rnd.choice('TTMP')}-{rnd.randint(1, size)}" for _ in range(rnd.choice((0, 1, 6)))
        ]
        return f"{said(4)} is {rnd.randint(1, 90)} minutes. {said(5)}? {' '.join(names)}"

    for tool, kind in zip(team.tools, ("ticket", "message", "pr"), strict=True):
        for number in range(1, size + 1):
            team.clock.advance(rnd.randint(60, _DAY))
            replies = [text() for _ in range(rnd.choice((0, 0, 1, 3)))]
            tool.put(f"{tool.prefix}-{number}", text(), *replies, kind=kind, title=said(3))
        tool.dice = dice(seed)
    # A document tells on which day its sources were asked.
    team.clock.advance(_DAY - team.clock.now().timestamp() % _DAY)


async def built(team: "Team", folder: Path, tickets: Sequence[str], way: str) -> None:
    """Build documents in one project: all at once, in one call, or one by one."""
    team.clock.advance(3600)
    shared = FetchCache() if way == "in one call" else None
    async with team.opened(folder) as project:
        builds = [project.build(each, source="tickets", fetched=shared) for each in tickets]
        if way == "at once":
            await asyncio.gather(*builds)
            return
        for build in builds:
            await build


def written(folder: Path) -> Mapping[str, bytes]:
    """Return the documents, by their names."""
    return {path.name: path.read_bytes() for path in folder.joinpath(".context").glob("*.md")}


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("way", ["one by one", "in one call", "at once"])
async def test_a_refresh_with_nothing_new_changes_nothing(
    new_team: "Callable[[], Team]", tmp_path: Path, way: str, seed: int
) -> None:
    """Whatever was built beside it, in whatever order, and whoever answers first."""
    team, order = new_team(), dice(seed)
    crowd(team, seed)
    await built(team, tmp_path, order.sample(_TICKETS, 4), way)
    before = written(tmp_path)

    await built(team, tmp_path, order.sample(_TICKETS, 4), way)
    await built(team, tmp_path, order.sample(_TICKETS, 4), "one by one")

    assert before == written(tmp_path)


@pytest.mark.parametrize("seed", range(2))
async def test_who_answers_first_makes_no_difference(
    new_team: "Callable[[], Team]", tmp_path: Path, seed: int
) -> None:
    """Nor does it in which order documents are built."""
    documents = []
    for number in range(2):
        team = new_team()
        crowd(team, seed)
        for tool in team.tools:
            tool.dice = dice(number)
        await built(team, tmp_path / str(number), sorted(_TICKETS, reverse=bool(number)), "at once")
        documents.append(written(tmp_path / str(number)))

    assert documents[0] == documents[1]
