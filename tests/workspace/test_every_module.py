"""Every module of every package can be imported on its own account."""

import subprocess
import sys
from pathlib import Path

_IMPORT = "import importlib, sys; [importlib.import_module(name) for name in sys.argv[1:]]"


def test_every_module_is_imported(package: str, root: Path) -> None:
    """Mistakes that only an import shows, such as two fields of one argument, fail here."""
    names = [*_modules(root / package, package)]
    run = subprocess.run(  # noqa: S603  # our own interpreter and modules
        [sys.executable, "-c", _IMPORT, *names], capture_output=True, text=True, check=False
    )

    assert run.returncode == 0, run.stderr[-2000:]


def _modules(folder: Path, package: str) -> list[str]:
    files = sorted((folder / package).rglob("*.py"))
    places = [file.relative_to(folder).with_suffix("").parts for file in files]
    return [
        ".".join(part for part in parts if part != "__init__")
        for parts in places
        if parts[-1] != "__main__" and "plugin_templates" not in parts
    ]
