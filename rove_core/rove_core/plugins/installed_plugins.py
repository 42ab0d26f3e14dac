"""The installed plugins: working and broken ones."""

from typing import TYPE_CHECKING

from attrs import field, frozen

from rove_core.http.server.door import Route
from rove_core.operations import Operation
from rove_core.project.settings.plugin_section import AnySettingsSection
from rove_core.sources import AnySourceKind

if TYPE_CHECKING:
    from rove_core.build.model.client import EngineKind
    from rove_core.plugins.database_files import DatabaseFiles
    from rove_core.plugins.text_extractor import TextExtractor


@frozen
class Plugin:
    """An installed package that extends Rove.

    Attributes:
        name: Its entry point's name.
        distribution: The distribution that provides it (``rove-jira``).
        version: That distribution's version.
        kinds: The kinds of source that it provides.
        operations: The operations that it adds.
        settings: The settings sections that it reads.
        engines: The model engines that it provides.
        routes: The HTTP routes that it serves.
        extractors: The text extractors that it provides.
        notes: Remarks on it, although it works.
        module: The module that its entry point names.
        api: The API number that it declares (``rove_api``); None if it declares none.
        databases: Its databases.
    """

    name: str
    distribution: str
    version: str
    kinds: tuple[AnySourceKind, ...] = ()
    operations: tuple[Operation, ...] = ()
    settings: tuple[AnySettingsSection, ...] = ()
    engines: "tuple[EngineKind, ...]" = ()
    routes: tuple[Route, ...] = ()
    extractors: "tuple[TextExtractor, ...]" = ()
    notes: tuple[str, ...] = ()
    module: str = ""
    api: int | None = None
    databases: "tuple[DatabaseFiles, ...]" = ()


@frozen
class BrokenPlugin:
    """An installed package that cannot be used, and why.

    Attributes:
        name: Its entry point's name.
        distribution: The distribution that provides it.
        version: That distribution's version.
        error: What is wrong, in one line.
        kinds: The kinds of source that it would provide, as far as known.
        has_filter: Whether it has a filter; None if it was not imported, so that only its files
            can tell.
    """

    name: str
    distribution: str
    version: str
    error: str
    kinds: tuple[str, ...] = field(default=(), eq=False)
    has_filter: bool | None = field(default=None, eq=False)
