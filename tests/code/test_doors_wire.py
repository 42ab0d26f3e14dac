"""``/coderag``, as it was settled: what is taken, what is given, and what is refused."""

import json
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen
from tests.code.developer import Developer
from tests.code.git_server import git_server

import rove_code
from rove_code.project_code import access_of
from rove_code.readable_repositories import copies_folder
from rove_code.tcp_server import TcpDoor
from rove_code.wire import QueryBody, read_body
from rove_core import JSON, HttpRequest, HttpResponse, MemoryStore, Project, open_project
from rove_core.http.server.door import answer
from rove_core.operations import Operations
from rove_core.safety.secret import Secret

pytestmark = pytest.mark.anyio

TOKEN = "opened-sesame"  # noqa: S105  # it opens nothing else
BASKET = '''\
class Basket:
    """What a customer is about to buy."""

    def total(self) -> int:
        """Return what all articles cost."""
        return sum(each.price for each in self.articles)
'''


@frozen
class Door:
    """A door with somebody before it.

    Attributes:
        rove: The project behind it.
        answers: The door.
    """

    rove: Project
    answers: TcpDoor

    async def ask(
        self,
        path: str,
        body: Mapping[str, JSON] | bytes,
        *,
        query: str = "",
        method: str = "POST",
        **headers: str,
    ) -> tuple[int, Any]:
        """Send a request, and return the status and the body of its answer."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        request = HttpRequest(method, path, query, {"host": "127.0.0.1:8000", **headers}, data)
        return told(await self.answers(request))

    async def query(self, text: str = "total of a basket", **body: JSON) -> tuple[int, Any]:
        """Ask for code."""
        messages: JSON = [{"role": "user", "content": text}]
        asked: dict[str, JSON] = {"messages": messages, "token": TOKEN, **body}
        return await self.ask("/coderag/query", asked)


def told(response: HttpResponse) -> tuple[int, Any]:
    """Return the status and the body of an answer."""
    return response.status, json.loads(response.body)


@pytest.fixture
def shop(ann: Developer) -> Developer:
    """Return a repository with two files."""
    ann.write("shop/basket.py", BASKET)
    ann.write("shop/till.py", "def pay(basket):\n    return basket.total()\n")
    ann.commit("Begin")
    return ann


@pytest.fixture
async def rove(shop: Developer) -> AsyncIterator[Project]:
    """Open the project of that repository."""
    async with open_project(
        shop.folder, accounts=[], plugins=[rove_code], credentials=MemoryStore()
    ) as project:
        yield project


@pytest.fixture
def door(rove: Project) -> Door:
    """Open a door for whoever knows the token."""
    return Door(rove, TcpDoor(rove, access_of(rove, token=Secret(TOKEN))))


async def test_a_query_is_answered_with_text_and_metadata(door: Door) -> None:
    """The reply has ragText, between tags, and metadata that say what it is made of."""
    status, reply = await door.query(approxLength=2000)

    assert status == 200
    assert {"ragText", "metadata"} == reply.keys()
    assert "<codeRag:content>\nclass Basket:" in reply["ragText"]
    assert "shop/basket.py" in {chunk["path"] for chunk in reply["metadata"]["chunks"]}
    assert len(reply["ragText"]) == reply["metadata"]["used"] <= 2000


async def test_content_may_come_in_parts(door: Door) -> None:
    """A message's content is a text or a list of parts; of images nothing is read."""
    parts: JSON = [
        {"type": "image_url", "image_url": {"url": "x"}},
        {"type": "text", "text": "total"},
    ]
    status, reply = await door.query(messages=[{"role": "user", "content": parts}])

    assert status == 200
    assert "def total" in reply["ragText"]


async def test_the_last_message_counts_most(door: Door) -> None:
    """What was said before is part of the question, behind what was said last."""
    messages: JSON = [
        {"role": "system", "content": "You are a helpful assistant."},
        {"role": "user", "content": "hello"},
        {"role": "assistant", "content": None},
        {"role": "user", "content": "What does pay do?"},
    ]
    status, reply = await door.query(messages=messages)

    assert status == 200
    assert "def pay" in reply["ragText"]


