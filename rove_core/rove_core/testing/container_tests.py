"""Standard tests of containers: who may read them, and which of them are read."""

# ruff: noqa: S101  # assert is how pytest speaks

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar

import attrs
import pytest

from rove_core.testing.levels import MISSING, gold, silver
from rove_core.testing.scene import Scene
from rove_core.testing.source_under_test import SourceUnderTest, logged_in
from rove_core.wire.json_types import JSON


class ContainerTests(SourceUnderTest):
    """Tests of containers, and of what belongs to the account.

    Attributes:
        private: The names of the containers that not everybody at the vendor can read; empty
            where everybody can read all of them. Needed for gold.
        narrowing: For each setting that is a list of names: a value with which only a part is
            read, and the ids of items that are then left out; None where it narrows nothing.
            Needed for gold.
    """

    private: ClassVar[tuple[str, ...] | None] = None
    narrowing: ClassVar[Mapping[str, tuple[JSON, tuple[str, ...]] | None]] = MappingProxyType({})

    @silver
    @logged_in("rove_identity")
    async def test_account_reads_every_page(self, scene: Scene) -> None:
        """Smaller pages lose nothing of the identity, and no container."""
        if "page_size" not in attrs.fields_dict(scene.kind.settings):
            pytest.skip(f"the settings of {self.kind} have no page_size")
        whole = await self._account(scene)
        scene.change(page_size=1)

        assert await self._account(scene) == whole

    @gold
    @logged_in("rove_containers")
    async def test_private_containers_are_called_so(self, scene: Scene) -> None:
        """A container is private if not everybody at the vendor can read it."""
        if self.private is None:
            pytest.skip(f"{MISSING}give private: the containers that not everybody can read")
        found = await scene.awaited("rove_containers")

        assert {each.name for each in found if each.private} == {*self.private}

    @gold
    @logged_in("rove_search")
    async def test_settings_narrow_what_is_read(self, scene: Scene) -> None:
        """With a setting that names a part, nothing else is found, listed or named."""
        kinds = attrs.fields_dict(scene.kind.settings)
        lists = {name for name, each in kinds.items() if str(each.type).startswith("tuple[str")}
        if not lists:
            pytest.skip(f"no setting of {self.kind} is a list of names")
        if missing := lists - self.narrowing.keys():
            pytest.skip(f"{MISSING}give narrowing, too, for {', '.join(sorted(missing))}")
        before = scene.account
        for name, narrow in self.narrowing.items():
            if narrow is None:
                continue
            value, outside = narrow
            scene.account = before
            scene.connect()
            everything = await self._ids(scene)
            scene.change(**{name: value})
            part = await self._ids(scene)

            assert {*outside} <= everything, f"{name}: give ids that are found or listed"
            assert part, f"{name}: nothing is left"
            assert part.isdisjoint(outside), name

    async def _account(self, scene: Scene) -> tuple[object, ...]:
        """Return what an account says of itself."""
        identity = await scene.awaited("rove_identity")
        if not scene.has("rove_containers"):
            return (identity,)
        return identity, [*await scene.awaited("rove_containers")]

    async def _ids(self, scene: Scene) -> set[str]:
        """Return the ids of what is found and listed."""
        ids = {item.ref.id for item in await scene.find(self.query)}
        if scene.has("rove_list"):
            ids |= {each.item.ref.id for each in (await scene.list_changes())[0] if each.item}
        return ids
