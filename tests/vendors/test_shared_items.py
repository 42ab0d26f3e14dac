"""An item in two containers stays in a mirror as long as one of them does."""

from pathlib import Path

import pytest
from attrs import evolve
from tests.vendors.mirrored import content, copying

from rove_core import Container
from rove_core.mirror.scope import MirrorScope
from rove_sim.asana.vendor import Asana
from rove_sim.company_asana import AsanaPlace

pytestmark = pytest.mark.anyio


#: The names of the projects, in the order of the containers.
NAMES = ("Pilot", "Vault")


@pytest.mark.parametrize("stays", [0, 1])
@pytest.mark.parametrize("how", ["chosen no longer", "not readable any more"])
async def test_a_task_of_two_projects(how: str, stays: int, tmp_path: Path) -> None:
    """The next update has what a new copy of the other project has."""
    async with copying("asana") as it:
        projects = it.site.containers
        left = projects[stays]
        vendor, mirror = it.site.vendor, it.mirror(tmp_path / "mirror.db", projects)
        assert isinstance(vendor, Asana)
        places = tuple(AsanaPlace(project=each) for each in NAMES)
        vendor.put(evolve(vendor.task("1200"), places=places))
        await it.update(mirror)
        it.clock.advance(600)
        if how == "chosen no longer":
            with mirror.writing() as writer:
                chosen, now = MirrorScope(containers=(left,)), it.clock.now()
                writer.choose(chosen, [Container(name=left)], owner="", now=now)
        else:
            vendor.hide(NAMES[1 - stays])
        await it.update(mirror)
        fresh = it.mirror(tmp_path / "fresh.db", (left,))
        await it.update(fresh)

    assert content(mirror) == content(fresh)
    assert "1200" in content(mirror)