async def test_what_is_not_known_is_passed_over(door: Door) -> None:
    """Keys that nobody knows, and nothing where something could be, hurt nobody."""
    status, _ = await door.query(stream=False, boosts=None, repos=None, modelFamily=None)

    assert status == 200


@pytest.mark.parametrize(("family", "has_fences"), [("claude", False), ("openai", True)])
async def test_a_model_family_shapes_the_answer(
    door: Door, family: str, *, has_fences: bool
) -> None:
    """Models of OpenAI get code between fences; the tags are the same for both."""
    status, reply = await door.query(modelFamily=family)

    assert status == 200
    assert "<codeRag:content>" in reply["ragText"]
    assert has_fences is ("```python\n" in reply["ragText"])


@pytest.mark.parametrize("name", ["repoPath", "checkoutPath"])
async def test_a_version_may_be_named(door: Door, shop: Developer, name: str) -> None:
    """latest, workspace, a commit, a tag and a branch are versions."""
    commit = shop.git("rev-parse", "HEAD")
    shop.git("tag", "v1")
    shop.write("shop/basket.py", BASKET.replace("total", "sum_of_all"))

    for version in ("latest", commit, commit[:8], "v1", "main"):
        repo = {name: str(shop.folder), "versionSpecifier": version, "checkoutHost": "localhost"}
        _, reply = await door.query(repos=[repo])
        assert "def total" in reply["ragText"], version
    workspace = {name: str(shop.folder), "versionSpecifier": "workspace"}
    _, reply = await door.query("sum of all", repos=[workspace])

    assert "def sum_of_all" in reply["ragText"]


async def test_several_repositories_are_asked_at_once(
    shop: Developer, write_settings: Callable[[str], None]
) -> None:
    """Each repository's files are in the answer, under its name."""
    other = shop.beside("stock")
    other.folder.mkdir()
    other.write("stock.py", "def total_of_stock():\n    return 3\n")
    write_settings(f'[sources.code]\nalso = ["{other.folder}"]\n')

    async with open_project(shop.folder, accounts=[], plugins=[rove_code]) as rove:
        there = Door(rove, TcpDoor(rove, access_of(rove, token=Secret(TOKEN))))
        repos: JSON = [{"repoPath": str(each.folder)} for each in (shop, other)]
        _, reply = await there.query("total", repos=repos)

    assert "shop:shop/basket.py" in reply["ragText"]
    assert "stock:stock.py" in reply["ragText"]


async def test_boosts_are_in_any_case(door: Door, shop: Developer) -> None:
    """Files and declarations are shown that have nothing to do with the question."""
    shop.write("shop/odd.py", "def odd():\n    return 'far away'\n\n\nODD = 1\n")
    boosts: JSON = {
        "files": [{"repo": str(shop.folder), "path": "shop/till.py"}],
        "declarations": [{"path": "shop/odd.py", "name": "odd", "includeImplementation": False}],
    }
    repos = [{"repoPath": str(shop.folder)}]
    _, reply = await door.query("articles", approxLength=3000, boosts=boosts, repos=repos)

    assert "return basket.total()" in reply["ragText"]
    assert "def odd():" in reply["ragText"]
    assert "far away" not in reply["ragText"]


async def test_a_boost_may_be_a_text(door: Door) -> None:
    """A path, or a path with a name, is enough to say what is to be shown."""
    boosts = {"files": ["shop/till.py"], "declarations": ["shop/basket.py#Basket.total"]}
    _, reply = await door.query("nothing", boosts=boosts)

    assert "return basket.total()" in reply["ragText"]
    assert "def total" in reply["ragText"]


