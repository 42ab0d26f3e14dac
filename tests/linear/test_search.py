from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import attrs
import pytest

from rove_core import ItemStatus, Query
from rove_core.testing import Scene
from rove_sim.linear import Linear

pytestmark = pytest.mark.anyio

NOON = datetime(2024, 10, 27, 12, tzinfo=ZoneInfo("Europe/Berlin"))


async def _ids(linear: Scene, text: str, *fields: str, **window: datetime) -> list[str]:
    query = Query(account="linear", text=text, fields=fields, **window)  # type: ignore[arg-type]  # as given
    return [item.ref.id async for item in linear.source.rove_search(query)]


@pytest.mark.parametrize("text", ["rotate day", "hour branch", "TB-2"])
async def test_finds_words_wherever_they_stand(linear: Scene, text: str) -> None:
    """An issue is found by its title and text, by what was said below it, by its identifier."""
    assert await _ids(linear, text) == ["TB-2"]


async def test_what_nobody_said_is_not_found(linear: Scene) -> None:
    """A search may end with nothing."""
    assert await _ids(linear, "kubernetes") == []


async def test_archived_issues_are_found(linear: Scene) -> None:
    """What was decided last year is what nobody remembers."""
    assert "OPS-3" in await _ids(linear, "vault")


@pytest.mark.parametrize("text", ["", "vault"])
@pytest.mark.parametrize("zone", [UTC, ZoneInfo("Europe/Berlin"), ZoneInfo("America/St_Johns")])
async def test_both_ends_of_a_window_belong_to_it(
    linear: Scene, workspace: Linear, text: str, zone: timezone | ZoneInfo
) -> None:
    """Just at its ends an issue is found, once; a millisecond outside it is not. In any zone."""
    (*_, vault) = workspace.company.issues
    moments = {"OPS-91": -1, "OPS-92": 0, "OPS-93": 3_600_000, "OPS-94": 3_600_001}
    for name, after in moments.items():
        at = NOON + timedelta(milliseconds=after)
        workspace.put(attrs.evolve(vault, identifier=name, updated=at))
    since = NOON.astimezone(zone)

    found = await _ids(linear, text, since=since, until=since + timedelta(hours=1))

    assert sorted(found) == ["OPS-92", "OPS-93"]


async def test_a_window_without_words_wants_all_that_changed(
    linear: Scene, workspace: Linear
) -> None:
    """Newest first, and without one of the few searches that Linear allows."""
    since = workspace.company.issues[2].created

    assert await _ids(linear, " ", since=since) == ["TB-2", "OPS-5", "OPS-4", "OPS-3"]
    assert "searchIssues" not in str(workspace.exchanges[-1].request.body)


async def test_nothing_at_all_finds_nothing(linear: Scene, workspace: Linear) -> None:
    """Neither words nor a window is no question."""
    before = len(workspace.exchanges)

    assert await _ids(linear, " ") == []
    assert len(workspace.exchanges) == before


@pytest.mark.parametrize(
    ("field", "text", "ids"),
    [
        ("ticket_id", "tb-2", ["TB-2"]),
        ("ticket_id", "rotate", []),
        ("ticket_id", "TB-2 OPS-3", []),
        ("ticket_title", "KEYS rotate", ["TB-2"]),
        ("ticket_title", "day", []),
        ("ticket_description", "day", ["TB-2"]),
        ("ticket_description", "rotate", []),
        ("comments", "hour", ["TB-2"]),
        ("comments", "day", []),
        ("labels", "auth", ["TB-2"]),
        ("labels", "vault", []),
    ],
)
async def test_a_field_can_be_named(linear: Scene, field: str, text: str, ids: list[str]) -> None:
    """Then a word counts there alone."""
    assert await _ids(linear, text, field) == ids


async def test_any_of_the_fields_will_do(linear: Scene) -> None:
    """Each word must occur in one of the fields, not in all of them."""
    assert await _ids(linear, "rotate hour", "ticket_title", "comments") == ["TB-2"]


async def test_fields_and_a_window_go_together(linear: Scene, workspace: Linear) -> None:
    """A search in fields keeps its window."""
    since = workspace.company.issues[3].created

    assert await _ids(linear, "vault", "ticket_title", since=since) == ["OPS-5", "OPS-4"]


async def test_a_hit_tells_what_it_is(linear: Scene) -> None:
    """What is found can be shown without asking again."""
    (item,) = await linear.find("rotate day")

    assert (item.title, item.author, item.facts.status) == (
        "Rotate keys",
        "Ann Lee",
        ItemStatus(name="In Progress", category="in_progress"),
    )
