"""A ticket over two days, by commands alone: killed, resumed, proven, and known elsewhere."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from time import perf_counter  # noqa: TID251  # time is what a benchmark measures
from typing import Any, Final

import attrs
from attrs import frozen

from rove_sim import World, running, sample_company

TICKET: Final = "TB-123"
CRITERIA: Final = """

## Acceptance criteria

- A token is refused after 15 minutes
- A lost token can be revoked
- Old sessions stay alive
"""
ORIGIN: Final = "git@github.com:northwind/backend.git"
GIT: Final = ("git", "-c", "user.name=Ann", "-c", "user.email=ann@northwind.example")


def main() -> int:
    """Tell the story, print what holds, and return how many things do not."""
    began = perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        facts = asyncio.run(_told(Path(folder)))
    for fact, holds in facts.items():
        print(f"{'yes' if holds else 'NO '} {fact}")
    print(f"{sum(facts.values())} of {len(facts)} hold, {perf_counter() - began:.0f} s")
    return sum(not holds for holds in facts.values())


async def _told(folder: Path) -> Mapping[str, bool]:
    company = sample_company()
    tickets = tuple(
        attrs.evolve(each, description=each.description + CRITERIA) if each.key == TICKET else each
        for each in company.tickets
    )
    async with running(attrs.evolve(company, tickets=tickets)) as world:
        return await asyncio.to_thread(_story, folder, world)


def _story(folder: Path, world: World) -> Mapping[str, bool]:
    here = _Checkout.made(folder / "api", folder / "home")
    login = ["--base-url", world.urls["jira"], "--email", world.answers["email"], "--token-stdin"]
    here.rove("--add-source", "jira", *login, typed=world.company.token)
    session, plans = _first_morning(here)
    again = here.json("session", "start", TICKET)
    ended = _afternoon(here, plans)
    facts = {
        "the criteria of the ticket are read": len(session["acceptance_criteria"]) == 3,
        "the session is found again after kill -9": (
            (again["session_id"], again["resumed"]) == (session["session_id"], True)
        ),
        "two criteria are verified, one failed": (
            (ended["ac_verified"], ended["ac_failed"]) == (2, 1)
        ),
        "the end closes the plan that a note says is done": (
            ended["closed"] == [f"{plans[0]} Refuse old tokens: completed"]
        ),
        "evidence that is not there is refused": "no_such_test" in here.refused,
    }
    document = here.built()
    facts |= {
        "the document has the criteria as they stand": (
            "[x] 1. A token is refused" in document and "3. Old sessions stay alive" in document
        ),
        "the document quotes what was decided": "> Tokens live 15 minutes" in document,
    }
    clone = _Checkout.made(folder / "clone", folder / "home")
    for name, place in {
        "next day": here,
        "second worktree": here.worktree(folder / "worktree"),
        "fresh clone": clone,
    }.items():
        facts |= _known(name, place)
    return facts


def _first_morning(here: "_Checkout") -> tuple[Any, list[str]]:
    """Begin, plan, and be killed in the middle of a note."""
    here.rove("ticket", "show", TICKET)
    session = here.json("session", "start", TICKET)
    about = ("--external-item-id", TICKET)
    first = here.json("plan", "create", "Refuse old tokens", *about)["id"]
    second = here.json("plan", "create", "Revoke tokens", *about, "--blocked-by", first)["id"]
    found = here.json("plan", "create", "Clear the cache", *about, "--discovered-from", first)["id"]
    here.rove("session", "note", "decision", "Tokens live 15 minutes", "--importance", "high")
    here.kill("session", "note", "progress", "lost or kept")
    return session, [first, second, found]


def _afternoon(here: "_Checkout", plans: list[str]) -> Any:  # noqa: ANN401  # JSON
    """Prove what can be proven, and end."""
    here.refuse("ac", "verify", f"{TICKET}#1", "verified", "--tests", "no_such_test")
    here.rove("ac", "verify", f"{TICKET}#1", "verified", "--tests", "test_old_token")
    here.rove("ac", "verify", f"{TICKET}#2", "verified", "--files", "tests/test_tokens.py")
    here.rove("ac", "verify", f"{TICKET}#3", "failed", "--notes", "all are logged out")
    here.rove("session", "note", "progress", f"Done: {plans[0]}")
    return here.json("session", "end", "--outcome", "partial")


def _known(name: str, place: "_Checkout") -> Mapping[str, bool]:
    """Return what a place knows of the day before."""
    primed, context = place.rove("prime"), place.json("session", "start", "--agent", name)
    summary = context["last_session_summary"] or ""
    return {
        f"{name}: prime tells of the session and the next step": (
            "Last session" in primed and "Revoke tokens" in primed
        ),
        f"{name}: a session knows the decision": (
            "Tokens live 15 minutes" in summary
            and [each["content"] for each in context["recent_memory"]] == ["Tokens live 15 minutes"]
        ),
    }


@frozen(eq=False)
class _Checkout:
    """A checkout of the project, in which commands are run."""

    folder: Path
    home: Path
    refusals: list[str] = attrs.field(factory=list)

    @classmethod
    def made(cls, folder: Path, home: Path) -> "_Checkout":
        """Return a clone with a commit, on the ticket's branch."""
        (folder / "tests").mkdir(parents=True)
        (folder / "tests" / "test_tokens.py").write_text("def test_old_token(): ...\n", "utf-8")
        made = cls(folder, home)
        for words in (
            ["init", "--quiet"],
            ["remote", "add", "origin", ORIGIN],
            ["checkout", "--quiet", "-b", f"{TICKET}-tokens"],
            ["add", "."],
            ["commit", "--quiet", "-m", "Test tokens"],
        ):
            made.git(*words)
        return made

    @property
    def refused(self) -> str:
        """What was said when something was refused."""
        return "\n".join(self.refusals)

    def git(self, *words: str) -> None:
        """Run git."""
        subprocess.run([*GIT, "-C", self.folder, *words], check=True)  # noqa: S603  # our own words

    def worktree(self, folder: Path) -> "_Checkout":
        """Return another worktree of it."""
        self.git("worktree", "add", "--quiet", "-b", f"{TICKET}-more", str(folder))
        return _Checkout(folder, self.home)

    def rove(self, *words: str, typed: str = "") -> str:
        """Return what a command prints."""
        done = self._run(words, typed)
        if done.returncode:
            raise AssertionError(f"rove {' '.join(words)}: {done.stderr}")
        return done.stdout

    def json(self, *words: str) -> Any:  # noqa: ANN401  # JSON
        """Return what a command answers."""
        return json.loads(self.rove(*words, "--json"))

    def built(self) -> str:
        """Return the document of the ticket."""
        return Path(self.rove("build", TICKET).strip()).read_text("utf-8")

    def refuse(self, *words: str) -> None:
        """Run a command that should be refused, and keep what it says."""
        done = self._run(words, "")
        self.refusals.append(done.stderr if done.returncode else "")

    def kill(self, *words: str) -> None:
        """Begin a command, and kill it."""
        command, environment = self._command(words), self._environment()
        with subprocess.Popen(command, cwd=self.folder, env=environment) as begun:  # noqa: S603  # our own interpreter
            begun.send_signal(signal.SIGKILL)

    def _run(self, words: tuple[str, ...], typed: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(  # noqa: S603  # our own interpreter
            self._command(words),
            cwd=self.folder,
            env=self._environment(),
            input=typed,
            capture_output=True,
            text=True,
            check=False,
        )

    def _command(self, words: tuple[str, ...]) -> list[str]:
        return [sys.executable, "-m", "rove", *words]

    def _environment(self) -> Mapping[str, str]:
        return {
            "HOME": str(self.home),
            "PATH": os.environ["PATH"],
            "ROVE_DAEMON": "0",
            "ROVE_LOAD_PLUGINS": "memory,jira",
        }


if __name__ == "__main__":
    sys.exit(main())
