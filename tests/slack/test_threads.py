import pytest

from rove_core import ItemNotFound, ItemRef
from rove_core.testing import Scene
from rove_sim.slack import Slack

pytestmark = pytest.mark.anyio

ROOT = ItemRef(account="slack", kind="thread", id="C0BACKEND/1734264000.000100")


async def test_a_thread_is_one_item_with_its_messages(slack: Scene) -> None:
    """Its first message is the item itself, and who answered comes after it in order."""
    item = await slack.detail(ROOT)

    assert (item.author, item.facts.channel) == ("Sarah Chen", "backend-team")
    assert item.title == "TB-123: how long do tokens live?"
    assert [part.author for part in item.thread] == ["Robin Doe", "Omar Haddad", "Robin Doe"]


async def test_links_are_plain_addresses(slack: Scene) -> None:
    """Who looks for references in the text finds them."""
    item = await slack.detail(ROOT)

    assert item.content.endswith("**tokens** live? See https://example.com/a?b=1&c=2")


async def test_changed_messages_say_when(slack: Scene) -> None:
    """A message keeps the time it was written at, and says when it was changed."""
    reply = (await slack.detail(ROOT)).thread[1]

    assert reply.metadata["edited"] == "2024-12-15T12:25:00Z"
    assert reply.timestamp.isoformat() == "2024-12-15T12:20:00+00:00"


async def test_who_left_is_marked(slack: Scene) -> None:
    """An agent that would ask somebody learns that nobody is there any more."""
    reply = (await slack.detail(ROOT)).thread[1]

    assert reply.metadata["deactivated"] is True


async def test_a_guest_is_marked(slack: Scene) -> None:
    """What somebody from elsewhere says is not the company's word."""
    item = await slack.detail(ROOT)

    assert item.thread[1].facts.guest
    assert not item.facts.guest


async def test_a_guest_whom_a_search_named_is_marked(slack: Scene) -> None:
    """A search tells who wrote something, and not that they are a guest."""
    assert [item async for item in slack.search("fine")]

    assert (await slack.detail(ROOT)).thread[1].facts.guest


async def test_files_are_named(slack: Scene) -> None:
    """A message that brings a file says which."""
    reply = (await slack.detail(ROOT)).thread[2]

    assert (
        reply.content,
        list(reply.facts.attachments),
    ) == ("The plan\n\n[file: tokens.pdf]", ["tokens.pdf"])


async def test_each_message_has_its_own_address(slack: Scene) -> None:
    """A citation leads to the very message, within its thread."""
    reply = (await slack.detail(ROOT)).thread[0]

    assert reply.url == (
        "https://northwind.slack.com/archives/C0BACKEND/p1734264600000100"
        "?thread_ts=1734264000.000100&cid=C0BACKEND"
    )
    assert [ROOT.id] == [ref.id for ref in slack.recognise(reply.url)]


async def test_an_answer_leads_to_its_whole_thread(slack: Scene) -> None:
    """Somebody may have copied an address without its thread."""
    item = await slack.detail(
        ItemRef(account="slack", kind="thread", id="C0BACKEND/1734264600.000100")
    )

    assert (ROOT.id, 3) == (item.ref.id, len(item.thread))


async def test_a_message_alone_is_a_thread_of_one(slack: Scene, workspace: Slack) -> None:
    """Nobody answered; that is a thread as well."""
    ts = workspace.post("backend-team", "sarah", "Anybody?")

    assert (
        await slack.detail(ItemRef(account="slack", kind="thread", id=f"C0BACKEND/{ts}"))
    ).thread == ()


async def test_programs_are_named(slack: Scene, workspace: Slack) -> None:
    """What a program wrote in blocks is read, and marked as not a person's."""
    ts = next(posted.ts for posted in workspace.conversations.everything() if posted.author.bot)
    item = await slack.detail(ItemRef(account="slack", kind="thread", id=f"C0BACKEND/{ts}"))

    assert (item.author, item.facts.robot) == ("deploybot", True)
    assert item.content == "Deployed **TB-123** to `prod`"


async def test_a_direct_message_is_with_somebody(slack: Scene, workspace: Slack) -> None:
    """It has no channel, and its title says who it is with."""
    ts = workspace.post("sarah", "sarah", "<@U0OMAR>, <#C0OLD|>")
    item = await slack.detail(ItemRef(account="slack", kind="thread", id=f"D0SARAH/{ts}"))

    assert item.content == "@Omar Haddad, #old-plans"
    assert not item.facts.channel


@pytest.mark.parametrize("name", ["C0BACKEND/1.000000", "C0NOWHERE/1734264000.000100", "../x", ""])
async def test_what_is_not_there_is_not_found(slack: Scene, name: str) -> None:
    """The error names the id, and who could not see it."""
    with pytest.raises(ItemNotFound) as caught:
        await slack.detail(ItemRef(account="slack", kind="thread", id=name))

    assert caught.value.account == "slack"
    assert name in caught.value.message


async def test_not_found_says_who_looked(slack: Scene) -> None:
    """Somebody else may see what this account does not."""
    with pytest.raises(ItemNotFound, match="not found, or not visible to robin"):
        await slack.detail(ItemRef(account="slack", kind="thread", id="C0BACKEND/1.000000"))


async def test_names_are_asked_for_once(slack: Scene, workspace: Slack) -> None:
    """A thread that is read twice costs one question more."""
    await slack.detail(ROOT)
    before = len(workspace.exchanges)
    await slack.detail(ROOT)

    again = [exchange.request.path for exchange in workspace.exchanges[before:]]
    assert {"/api/conversations.replies"} == {*again}


async def test_without_names_ids_stand_for_them(slack: Scene, workspace: Slack) -> None:
    """A token that may not read people or channels still reads threads."""
    workspace.scopes = [scope for scope in workspace.scopes if "users" not in scope]
    workspace.scopes.remove("channels:read")
    item = await slack.detail(ROOT)

    assert (item.author, item.facts.channel) == ("U0SARAH", "C0BACKEND")
