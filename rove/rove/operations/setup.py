"""Set up coding agents to use Rove."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from attrs import frozen

from rove.agents.installer import install, state_of, take_out
from rove.agents.managed_block import InstallState
from rove.agents.recipes import Recipe, RecipeFile, mcp_recipes, recipe, recipes
from rove.command_path import path_note
from rove_core.errors import WrongCall
from rove_core.operations import Operation, Outcome
from rove_core.project.checkouts import checkout_of
from rove_core.terminal.tables import columns

if TYPE_CHECKING:
    from rove_core.project.local import LocalProject


@frozen(kw_only=True)
class SetupFile:
    """A file that an agent looks into.

    Attributes:
        agent: The agent's recipe.
        path: The file, absolute.
        state: How it stood: missing, current, stale, changed by hand, or not written by Rove.
        done: What was done about it: written, removed, or nothing.
    """

    agent: str
    path: Path
    state: str
    done: str = ""


@frozen(kw_only=True)
class Setup(Outcome):
    """The state of the agents' files.

    Attributes:
        files: Each of them.
        text: What would stand in them, if that was asked for.
        is_done: Whether all is as it was asked for.
    """

    files: tuple[SetupFile, ...] = ()
    text: str = ""
    is_done: bool = True

    @property
    def exit_code(self) -> int:
        """The exit code of the command line."""
        return 0 if self.is_done else 1

    def show(self) -> str:
        """Return it for people."""
        return _show(self)


@frozen(kw_only=True)
class _Way:
    """The requested action on the files, and their place."""

    folder: Path
    home: bool
    look: bool
    remove: bool
    force: bool

    def files(self, chosen: Recipe) -> Iterator[RecipeFile]:
        """Yield the files of a recipe that lie there."""
        return (file for file in chosen.files if file.home or not self.home)

    def treat(self, agent: str, file: RecipeFile) -> SetupFile:
        """Apply the requested change to one file."""
        done = ""
        if self.look:
            state = state_of(self.folder, file.path, file.managed)
        elif self.remove:
            state = take_out(self.folder, file.path, file.managed, force=self.force)
            done = "removed" if state is InstallState.CURRENT else ""
        else:
            state = install(self.folder, file.path, file.managed, force=self.force)
            is_written = state in {InstallState.MISSING, InstallState.STALE} or (
                state is InstallState.CHANGED and self.force
            )
            done = "written" if is_written else ""
        return SetupFile(agent=agent, path=self.folder / file.path, state=state, done=done)


async def setup(  # noqa: PLR0913  # each is a word of its own on the command line
    rove: "LocalProject",
    *,
    agents: Annotated[
        tuple[str, ...], "Which ones: claude, agents-md... All are shown if none."
    ] = (),
    check: Annotated[bool, "Only report; exit with 1 unless everything is up to date."] = False,
    remove: Annotated[bool, "Remove what Rove wrote."] = False,
    print: Annotated[bool, "Print what would be written, and write nothing."] = False,  # noqa: A002  # so it is called on the command line
    home: Annotated[bool, "In your home folder, for all your projects."] = False,
    force: Annotated[bool, "Overwrite manual changes to Rove's part."] = False,
    mcp: Annotated[bool, "List Rove among the MCP servers of an agent without a shell."] = False,
) -> Setup:
    """Tell coding agents about Rove, in their configuration files.

    In your own files Rove manages one marked block or one list entry; everything else stays as it
    is.
    """
    if check + remove + print > 1:
        raise WrongCall("--check, --remove and --print are three things: ask for one")
    available = mcp_recipes() if mcp else recipes()
    chosen = [recipe(name, available) for name in agents] or list(available.values())
    if print:
        return Setup(text="\n".join(_texts(chosen)))
    way = _Way(
        folder=Path.home() if home else checkout_of(rove.places.root),
        home=home,
        look=check or not agents,
        remove=remove,
        force=force,
    )
    files = tuple(way.treat(each.name, file) for each in chosen for file in way.files(each))
    if not files:
        raise WrongCall(f"{' and '.join(agents)}: only a project's own files tell it of Rove")
    # Without a named agent, the agents that were set up are meant.
    fine = {InstallState.CURRENT, *([] if agents and not remove else [InstallState.MISSING])}
    is_done = all(file.done or file.state in fine for file in files)
    return Setup(files=files, is_done=is_done or not (check or agents))


def _texts(chosen: list[Recipe]) -> Iterator[str]:
    for each in chosen:
        for file in each.files:
            yield f"== {file.path} ({each.title})"
            yield file.managed.whole().decode()


def _show(done: Setup) -> str:
    if done.text:
        return done.text
    lines = columns((file.agent, file.done or file.state, str(file.path)) for file in done.files)
    if any(file.state == InstallState.CHANGED and not file.done for file in done.files):
        lines.append("What somebody changed by hand stays so; with --force it does not.")
    if any(file.done == "written" for file in done.files) and (note := path_note()):
        lines.append(note)
    return "\n".join(lines)


SETUP = Operation(setup, changes=True, offline=True, terminal_only=True)
