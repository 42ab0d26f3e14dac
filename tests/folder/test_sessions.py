"""The session protocol, spoken by a client that knows nothing but the design's table."""

import json
from base64 import b64encode
from collections.abc import Callable
from typing import Any

import attrs
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.folder import formats

import rove_folder
from rove_core import HttpRequest, Project, QuotaExceeded, WrongCall
from rove_folder.device.sessions import DeviceConnection
from rove_folder.project_folder import ProjectFolder
from rove_folder.settings import TIERS, FolderSettings

pytestmark = pytest.mark.anyio

Frame = dict[str, Any]
Send = Callable[..., Any]


@pytest.fixture
def connection(rove: Project) -> DeviceConnection:
    """Return a connection of a client."""
    return DeviceConnection(ProjectFolder.of(rove), "c1")


@pytest.fixture
def send(connection: DeviceConnection) -> Send:
    """Return what sends a frame and returns what comes back."""

    async def send(frame: object) -> list[Frame]:
        data = frame if isinstance(frame, bytes) else json.dumps(frame).encode()
        return [dict(each) for each in await connection.receive(data)]

    return send


def start(total: int, session: str = "s1") -> Frame:
    """Return the frame that opens a session."""
    return {
        "type": "index_session_start",
        "sessionId": session,
        "projectId": "p1",
        "totalFiles": total,
    }


def text(path: str, content: str = "About tea, and nothing else.") -> Frame:
    """Return a text file of a batch."""
    return {
        "relPath": path,
        "kind": "text",
        "content": content,
        "sizeBytes": len(content),
        "mtimeMs": 1,
    }


def batch(*files: Frame, session: str = "s1") -> Frame:
    """Return a batch of files."""
    return {"type": "index_file_batch", "sessionId": session, "files": list(files)}


async def test_a_session_from_start_to_end(send: Send) -> None:
    """Each file has its result, each batch its progress, and the last one ends the session."""
    image = {
        "relPath": "b.png",
        "kind": "image",
        "imageB64": b64encode(formats.png(4, 5)).decode(),
        "sizeBytes": 1,
        "mtimeMs": 1,
    }
    opened = await send(start(3))
    first = await send(batch(text("a.md"), image))
    last = await send(batch(text("c.md", "About coffee, and nothing else.")))

    assert opened == [
        {"type": "index_session_progress", "sessionId": "s1", "processed": 0, "total": 3}
    ]
    assert first == [
        {
            "type": "index_file_result",
            "sessionId": "s1",
            "relPath": "a.md",
            "summary": "About tea, and nothing else",
            "tokensUsed": 0,
        },
        {
            "type": "index_file_result",
            "sessionId": "s1",
            "relPath": "b.png",
            "summary": "PNG image, 4 x 5",
            "tokensUsed": 0,
        },
        {"type": "index_session_progress", "sessionId": "s1", "processed": 2, "total": 3},
    ]
    assert last[1:] == [
        {"type": "index_session_progress", "sessionId": "s1", "processed": 3, "total": 3},
        {"type": "index_session_done", "sessionId": "s1", "status": "completed"},
    ]


async def test_a_session_can_be_cancelled(send: Send) -> None:
    """After a cancel the session is over."""
    await send(start(9))
    done = await send({"type": "index_session_cancel", "sessionId": "s1"})
    late = await send(batch(text("a.md")))

    assert done == [{"type": "index_session_done", "sessionId": "s1", "status": "cancelled"}]
    assert (late[0]["type"], late[0]["status"]) == ("index_session_done", "error")


async def test_a_doubled_frame_changes_nothing(send: Send) -> None:
    """A start or a file that comes twice counts once."""
    await send(start(2))
    await send(start(2))
    await send(batch(text("a.md")))
    again = await send(batch(text("a.md")))

    assert (again[-1]["processed"], again[-1]["total"]) == (1, 2)


async def test_sessions_are_apart(connection: DeviceConnection, send: Send) -> None:
    """Sessions of one connection, and equal ids of two connections, know nothing of each other."""
    other = attrs.evolve(connection, id="c2")
    await send(start(2))
    await send(start(1, "s2"))
    await send(batch(text("a.md"), session="s2"))
    unknown = await other.receive(json.dumps(batch(text("a.md"))).encode())
    rest = await send(batch(text("a.md")))

    assert unknown[0]["status"] == "error"
    assert rest[-1]["processed"] == 1


async def test_a_dropped_connection_leaves_nothing(
    connection: DeviceConnection, send: Send
) -> None:
    """After a drop the session is abandoned; a new one pays nothing for what was done."""
    await send(start(2))
    await send(batch(text("a.md")))
    connection.drop()

    assert (await send(batch(text("b.md"))))[0]["status"] == "error"
    await send(start(1))
    assert (await send(batch(text("a.md"))))[0]["tokensUsed"] == 0


async def test_no_content_is_stored(connection: DeviceConnection, send: Send) -> None:
    """Of a file its summary is stored, and not a word beyond it."""
    await send(start(1))
    canary = "the canary sings at four"
    await send(batch(text("a.md", f"About tea.\n\n{'More about it. ' * 60}\n\n{canary}\n")))
    stored = connection.folder.database.path

    assert not [
        each
        for each in stored.parent.iterdir()
        if each.is_file() and canary.encode() in each.read_bytes()
    ]


