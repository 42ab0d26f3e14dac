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
        ("git checkout ann/tb-2-rotate-keys", ["TB-2"]),
        ("tb-2-rotate-keys", ["TB-2"]),
        ("origin/ann/ops-3-vault and ann/ops-3", ["OPS-3"]),
        ("https://linear.app/northwind/issue/TB-2/rotate-keys", ["TB-2"]),
        ("https://linear.app/Northwind/issue/tb-2", ["TB-2"]),
        ("https://linear.app/northwind/issue/NEW-2#comment-c1", ["NEW-2"]),
        ("https://linear.app/globex/issue/TB-2/rotate-keys", []),
        ("https://northwind.atlassian.net/browse/TB-2", []),
        ("https://github.com/northwind/backend/tree/ann/tb-2-rotate", []),
        ("JIRA-2 is of another tracker, and so is UTF-8", []),
        ("ATB-2 TB-2x my-tb-2 robtb-2-x ann/utf-8-everywhere", []),
    ],
)
async def test_recognises_its_own(linear: Scene, text: str, ids: list[str]) -> None:
    """Identifiers of the workspace's teams count, its branches, and pages of it alone."""
    assert ids == [ref.id for ref in linear.recognise(text)]


async def test_a_reference_leads_to_the_workspace(linear: Scene) -> None:
    """A person can follow what was recognised."""
    url = "https://linear.app/northwind/issue/TB-2"

    assert [ItemRef(account="linear", kind="ticket", id="TB-2", url=url)] == list(
        linear.recognise("TB-2")
    )


async def test_a_stranger_goes_by_the_shape(stranger: Scene) -> None:
    """Before the teams are known all that looks like an identifier is one, but no standard."""
    text = "JIRA-2 is no UTF-8, SHA-256, COVID-19 or ISO-8601, and ann/tb-2-x is anybody's branch"

    assert [ref.id for ref in stranger.recognise(text)] == ["JIRA-2"]


async def test_a_stranger_owns_no_page(stranger: Scene) -> None:
    """Before the workspace is known no page is its own."""
    assert stranger.recognise("https://linear.app/northwind/issue/TB-2") == []