async def test_a_refresh_says_so(door: Door, shop: Developer) -> None:
    """The reply to a refresh is the one that was settled."""
    body = {"repoPath": str(shop.folder), "token": TOKEN}

    assert await door.ask("/coderag/refresh", body) == (200, {"status": "ok", "refreshed": True})


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"\xff\xfe",
        b'{"messages": []}',
        b'{"messages": "hello"}',
        b'{"messages": [{"role": "user", "content": 7}]}',
        b'{"messages": [{"role": "system", "content": "x"}]}',
        b'{"messages": [{"content": "x"}], "approxLength": 0}',
        b'{"messages": [{"content": "x"}], "approxLength": "much"}',
        b'{"messages": [{"content": "x"}], "modelFamily": "llama"}',
        b'{"messages": [{"content": "x"}], "boosts": {"declarations": [{"path": "a.py"}]}}',
        b'{"messages": [{"content": "x"}], "boosts": {"files": [{"path": "a", "repo": "gone"}]}}',
        b'{"messages": [{"content": "x"}], "repos": [{"repoPath": "\\u0000"}]}',
        b'{"messages": [{"content": "x"}], "repos": [{"checkoutHost": "mars", "repoPath": "/x"}]}',
        b"[" * 100_000,
    ],
)
async def test_what_is_malformed_is_told_with_400(door: Door, body: bytes) -> None:
    """Whatever does not fit is a clear error, as JSON."""
    status, reply = await door.ask("/coderag/query", body, authorization=f"Bearer {TOKEN}")

    assert (status, reply["code"]) == (400, "ROVE-USE-001")


@pytest.mark.parametrize(
    ("query", "headers", "body"),
    [
        ("", {}, {"token": TOKEN}),
        (f"token={TOKEN}", {}, {}),
        ("", {"authorization": f"Bearer {TOKEN}"}, {}),
        ("", {"authorization": f"bearer {TOKEN}"}, {}),
    ],
)
async def test_the_token_may_stand_in_three_places(
    door: Door, query: str, headers: dict[str, str], body: dict[str, JSON]
) -> None:
    """Body, address and head are all looked at."""
    status, _ = await door.ask("/coderag/refresh", body, query=query, **headers)

    assert status == 200


@pytest.mark.parametrize(
    ("token", "code"),
    [("", "ROVE-AUTH-001"), ("wrong", "ROVE-AUTH-002"), ("öffne\ud800", "ROVE-AUTH-002")],
)
@pytest.mark.parametrize("path", ["/coderag/query", "/coderag/refresh", "/", "/nowhere"])
async def test_without_the_token_nothing_is_told(
    door: Door, path: str, token: str, code: str
) -> None:
    """A missing or wrong token is 401, whatever is asked."""
    status, reply = await door.ask(path, {"token": token})

    assert (status, reply["code"]) == (401, code)


@pytest.mark.parametrize("host", ["", "evil.example:8000", "localhost.evil.example", "10.0.0.1"])
async def test_who_comes_by_another_name_is_refused(door: Door, host: str) -> None:
    """A page whose name leads here is known by its name."""
    headers = {"host": host, "authorization": f"Bearer {TOKEN}"}
    status, _ = await door.ask("/coderag/query", {}, **headers)

    assert status == 403


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("origin", "https://evil.example"),
        ("origin", "http://127.0.0.1.evil.example"),
        ("origin", "null"),
        ("origin", "http://["),
        ("sec-fetch-site", "cross-site"),
    ],
)
async def test_a_page_of_another_site_is_refused(door: Door, name: str, value: str) -> None:
    """It may not ask, even if it knows the token."""
    headers = {"authorization": f"Bearer {TOKEN}", name: value}
    status, _ = await door.ask("/coderag/query", {}, **headers)

    assert status == 403


@pytest.mark.parametrize("origin", ["http://localhost:3000", "http://127.0.0.1:8000"])
async def test_a_page_of_this_machine_may_ask(door: Door, origin: str) -> None:
    """Its origin is this machine itself."""
    headers = {"origin": origin, "authorization": f"Bearer {TOKEN}"}

    assert (await door.ask("/", b"", method="GET", **headers))[0] == 200


