"""Whatever Slack leaves out, empties or invents: nothing is raised, and no word is lost."""

import copy
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias
from urllib.parse import parse_qs

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rove_core import Account, Http, ItemRef, Query
from rove_core.testing import FaultProxy, VirtualClock
from rove_core.testing.faults import SeenRequest, ServerReply
from rove_slack.blocks import SlackBlocks
from rove_slack.messages import ThreadMessage
from rove_slack.names import SlackNames
from rove_slack.settings import SlackSettings
from rove_slack.source import SlackSource

#: JSON as tests build and break it.
Given: TypeAlias = Any

NAMES = SlackNames(Http(account="slack", base_url="https://slack.invalid"))

#: What may stand around a word without being one.
_AROUND = st.text("<>&*_~`|\\[](){}#!-.: \n\"'", max_size=3)


@st.composite
def _words(draw: st.DrawFn) -> str:
    """Return a text with a word in it that can be told from others."""
    return f"{draw(_AROUND)}word{draw(st.integers(0, 10**6))}x{draw(_AROUND)}"


def _object(kind: str, **parts: st.SearchStrategy[Given]) -> st.SearchStrategy[Given]:
    return st.fixed_dictionaries({"type": st.just(kind), **parts})


_STYLE = st.dictionaries(st.sampled_from(["bold", "italic", "strike", "code"]), st.booleans())
_INLINE = st.one_of(
    _object("text", text=_words(), style=_STYLE),
    _object("link", url=st.just("https://a.example"), text=_words(), style=_STYLE),
    _object("link", url=_words().map(lambda words: f"https://a.example/{words.strip()}")),
    _object("emoji", name=_words()),
    _object("broadcast", range=_words()),
    _object("date", timestamp=st.integers(), fallback=_words()),
    _object("color", value=_words()),
    _object("novelty", said=_words()),
    _object("novelty", elements=st.lists(_object("text", text=_words()), max_size=2)),
)
_LINE = st.lists(_INLINE, max_size=4)
_SECTION = _object("rich_text_section", elements=_LINE)
_RICH = _object(
    "rich_text",
    elements=st.lists(
        st.one_of(
            _SECTION,
            _object("rich_text_quote", elements=_LINE),
            _object("rich_text_preformatted", elements=_LINE),
            _object(
                "rich_text_list",
                style=st.sampled_from(["ordered", "bullet", "novel"]),
                indent=st.integers(-1, 12),
                elements=st.lists(_SECTION, max_size=3),
            ),
            _object("rich_text_novelty", elements=_LINE, said=_words()),
        ),
        max_size=4,
    ),
)
_PLAIN = _object("plain_text", text=_words(), emoji=st.booleans())
_ELEMENT = st.one_of(
    _object("button", text=_PLAIN, url=st.just("https://a.example"), value=st.just("machine")),
    _object("image", alt_text=_words(), image_url=st.just("machine")),
    _object(
        "static_select",
        placeholder=_PLAIN,
        options=st.lists(st.fixed_dictionaries({"text": _PLAIN, "value": st.just("machine")})),
    ),
    _object("novelty", caption=_words(), inside=st.lists(_PLAIN, max_size=2)),
)
_BLOCK = st.one_of(
    _RICH,
    _object("header", text=_PLAIN),
    _object("divider"),
    _object("markdown", text=_words()),
    _object("image", title=_PLAIN, alt_text=_words(), image_url=st.just("machine")),
    _object("section", text=_PLAIN, fields=st.lists(_PLAIN, max_size=3), accessory=_ELEMENT),
    _object("context", elements=st.lists(st.one_of(_PLAIN, _ELEMENT), max_size=3)),
    _object("actions", elements=st.lists(_ELEMENT, max_size=3), block_id=st.just("machine")),
    _object("input", label=_PLAIN, hint=_PLAIN, element=_ELEMENT),
    _object("video", title=_PLAIN, description=_PLAIN, alt_text=_words(), author_name=_words()),
    _object("table", rows=st.lists(st.lists(st.one_of(_PLAIN, _RICH), max_size=3), max_size=3)),
    _object("novelty", title=_words(), parts=st.lists(_ELEMENT, max_size=2)),
)
_BLOCKS = st.lists(_BLOCK, max_size=5)


def _places(value: Given) -> Iterator[tuple[Given, Any]]:
    """Yield every place of a JSON value: what holds it, and its key."""
    keys = list(value) if isinstance(value, dict) else range(len(value))
    for key in keys:
        yield value, key
        if isinstance(value[key], dict | list):
            yield from _places(value[key])


