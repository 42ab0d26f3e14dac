"""Work items, read and changed through the accounts: checked, harmless, never with a mark."""

import pytest
from attrs import evolve

from rove_core import (
    Account,
    Conflict,
    ItemRef,
    ListScope,
    NewComment,
    PluginFailed,
    Trackers,
    WorkItem,
    WorkItemChange,
    WorkItemHooks,
    WrongCall,
    hookimpl,
)
from rove_core.plugins.accounts import Accounts
from rove_core.plugins.loader import use_plugins
from rove_core.testing.reference_tracker import (
    ReferenceBoard,
    ReferenceTracker,
    TrackerSettings,
)

pytestmark = pytest.mark.anyio
CARD = ItemRef(account="board", kind="card", id="CARD-1")
TOKEN = "ghp_" + "a8Dk3jF9sLq2Zx7Vb1Nm5Pw4Rt6Yu0Ie8Cv2"  # of no account


def trackers(*titles: str) -> tuple[Trackers, ReferenceBoard]:
    """Return an account of a board with some cards."""
    accounts, board = Accounts(use_plugins([]).manager), ReferenceBoard()
    for title in titles:
        board.add(title, description=f"About {title}")
    account = Account(name="board", kind="board", settings=TrackerSettings())
    accounts.connect("board", ReferenceTracker(account, board), ["board.example"])
    return Trackers(accounts), board


async def test_what_is_read_is_harmless() -> None:
    """Neither a secret nor a hidden character comes in with a work item."""
    work, board = trackers(f"Key {TOKEN}\u202e")
    board.cards["CARD-1"].labels = (TOKEN,)
    read = await work.item(CARD)

    assert read.title.startswith("Key [secret:github")
    assert TOKEN not in repr(read)
    assert "\u202e" not in read.title


async def test_what_is_listed_is_harmless() -> None:
    """The work beside what people said is sanitised as well."""
    work, _ = trackers(f"Key {TOKEN}")
    scope = ListScope(account="board")
    listed = [change async for change in work.accounts.list_changes(scope)]

    assert listed[0].work is not None
    assert TOKEN not in repr(listed)


async def test_a_mark_is_never_written() -> None:
    """It would replace the secret that stands at the vendor."""
    work, board = trackers(f"Key {TOKEN}")
    read = await work.item(CARD)
    with pytest.raises(WrongCall, match="would replace the secret"):
        await work.change(CARD, WorkItemChange(title=f"{read.title} again"))

    assert TOKEN in board.cards["CARD-1"].title


async def test_who_is_late_is_told() -> None:
    """The error of the source comes through, with the account it is of."""
    work, _ = trackers("Login")
    read = await work.item(CARD)
    await work.change(CARD, WorkItemChange(priority=4))
    with pytest.raises(Conflict) as late:
        await work.change(CARD, WorkItemChange(priority=1, if_revision=read.revision))

    assert late.value.account == "board"


async def test_comment_and_status_reach_the_board() -> None:
    """What is asked of an account is done there."""
    work, board = trackers("Login")
    options = await work.status_options(CARD)
    await work.change(CARD, WorkItemChange(status=options[0].status.name))
    await work.comment(CARD, NewComment(content="Begun.", key="begun-0001"))

    assert board.cards["CARD-1"].status == "Doing"
    assert [*board.cards["CARD-1"].comments.values()] == ["Begun."]


class Confused(WorkItemHooks):
    """A source that gives something else than it should."""

    def __init__(self, given: object) -> None:
        self.given = given

    @hookimpl
    async def rove_work_item(self, ref: ItemRef) -> WorkItem:  # noqa: ARG002  # whatever is asked for
        """Give it."""
        return self.given  # type: ignore[return-value]  # that is the point


@pytest.mark.parametrize("is_foreign", [True, False])
async def test_a_confused_source_is_blamed(*, is_foreign: bool) -> None:
    """For another class, and for an item of somebody else's account."""
    work, _ = trackers("Login")
    given: object = "a text"
    if is_foreign:
        given = evolve(await work.item(CARD), ref=evolve(CARD, account="other"))
    accounts = Accounts(use_plugins([]).manager)
    accounts.connect("board", Confused(given))  # type: ignore[arg-type]  # as above
    with pytest.raises(PluginFailed, match="rove_work_item gave"):
        await Trackers(accounts).item(CARD)


def test_a_change_names_its_fields() -> None:
    """Those that are set, and those that are cleared."""
    change = WorkItemChange(title="New", labels=(), clear=("due",))

    assert change.fields == ("title", "labels", "due")


@pytest.mark.parametrize("fields", [{"clear": ("status",)}, {"clear": ("due",), "due": "x"}])
def test_a_change_that_contradicts_itself_is_refused(fields: dict[str, object]) -> None:
    """A status cannot be taken away, and nothing is set and cleared at once."""
    with pytest.raises(ValueError, match=r"work item always has|set and cleared"):
        WorkItemChange(**fields)  # type: ignore[arg-type]  # that is the point
