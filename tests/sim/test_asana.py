"""Asana in a box: what it answers, what it refuses, and what it describes of that."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import pytest
from attrs import evolve

from rove_core import JSON
from rove_core.testing import VirtualClock
from rove_sim import Company, Conduct
from rove_sim.asana import Asana
from rove_sim.company_asana import AsanaPlace, AsanaTask, asana_gid
from rove_sim.company_people import Person
from rove_sim.server import Request, Response
from rove_sim.specification_checks_asana import AsanaDescription

TOKEN: Final = "CANARY-asana-of-the-box"  # noqa: S105  # nobody's
AT: Final = datetime(2024, 12, 1, 9, tzinfo=UTC)
KEYS: Final = "1200000000000001"
PROJECT: Final = asana_gid("project/Pilot")
SPACE: Final = asana_gid("workspace")
#: Modelled by hand: the description at hand says nothing of these.
UNDESCRIBED: Final = {
    "GET /-/oauth_authorize",
    "GET /assets/{gid}",
    "GET /api/1.0/workspaces/{workspace}/custom_fields",
    "GET /api/1.0/workspaces/{workspace}/projects",
    "GET /api/1.0/workspaces/{workspace}/tags",
    "POST /-/oauth_token",
    "POST /api/1.0/sections/{section}/addTask",
    "POST /api/1.0/tasks/{task}/addTag",
    "POST /api/1.0/tasks/{task}/removeTag",
    "POST /api/1.0/tasks/{task}/setParent",
}


@pytest.fixture
def clock() -> VirtualClock:
    """Give a clock that waits without waiting."""
    return VirtualClock(AT)


@pytest.fixture
def asana(clock: VirtualClock) -> Asana:
    """Give a workspace with one task."""
    task = AsanaTask(
        gid=KEYS,
        name="Rotate keys",
        notes="Once a <em>day</em>",
        author="ann",
        created=AT,
        places=(AsanaPlace(project="Pilot"),),
    )
    people = (Person(key="ann", name="Ann Lee"),)
    return Asana(Company(name="Northwind", token=TOKEN, people=people, tasks=(task,)), clock=clock)


def _ask(asana: Asana, path: str, *, token: str = TOKEN, **query: str) -> Response:
    headers = {"authorization": f"Bearer {token}"}
    return asana(Request("GET", f"/api/1.0/{path}", query, headers, b""))


def _send(asana: Asana, method: str, path: str, **data: JSON) -> Response:
    body = json.dumps({"data": data}).encode()
    headers = {"authorization": f"Bearer {TOKEN}"}
    return asana(Request(method, f"/api/1.0/{path}", {}, headers, body))


def _data(response: Response) -> Any:  # noqa: ANN401  # JSON of any kind
    assert isinstance(response.value, dict)
    return response.value["data"]


def _said(response: Response) -> tuple[int, str]:
    assert isinstance(response.value, dict)
    errors: Any = response.value["errors"]
    return response.status, errors[0]["message"]


def test_few_routes_are_undescribed(asana: Asana, specifications: Path) -> None:
    """A further one has to be added here by hand."""
    description = AsanaDescription(specifications)
    found = {
        f"{each.method} {each.path}" for each in asana.routes() if not description.operation(each)
    }

    assert found == UNDESCRIBED


def test_a_field_that_is_none_would_be_found(asana: Asana, specifications: Path) -> None:
    """And so would one of the wrong type in a change."""
    _ask(asana, f"tasks/{KEYS}", opt_fields="name,colour")
    _send(asana, "PUT", f"tasks/{KEYS}", name=7)
    description = AsanaDescription(specifications)
    first, second = [description.problems(each) for each in asana.exchanges]

    assert first == [f"GET /api/1.0/tasks/{KEYS}: has no field colour"]
    assert "7 is not of type" in second[0]


def test_only_what_is_asked_for_is_told(asana: Asana) -> None:
    """Of other objects, too; without asking, an object is compact in a list."""
    asked = _ask(asana, f"tasks/{KEYS}", opt_fields="html_notes,memberships.project.name")
    listed = _data(_ask(asana, "tasks", project=PROJECT))

    assert _data(asked) == {
        "gid": KEYS,
        "html_notes": "<body>Once a <em>day</em></body>",
        "memberships": [{"project": {"gid": PROJECT, "name": "Pilot"}}],
    }
    assert {*listed[0]} == {"gid", "name", "resource_type", "resource_subtype"}


@pytest.mark.parametrize(
    ("path", "query", "refusal"),
    [
        ("tasks/99", {}, (404, "task: Unknown object: 99")),
        ("tasks", {}, (400, "You should specify one of project")),
        ("tasks", {"project": PROJECT, "offset": "x"}, (400, "offset: Your pagination token")),
        (f"workspaces/{SPACE}/typeahead", {}, (400, "resource_type: expected task")),
    ],
)
def test_wrong_questions_are_refused(
    asana: Asana, path: str, query: dict[str, str], refusal: tuple[int, str]
) -> None:
    """With a status, and words."""
    status, said = _said(_ask(asana, path, **query))

    assert status == refusal[0]
    assert said.startswith(refusal[1])


def test_a_free_plan_has_no_search(asana: Asana) -> None:
    """It has names."""
    asana.plan = "free"
    refused = _ask(asana, f"workspaces/{SPACE}/tasks/search", text="keys")
    named = _ask(asana, f"workspaces/{SPACE}/typeahead", resource_type="task", query="ke")

    assert refused.status == 402
    assert [each["gid"] for each in _data(named)] == [KEYS]


def test_a_search_finds_whole_words_from_their_beginning(asana: Asana) -> None:
    """In names and descriptions; the ends of a window are not in it."""
    search = f"workspaces/{SPACE}/tasks/search"
    ends = {"modified_at.after": AT.isoformat()}

    assert len(_data(_ask(asana, search, text="rot day"))) == 1
    assert _data(_ask(asana, search, text="otate")) == []
    assert _data(_ask(asana, search, text="rot", **ends)) == []


def test_events_begin_with_a_token(asana: Asana, clock: VirtualClock) -> None:
    """The first one comes with a refusal, and each lasts a day."""
    first = _ask(asana, "events", resource=PROJECT)
    assert isinstance(first.value, dict)
    sync = str(first.value["sync"])
    asana.put(evolve(asana.task(KEYS), name="Turn keys"))
    told = _data(_ask(asana, "events", resource=PROJECT, sync=sync))
    clock.advance(timedelta(days=2).total_seconds())
    late = _ask(asana, "events", resource=PROJECT, sync=sync)

    assert (first.status, late.status) == (412, 412)
    assert [(each["action"], each["resource"]["gid"]) for each in told] == [("changed", KEYS)]


@pytest.mark.parametrize(
    "html",
    [
        "no body",
        "<body><b>bold</b></body>",
        "<body>a < b</body>",
        "<body><ul>a<p>b</p></ul></body>",
        "<body><h1>a\nb</h1></body>",
        '<body><strong class="x">a</strong></body>',
    ],
)
def test_rich_text_must_be_well_formed(asana: Asana, html: str) -> None:
    """Few elements are known, and some may not stand in others."""
    refused = _send(asana, "PUT", f"tasks/{KEYS}", html_notes=html)

    assert refused.status == 400
    assert asana.task(KEYS).notes == "Once a <em>day</em>"


def test_a_completed_task_tells_when(asana: Asana) -> None:
    """And its history says so."""
    _send(asana, "PUT", f"tasks/{KEYS}", completed=True)
    (story,) = _data(_ask(asana, f"tasks/{KEYS}/stories", opt_fields="type,resource_subtype"))

    assert asana.task(KEYS).completed is not None
    assert (story["type"], story["resource_subtype"]) == ("system", "marked_complete")


def test_limits_are_of_a_minute(asana: Asana, clock: VirtualClock) -> None:
    """Fewer on the free plan; the refusal says how long to wait."""
    asana.plan, asana.conduct = "free", Conduct(limits=True)
    for _ in range(150):
        assert _ask(asana, "users/me").status == 200
    refused = _ask(asana, "users/me")
    clock.advance(61)

    assert (refused.status, int(refused.headers["retry-after"])) == (429, 61)
    assert _ask(asana, "users/me").status == 200


def test_another_token_is_refused(asana: Asana) -> None:
    """So is one that may not write, when it does."""
    asana.reading_token = "CANARY-asana-of-a-reader"  # noqa: S105  # nobody's
    headers = {"authorization": f"Bearer {asana.reading_token}"}
    body = b'{"data": {"name": "x"}}'
    written = asana(Request("PUT", f"/api/1.0/tasks/{KEYS}", {}, headers, body))

    assert _ask(asana, "users/me", token="nobody").status == 401  # noqa: S106  # nobody's
    assert _ask(asana, "users/me", token=asana.reading_token).status == 200
    assert written.status == 403
