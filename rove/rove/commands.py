"""The tree of commands. A command is loaded when it is run; a help page loads none."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from importlib import import_module
from typing import Any, Final

import click

from rove.door import Extra, command_of
from rove.flags import FLAGS
from rove.manifest import plugin_commands
from rove_core.own_operations import OWN

#: Commands that no operation can express: they talk to a person, or to no project.
APP: Final[Mapping[str, tuple[str, str]]] = {
    "demo": ("rove.demo:command", "See Rove work on a sample company, with no account."),
    "sources add": ("rove.add_source:command", "Connect a source and log in to it."),
}
GROUPS: Final[Mapping[str, str]] = {"sources": "See, connect and choose sources."}
_EXTRAS: Final[Mapping[str, Extra]] = {
    "find": Extra(
        "name-only", "Print its name below .context alone.", show=lambda found: found.filename
    ),
    "search": Extra(
        "names-only",
        "Print the documents' names alone, in one line; end with 3 if there are none.",
        show=lambda found: ", ".join(result.filename for result in found.results),
        is_empty=lambda found: not found.results,
    ),
}


class Commands:
    """The commands below some words, and the title of each."""

    def __init__(self, words: str) -> None:
        self.words = words

    def titles(self) -> dict[str, str]:
        """Return each command's next word with its title."""
        own = {command: listed.title for command, listed in OWN.items()}
        app = {command: title for command, (_, title) in APP.items()}
        found = {}
        for command, title in sorted({**own, **app, **plugin_commands()}.items()):
            if below := self._below(command):
                word, _, more = below.partition(" ")
                found[word] = GROUPS.get(word, word) if more else title
        return found

    def load(self, word: str) -> click.Command | None:
        """Return a command, or a group of commands; None if there is no such word."""
        command = f"{self.words} {word}".strip()
        if command in OWN:
            return command_of(OWN[command].load(), extra=_EXTRAS.get(command))
        if command in APP:
            module, _, name = APP[command][0].partition(":")
            loaded = getattr(import_module(module), name)
            return loaded if isinstance(loaded, click.Command) else None
        if command in GROUPS:
            return Group(Commands(command), name=word, help=GROUPS[command])
        if command in plugin_commands():
            return _plugin_command(command)
        if Commands(command).titles():
            return Group(Commands(command), name=word)
        return None

    def _below(self, command: str) -> str:
        if not self.words:
            return command
        return (
            command.removeprefix(f"{self.words} ") if command.startswith(f"{self.words} ") else ""
        )


class Group(click.Group):
    """A group whose commands are known by name before any of them is loaded."""

    def __init__(self, commands: Commands, **options: Any) -> None:  # noqa: ANN401  # Click's own
        super().__init__(**options)
        self._commands = commands

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # Click's own
        """Return the words that may follow."""
        return list(self._commands.titles())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002  # Click's own
        """Load a command."""
        return self._commands.load(cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or say which one was probably meant."""
        word = args[0]
        if word.startswith("-") or self.get_command(ctx, word):
            return super().resolve_command(ctx, args)
        close = get_close_matches(word, self.list_commands(ctx), n=1)
        ctx.fail(f"there is no command {word!r}{f'; did you mean {close[0]!r}?' if close else ''}")

    def format_commands(
        self,
        ctx: click.Context,  # noqa: ARG002  # Click's own
        formatter: click.HelpFormatter,
    ) -> None:
        """Write the list of commands from their titles."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self._commands.titles().items()))


class Root(Group):
    """``rove`` itself: its help shows the flags too."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the flags, which are other spellings of commands, and then the commands."""
        with formatter.section("The same as flags"):
            formatter.write_dl(list(_flag_rows()))
        super().format_options(ctx, formatter)


def _plugin_command(command: str) -> click.Command | None:
    from rove_core.plugins import load_plugins  # noqa: PLC0415  # it loads every plugin

    for plugin in load_plugins().working:
        for operation in plugin.operations:
            if operation.command == command:
                return command_of(operation)
    return None


def _flag_rows() -> Iterable[tuple[str, str]]:
    for flag, (_, takes, title) in FLAGS.items():
        yield f"{flag} {takes}".strip(), title