@pytest.mark.parametrize("host", ["localhost:1", "127.0.0.1", "[::1]:8000"])
async def test_this_machine_has_several_names(door: Door, host: str) -> None:
    """All names of this machine itself are let in."""
    headers = {"host": host, "authorization": f"Bearer {TOKEN}"}

    assert (await door.ask("/", b"", method="GET", **headers))[0] == 200


@pytest.mark.parametrize("path", ["", "sub", "{folder}/..", "{folder}/link", "{folder}/.git", "~"])
async def test_a_repository_outside_is_refused(
    door: Door, shop: Developer, tmp_path: Path, path: str
) -> None:
    """What nobody has allowed is 403, whether it is there or not."""
    (shop.folder / "link").symlink_to(tmp_path)
    named = path.format(folder=shop.folder) or "/etc"

    for field in ("repoPath", "checkoutPath"):
        assert (await door.query(repos=[{field: named}]))[0] == 403
        assert (await door.ask("/coderag/refresh", {field: named, "token": TOKEN}))[0] == 403


async def test_a_repository_may_be_allowed(rove: Project, tmp_path: Path) -> None:
    """A folder that the server was told of may be asked, even one without git."""
    folder = tmp_path / "plain"
    folder.mkdir()
    (folder / "plain.py").write_text("def plain():\n    pass\n", "utf-8")
    access = access_of(rove, allow=[str(folder)], token=Secret(TOKEN))

    status, reply = await Door(rove, TcpDoor(rove, access)).query(
        "plain", repos=[{"repoPath": str(folder), "versionSpecifier": "latest"}]
    )

    assert status == 200
    assert "def plain" in reply["ragText"]


@pytest.mark.parametrize(
    "address",
    [
        "https://github.com/acme/shop.git",
        "git@github.com:acme/shop.git",
        "file:///etc",
        "/etc",
        "ext::sh -c id",
        "https://allowed.example@evil.example/x",
        "https://allowed.example\\@evil.example/x",
        "https://[broken",
    ],
)
async def test_nothing_is_cloned_that_was_not_allowed(
    door: Door, write_settings: Callable[[str], None], address: str
) -> None:
    """An address of a host that the settings do not name is 403, and git is not even started."""
    write_settings('[sources.code]\nclone_from = ["allowed.example"]\n')
    status, _ = await door.query(repos=[{"originUri": address}])

    assert status == 403
    assert not copies_folder(door.rove.places).exists()


async def test_an_allowed_address_is_cloned(
    shop: Developer, write_settings: Callable[[str], None]
) -> None:
    """A host that the settings name may be cloned from; what fails there is told as such."""
    write_settings('[sources.code]\nclone_from = ["localhost"]\n')

    async with open_project(shop.folder, accounts=[], plugins=[rove_code]) as rove:
        there = Door(rove, TcpDoor(rove, access_of(rove, token=Secret(TOKEN))))
        status, reply = await there.query(repos=[{"originUri": "http://localhost:9/acme/shop.git"}])

    assert (status, reply["code"]) == (502, "ROVE-NET-001")


async def test_a_login_in_an_address_is_shown_to_nobody(
    shop: Developer, write_settings: Callable[[str], None], caplog: pytest.LogCaptureFixture
) -> None:
    """A repository that needs one is cloned; answers, logs and what is kept are without it."""
    caplog.set_level("DEBUG")
    write_settings('[sources.code]\nclone_from = ["127.0.0.1"]\n')
    with git_server(shop.folder.parent) as server:
        server.login = "ann:CANARY-of-ann"
        async with open_project(shop.folder, accounts=[], plugins=[rove_code]) as rove:
            there = Door(rove, TcpDoor(rove, access_of(rove, token=Secret(TOKEN))))
            status, reply = await there.query(repos=[{"originUri": server.address(server.login)}])
            _, refused = await there.query(repos=[{"originUri": server.address("ann:CANARY-bad")}])
            files = [file for file in rove.places.rove.rglob("*") if file.is_file()]
            kept = b"".join(file.read_bytes() for file in files)

    assert status == 200
    assert "class Basket:" in reply["ragText"]
    assert "it requires a login" in refused["message"]
    for shown in (reply, refused, caplog.text, str(files), kept.decode("latin-1")):
        assert "CANARY" not in str(shown)


