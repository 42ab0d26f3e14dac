"""Listing channels: threads, newest first, what changed of them, and what is gone."""

import pytest

from rove_core import ItemNotFound, ListedChange
from rove_core.testing import Scene
from rove_sim.slack import Slack

pytestmark = pytest.mark.anyio


def ids(changes: list[ListedChange]) -> list[str]:
    """Return the ids of what is new or changed."""
    return [each.item.ref.id for each in changes if each.item]


def gone(changes: list[ListedChange]) -> list[str]:
    """Return the ids of what is gone."""
    return sorted(each.gone.id for each in changes if each.gone)


def asked(workspace: Slack) -> set[str]:
    """Return the methods that were called."""
    return {each.request.path.rpartition("/")[2] for each in workspace.exchanges}


async def test_threads_are_listed_whole(slack: Scene, workspace: Slack) -> None:
    """By the history of channels and the answers of threads, and by no search."""
    changes, _ = await slack.list_changes()
    found = [each.item for each in changes if each.item]

    assert found
    assert found == [await slack.detail(each.ref) for each in found]
    assert asked(workspace).isdisjoint({"search.messages", "assistant.search.context"})


async def test_conversations_of_some_people_are_private(slack: Scene) -> None:
    """A private channel and a direct message are, also if Slack does not call them so."""
    containers = {each.name: each.private for each in await slack.awaited("rove_containers")}

    assert containers == {"C0BACKEND": False, "G0HIRING": True, "C0OLD": False, "D0SARAH": True}


async def test_a_missing_scope_loses_no_channel(slack: Scene, workspace: Slack) -> None:
    """A channel of a kind that Slack does not list without the scope stays readable."""
    workspace.scopes = [each for each in workspace.scopes if each != "groups:read"]
    names = ["C0BACKEND", "G0HIRING", "C0GONE"]
    readable = await slack.awaited("rove_readable", names=names)

    assert [each.name for each in readable] == ["C0BACKEND", "G0HIRING"]


async def test_what_changed_is_listed(slack: Scene, workspace: Slack) -> None:
    """A new message, an answer, an edit of either; then nothing more."""
    first = workspace.post("backend-team", "mike", "One")
    second = workspace.post("backend-team", "mike", "Two")
    answer = workspace.post("backend-team", "mike", "Yes", thread=second)
    _, cursor = await slack.list_changes()
    third = workspace.post("backend-team", "mike", "Three")
    workspace.edit("backend-team", first, "One and a half")
    workspace.edit("backend-team", answer, "No")
    changes, cursor = await slack.list_changes(cursor)
    again, _ = await slack.list_changes(cursor)
    told = {each.item.ref.id: each.item for each in changes if each.item}

    assert sorted(told) == sorted(f"C0BACKEND/{each}" for each in (first, second, third))
    assert told[f"C0BACKEND/{first}"].content == "One and a half"
    assert told[f"C0BACKEND/{second}"].thread[0].content == "No"
    assert (ids(again), gone(again)) == ([], [])


async def test_deleted_threads_and_answers_are_told(slack: Scene, workspace: Slack) -> None:
    """A thread is gone; one that lost an answer is listed without it."""
    first = workspace.post("backend-team", "mike", "One")
    second = workspace.post("backend-team", "mike", "Two")
    answer = workspace.post("backend-team", "mike", "Yes", thread=second)
    _, cursor = await slack.list_changes()
    workspace.delete("backend-team", first)
    workspace.delete("backend-team", answer)
    changes, _ = await slack.list_changes(cursor)
    (left,) = [each.item for each in changes if each.item]

    assert gone(changes) == [f"C0BACKEND/{first}"]
    assert (left.content, left.thread) == ("Two", ())


async def test_a_long_channel_is_listed_once(slack: Scene, workspace: Slack) -> None:
    """However far back a listing stopped, the next one repeats nothing of what came before."""
    for number in range(350):
        workspace.post("backend-team", "mike", f"Message {number}")
    everything, _ = await slack.list_changes(containers=("C0BACKEND",))
    first, cursor = await slack.list_changes(containers=("C0BACKEND",), limit=320)
    rest, _ = await slack.list_changes(cursor, containers=("C0BACKEND",))

    assert ids(first) + ids(rest) == ids(everything)


