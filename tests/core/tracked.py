"""A document that came with a clone."""

import subprocess

from rove_core.project.layout import ProjectPaths


def track(places: ProjectPaths, name: str) -> None:
    """Add a document to a git repository at the project's root."""
    places.context.mkdir(exist_ok=True)
    with (places.context / name).open("a", encoding="utf-8"):
        pass
    git = ["git", "-C", str(places.root)]
    subprocess.run([*git, "init", "-q"], check=True)  # noqa: S603  # a fixed command
    subprocess.run([*git, "add", "-f", f".context/{name}"], check=True)  # noqa: S603  # the same
