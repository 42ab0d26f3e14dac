"""Whatever is missing or odd in a reply costs nobody's words."""

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import cache
from typing import Any

import pytest
from attrs import field, frozen
from hypothesis import given
from hypothesis import strategies as st

from rove_core import JSON, ContextItem, MalformedReply, Reply
from rove_core.json_reader import first_moment, read_all, read_each, read_one
from rove_github import replies
from rove_github.items import GitHubItems
from rove_github.references import GitHubNames

ITEMS = GitHubItems(GitHubNames("github", "github.com", ()))
BELOW = ITEMS.issue(replies.IssueReply(number=7, updated_at="2024-12-10T12:00:00Z"), "acme/api")
USER: JSON = {"login": "ann", "id": 1, "html_url": "https://github.com/ann", "type": "User"}
WORDS = "the words themselves"
ISSUE: JSON = {
    "number": 7,
    "title": "Rotate",
    "body": WORDS,
    "state": "open",
    "user": USER,
    "labels": ["bare", {"id": 5, "name": "auth"}],
    "assignee": USER,
    "assignees": [USER],
    "pull_request": {"merged_at": "2024-12-10T12:00:00Z", "url": "u"},
    "html_url": "https://github.com/acme/api/pull/7",
    "repository_url": "https://api.github.com/repos/acme/api",
    "created_at": "2024-12-10T12:00:00Z",
    "updated_at": "2024-12-10T12:00:00Z",
}
SAID: JSON = {
    "id": 5,
    "body": WORDS,
    "user": USER,
    "state": "APPROVED",
    "path": "a.py",
    "line": 3,
    "original_line": 3,
    "in_reply_to_id": 4,
    "created_at": "2024-12-10T12:00:00Z",
    "updated_at": "2024-12-10T12:00:00Z",
    "submitted_at": "2024-12-10T12:00:00Z",
}
COMMIT: JSON = {
    "sha": "a" * 40,
    "html_url": f"https://github.com/acme/api/commit/{'a' * 40}",
    "commit": {
        "message": WORDS,
        "author": {"name": "Ann", "date": "2024-12-10T12:00:00Z"},
        "committer": {"name": "Ann", "date": "2024-12-10T12:00:00Z"},
    },
    "author": {},
    "repository": {"full_name": "acme/api"},
}
ODD = st.sampled_from([None, 0, 1.5, True, "", "odd", [], ["odd"], {}, {"odd": [1]}, [[None]]])


@cache
def _paths(text: str) -> list[tuple[str | int, ...]]:
    return list(_all_paths(json.loads(text)))


def _all_paths(value: JSON) -> Iterator[tuple[str | int, ...]]:
    inner: list[tuple[str | int, JSON]] = []
    if isinstance(value, Mapping):
        inner = list(value.items())
    elif isinstance(value, list):
        inner = list(enumerate(value))
    for key, each in inner:
        yield (key,)
        yield from ((key, *path) for path in _all_paths(each))


@st.composite
def _spoilt(draw: st.DrawFn, value: JSON) -> JSON:
    """Return a reply without some of its parts, or with other things in their place."""
    text = json.dumps(value)
    spoilt: dict[str, JSON] = json.loads(text)
    for path in draw(st.lists(st.sampled_from(_paths(text)), max_size=6)):
        *above, last = path
        # What lies below a part that is gone already cannot be spoilt any more.
        with suppress(KeyError, IndexError, TypeError):
            holder: Any = spoilt
            for step in above:
                holder = holder[step]
            if holder[last] == WORDS or WORDS in json.dumps(holder[last]):
                continue
            if draw(st.booleans()):
                del holder[last]
            else:
                holder[last] = draw(ODD)
    spoilt["unknown"] = draw(ODD)
    return spoilt


