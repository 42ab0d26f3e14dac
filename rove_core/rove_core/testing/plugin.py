"""The pytest plugin: fixtures for plugin authors. Loading it costs next to nothing."""

from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

    from rove_core import Project
    from rove_core.sources import AnySourceKind
    from rove_core.testing import FaultProxy, VirtualClock

_PARTS = (
    *("account", "behaviour", "fault", "item", "kind", "login"),
    *("page", "recognise", "renewal", "search", "word"),
)
for _part in _PARTS:
    pytest.register_assert_rewrite(f"rove_core.testing.{_part}_tests")
pytest.register_assert_rewrite("rove_core.testing.suite")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuse a mark without a reason on a standard test, wherever it was put."""
    for item in items:
        if getattr(getattr(item, "cls", None), "rove_suite", False):
            for mark in item.iter_markers():
                if mark.name in {"skip", "skipif", "xfail"} and not mark.kwargs.get("reason"):
                    raise pytest.UsageError(f"{item.nodeid}: {mark.name} needs a reason=")


@pytest.fixture(scope="class")
def source_kind(request: pytest.FixtureRequest) -> "AnySourceKind":
    """Return the installed source kind under test."""
    from rove_core.plugins.loader import load_plugins  # noqa: PLC0415  # only who asks pays

    name: str = request.cls.kind
    # A test of a plugin reads nothing of the user's.
    kind = load_plugins(owners={}).kinds.get(name)
    if kind is None:
        pytest.skip(f"{name} is not found, as a test of its own shows")
    return kind


@pytest.fixture
def virtual_clock() -> "VirtualClock":
    """Return a virtual clock."""
    from rove_core.testing import VirtualClock  # noqa: PLC0415  # only who asks pays

    return VirtualClock()


@pytest.fixture
def fault_proxy() -> "FaultProxy":
    """Return a proxy that injects faults into replies."""
    from rove_core.testing import FaultProxy  # noqa: PLC0415  # only who asks pays

    return FaultProxy()


@pytest.fixture
def rove_project(tmp_path: "Path") -> "Callable[..., AbstractAsyncContextManager[Project]]":
    """Return an opener of a project in an empty folder, isolated from the user.

    ``async with rove_project(plugins=[rove_acme]) as rove:``
    """
    from rove_core import open_project  # noqa: PLC0415  # only who asks pays
    from rove_core.auth.credentials.memory import MemoryStore  # noqa: PLC0415  # only who asks pays

    return partial(open_project, tmp_path, accounts=(), plugins=(), credentials=MemoryStore())


@pytest.fixture
def install_plugin(tmp_path_factory: pytest.TempPathFactory) -> "Iterator[Callable[..., None]]":
    """Return an installer of plugins for one test: ``install_plugin("acme", text=...)``."""
    from rove_core.testing.plugin_installer import installed  # noqa: PLC0415  # only who asks pays

    with ExitStack() as stack:

        def install(name: str, *, text: str = "", module: str = "") -> None:
            folder = tmp_path_factory.mktemp("plugin")
            stack.enter_context(installed(folder, name, text=text, module=module))

        yield install
