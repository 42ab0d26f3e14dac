"""From a ticket to what it leads to: a thread names a pull request, and that another ticket."""

from pathlib import Path
from typing import TYPE_CHECKING

import attrs
import pytest

from rove_core import ItemRef
from rove_core.facts import ItemStatus
from rove_core.items import Link
from rove_core.project.explain import explain

if TYPE_CHECKING:
    from tests.core.team import Team

pytestmark = pytest.mark.anyio


@pytest.fixture
def led(team: "Team") -> "Team":
    """Give a team whose ticket leads to others over three hops, and back to itself."""
    for tool in team.tools:
        tool.items.clear()
    team.tickets.put(
        "T-123", "Users must stay logged in.", kind="ticket", title="User authentication flow"
    )
    team.chat.put("M-1", "About T-123: the login code is in P-847 by now.")
    team.code.put(
        "P-847",
        "Adds the OAuth callback. It needs the token store of T-456 first.",
        kind="pr",
        title="OAuth callback",
    )
    team.tickets.put(
        "T-456",
        "Keep refresh tokens in the keychain. Came out of T-123, see M-1 and T-789.",
        kind="ticket",
        title="Token store",
    )
    team.tickets.put("T-789", "Buy a new keychain, too.", kind="ticket", title="Keychain")
    team.clock.advance(60)
    return team


async def hops(team: "Team", folder: Path) -> dict[str, int]:
    """Return all that was found for the ticket, with how many hops away it is."""
    async with team.opened(folder) as project:
        return {each.id: each.hop for each in (await explain(project, ticket="T-123")).items}


async def test_three_hops(led: "Team", tmp_path: Path) -> None:
    """The thread, the pull request it names and the ticket that one names are in the document."""
    built = await led.build(tmp_path, "T-123")

    text = built.document.path.read_text("utf-8")
    assert ["code is in P-847" in text, "OAuth callback" in text, "Token store" in text] == [
        True,
        True,
        True,
    ]
    for address in ("chat.example/M-1", "code.example/P-847", "tickets.example/T-456"):
        assert text.count(f"]: https://{address} ") == 1


async def test_a_change_by_whatever_name(team: "Team", tmp_path: Path) -> None:
    """What a vendor calls a merge request stands in Related Code, for its role says what it is."""
    team.code.put(
        "MR-7",
        "T-1: the session cookie lives for 900 seconds.",
        kind="merge_request",
        role="change",
        title="MR !7: Set the cookie",
        short_name="MR !7",
        created=team.clock.now(),
        status=ItemStatus(name="opened"),
    )

    built = await team.build(tmp_path, "T-1")

    code = built.document.path.read_text("utf-8").partition("## Related Code\n")[2]
    assert "> T-1: the session cookie lives for 900 seconds." in code
    assert "— *Opened by Ada" in code
    assert '"Code: MR !7"' in code