@st.composite
def _broken(draw: st.DrawFn, value: Given) -> Given:
    """Return a value with keys left out, emptied, or joined by ones that nobody knows."""
    broken = copy.deepcopy(value)
    for _ in range(draw(st.integers(1, 4))):
        places = list(_places(broken))
        if not places:
            break
        holder, key = draw(st.sampled_from(places))
        match draw(st.sampled_from(["drop", "null", "odd", "new"])):
            case "drop":
                del holder[key]
            case "null":
                holder[key] = None
            case "odd":
                holder[key] = draw(st.sampled_from([[], {}, 7, "?", [None], {"type": None}]))
            case "new" if isinstance(holder, dict):
                holder["novelty"] = draw(st.sampled_from([[{"type": "x"}], {"a": [1]}, True]))
            case _:
                holder.insert(key, draw(st.sampled_from([None, 7, "?", {"type": "novelty"}])))
    return broken


def _told(value: Given) -> Counter[str]:
    return Counter(re.findall(r"word\d+x", json.dumps(value)))


@given(_BLOCKS)
def test_each_word_of_blocks_is_told_once(blocks: Given) -> None:
    """Whatever Slack or an app makes of words, each is there, and none twice."""
    assert _told(blocks) == _told(SlackBlocks(NAMES).markdown(blocks))


@given(_BLOCKS)
def test_nothing_for_machines_is_told(blocks: Given) -> None:
    """Ids, values and addresses of pictures are no words."""
    assert "machine" not in SlackBlocks(NAMES).markdown(blocks)


@given(_BLOCKS.flatmap(_broken))
def test_broken_blocks_keep_their_words(blocks: Given) -> None:
    """What is left of a block that somebody broke is told."""
    assert _told(blocks) <= _told(SlackBlocks(NAMES).markdown(blocks))


def test_blocks_may_be_deep() -> None:
    """However deep a word stands, it is told."""
    block: Given = {"type": "plain_text", "text": "word1x"}
    for _ in range(5_000):
        block = {"type": "novelty", "elements": [block]}

    assert SlackBlocks(NAMES).markdown([block]) == "word1x"
    assert SlackBlocks(NAMES).attachments([block]) == "word1x"


_MESSAGE: Given = {
    "type": "message",
    "subtype": "thread_broadcast",
    "user": "U1",
    "bot_id": None,
    "bot_profile": {"name": "Deploys"},
    "ts": "1734264000.000100",
    "thread_ts": "1734264000.000100",
    "text": "word901x <@U1> *bold*",
    "blocks": [
        {
            "type": "rich_text",
            "elements": [
                {
                    "type": "rich_text_section",
                    "elements": [
                        {"type": "text", "text": "word901x "},
                        {"type": "user", "user_id": "U1"},
                        {"type": "text", "text": " bold", "style": {"bold": True}},
                    ],
                }
            ],
        }
    ],
    "attachments": [{"text": "word902x", "fields": [{"title": "word903x", "value": "word904x"}]}],
    "files": [{"name": "word905x.pdf", "title": "word905x.pdf"}],
    "edited": {"user": "U1", "ts": "1734264060.000000"},
    "reactions": [{"name": "+1", "users": ["U1"], "count": 1}],
}


def _by_a_program_with_other_words() -> Given:
    """Return a program's message whose blocks lack a word that its notification has."""
    message = {**copy.deepcopy(_MESSAGE), "bot_id": "B1"}
    del message["blocks"][0]["elements"][0]["elements"][0]
    return message


@given(_broken(_MESSAGE))
@example(_by_a_program_with_other_words())
@settings(max_examples=300)
def test_a_broken_message_keeps_its_words(message: Given) -> None:
    """One odd key costs what it held, and nothing besides."""
    told = ThreadMessage(message, NAMES)
    # Beside blocks, the plain text of a program is what its notification shows, and no part of it.
    has_blocks = SlackBlocks(NAMES).markdown(message.get("blocks")).strip()
    said = {**message, "text": ""} if told.is_bot and has_blocks else message

    assert _told(said).keys() <= _told(told.content).keys()
    assert isinstance(told.author, str)
    assert isinstance(json.dumps(told.metadata), str)


