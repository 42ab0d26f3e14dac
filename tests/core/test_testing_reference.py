"""The reference source keeps every standard of the suite."""

import asyncio
from collections.abc import Iterator
from contextlib import nullcontext

import pytest

from rove_core.testing import SourceTests, Vendor
from rove_core.testing.plugin_installer import installed
from rove_core.testing.reference import rove_sources
from rove_core.testing.scene import on_stage
from rove_core.testing.source_under_test import on_site


@pytest.fixture(scope="module", autouse=True)
def _installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with installed(
        tmp_path_factory.mktemp("plugin"), "reference", module="rove_core.testing.reference"
    ):
        yield


class TestReference(SourceTests):
    kind = "reference"
    known, known_kind, unknown = "NOTE-3", "note", "NOTE-999"
    query = "login"
    mentions = ("see NOTE-3.", "see https://notes.example/NOTE-3 (old)", "{base_url}/NOTE-3")

    @pytest.fixture
    def vendor(self) -> nullcontext[Vendor]:
        """Give the right key."""
        return nullcontext(Vendor(answers={"key": "open-sesame"}))


def test_a_text_names_the_address_of_its_test() -> None:
    """In mentions, ``{base_url}`` stands for where the fake vendor answers this time."""

    async def told() -> list[str]:
        (kind,) = rove_sources()
        async with on_stage(kind, Vendor(base_url="http://127.0.0.1:8080/")) as scene:
            return on_site(scene, ["see {base_url}/NOTE-3", "see NOTE-3"])

    assert asyncio.run(told()) == ["see http://127.0.0.1:8080/NOTE-3", "see NOTE-3"]
