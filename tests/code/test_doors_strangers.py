"""What the holder of a limited token may try, and what it gets them."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.code.developer import Developer
from tests.code.guarded import OWN, Guarded, guarding

from rove_core import JSON

pytestmark = pytest.mark.anyio

#: What only stands in the folder that may not be seen.
HIDDEN = "edger"


@pytest.fixture
async def guarded(ann: Developer, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Guarded]:
    """Yield a server over a repository of two folders."""
    monkeypatch.chdir(ann.folder)
    async with guarding(ann) as server:
        yield server


@pytest.mark.parametrize(
    "body",
    [
        {"boosts": {"files": ["shop/../books/ledger.py", "./books/ledger.py", "books//ledger.py"]}},
        {"boosts": {"declarations": ["books/ledger.py#Ledger"]}},
        {"messages": [{"role": "user", "content": 'File "books/ledger.py", line 2, in pay'}]},
        {"messages": [{"role": "user", "content": "books/ledger.py#Ledger"}]},
        {"versionSpecifier": "HEAD:books"},
        {"repos": [{"repoPath": "books"}]},
        {"repos": [{"repoPath": "."}, {"repoPath": "books"}]},
        {"repos": [{"repoPath": ".", "versionSpecifier": "HEAD:books"}]},
        {"repos": [{"repoPath": ".", "versionSpecifier": "HEAD^{/Ledger}"}]},
        {"repos": [{"repoPath": "shop/../books"}]},
        {"repos": [{"repoPath": "shop/link"}]},
        {"repos": [{"repoPath": "~"}]},
    ],
)
async def test_no_way_leads_into_a_hidden_folder(guarded: Guarded, body: dict[str, JSON]) -> None:
    """Boosts, tracebacks, revisions and other names of the folder show nothing of it."""
    token = guarded.give("ben", folders=("shop",))

    said: JSON = [{"role": "user", "content": "x"}]
    _, reply = await guarded.ask(token, "/coderag/query", **{"messages": said, **body})

    answer = json.dumps([reply.get("ragText"), reply.get("metadata")])
    assert "pay_basket_secretly" not in answer
    assert "class Ledger" not in answer


async def test_a_link_in_a_visible_folder_shows_nothing_behind_it(
    guarded: Guarded, ann: Developer
) -> None:
    """Neither a link to a file nor one to a folder is followed."""
    (ann.folder / "shop/link.py").symlink_to("../books/ledger.py")
    (ann.folder / "shop/all").symlink_to("../books", target_is_directory=True)
    token = guarded.give("ben", folders=("shop",))

    status, reply = await guarded.ask(token)

    assert status == 200
    assert HIDDEN not in reply["ragText"]


@pytest.mark.parametrize("asked", ["symbol", "refs", "callers", "callees", "impact", "tests"])
async def test_exact_answers_name_no_hidden_place(
    guarded: Guarded, ann: Developer, asked: str
) -> None:
    """A caller in a hidden folder is neither listed nor counted."""
    ann.write(
        "books/close.py", "from shop.pay import pay_basket\n\n\ndef f():\n    pay_basket(1)\n"
    )
    token = guarded.give("ben", folders=("shop",))

    status, reply = await guarded.ask(token, "/coderag/names", asked=asked, name="pay_basket")

    assert status == 200
    assert "books" not in json.dumps(reply)
    assert reply["total"] <= 1


async def test_a_refusal_does_not_say_where_a_path_leads(guarded: Guarded, tmp_path: Path) -> None:
    """Links and home folders of this machine are not resolved for others."""
    (tmp_path / "secret-target").mkdir()
    (tmp_path / "link").symlink_to("secret-target")
    token = guarded.give("ben", repositories=(str(tmp_path / "other"),))

    link = await guarded.ask(token, repos=[{"repoPath": str(tmp_path / "link")}])
    home = await guarded.ask(token, repos=[{"repoPath": "~"}])
    own = await guarded.ask(token)

    assert {status for status, _ in (link, home, own)} == {403}
    assert "secret-target" not in json.dumps(link)
    assert str(Path.home()) not in json.dumps(home)
    assert str(tmp_path) not in json.dumps(own)


async def test_a_damaged_file_of_tokens_leaves_the_owner_in(guarded: Guarded) -> None:
    """Others are refused, and are not told where the file lies."""
    token = guarded.give("ben")
    guarded.tokens.path.write_text("{", "utf-8")

    status, reply = await guarded.ask(token)

    assert (await guarded.ask(OWN))[0] == 200
    assert status == 401
    assert str(guarded.tokens.path.parent) not in json.dumps(reply)


async def test_the_log_names_the_repository_and_never_the_token(guarded: Guarded) -> None:
    """A token is no part of the log even if it is the question."""
    token = guarded.give("ben", folders=("shop",))
    said: JSON = [{"role": "user", "content": f"my token {token} pays no basket"}]

    address = "https://ann:opensesame@git.example.com/shop.git"

    await guarded.ask(token, repos=[{"repoPath": "."}], messages=said)
    await guarded.ask(token, repos=[{"originUri": address}], messages=said)

    line, cloned = guarded.log()
    assert line["repositories"] == ["."]
    assert cloned["repositories"] == ["https://git.example.com/shop.git"]
    assert token not in json.dumps(line)
