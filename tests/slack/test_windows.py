"""Windows of time: both ends belong to them, wherever clocks stand."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import attrs
import pytest

from rove_core import Query
from rove_core.testing import Scene
from rove_sim.company import Company
from rove_sim.company_slack import SlackMessage
from rove_sim.slack import Slack
from rove_slack.search_terms import SearchTerms

pytestmark = pytest.mark.anyio

BERLIN = ZoneInfo("Europe/Berlin")
#: The hour that Berlin has twice, the one it skips, midnights here and there, a year's end.
MOMENTS = (
    datetime(2024, 10, 27, 2, 30, tzinfo=BERLIN),
    datetime(2024, 10, 27, 2, 30, tzinfo=BERLIN, fold=1),
    datetime(2025, 3, 30, 1, 59, 59, tzinfo=BERLIN),
    datetime(2025, 3, 30, 3, 0, tzinfo=BERLIN),
    datetime(2025, 1, 10, 0, 0, tzinfo=BERLIN),
    datetime(2025, 1, 20, 0, 0, tzinfo=UTC),
    datetime(2024, 12, 31, 23, 59, 59, tzinfo=ZoneInfo("Pacific/Kiritimati")),
)


@pytest.fixture
def company(company: Company) -> Company:
    """Give messages at the beginning or the end of each of these seconds, and around them."""
    seconds = {
        at.astimezone(UTC) + timedelta(seconds=away)
        for at in MOMENTS
        for away in (-86_400, -3600, -1, 0, 1, 3600, 86_400)
    }
    messages = [
        SlackMessage(
            channel="backend-team",
            author="robin",
            at=at + timedelta(microseconds=999_999 * (at.day % 2)),
            text="tick",
        )
        for at in seconds
    ]
    return attrs.evolve(company, messages=tuple(messages))


@pytest.fixture(params=["Europe/Berlin", "Pacific/Kiritimati", "Etc/GMT+12"])
def workspace(workspace: Slack, request: pytest.FixtureRequest) -> Slack:
    """Give a workspace to somebody in each of these zones: days are theirs there."""
    robin, *others = workspace.company.people
    people = (attrs.evolve(robin, time_zone=request.param), *others)
    workspace.company = attrs.evolve(workspace.company, people=people)
    return workspace


@pytest.mark.parametrize("why", ["", "feature_not_enabled"])
@pytest.mark.parametrize("at", MOMENTS, ids=str)
async def test_a_second_is_found_by_itself(
    slack: Scene, workspace: Slack, at: datetime, why: str
) -> None:
    """What was said in the second that is both ends of a window is found, once, and no other."""
    workspace.search_error = why

    found = await slack.find("tick", since=at, until=at)

    assert [at.astimezone(UTC)] == [item.timestamp for item in found]


@pytest.mark.parametrize("why", ["", "feature_not_enabled"])
@pytest.mark.parametrize("at", MOMENTS, ids=str)
async def test_two_windows_that_meet_divide_all(
    slack: Scene, workspace: Slack, at: datetime, why: str
) -> None:
    """What is not in the one is in the other, and nothing in both."""
    workspace.search_error = why
    before = await slack.find("tick", until=at)
    after = await slack.find("tick", since=at.astimezone(UTC) + timedelta(seconds=1))

    every = [item.ref.id for item in await slack.find("tick")]
    assert sorted(every) == sorted(item.ref.id for item in (*before, *after))


async def test_a_channel_by_its_name_keeps_the_window(slack: Scene) -> None:
    """Its history begins and ends where the window does."""
    at = MOMENTS[0]
    query = Query(account="slack", text="backend", fields=("channel_name",), since=at, until=at)

    found = [item.timestamp async for item in slack.source.rove_search(query)]

    assert [at.astimezone(UTC)] == found


def test_days_are_asked_for_wide_enough_for_every_zone() -> None:
    """The day that is named is left out by Slack, and a day may begin half a day earlier there."""
    at = datetime(2024, 12, 31, 23, 59, tzinfo=ZoneInfo("Pacific/Kiritimati"))
    wanted = SearchTerms.of(Query(account="slack", text="tick", since=at, until=at))

    assert wanted.phrases_and_days == '"tick" after:2024-12-29 before:2025-01-02'


async def test_a_second_is_not_divided(slack: Scene) -> None:
    """Times are whole seconds everywhere: a window that begins within one begins with it."""
    at = MOMENTS[1].astimezone(UTC)

    (item,) = await slack.find("tick", since=at + timedelta(milliseconds=500), until=at)

    assert item.timestamp == at
