"""The simulated Azure DevOps orders work items by the time, however many digits it writes."""

import json
from base64 import b64encode
from datetime import UTC, datetime, timedelta

from rove_core.json_reader import elements, integer
from rove_sim import Company
from rove_sim.azure import AzureDevOps
from rove_sim.company_azure import AzureWorkItem
from rove_sim.company_people import Person
from rove_sim.server import Request

_DAY = datetime(2026, 1, 1, tzinfo=UTC)
_QUERY = "SELECT [System.Id] FROM WorkItems ORDER BY [System.CreatedDate] DESC"


def test_times_of_several_lengths() -> None:
    """A time that ends with zeros is written shorter, and is no later for that."""
    items = tuple(
        AzureWorkItem(
            id=number,
            project="Tracker",
            title="Keys",
            author="ann",
            created=_DAY + timedelta(milliseconds=each),
        )
        for number, each in enumerate((0, 120, 123, 900), 1)
    )
    people = (Person(key="ann", name="Ann Lee"),)
    azure = AzureDevOps(Company(name="N", token="pat", people=people, work_items=items))  # noqa: S106  # a made-up token
    login = {"authorization": f"Basic {b64encode(b':pat').decode()}"}

    path, body = "/northwind/_apis/wit/wiql", json.dumps({"query": _QUERY}).encode()
    reply = azure(
        Request("POST", path, {"api-version": "7.1", "timePrecision": "true"}, login, body)
    )

    assert [integer(each, "id") for each in elements(reply.value, "workItems")] == [4, 3, 2, 1]
