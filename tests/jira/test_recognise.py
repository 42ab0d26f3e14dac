"""What is known as a ticket of the account in anybody's text."""

from collections.abc import Callable

import pytest

from rove_jira.references import JiraReferences
from rove_jira.source import JiraSource

SITE = "https://northwind.atlassian.net"


@pytest.fixture
def source(connect: Callable[..., JiraSource]) -> JiraSource:
    """Give a source that nobody answers; recognising needs nobody."""
    return connect("https://northwind.atlassian.net")


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("TB-1, (TB-2) and OPS-3.", ["TB-1", "TB-2", "OPS-3"]),
        ("feature/TB-1-login, fix/OPS-2_wait and refs/heads/TB-3", ["TB-1", "OPS-2", "TB-3"]),
        (f"{SITE}/browse/TB-1", ["TB-1"]),
        (f"<{SITE}/browse/TB-1|that one>.", ["TB-1"]),
        (f"[x]({SITE}/browse/TB-1?focusedCommentId=10)", ["TB-1"]),
        (f"{SITE}/browse/NEW-1, made after the login", ["NEW-1"]),
        (f"{SITE}/jira/software/projects/TB/boards/1?selectedIssue=TB-1", ["TB-1"]),
        (f"{SITE}/jira/software/c/projects/TB/boards/1?a=b&selectedIssue=TB-1#x", ["TB-1"]),
        (f"{SITE}/jira/software/projects/TB/issues/TB-1?filter=y", ["TB-1"]),
        (f"{SITE}/jira/servicedesk/projects/TB/queues/custom/7/TB-1", ["TB-1"]),
        ("HTTPS://NorthWind.Atlassian.Net/browse/TB-1", ["TB-1"]),
        (f"{SITE}/wiki/spaces/TB/pages/1/TB-1", []),
        (f"{SITE}/browse/TB-1x {SITE}/browse/TB {SITE}/issues/?jql=key%3DTB-1", []),
        ("https://acme.atlassian.net/browse/TB-1", []),
        ("https://evil.example/northwind.atlassian.net/browse/TB-1", []),
        (f"{SITE}.evil.example/browse/TB-1", []),
        ("UTF-8 SHA-256 COVID-19 ISO-8601 JIRA-1 ATB-1 my-tb-1 TB-1x TB-", []),
    ],
)
async def test_tickets_are_recognised(source: JiraSource, text: str, keys: list[str]) -> None:
    """Keys of the account's projects, and pages of its site; nothing else."""
    assert sorted(ref.id for ref in source.rove_recognise(text, None)) == sorted(keys)


@pytest.mark.anyio
async def test_a_ticket_is_recognised_once(source: JiraSource) -> None:
    """However often and in whichever way a text names it."""
    (ref,) = source.rove_recognise(f"TB-1 {SITE}/browse/TB-1 TB-1", None)

    assert (ref.account, ref.kind, ref.url) == ("jira:work", "ticket", f"{SITE}/browse/TB-1")


def test_whatever_looks_like_a_key_is_one_before_projects_are_known() -> None:
    """Standards and the like are not, though."""
    mentions = JiraReferences(("northwind.atlassian.net",), ())

    assert mentions.keys("ANY-1, UTF-8 and SHA-256") == ["ANY-1"]