async def test_very_many_new_threads_are_listed_back_to_the_last_ones(
    slack: Scene, workspace: Slack, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that the cursor stays small; it goes on where it stopped, and not to the beginning."""
    monkeypatch.setattr("rove_slack.listing._WATCHED", 3)
    monkeypatch.setattr("rove_slack.listing._MOST_NEW", 5)
    for number in range(10):
        workspace.post("backend-team", "mike", f"Old {number}")
    before, cursor = await slack.list_changes(containers=("C0BACKEND",))
    new = [workspace.post("backend-team", "mike", f"New {number}") for number in range(20)]
    told: list[str] = []
    for _ in range(30):
        changes, cursor = await slack.list_changes(cursor, containers=("C0BACKEND",), limit=7)
        told += ids(changes)

    assert {f"C0BACKEND/{each}" for each in new} <= {*told}
    assert len(told) == len({*told}) < len(new) + len(before)
    assert '"gap"' in cursor.replace("\\", "")


async def test_a_listing_goes_on_where_it_stopped(slack: Scene, workspace: Slack) -> None:
    """And repeats nothing, also when something is written meanwhile."""
    for number in range(9):
        workspace.post("backend-team", "mike", f"Message {number}")
    everything, _ = await slack.list_changes(containers=("C0BACKEND",))
    told: list[str] = []
    cursor = ""
    for turn in range(30):
        changes, cursor = await slack.list_changes(cursor, containers=("C0BACKEND",), limit=2)
        told += ids(changes)
        if turn == 1:
            new = workspace.post("backend-team", "mike", "Meanwhile")

    assert sorted(told) == sorted([*ids(everything), f"C0BACKEND/{new}"])


async def test_a_renamed_channel_is_listed_anew(slack: Scene, workspace: Slack) -> None:
    """Its threads stand in a channel of another name now."""
    before, cursor = await slack.list_changes(containers=("C0BACKEND",))
    workspace.conversations.rename("backend-team", "platform")
    changes, cursor = await slack.list_changes(cursor, containers=("C0BACKEND",))
    again, _ = await slack.list_changes(cursor, containers=("C0BACKEND",))

    assert sorted(ids(changes)) == sorted(ids(before))
    assert {each.item.facts.channel for each in changes if each.item} == {"platform"}
    assert ids(again) == []


async def test_a_channel_that_one_has_left_is_gone(slack: Scene, workspace: Slack) -> None:
    """With all that was listed of it lately; the error names it."""
    before, cursor = await slack.list_changes(containers=("C0BACKEND",))
    workspace.conversations.hide("backend-team")
    changes, _ = await slack.list_changes(cursor)
    with pytest.raises(ItemNotFound, match="C0BACKEND"):
        await slack.list_changes(cursor, containers=("C0BACKEND",))

    assert gone(changes) == sorted(ids(before))


async def test_channels_are_containers(slack: Scene) -> None:
    """With the names that people know."""
    found = await slack.awaited("rove_containers")

    assert "#backend-team" in {each.title for each in found if each.name == "C0BACKEND"}


async def test_a_direct_message_is_named_after_the_other_person(slack: Scene) -> None:
    """By the name that people know, as a container and in a thread."""
    found = await slack.awaited("rove_containers")
    changes, _ = await slack.list_changes(containers=("D0SARAH",))
    (thread,) = [each.item for each in changes if each.item]

    assert {each.name: each.title for each in found}["D0SARAH"] == "Direct message with Sarah Chen"
    assert (thread.facts.channel, thread.facts.short_name) == ("", "Direct message with Sarah Chen")


async def test_an_update_asks_for_no_names(slack: Scene, workspace: Slack) -> None:
    """A title that is not known yet is left out, so that the copy keeps the one it has."""
    (found,) = await slack.awaited("rove_readable", names=["D0SARAH"])

    assert (found.name, found.title) == ("D0SARAH", "")
    assert asked(workspace).isdisjoint({"users.info", "users.list"})