_THREAD: Given = {
    "ok": True,
    "messages": [
        _MESSAGE,
        {**_MESSAGE, "ts": "1734264001.000100", "text": "word911x", "blocks": []},
        {**_MESSAGE, "ts": "1734264002.000100", "text": "word912x", "blocks": []},
    ],
    "has_more": False,
    "response_metadata": {"next_cursor": ""},
}
_USER: Given = {"ok": True, "user": {"name": "ann", "profile": {"real_name": "Ann Lee"}}}
_CHANNEL: Given = {"ok": True, "channel": {"id": "C1", "name": "general", "is_im": False}}
_HIT: Given = {
    "author_name": "Ann Lee",
    "author_user_id": "U1",
    "channel_id": "C1",
    "channel_name": "general",
    "message_ts": "1734264000.000100",
    "content": "word901x",
    "permalink": "https://northwind.slack.com/archives/C1/p1734264000000100",
    "blocks": _MESSAGE["blocks"],
}
_MATCH: Given = {
    "ts": "1734264000.000100",
    "user": "U1",
    "username": "ann",
    "text": "word901x",
    "channel": {"id": "C1", "name": "general", "is_im": False},
    "permalink": "https://northwind.slack.com/archives/C1/p1734264000000100",
}
_OTHER_HIT: Given = {**_HIT, "message_ts": "1734264009.000100", "permalink": ""}
_OTHER_MATCH: Given = {**_MATCH, "ts": "1734264009.000100", "permalink": ""}
_FOUND: Given = {"ok": True, "results": {"messages": [_HIT, _OTHER_HIT]}}
_MATCHED: Given = {"ok": True, "messages": {"matches": [_MATCH, _OTHER_MATCH]}}
_NOT_HERE: Given = {"ok": False, "error": "feature_not_enabled"}


def _answering(**replies: Given) -> Callable[[SeenRequest], ServerReply]:
    """Return what gives each method its reply."""

    def answer(seen: SeenRequest) -> ServerReply:
        method = seen.path.rpartition("/")[2].replace(".", "_")
        given = {"ok": True, "messages": [{"ts": ts, "text": "anything"} for ts in _asked(seen)]}
        return ServerReply(body=json.dumps(replies.get(method, given)).encode())

    return answer


def _asked(seen: SeenRequest) -> list[str]:
    """Return the message that is asked for, if one is."""
    return parse_qs(seen.body.decode()).get("ts", [])


@st.composite
def _broken_thread(draw: st.DrawFn) -> Given:
    """Return a thread of which one message, a person and the channel are broken."""
    thread = copy.deepcopy(_THREAD)
    thread["messages"][1] = draw(_broken(thread["messages"][1]))
    thread["response_metadata"] = draw(st.sampled_from([None, {}, {"next_cursor": None}]))
    user = {"ok": True, "user": draw(_broken(_USER["user"]))}
    channel = {"ok": True, "channel": draw(_broken(_CHANNEL["channel"]))}
    return {
        "conversations_replies": thread,
        "users_info": user,
        "conversations_info": channel,
    }


@pytest.mark.anyio
@settings(max_examples=60)
@given(replies=_broken_thread())
async def test_an_odd_message_does_not_lose_its_thread(replies: Given) -> None:
    """All other messages arrive as ever, and of the odd one whatever is left."""
    async with FaultProxy(_answering(**replies)) as proxy:
        source, http = _source(proxy.url)
        item = await source.rove_item_detail(
            ItemRef(account="slack", kind="thread", id="C1/1734264000.000100")
        )
        await http.aclose()

    told = "\n".join(part.content for part in (item, *item.thread))
    said = replies["conversations_replies"]["messages"]
    assert _told(said).keys() <= _told(told).keys()


@pytest.mark.anyio
@settings(max_examples=60)
@given(hit=_broken(_HIT), match=_broken(_MATCH), newer=st.booleans())
async def test_an_odd_hit_does_not_lose_the_others(
    hit: Given, match: Given, *, newer: bool
) -> None:
    """A hit that leads nowhere is left out; its neighbour is found as ever."""
    found = copy.deepcopy(_FOUND)
    found["results"]["messages"][0] = hit
    matched = copy.deepcopy(_MATCHED)
    matched["messages"]["matches"][0] = match
    replies = {
        "search_messages": matched,
        "assistant_search_context": found if newer else _NOT_HERE,
    }
    async with FaultProxy(_answering(**replies)) as proxy:
        source, http = _source(proxy.url)
        query = Query(account="slack", text="anything")
        refs = [item.ref.id async for item in source.rove_search(query)]
        await http.aclose()

    assert "C1/1734264009.000100" in refs


def _source(url: str) -> tuple[SlackSource, Http]:
    account = Account(name="slack", kind="slack", settings=SlackSettings(), base_url=url)
    http = Http(account="slack", base_url=url, clock=VirtualClock())
    return SlackSource(account, http), http
