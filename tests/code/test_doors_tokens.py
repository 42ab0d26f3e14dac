"""Tokens of other people: what each may read, and what is written down of it."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.code.asking import called
from tests.code.developer import Developer
from tests.code.guarded import OWN, PAY, Guarded, guarding

from rove_core.errors import FixSettings, NotFound, WrongCall

pytestmark = pytest.mark.anyio


@pytest.fixture
async def guarded(ann: Developer, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Guarded]:
    """Yield a server over a repository of two folders."""
    monkeypatch.chdir(ann.folder)
    async with guarding(ann) as server:
        yield server


async def test_a_given_token_opens_what_the_server_may_read(guarded: Guarded) -> None:
    """It is as good as the owner's unless it has fewer rights."""
    status, reply = await guarded.ask(guarded.give("ben"))

    assert status == 200
    assert "pay_basket_secretly" in reply["ragText"]


async def test_a_new_token_replaces_the_earlier_one(guarded: Guarded) -> None:
    """Nothing has to be started again."""
    earlier, later = guarded.give("ben"), guarded.give("ben")

    assert (await guarded.ask(earlier))[0] == 401
    assert (await guarded.ask(later))[0] == 200


async def test_a_revoked_token_opens_nothing(guarded: Guarded) -> None:
    """The owner's works on."""
    token = guarded.give("ben")

    assert guarded.tokens.revoke("ben")
    assert (await guarded.ask(token))[0] == 401
    assert (await guarded.ask(OWN))[0] == 200


async def test_a_token_opens_only_its_repositories(guarded: Guarded, tmp_path: Path) -> None:
    """The one that the server is for may be none of them."""
    token = guarded.give("ben", repositories=(str(tmp_path),))

    assert (await guarded.ask(token))[0] == 403


async def test_nobody_may_read_more_than_the_server(guarded: Guarded, tmp_path: Path) -> None:
    """A token gives no right that the owner has not given to the server."""
    token = guarded.give("ben", repositories=(str(tmp_path),))

    assert (await guarded.ask(token, repos=[{"repoPath": str(tmp_path)}]))[0] == 403


@pytest.mark.parametrize("folder", ["shop", "shop/", "shop/pay.py"])
async def test_nothing_of_other_folders_is_told(guarded: Guarded, folder: str) -> None:
    """Neither their code, nor their paths, nor what is asked for by name."""
    token = guarded.give("ben", folders=(folder,))

    status, reply = await guarded.ask(token, boosts={"files": ["books/ledger.py"]})

    assert status == 200
    assert "def pay_basket(" in reply["ragText"]
    assert "edger" not in reply["ragText"]
    assert {chunk["path"] for chunk in reply["metadata"]["chunks"]} == {"shop/pay.py"}


async def test_names_of_other_folders_are_not_told(guarded: Guarded) -> None:
    """Exact answers keep to the same rights, and so do names that are alike."""
    token = guarded.give("ben", folders=("shop",))

    _, names = await guarded.ask(token, "/coderag/names", asked="symbol", name="Ledger")
    _, near = await guarded.ask(token, messages=[{"role": "user", "content": "Ledgr"}])

    assert names["symbols"] == []
    assert near["metadata"].get("near", []) == []


async def test_it_is_written_down_what_others_ask(guarded: Guarded) -> None:
    """Who, what, and which files they were shown; no token, and nothing of the owner."""
    token = guarded.give("ben", folders=("shop",))

    await guarded.ask(OWN)
    await guarded.ask(token)
    await guarded.ask(token, repos=[{"repoPath": "/"}])

    first, second = guarded.log()
    assert (first["user"], first["status"], first["files"]) == ("ben", 200, ["shop/pay.py"])
    assert first["asked"] == "pay basket secretly Ledger"
    assert (second["status"], second["files"]) == (403, [])
    assert token not in json.dumps([first, second])


async def test_files_of_tokens_and_questions_are_private(guarded: Guarded) -> None:
    """The file of tokens has digests alone."""
    token = guarded.give("ben")
    await guarded.ask(token)

    paths = (guarded.tokens.path, guarded.tokens.path.with_name("code-queries.jsonl"))
    assert {path.stat().st_mode & 0o777 for path in paths} == {0o600}
    assert token not in guarded.tokens.path.read_text("utf-8")


@pytest.mark.parametrize("text", ["{", "[1]", '[{"name": "ben"}]', '{"a": 1}'])
async def test_a_damaged_file_of_tokens_is_named(guarded: Guarded, text: str) -> None:
    """Nobody gets in by it."""
    guarded.tokens.path.write_text(text, "utf-8")

    with pytest.raises(FixSettings, match="code-tokens"):
        guarded.tokens.all()


def test_tokens_are_given_listed_and_revoked(
    ann: Developer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command prints a token once, and the list has none."""
    ann.write("a.py", PAY)
    monkeypatch.chdir(ann.folder)

    token = called("code_token", name="ben", folder=["shop/"])
    (rights,) = called("code_tokens")
    gone = called("code_token", name="ben", revoke=True)

    assert len(token) > 40
    assert (rights.name, rights.folders) == ("ben", ("shop/",))
    assert gone == ""
    assert called("code_tokens") == ()
    with pytest.raises(NotFound, match="ben"):
        called("code_token", name="ben", revoke=True)


@pytest.mark.parametrize(
    "folder", ["", "/", "../x", "/etc", "shop/../..", ".", "./shop", "shop//a"]
)
def test_a_folder_is_one_in_the_repository(
    ann: Developer, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    """What lies elsewhere is no right that could be given."""
    ann.write("a.py", PAY)
    monkeypatch.chdir(ann.folder)

    with pytest.raises(WrongCall):
        called("code_token", name="ben", folder=[folder])


def test_a_token_for_a_folder_that_is_not_there_is_refused(
    ann: Developer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would open nothing, and nobody would know why."""
    ann.write("a.py", PAY)
    monkeypatch.chdir(ann.folder)

    with pytest.raises(WrongCall, match="fronted is not a folder"):
        called("code_token", name="ben", repository=["../fronted"])