@pytest.mark.parametrize("version", ["nope", "0" * 40, "--help", "HEAD:shop", "\x00", "^HEAD"])
async def test_an_unknown_revision_is_told_with_404(door: Door, version: str) -> None:
    """A version that is none is not found."""
    status, reply = await door.query(repos=[{"versionSpecifier": version}])

    assert (status, reply["code"]) == (404, "ROVE-CODE-002")


async def test_nothing_else_is_there(door: Door) -> None:
    """Other paths are 404, and other methods 405."""
    bearer = {"authorization": f"Bearer {TOKEN}"}

    assert (await door.ask("/operations/code_query", b"", **bearer))[0] == 404
    assert (await door.ask("/coderag/query", b"", method="GET", **bearer))[0] == 405


async def test_behind_the_socket_no_token_is_needed(rove: Project) -> None:
    """Where nobody but the user is let in, the same requests are answered without one."""
    body = json.dumps({"messages": [{"role": "user", "content": "total"}]}).encode()
    routes = [route for plugin in rove.plugins.working for route in plugin.routes]
    request = HttpRequest("POST", "/coderag/query", body=body)

    status, reply = told(await answer(request, Operations(), rove, routes))

    assert status == 200
    assert "def total" in reply["ragText"]


async def test_behind_the_socket_access_is_checked_all_the_same(rove: Project) -> None:
    """A repository outside what was allowed is refused there, too."""
    body = json.dumps({"repoPath": "/etc"}).encode()
    routes = [route for plugin in rove.plugins.working for route in plugin.routes]
    request = HttpRequest("POST", "/coderag/refresh", body=body)

    status, reply = told(await answer(request, Operations(), rove, routes))

    assert (status, reply["code"]) == (403, "ROVE-CODE-004")


async def test_the_log_has_no_token(door: Door, caplog: pytest.LogCaptureFixture) -> None:
    """A request is logged by its path alone."""
    caplog.set_level("INFO")
    await door.ask("/coderag/refresh", {"token": TOKEN}, query=f"token={TOKEN}")

    assert "POST /coderag/refresh 200" in caplog.text
    assert TOKEN not in caplog.text


def test_the_last_message_of_the_user_is_the_question() -> None:
    """What was said before it, by whomever, comes after it, the latest first."""
    said = [("user", "one"), ("assistant", "two"), ("user", "three"), ("assistant", "four")]
    messages = [{"role": role, "content": content} for role, content in said]
    question = read_body(json.dumps({"messages": messages}).encode(), QueryBody).question()

    assert (question.text, question.earlier) == ("three", ("four", "two", "one"))


async def test_a_question_about_a_name_is_answered_exactly(door: Door) -> None:
    """All callers are listed, with how sure each is, as the command line has it."""
    status, reply = await door.ask(
        "/coderag/names", {"asked": "callers", "name": "Basket.total", "token": TOKEN}
    )

    assert status == 200
    assert [each["name"] for each in reply["symbols"]] == ["Basket.total"]
    assert [(each["path"], each["line"]) for each in reply["places"]] == [("shop/till.py", 2)]


@pytest.mark.parametrize("body", [{"name": ""}, {"name": "x", "limit": 0}, {"asked": "all"}])
async def test_a_wrong_question_about_a_name_is_refused(
    door: Door, body: Mapping[str, JSON]
) -> None:
    """What is asked, of which name and how many lines must make sense."""
    status, _ = await door.ask("/coderag/names", {"token": TOKEN, **body})

    assert status == 400
