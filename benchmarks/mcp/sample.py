"""The sample company's project, of a user of its own."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from rove.demo import demo
from rove.server.start import stop
from rove_core import run
from rove_core.project.layout import ProjectPaths

TICKET: Final = "TB-123"
#: What its document begins with.
TITLE: Final = "# Context: TB-123 - User Authentication Flow"


@contextmanager
def user_folder() -> Iterator[Path]:
    """Give a folder that is the home of a user of its own."""
    before = dict(os.environ)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        own = {name: f"{folder}/{name}" for name in ("ROVE_DATA_DIR", "ROVE_CONFIG_DIR", "HOME")}
        Path(own["HOME"]).mkdir()
        os.environ |= {**own, "ROVE_CREDENTIALS_BACKEND": "encrypted_file"}
        os.environ.pop("ROVE_DAEMON", None)
        try:
            yield Path(folder)
        finally:
            os.environ.clear()
            os.environ |= before


@contextmanager
def sample_project() -> Iterator[ProjectPaths]:
    """Give a project with a document; its server ends with this."""
    with user_folder() as folder:
        project = folder / "project"
        run(demo(project, lambda _: None))
        places = ProjectPaths.at(project)
        try:
            yield places
        finally:
            stop(places)
