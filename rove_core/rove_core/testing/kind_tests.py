"""Standard tests of a kind of source, before anything is connected."""

# ruff: noqa: S101  # assert is how pytest speaks

import json
import os
import re
import subprocess
import sys
from typing import Final

import attrs

from rove_core.plugins.hook_checks import check_settings, check_source
from rove_core.plugins.loader import load_plugins
from rove_core.sources import AnySourceKind
from rove_core.testing.scene import Scene, Vendor
from rove_core.testing.side_effects import touched
from rove_core.testing.source_under_test import SourceUnderTest, connected, unconnected

#: Loads one plugin in a fresh interpreter and prints what came with it.
_LOAD: Final = """
import json, os, sys
from rove_core.hookspecs import SourceHooks
from rove_core.plugins.loader import load_plugins
os.environ["ROVE_LOAD_PLUGINS"] = ""
load_plugins(owners={})
before = set(sys.modules)
os.environ["ROVE_LOAD_PLUGINS"] = sys.argv[1]
plugins = [plugin.__name__ for plugin in load_plugins(owners={}).manager.get_plugins()]
sources = [source.__module__ for source in SourceHooks.__subclasses__()]
print(json.dumps([plugins, sources, sorted(set(sys.modules) - before)]))
"""


class KindTests(SourceUnderTest):
    """Tests of a source kind's description."""

    def test_kind_is_found_by_its_entry_point(self) -> None:
        """Rove finds the kind through the entry point of the installed package."""
        plugins = load_plugins(owners={})

        assert self.kind in plugins.kinds, f"broken: {plugins.broken}"

    def test_kind_is_described_by_data_alone(self, source_kind: AnySourceKind) -> None:
        """Loading the package imports no library except attrs, and not the source module."""
        plugin = next(p for p in load_plugins(owners={}).working if source_kind in p.kinds)
        env = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
        command = [sys.executable, "-c", _LOAD, plugin.name]
        output = subprocess.check_output(command, env=env, text=True)  # noqa: S603  # our own words

        (home,), sources, loaded = json.loads(output)
        allowed = {*sys.stdlib_module_names, "rove_core", home.partition(".")[0]}
        assert [name for name in loaded if name.partition(".")[0] not in allowed] == []
        assert [name for name in loaded if name.startswith("rove_core.http")] == []
        assert set(sources) <= {home}, "the source itself belongs in a module of its own"

    def test_settings_have_defaults(self, source_kind: AnySourceKind) -> None:
        """The settings are an attrs class of types that files can hold, all with a default."""
        assert attrs.has(source_kind.settings)
        assert source_kind.settings() == source_kind.settings()
        check_settings(source_kind)

    def test_ids_match_their_pattern(self, source_kind: AnySourceKind) -> None:
        """The known and the unknown id match the id pattern, if there is one."""
        pattern = re.compile(source_kind.id_pattern or ".*")

        assert pattern.fullmatch(self.known)
        assert pattern.fullmatch(self.unknown)

    @unconnected
    def test_connecting_needs_no_login(self, kind: AnySourceKind, vendor: Vendor) -> None:
        """A source can be created before anybody has logged in."""
        assert Scene.of(kind, vendor).source is not None

    @unconnected
    def test_connecting_touches_nothing(self, kind: AnySourceKind, vendor: Vendor) -> None:
        """Creating a source opens no file or socket and starts no process."""
        Scene.of(kind, vendor)  # What it imports, it imports now.

        with touched() as things:
            Scene.of(kind, vendor)

        assert things == []

    @connected()
    async def test_hooks_keep_the_contract(self, scene: Scene) -> None:
        """Each hook has its marker, the right kind of function and the right arguments."""
        check_source(scene.source)
