import pytest

from rove_core import ItemRef
from rove_core.testing import Scene

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("Blocked by TB-2, see OPS-3.", ["TB-2", "OPS-3"]),
        ("TB-2, and once more TB-2", ["TB-2"]),
        ("on branch feature/TB-2-rotate", ["TB-2"]),
        ("https://linear.app/northwind/issue/TB-2/rotate-keys", ["TB-2"]),
        ("https://linear.app/northwind/issue/NEW-2#comment-c1", ["NEW-2"]),
        ("https://linear.app/globex/issue/TB-2/rotate-keys", []),
        ("https://northwind.atlassian.net/browse/TB-2", []),
        ("JIRA-2 is of another tracker, and so is UTF-8", []),
        ("ATB-2 TB-2x tb-2", []),
    ],
)
async def test_recognises_its_own(linear: Scene, text: str, ids: list[str]) -> None:
    """Identifiers of the workspace's teams count, and pages of this workspace alone."""
    assert ids == [ref.id for ref in linear.recognise(text)]


async def test_a_reference_leads_to_the_workspace(linear: Scene) -> None:
    """A person can follow what was recognised."""
    url = "https://linear.app/northwind/issue/TB-2"

    assert [ItemRef("linear", "ticket", "TB-2", url)] == list(linear.recognise("TB-2"))


async def test_a_stranger_goes_by_the_shape(stranger: Scene) -> None:
    """Before the teams are known all that looks like an identifier is one, but no standard."""
    assert [ref.id for ref in stranger.recognise("JIRA-2 is no UTF-8")] == ["JIRA-2"]


async def test_a_stranger_owns_no_page(stranger: Scene) -> None:
    """Before the workspace is known no page is its own."""
    assert stranger.recognise("https://linear.app/northwind/issue/TB-2") == []