@pytest.mark.parametrize(
    "file",
    [
        {"relPath": "a.md", "kind": "film", "content": "x", "sizeBytes": 1, "mtimeMs": 1},
        {"relPath": "a.md", "kind": ["text"], "content": "x", "sizeBytes": 1, "mtimeMs": 1},
        {"relPath": "a.md", "kind": "text", "sizeBytes": 1, "mtimeMs": 1},
        {"relPath": "a.md", "kind": "text", "content": "x", "mtimeMs": 1},
        {"relPath": "a.png", "kind": "image", "imageB64": "#", "sizeBytes": 1, "mtimeMs": 1},
        {"relPath": "a.png", "kind": "image", "imageB64": "AAAA", "sizeBytes": 1, "mtimeMs": 1},
        text("a.md", "x" * ((1 << 20) + 1)),
        text("../a.md"),
        text("/etc/hosts"),
        text("config/.env"),
    ],
)
async def test_a_wrong_file_costs_itself_alone(send: Send, file: Frame) -> None:
    """A file that cannot be used has an error in its result; the others have summaries."""
    await send(start(5))
    wrong, right, progress = await send(batch(file, text("b.md")))

    assert wrong["error"]
    assert (right["relPath"], right["summary"]) == ("b.md", "About tea, and nothing else")
    assert progress["processed"] == 2


@pytest.mark.parametrize(
    "frame",
    [
        b"",
        b"\xff\xfe",
        b"[]",
        b"[" * 100_000,
        b'{"type": "index_session_start"}',
        {"type": "index_session_start", "sessionId": "s1", "projectId": "p", "totalFiles": -1},
        {"type": "index_session_start", "sessionId": "s1", "projectId": "p", "totalFiles": True},
        {"type": "index_file_batch", "sessionId": "s1", "files": []},
        {"type": "index_file_batch", "sessionId": "s1", "files": "x"},
        {"type": "index_file_batch", "sessionId": "s1", "files": [1]},
        batch(*[text(f"{number}.md") for number in range(6)]),
        {"type": "index_file_result", "sessionId": "s1"},
        {"type": ["x"], "sessionId": "s1"},
        {"type": "index_session_begin"},
    ],
)
async def test_a_wrong_frame_is_answered(send: Send, frame: object) -> None:
    """Whatever is no frame ends its session with an error, and says what is wrong."""
    await send(start(2))
    (answer,) = await send(frame)

    assert (answer["type"], answer["status"]) == ("index_session_done", "error")
    assert answer["error"]


@settings(
    max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(
    frame=st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda below: (
            st.lists(below, max_size=3)
            | st.dictionaries(
                st.sampled_from(["type", "sessionId", "files", "relPath", "kind", "content"]),
                below | st.sampled_from(["index_file_batch", "index_session_start", "s1", "text"]),
                max_size=6,
            )
        ),
        max_leaves=12,
    )
)
async def test_no_frame_is_a_crash(connection: DeviceConnection, frame: object) -> None:
    """Any JSON at all has an answer."""
    assert await connection.receive(json.dumps(frame).encode())


async def test_a_folder_over_the_tiers_cap_is_refused(connection: DeviceConnection) -> None:
    """A session with more files than the tier allows is done before it begins."""
    poor = _poor(connection, tier="free")
    (answer,) = await poor.receive(json.dumps(start(201)).encode())

    assert answer == {
        "type": "index_session_done",
        "sessionId": "s1",
        "status": "quota_exceeded",
        "error": "Folder too big for Free plan — max 200 files",
    }


def _poor(connection: DeviceConnection, **limits: Any) -> DeviceConnection:  # noqa: ANN401  # settings
    folder = attrs.evolve(connection.folder, settings=FolderSettings(**limits))
    return attrs.evolve(connection, folder=folder)


def test_the_tiers_are_those_of_the_design() -> None:
    """Files and tokens of each tier are as its table has them."""
    assert TIERS == {
        "free": (200, 100_000),
        "pro": (5_000, 2_000_000),
        "power": (-1, -1),
        "team": (-1, -1),
    }


async def _check(rove: Project, body: object) -> tuple[int, Any]:
    route = next(each for each in rove_folder.rove_routes() if each.method == "POST")
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    reply = await route.answer(HttpRequest("POST", route.path, body=data), rove)
    return reply.status, json.loads(reply.body)


async def test_a_quota_can_be_asked_for(rove: Project) -> None:
    """Within the limits the answer is 200; above them it is 402 with the design's words."""
    wish = {"feature": "folder_index", "estimated_files": 201}
    assert (await _check(rove, wish))[0] == 200

    poor = attrs.evolve(ProjectFolder.of(rove), settings=FolderSettings(tier="free"))
    with pytest.raises(QuotaExceeded) as too_big:
        poor.check_quota(201, asks_model=True)
    spent = attrs.evolve(poor, settings=FolderSettings(tier="free", monthly_tokens=0))
    with pytest.raises(
        QuotaExceeded, match=r"^Monthly token budget exhausted \(resets \d{4}-\d\d-01\)$"
    ):
        spent.check_quota(1, asks_model=True)

    assert too_big.value.http_status == 402


@pytest.mark.parametrize(
    "body",
    [b"x", [], {}, {"feature": "x"}, {"feature": "folder_index", "estimated_files": "many"}],
)
async def test_a_wrong_question_about_quota_is_refused(rove: Project, body: object) -> None:
    """What is no such question is a wrong call."""
    with pytest.raises(WrongCall):
        await _check(rove, body)


def test_the_cap_may_be_set() -> None:
    """A limit of one's own takes the place of the tier's."""
    assert FolderSettings(tier="free", max_files=7).file_cap == 7
    assert FolderSettings(tier="free", monthly_tokens=-1).token_cap == -1