def _one(value: JSON, item: type[object]) -> ContextItem:
    (read,) = read_each([value], item)
    match read:
        case replies.IssueReply():
            return ITEMS.issue(read, "acme/api")
        case replies.CommentReply():
            return ITEMS.comment(read, BELOW)
        case replies.ReviewReply():
            return ITEMS.review(read, BELOW)
        case replies.LineComment():
            return ITEMS.line_comment(read, BELOW, resolved=None)
        case replies.CommitReply():
            return ITEMS.commit(read, "acme/api")
        case _:
            raise TypeError(item)


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        (ISSUE, replies.IssueReply),
        (SAID, replies.CommentReply),
        (SAID, replies.ReviewReply),
        (SAID, replies.LineComment),
        (COMMIT, replies.CommitReply),
    ],
)
@given(data=st.data())
def test_words_survive_whatever_is_odd_beside_them(
    value: JSON, shape: type[object], data: st.DataObject
) -> None:
    """With keys gone, null or of another kind there is an item, and it has the words."""
    item = _one(data.draw(_spoilt(value)), shape)

    assert WORDS in item.content
    assert item.ref.id.startswith("acme/api")
    assert item.timestamp.tzinfo is UTC


@pytest.mark.parametrize(
    ("value", "shape"), [(ISSUE, replies.IssueReply), (COMMIT, replies.CommitReply)]
)
def test_an_empty_object_is_an_item_too(value: JSON, shape: type[object]) -> None:
    """Nothing at all is required."""
    assert _one({}, shape).source == "github"
    assert isinstance(value, dict)
    assert _one(dict.fromkeys(value), shape).source == "github"


def test_the_new_version_of_the_api_is_read() -> None:
    """It has no ``assignee``; the old one may have that alone."""
    assert isinstance(ISSUE, dict)
    new = {name: each for name, each in ISSUE.items() if name != "assignee"}
    old = {name: each for name, each in ISSUE.items() if name != "assignees"}

    assert (
        _one(new, replies.IssueReply)
        == _one(old, replies.IssueReply)
        == _one(ISSUE, replies.IssueReply)
    )


def test_an_odd_thing_in_a_list_leaves_the_others() -> None:
    """One comment that is not an object costs itself, one that is half wrong nothing."""
    body = json.dumps(["odd", {"body": "first", "id": "x"}, None, {"body": "second"}]).encode()
    read = read_all(Reply(200, "https://api.github.com/x", {}, body), replies.CommentReply)

    assert [comment.body for comment in read] == ["first", "second"]


@pytest.mark.parametrize(("body", "read"), [(b"{}", read_all), (b"[]", read_one), (b"5", read_all)])
def test_another_shape_is_malformed(body: bytes, read: object) -> None:
    """A list for an object, or the other way round, is no answer of GitHub's."""
    assert callable(read)
    with pytest.raises(MalformedReply, match=r"api\.github\.com/x sent an unexpected reply"):
        read(Reply(200, "https://api.github.com/x", {}, body), replies.CommentReply)


def test_the_first_usable_time_counts() -> None:
    """One without a zone, or that is none, is passed over."""
    assert first_moment("", "soon", "2024-12-10T12:00:00", "2024-12-10T13:00:00+01:00") == datetime(
        2024, 12, 10, 12, tzinfo=UTC
    )
    assert first_moment("") is None


@frozen(kw_only=True)
class ReplyRow:
    """A row of it."""

    title: str = ""


@frozen(kw_only=True)
class ReplyTable:
    """A reply with a table of lists."""

    name: str = ""
    rows: Mapping[str, tuple[ReplyRow, ...]] = field(factory=dict)


@pytest.mark.parametrize("key", ["", "a.b", "[0]", "é", "1"])
def test_what_does_not_fit_under_any_key(key: str) -> None:
    """It is left out, however a vendor calls it, and all else stays."""
    rows: JSON = {key: [None, {"title": "kept"}, 7, *[None] * 5_000], "plain": [{"title": "too"}]}
    (read,) = read_each([{"name": "n", "rows": rows}], ReplyTable)

    assert read == ReplyTable(
        name="n", rows={key: (ReplyRow(title="kept"),), "plain": (ReplyRow(title="too"),)}
    )


def test_what_never_fits() -> None:
    """A value too deep to be read counts as empty."""
    deep: JSON = "x"
    for _ in range(100_000):
        deep = [deep]
    (read,) = read_each([{"name": "n", "rows": deep}], ReplyTable)

    assert read in (ReplyTable(name="n"), ReplyTable())