async def test_no_hop_further(led: "Team", tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With ``max_hops`` 1 it stops at the thread: nothing that this names is fetched."""
    monkeypatch.setenv("ROVE_AI_MAX_HOPS", "1")

    built = await led.build(tmp_path, "T-123")

    text = built.document.path.read_text("utf-8")
    assert "code is in P-847" in text
    assert "code.example/P-847" not in text
    assert led.code.reads == []


@pytest.mark.parametrize(("most", "reached"), [("0", 0), ("1", 1), ("2", 2), ("3", 3), ("4", 4)])
async def test_as_far_as_wanted(
    led: "Team", tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: str, reached: int
) -> None:
    """Nothing lies further away than ``max_hops``, and what lies nearer is found."""
    # So the ticket named last names nobody back, and no search finds it.
    led.tickets.put("T-456", "Keep them in the keychain: T-789.", kind="ticket", title="Store")
    monkeypatch.setenv("ROVE_AI_MAX_HOPS", most)

    await led.build(tmp_path, "T-123")

    far = {"M-1": 1, "P-847": 2, "T-456": 3, "T-789": 4}
    found = await hops(led, tmp_path)
    assert {name: hop for name, hop in far.items() if hop <= reached} == found


async def test_a_ring_ends(led: "Team", tmp_path: Path) -> None:
    """Things that name each other in a ring are read once each, and so on every refresh."""
    for _ in range(3):
        led.forget()
        await led.build(tmp_path, "T-123")
        reads = [name for tool in led.tools for name in tool.reads]

        assert sorted(set(reads)) == sorted(reads)


async def test_a_thing_that_names_itself_and_its_ticket(led: "Team", tmp_path: Path) -> None:
    """It is read once."""
    led.chat.put("M-1", "M-1 is about T-123 and M-1.")

    await led.build(tmp_path, "T-123")

    assert led.chat.reads == ["M-1"]


async def test_a_thousand_references(led: "Team", tmp_path: Path) -> None:
    """Whoever names a thousand things makes a build read no more than it would anyway."""
    names = [f"M-{number}" for number in range(100, 1100)]
    for name in names:
        led.chat.put(name, "Nothing.")
    led.chat.put("M-1", f"About T-123: {' '.join(names)}")

    await led.build(tmp_path, "T-123")

    assert len(led.chat.reads) <= 60


async def test_a_reference_to_nothing(led: "Team", tmp_path: Path) -> None:
    """What is named and is not there is passed over, and no account has failed."""
    led.chat.put("M-1", "About T-123: see M-404, P-404 and T-404.")

    built = await led.build(tmp_path, "T-123")

    assert built.failures == {}


async def test_a_link_to_an_account_that_is_not_in_use(led: "Team", tmp_path: Path) -> None:
    """It is passed over, whichever source brings it: nobody is asked who is not connected."""
    link = ItemRef(account="wiki", kind="page", id="W-1", url="https://wiki.example/W-1")
    item = led.chat.items["M-1"]
    led.chat.items["M-1"] = attrs.evolve(
        item, links=(Link(ref=link), Link(ref=led.code.ref("P-847", "pr")))
    )

    built = await led.build(tmp_path, "T-123")

    assert built.failures == {}
    assert "wiki.example" not in built.document.path.read_text("utf-8")
    assert "P-847" in led.code.reads


async def test_all_accounts_are_searched_for_what_people_call_the_ticket(
    team: "Team", tmp_path: Path
) -> None:
    """Its source says how people write its ids; what a search finds must still name it."""
    team.tickets.pattern, team.tickets.forms = r"T-(?P<number>\d+)", ("bug {number}",)
    team.tickets.put("T-12", "The cookie expires too early.", kind="ticket", title="Cookie")
    team.chat.put("M-90", "For bug 12 we wait until Friday.", "That is T-12, by the way.")
    team.chat.put("M-91", "We found bug 12 of the summer in the kitchen.")

    await team.build(tmp_path, "T-12")

    for tool in team.tools:
        assert {"T-12", "bug 12"} <= {query.text for query in tool.searches}
    async with team.opened(tmp_path) as project:
        found = {each.id: each for each in (await explain(project, ticket="T-12")).items}
    assert found["M-90"].kept
    assert not any("names T-12" in found[name].reason for name in found.keys() - {"M-90"})


async def test_what_names_the_ticket_is_read_first(team: "Team", tmp_path: Path) -> None:
    """A search for its id finds many other things as well: they take nobody's place."""
    team.chat.put("M-90", "T-1 is decided, see below.", "The cookie lives for 900 seconds.")
    for number in range(100, 150):
        team.chat.put(f"M-{number}", f"About T-1{number}: something else.", "Nothing of use.")

    built = await team.build(tmp_path, "T-1")

    assert "M-90" in team.chat.reads
    assert "900 seconds" in built.document.path.read_text("utf-8")


async def test_words_fed_back_are_searched_for_where_something_may_belong(
    led: "Team", tmp_path: Path
) -> None:
    """An account that has nothing for the ticket's own words has little for those of others."""
    led.code.items.clear()

    await led.build(tmp_path, "T-123")

    searches = {tool.name: {query.text for query in tool.searches} for tool in led.tools}
    assert searches[led.code.name] < searches[led.chat.name]
