"""What is asked of Azure, and what comes back."""

import asyncio
from datetime import UTC, datetime
from typing import Final

import pytest

from rove_azure import wiql
from rove_azure.search import question
from rove_core import ItemRef, Query
from rove_core.testing import Scene
from rove_sim import Conduct
from rove_sim.azure import AzureDevOps

pytestmark = pytest.mark.anyio

STORY: Final = ItemRef(account="azure", kind="ticket", id="2")


async def found(scene: Scene, text: str, *fields: str) -> list[str]:
    """Return the numbers of what is found."""
    return [item.ref.id for item in await scene.find(text, fields=fields)]


@pytest.mark.parametrize(
    ("text", "fields", "ids"),
    [
        ("Vault", (), ["5", "4", "3"]),
        ("the vault", (), ["5", "4", "3"]),
        ("once hour", (), ["2"]),
        ("hour", ("comments",), ["2"]),
        ("hour", ("ticket_description",), ["2"]),
        ("often", ("ticket_description",), []),
        ("pilot", ("labels",), ["2"]),
        ("pil", ("labels",), []),
        ("AB#3", (), ["3"]),
        ("#4", ("ticket_id",), ["4"]),
        ("vault", ("ticket_id",), []),
        ("!!!", (), []),
    ],
)
async def test_words_are_found(
    azure: Scene, text: str, fields: tuple[str, ...], ids: list[str]
) -> None:
    """Each in one of the fields; words that Azure does not keep do not count."""
    assert await found(azure, text, *fields) == ids


async def test_words_cannot_leave_their_quotes(azure: Scene) -> None:
    """Whatever is looked for is looked for."""
    hard = "x' OR [System.Id] > 0 OR [System.Title] = 'y"

    assert await found(azure, hard) == []


async def test_a_search_asks_for_two_things(azure: Scene, organization: AzureDevOps) -> None:
    """Numbers, and the work items; the types of work are asked for once."""
    organization.conduct = Conduct()
    await found(azure, "vault")
    before = len(organization.exchanges)
    await found(azure, "vault")

    assert len(organization.exchanges) - before == 2


async def test_a_type_of_work_is_read_once(azure: Scene, organization: AzureDevOps) -> None:
    """Also by searches that run at the same time."""
    organization.conduct = Conduct()
    await asyncio.gather(found(azure, "vault"), found(azure, "rotate"), azure.detail(STORY))
    paths = [each.request.path for each in organization.exchanges]
    types = [path for path in paths if "/workitemtypes/" in path]

    assert types
    assert len(types) == len(set(types))


def test_a_window_has_both_its_ends() -> None:
    """To the microsecond, in UTC."""
    at = datetime(2024, 12, 1, 9, tzinfo=UTC)
    asked = question(Query(account="azure", text="", since=at, until=at), ("A's",))

    assert asked == (
        "SELECT [System.Id] FROM WorkItems WHERE "
        "[System.ChangedDate] >= '2024-12-01T09:00:00.000000Z' AND "
        "[System.ChangedDate] <= '2024-12-01T09:00:00.000000Z' AND "
        "[System.TeamProject] IN ('A''s') "
        "ORDER BY [System.ChangedDate] DESC, [System.Id] DESC"
    )


def test_control_characters_are_no_part_of_a_value() -> None:
    """A line break would end the query's line."""
    assert wiql.quoted("a\n'b\u2028") == "'a ''b '"


async def test_numbers_mean_something_among_their_own(azure: Scene) -> None:
    """Elsewhere they may be anybody's."""
    text = "after #3, see https://dev.azure.com/northwind/Tracker/_workitems/edit/4#9 and AB#5."
    own = ItemRef(account="azure", kind="ticket", id="2")
    other = ItemRef(account="github", kind="pull_request", id="acme/api#3")
    recognise = azure.source.rove_recognise

    assert [each.id for each in recognise(text, own)] == ["4", "5", "3"]
    assert [each.id for each in recognise(text, other)] == ["4", "5"]


@pytest.mark.parametrize("text", ["请看AB#5。", "_AB#5_", "__#5__", "éAB#5é", "ב#5ב"])
async def test_a_number_ends_where_its_script_ends(azure: Scene, text: str) -> None:
    """Scripts without spaces, accented letters and emphasis may stand beside it."""
    own = ItemRef(account="azure", kind="ticket", id="2")

    assert [each.id for each in azure.source.rove_recognise(text, own)] == ["5"]


@pytest.mark.parametrize(
    "text",
    [
        "https://dev.azure.com/other/Tracker/_workitems/edit/4",
        "https://dev.azure.com/northwind/Tracker/_workitems/recentlyupdated",
        "https://dev.azure.com/northwindy/_workitems/edit/4",
        "CAB#4 AB#4a AB#0 AB#99999999999",
    ],
)
async def test_others_are_left_alone(azure: Scene, text: str) -> None:
    """Another organization, another page, what only looks like a number."""
    assert [*azure.recognise(text)] == []
