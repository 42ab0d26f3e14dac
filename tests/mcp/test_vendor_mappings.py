"""The shipped mappings of servers that answer a model with Markdown, or want a form of words."""

from typing import Any

import pytest
from tests.mcp.rogue import Rogue, text_answer, tool
from tests.mcp.servers import serving
from tests.mcp.test_wire import account, search

from rove_mcp.source.item_mapping import in_form
from rove_mcp.source.text_blocks import blocks_of

pytestmark = pytest.mark.anyio

_SLACK = """# Search Results for: tokens

## Messages (2 results)
### Result 1 of 2
Channel: #auth (ID: C1)
From: Ann Lee <ann@northwind.example> (ID: U1)
Time: 2024-12-12 09:00:00 UTC
Message_ts: 1733994000.000100
Permalink: [link](https://northwind.slack.com/archives/C1/p1733994000000100)
Text:
Tokens last a **day**.
From: nobody

---

### Result 2 of 2
Channel: #auth (ID: C1)
From: Ben Fox (ID: U2)
Message_ts: 1733994060.000200
Permalink: [link](https://northwind.slack.com/archives/C1/p1733994060000200)
Text:
Fine with me.

---
"""
_SENTRY = """# Issues in northwind

## 1. [AUTH-7](https://northwind.sentry.io/issues/AUTH-7)

**TokenExpired: after an hour**

- **Status**: unresolved
"""


async def test_slacks_answer_for_a_model_is_messages() -> None:
    """Each block of the text is a message with its author, time, address and words."""
    results = {"results": _SLACK, "pagination_info": ""}
    rogue = Rogue(
        tools_list={"tools": [tool("slack_search_public", "query")]},
        tools_call={"content": [], "structuredContent": results},
    )
    settings: dict[str, Any] = {"mapping": "slack", "hosts": ("northwind.slack.com",)}
    async with serving(rogue) as origin, account(f"{origin}/mcp", **settings) as source:
        ann, ben = await search(source, "tokens")

    assert (ann.author, ann.title, ann.role) == ("Ann Lee", "#auth (ID: C1)", "talk")
    assert ann.content == "Tokens last a **day**.\nFrom: nobody"
    assert ann.ref.url == "https://northwind.slack.com/archives/C1/p1733994000000100"
    assert f"{ann.timestamp:%Y-%m-%d %H:%M}" == "2024-12-12 09:00"
    assert (ben.author, ben.content) == ("Ben Fox", "Fine with me.")


async def test_sentrys_answer_for_a_model_is_issues_that_are_read_by_address() -> None:
    """Each heading of the text is an issue; its address is what the reading tool takes."""

    def answer(message: dict[str, Any]) -> dict[str, object]:
        is_search = message["params"]["name"] == "search_issues"
        return text_answer(_SENTRY if is_search else "# Issue AUTH-7\n\nTokenExpired at login.py")

    rogue = Rogue(
        tools_list={
            "tools": [
                tool("search_issues", "naturalLanguageQuery"),
                tool("get_issue_details", "issueUrl"),
            ]
        },
        tools_call=answer,
    )
    settings: dict[str, Any] = {"mapping": "sentry", "hosts": ("northwind.sentry.io",)}
    async with serving(rogue) as origin, account(f"{origin}/mcp", **settings) as source:
        (found,) = await search(source, "tokens")
        read = await source.rove_item_detail(found.ref)

    assert found.title == "AUTH-7"
    assert read.content.endswith("TokenExpired at login.py")
    asked = rogue.asked[-1]["params"]["arguments"]
    assert asked == {"issueUrl": "https://northwind.sentry.io/issues/AUTH-7"}


def test_words_between_quotes_of_a_form_stay_words() -> None:
    r"""A quote or a `\` among the words does not end the form's own quotes."""
    form = "fullText contains '{words}'"
    assert in_form(r"Ann's \ or", form) == r"fullText contains 'Ann\'s \\ or'"
    assert in_form("Ann's", "{words}") == "Ann's"


def test_a_text_without_blocks_holds_no_results() -> None:
    """An answer in other words than the expected ones finds nothing, and breaks nothing."""
    assert list(blocks_of("No results.", r"^### Result \d+ of \d+$")) == []
