"""The subject of the checks, with results that later checks reuse."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

import attrs
from attrs import define, field

from rove_core.login import Credential
from rove_core.project.layout import ProjectPaths
from rove_core.project.local import LocalProject
from rove_core.safety.secret import Secret
from rove_core.safety.secrets.named_secrets import NAMES

if TYPE_CHECKING:
    from rove_core.clock import Clock
    from rove_core.plugins.loader import Plugins

#: Where no file can be.
_NOWHERE: Final = Path(os.devnull, "rove")


@define(eq=False)
class Subject:
    """A project on this machine, however broken.

    Attributes:
        project: The project; use nothing of it before it was checked.
        fix: Whether to fix what is safe to fix.
        environ: The variables of the process.
        patience: How many times longer than usual each check may take.
        is_safe: Whether the project's own folders may be entered.
        plugins: What is installed; None until it is loaded.
        offsets: Seconds by which each vendor's clock is ahead of this machine's.
        secrets: The logins that were read, so that findings can be redacted.
    """

    project: LocalProject
    fix: bool = False
    environ: Mapping[str, str] = field(factory=lambda: os.environ)
    patience: float = 1.0
    is_safe: bool = field(default=True, init=False)
    plugins: "Plugins | None" = field(default=None, init=False)
    offsets: dict[str, float] = field(factory=dict, init=False)
    secrets: list[Credential | Secret] = field(factory=list, init=False)

    def __attrs_post_init__(self) -> None:
        self.secrets += (
            Secret(text)
            for name, text in self.environ.items()
            # PWD looks like the name of a password; the path of a file is no secret.
            if NAMES.search(name.lower()) and not os.path.lexists(text)
        )

    @property
    def places(self) -> ProjectPaths:
        """The project's paths."""
        return self.project.places

    @property
    def clock(self) -> "Clock":
        """The clock."""
        return self.project.clock

    def prepared(self) -> LocalProject:
        """Return the project with the settings that can be read, and the plugins that loaded.

        A settings file that cannot be read is skipped: ``check_settings`` reports it.
        """
        from rove_core.errors import RoveError  # noqa: PLC0415  # beside what may raise it
        from rove_core.project.settings import load_settings  # noqa: PLC0415  # it may be what is broken

        project = LocalProject(self.places, self.clock)
        if self.plugins is not None:
            project.plugins = self.plugins
        without_project = attrs.evolve(self.places, root=_NOWHERE)
        without_any = attrs.evolve(without_project, config_dir=_NOWHERE)
        for places, environ in (
            (self.places if self.is_safe else without_project, self.environ),
            (without_project, self.environ),
        ):
            try:
                project.settings = load_settings(places, environ=environ)
            except RoveError:
                continue
            return project
        project.settings = load_settings(without_any, environ={})
        return project
