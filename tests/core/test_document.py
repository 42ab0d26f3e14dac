"""What a document looks like."""

from datetime import UTC, datetime

from rove_core.document import Consulted, Findings, render
from rove_core.items import ContextItem, ItemRef
from rove_core.keywords import keywords
from rove_core.plain import JSON

AT = datetime(2024, 12, 15, 9, 30, tzinfo=UTC)
SEED = """\
# Context: TB-123 - User Authentication Flow

> Support OAuth2. [1]

— *Opened by Priya Nair, Dec 12, 2024*

## Related Discussions

### Requirements

> We need API keys too. [2]

— *Sarah Chen in #backend-team, Dec 15, 2024*

> Decided to use python-jose. [3]

— *Comment on TB-123 by Mike Torres, Dec 15, 2024*

## Related Code

### PR #847: Add a provider

> Implements TB-123. [4]

— *Opened by Sarah Chen, Dec 20, 2024*

---

## Sources Consulted

| Source | Items Found | Last Updated |
|--------|-------------|--------------|
| Jira | 1 | 2024-12-15 |
| Slack | 1 | failed: no answer |
| GitHub | 1 | 2024-12-15 |

## References

[1]: https://jira.acme.example/TB-123 "Jira: User Authentication Flow"
[2]: https://acme.slack.com/p1 "Slack: Requirements"
[3]: https://acme.slack.com/p2 "Slack: A comment"
[4]: https://github.com/847 "GitHub: PR #847: Add a provider"
"""


def item(
    kind: str, url: str, *, title: str, content: str, author: str, **more: JSON
) -> ContextItem:
    """Return an item of one of the sources."""
    account = next(name for name in ("slack", "github", "jira") if name in url)
    ref = ItemRef(account, kind, "TB-123", url)
    return ContextItem(ref, account, title, content, AT, author, more)


def test_the_promised_document() -> None:
    """Discussions, code, sources and references stand as they were promised."""
    ticket = item(
        "ticket",
        "https://jira.acme.example/TB-123",
        title="User Authentication Flow",
        content="Support OAuth2.",
        author="Priya Nair",
        created="2024-12-12T09:00:00Z",
    )
    comment = item(
        "comment",
        "https://acme.slack.com/p2",
        title="A comment",
        content="Decided to use python-jose.",
        author="Mike Torres",
        on="TB-123",
    )
    thread = item(
        "thread",
        "https://acme.slack.com/p1",
        title="Requirements",
        content="We need API keys too.",
        author="Sarah Chen",
        channel="backend-team",
    )
    pull = item(
        "pr",
        "https://github.com/847",
        title="PR #847: Add a provider",
        content="Implements TB-123.",
        author="Sarah Chen",
        created="2024-12-20T10:00:00Z",
    )
    whole = ContextItem(
        thread.ref,
        thread.source,
        thread.title,
        thread.content,
        AT,
        thread.author,
        thread.metadata,
        thread=(comment,),
    )

    document = render(
        Findings(
            ticket=ticket,
            items=(whole, pull),
            consulted=(
                Consulted(account="jira", title="Jira", found=1, updated=AT),
                Consulted(account="slack", title="Slack", found=1, failure="no answer"),
                Consulted(account="github", title="GitHub", found=1, updated=AT),
            ),
        )
    )

    assert document == SEED


def test_keywords_prefer_the_title() -> None:
    """A word of the title weighs more than one of the text."""
    assert keywords("Login flow", "the button is blue blue") == ("login", "flow", "blue", "button")
