"""A place to run examples in: a home, a project, and the vendors on this machine."""

import asyncio
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import Final

from rove_sim import World, running, sample_company
from rove_sim.limits import Limiter

#: What pages call the places where a sandbox has others.
_HOME: Final = "/home/you"
_VENDORS: Final = {
    "https://northwind.atlassian.net": "jira",
    "https://partner.atlassian.net": "jira",
}
_OWN_ADDRESS: Final = ("github", "linear", "slack")
_DAY: Final = r"\b20\d\d-\d\d-\d\d"
_END: Final = "-- end of a step --\n"
#: The id of a plan, or of an edit that waits.
_PLAN: Final = r"\b[pc]-[0-9a-z]{5}\b"


class Sandbox:
    """A home in which Rove was never used, with one project.

    The vendors' limits begin anew, so that what an example prints depends on none before it.

    Args:
        home: The folder to make it in.
        world: The vendors.

    Attributes:
        home: The home.
        project: The folder where everything is run.
    """

    def __init__(self, home: Path, world: World) -> None:
        self.home = home
        self.project = home / "project"
        self._world = world
        self._site = home / "site"
        self._plans: dict[str, str] = {}
        self.project.mkdir(parents=True)
        for kind in world.urls:
            (self.project / f"{kind}.token").write_text(world.company.token, "utf-8")
        for vendor in world.vendors.values():
            vendor.limiter = Limiter(vendor.clock)

    def run(self, script: str) -> str:
        """Run a shell script in the project and return what it prints, as pages show it."""
        done = subprocess.run(  # noqa: S603  # the words are those of our own pages
            ["/bin/bash", "-e", "-o", "pipefail", "-c", self._here(script)],
            cwd=self.project,
            env=self.environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise AssertionError(f"{script}\nends with {done.returncode}:\n{done.stderr}")
        return self._as_shown(done.stdout)

    def run_steps(self, folder: Path) -> Mapping[str, str]:
        """Run the steps of a page in one shell, and return what each prints, by its file's name."""
        shutil.copytree(folder, self.project, dirs_exist_ok=True)
        steps = sorted([*folder.glob("[0-9]*.sh"), *folder.glob("[0-9]*.py")])
        printed = self.run("".join(f"{_command(step)}\nprintf '%s' '{_END}'\n" for step in steps))
        return dict(zip((step.name for step in steps), printed.split(_END), strict=False))

    def connect(self, saved: Path) -> None:
        """Log in to each vendor, and use it in every project of this home.

        Args:
            saved: Where the first sandbox that connects leaves its home, which others copy.
        """
        if saved.exists():
            shutil.copytree(saved, self.home, dirs_exist_ok=True)
        else:
            self.log_in()
            shutil.copytree(self.home, saved)

    def log_in(self) -> None:
        """Log in to each vendor, and use it in every project of this home."""
        for kind, url in self._world.urls.items():
            login = f"--email robin@northwind.example --token-stdin < {kind}.token"
            self.run(f"rove --add-source {kind} --base-url {url} {login}")
        settings = self.home / ".config" / "rove" / "settings.toml"
        settings.parent.mkdir(parents=True)
        (self.project / ".rove" / "settings.toml").rename(settings)
        shutil.rmtree(self.project / ".rove")

    def environment(self) -> Mapping[str, str]:
        """Return what a new user's shell has, and what keeps pip off the network."""
        path = (Path(sys.executable).parent, "/usr/local/bin", "/usr/bin", "/bin")
        return {
            "HOME": str(self.home),
            "PATH": os.pathsep.join(map(str, path)),
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "PIP_NO_BUILD_ISOLATION": "0",
            "PIP_NO_DEPS": "1",
            "PIP_NO_INDEX": "1",
            "PIP_TARGET": str(self._site),
            "PYTHONPATH": str(self._site),
            "ROVE_DAEMON": "0",
        }

    def _here(self, script: str) -> str:
        """Let the vendors be those of this world."""
        for url, kind in _VENDORS.items():
            script = script.replace(url, self._world.urls[kind])
        script = script.replace("robin@partner.example", self._world.answers["email"])
        for kind in _OWN_ADDRESS:
            added = f"--add-source {kind} --base-url {self._world.urls[kind]}"
            script = re.sub(rf"--add-source {kind}(?! --base-url)", added, script)
        return script

    def _as_shown(self, text: str) -> str:
        """Let paths, addresses and times be those of the pages."""
        for url, kind in _VENDORS.items():
            text = text.replace(self._world.urls[kind], url)
        text = text.replace(str(self.home), _HOME)
        text = re.sub(rf"{_DAY}T[\d:.]+(?:Z|\+00:00)", "2026-01-01T12:00:00Z", text)
        text = re.sub(_DAY, "2026-01-01", text)
        return re.sub(_PLAN, lambda found: self._plan(found[0]), text)

    def _plan(self, identifier: str) -> str:
        """Return what the pages call a plan or an edit: its id is another one in every run."""
        return self._plans.setdefault(identifier, f"{identifier[:2]}{len(self._plans) + 1:05}")


@contextmanager
def vendors() -> Iterator[World]:
    """Run the sample company's vendors in a thread of their own."""
    loop, stack = asyncio.new_event_loop(), AsyncExitStack()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    opened = stack.enter_async_context(running(sample_company()))
    try:
        yield asyncio.run_coroutine_threadsafe(opened, loop).result()
    finally:
        asyncio.run_coroutine_threadsafe(stack.aclose(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def _command(step: Path) -> str:
    return step.read_text("utf-8") if step.suffix == ".sh" else f"python {step.name}"
