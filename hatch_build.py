"""Make the workspace depend on every package that lies beside this file."""

import tomllib
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface


class Workspace(MetadataHookInterface):
    """Require each package of this checkout by its path, so that no index is asked for them."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the packages to the workspace's dependencies."""
        projects = sorted(Path(self.root).glob("rove*/pyproject.toml"))
        names = [tomllib.loads(file.read_text("utf-8"))["project"]["name"] for file in projects]
        metadata["dependencies"] = [
            f"{name} @ {file.parent.as_uri()}" for name, file in zip(names, projects, strict=True)
        ]
