"""Install a one-module plugin for the duration of a test."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def installed(folder: Path, name: str, *, text: str = "", module: str = "") -> Iterator[None]:
    """Install a plugin's entry point for this process and its children.

    Args:
        folder: Where it is put; each plugin wants one of its own.
        name: The name of its distribution and its entry point.
        text: What stands in its module.
        module: The module, if there is one already.
    """
    own = name.replace("-", "_")
    if not module:
        (folder / f"{own}.py").write_text(text, "utf-8")
    info = folder / f"{own}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[rove]\n{name} = {module or own}\n")
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        sys.modules.pop(own, None)
