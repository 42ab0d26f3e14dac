"""Images are shown to a real endpoint on loopback, and only there where it can see."""

import json
from base64 import b64decode
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import attrs
import pytest
from tests.folder import formats

import rove_folder
import rove_openai
from rove_core import MemoryStore, open_project
from rove_core.project.settings import load_settings
from rove_core.testing.faults import FaultProxy
from rove_core.testing.http1 import SeenRequest, ServerReply
from rove_folder.project_folder import ProjectFolder
from rove_folder.scan import scan
from rove_folder.settings import FolderSettings
from rove_folder.storage.files import manifest_files

pytestmark = pytest.mark.anyio

Write = Callable[..., Path]


class Endpoint:
    """Answers as an OpenAI-compatible endpoint, with or without sight.

    Attributes:
        sees: Whether its model takes images.
        shown: The images it was shown.
    """

    def __init__(self) -> None:
        self.sees = True
        self.shown: list[bytes] = []

    def __call__(self, seen: SeenRequest) -> ServerReply:
        """Return the reply to a request; images are refused by a model that has no sight."""
        content = json.loads(seen.body)["messages"][-1]["content"]
        parts = [] if isinstance(content, str) else content
        urls = [part["image_url"]["url"] for part in parts if part["type"] == "image_url"]
        self.shown += [b64decode(url.partition(",")[2]) for url in urls]
        if urls and not self.sees:
            return ServerReply(status=400, body=b'{"error": {"message": "image_url: unknown"}}')
        said = json.dumps({"summary": "A golden bird on white"})
        choice = {"index": 0, "finish_reason": "stop", "message": {"content": said}}
        usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
        return ServerReply(body=json.dumps({"choices": [choice], "usage": usage}).encode())


@pytest.fixture
def endpoint() -> Endpoint:
    """Return an endpoint whose model sees."""
    return Endpoint()


@pytest.fixture
async def seeing(tmp_path: Path, folder: Path, endpoint: Endpoint) -> AsyncIterator[ProjectFolder]:
    """Give a linked folder whose images are shown to the endpoint."""
    (tmp_path / "project").mkdir()
    async with (
        FaultProxy(endpoint) as proxy,
        open_project(
            tmp_path / "project",
            accounts=(),
            plugins=[rove_folder, rove_openai],
            credentials=MemoryStore(),
        ) as rove,
    ):
        ai = {"ai.engine": "openai", "ai.model": "eyes", "ai.api_base": proxy.url}
        rove.settings = load_settings(rove.places, flags=ai)
        settings = FolderSettings(summaries="model", vision=True)
        found = attrs.evolve(ProjectFolder.of(rove), settings=settings)
        found.link(str(folder), relative_to=folder)
        yield found


def _manifest(linked: ProjectFolder) -> dict[str, tuple[str, Any]]:
    with linked.database.reading() as db:
        return {each.path: (each.kind, each.summary) for each in manifest_files(db, linked.id)}


async def test_an_image_is_shown_once_and_bare(
    seeing: ProjectFolder, endpoint: Endpoint, write: Write
) -> None:
    """The endpoint sees the picture without its metadata, once, whatever is renamed or touched."""
    image = formats.png(4, 3, caption="by Ann")
    write("a.png", image)
    write("a.png.txt", "The final logo.")
    first = await scan(seeing)
    write("a.png", image, day=7).rename(str(seeing.linked().folder_path) + "/b.png")
    again = await scan(seeing)

    assert (first.asked, again.asked, len(endpoint.shown)) == (2, 0, 1)
    assert endpoint.shown[0].startswith(image[:8])
    assert b"Ann" not in endpoint.shown[0]
    assert _manifest(seeing)["b.png"] == ("image", "A golden bird on white")


async def test_to_switch_sight_on_pays_for_images_alone(
    seeing: ProjectFolder, endpoint: Endpoint, write: Write
) -> None:
    """What a model said of texts does not depend on whether it sees images."""
    write("a.md", "About tea.")
    write("b.png", formats.png(4, 3))
    blind = attrs.evolve(seeing, settings=FolderSettings(summaries="model"))
    before = await scan(blind)
    after = await scan(seeing)

    assert (before.asked, after.asked, len(endpoint.shown)) == (1, 1, 1)


async def test_an_endpoint_without_sight_costs_little(
    seeing: ProjectFolder, endpoint: Endpoint, write: Write
) -> None:
    """Images keep what they say of themselves; a few are tried again at each scan."""
    endpoint.sees = False
    for number in range(12):
        write(f"{number}.png", formats.png(4 + number, 3))
    blind = await scan(seeing)
    described = _manifest(seeing)["7.png"]
    endpoint.sees = True
    await scan(seeing)

    assert blind.asked == 5
    assert described == ("image", "PNG image, 11 x 3")
    assert set(_manifest(seeing).values()) == {("image", "A golden bird on white")}
