import pytest

from rove_core import MalformedReply
from rove_core.testing import Scene
from rove_linear.faults import fault

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("query", "variables"),
    [
        ("query { projects { nodes { id } } }", {}),
        ("query Issue { issue { title } }", {}),
        ("mutation { issueDelete(id: 1) { success } }", {"id": "TB-2"}),
        ("", {}),
    ],
)
async def test_refuses_what_it_does_not_know(
    linear: Scene, query: str, variables: dict[str, str]
) -> None:
    """A plugin that asks anything else fails against the simulator as it would at Linear."""
    http = linear.http.reading(fault)

    with pytest.raises(MalformedReply, match="GRAPHQL_VALIDATION_FAILED"):
        await http.post("graphql", json={"query": query, "variables": variables})
