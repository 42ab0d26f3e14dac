"""The command tree. A command is loaded when it runs; help pages load none."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, cast

import click

from rove.app_commands import APP
from rove.examples import epilog
from rove.flags import FLAGS
from rove.global_options import GLOBAL_OPTIONS
from rove.help_option import Command
from rove.operation_call import Extra
from rove.operation_command import command_of
from rove.operations import OWN
from rove.parameter_types import BARE
from rove_core.safety.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

GROUPS: Final[Mapping[str, str]] = {
    "plugins": "Make and check plugins.",
    "server": "Start, stop and look at this project's server.",
    "mirror": "Keep local copies of accounts, so that builds need no search requests.",
    "sources": "See, connect and choose sources.",
}
#: How many words name a command at most.
_WORDS: Final = 4
#: What people type who have a ticket's id or address and no command yet.
_TICKET: Final = lazy_pattern(r"[A-Za-z]\w*-[0-9]+|[\w./-]+#[0-9]+|https?://[^\s\x00-\x1f]+")
#: How ``rove --help`` orders its commands; the others are those of plugins.
SECTIONS: Final[Mapping[str, Sequence[str]]] = {
    "Documents": (
        *("build", "refresh", "list", "show", "open", "find", "search", "explain", "preview"),
        *("verify", "remove", "reindex"),
    ),
    "Sources": ("sources", "mirror", "learn", "eval"),
    "Agents": ("setup", "prime", "skill"),
    "This project": ("status", "cancel", "server", "settings", "trust", "doctor", "purge"),
    "Rove itself": ("demo", "help", "man", "completion", "plugins", "version"),
}
#: What other command lines call a command, by the words before it.
_OTHER_WORDS: Final[Mapping[str, Mapping[str, str]]] = {
    "": {
        **dict.fromkeys(("login", "connect", "auth"), "rove sources add"),
        **dict.fromkeys(("logout", "disconnect"), "rove sources remove"),
        **dict.fromkeys(("config", "set"), "rove settings set"),
        **dict.fromkeys(("delete", "rm"), "rove remove"),
        **dict.fromkeys(("ls", "documents"), "rove list"),
        **dict.fromkeys(("view", "cat"), "rove show"),
        "update": "rove refresh",
        **dict.fromkeys(("init", "install"), "rove setup"),
        **dict.fromkeys(("start", "daemon"), "rove server start"),
        **dict.fromkeys(("accounts", "whoami"), "rove sources list"),
        "stop": "rove server stop",
        "new": "rove build",
    },
    "sources": {
        **dict.fromkeys(("login", "connect", "new"), "rove sources add"),
        **dict.fromkeys(("logout", "disconnect", "delete", "rm"), "rove sources remove"),
        **dict.fromkeys(("ls", "accounts"), "rove sources list"),
        **dict.fromkeys(("check", "whoami"), "rove sources test"),
    },
}
_EXTRAS: Final[Mapping[str, Extra]] = {
    "find": Extra(
        "name-only", "Print only its file name in .context.", show=lambda found: found.filename
    ),
    "search": Extra(
        "names-only",
        "Print the documents' names alone, in one line; end with 3 if there are none.",
        show=lambda found: ", ".join(result.filename for result in found.results),
        is_empty=lambda found: not found.results,
    ),
}

#: Commands whose result people watch.
_WATCHED: Final = frozenset({"status"})


def command_words(arguments: Sequence[str]) -> Sequence[str]:
    """Return the arguments that name the command; none if they name no command."""
    from rove.manifest import plugin_commands  # noqa: PLC0415  # only a mistake needs it

    commands = {*plugin_commands(), *OWN, *APP}
    words = (arguments[:count] for count in range(min(len(arguments), _WORDS), 0, -1))
    return next((each for each in words if " ".join(each) in commands), ())


class Commands:
    """The commands below some words, and the title of each."""

    def __init__(self, words: str) -> None:
        self.words = words

    def titles(self) -> dict[str, str]:
        """Return each command's next word with its title."""
        from rove.manifest import plugin_commands  # noqa: PLC0415  # to run a command needs none

        groups = _groups()
        own = {command: listed.title for command, listed in OWN.items()}
        app = {command: title for command, (_, title) in APP.items()}
        found: dict[str, str] = {}
        for command, title in {**plugin_commands(), **own, **app}.items():
            if below := self._subcommand_path(command):
                word, _, more = below.partition(" ")
                group = groups.get(f"{self.words} {word}".strip(), f"{title[:-1]}; and more.")
                found.setdefault(word, group if more else title)
        return dict(sorted(found.items()))

    def load(self, word: str) -> click.Command | None:
        """Return a command, or a group of commands; None if there is no such word."""
        command = f"{self.words} {word}".strip()
        if command in OWN:
            operation = OWN[command].load()
            own = command_of(
                operation,
                extra=_EXTRAS.get(command),
                bare=BARE.get(command, ""),
                watched=command in _WATCHED,
            )
            has_more = any(each.startswith(f"{command} ") for each in OWN)
            return _with_more(own, Commands(command)) if has_more else own
        if command in APP:
            module, _, name = APP[command][0].partition(":")
            found = cast("click.Command", getattr(import_module(module), name))
            found.epilog = epilog(command)
            return found
        if command in GROUPS:
            return Group(Commands(command), name=word, help=GROUPS[command])
        return _of_plugins(command)

    def _subcommand_path(self, command: str) -> str:
        return command if not self.words else command.partition(f"{self.words} ")[2]


class Group(Command, click.Group):
    """A command group that lists its commands without loading them."""

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
        word, *rest = args
        command = self.get_command(ctx, word)
        if command or ctx.resilient_parsing:
            return word if command else None, command, rest
        raise click.UsageError(
            f"there is no command {word!r}{self._guess(ctx, word)}{_broken_plugins()}", ctx
        )

    def _guess(self, ctx: click.Context, word: str) -> str:
        from rove_core.terminal.suggestion import near_names, suggested  # noqa: PLC0415  # only a mistake needs it

        if not self._commands.words and _TICKET.fullmatch(word):
            return f"; for the document of a ticket: rove --ticket {word}"
        others = _OTHER_WORDS.get(self._commands.words, {})
        close = near_names(word, [*self.list_commands(ctx), *others])
        return suggested([others.get(name, name) for name in close])

    def format_commands(
        self,
        ctx: click.Context,  # noqa: ARG002  # Click's own
        formatter: click.HelpFormatter,
    ) -> None:
        """Write the list of commands from their titles."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self._commands.titles().items()))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        """Complete a word from the titles: Click would load every command for its own."""
        from click.shell_completion import CompletionItem  # noqa: PLC0415  # only a shell needs it

        words = self._commands.titles().items()
        items = [CompletionItem(w, help=title) for w, title in words if w.startswith(incomplete)]
        return items + click.Command.shell_complete(self, ctx, incomplete)


class Root(Group):
    """The ``rove`` command, whose help lists flags, and commands by subject."""

    def format_commands(
        self,
        ctx: click.Context,  # noqa: ARG002  # Click's own
        formatter: click.HelpFormatter,
    ) -> None:
        """Write the commands by section, plugin commands last."""
        left = self._commands.titles()
        for title, words in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(word, left.pop(word)) for word in words])
        with formatter.section("Brought by plugins"):
            formatter.write_dl(list(left.items()))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the flags, which are short forms of commands, and then the commands."""
        with formatter.section("Short forms of common commands"):
            formatter.write_dl(list(_flag_rows()))
        with formatter.section("With any command"):
            formatter.write_dl(list(GLOBAL_OPTIONS.items()))
        super().format_options(ctx, formatter)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        """Complete the flags too."""
        from click.shell_completion import CompletionItem  # noqa: PLC0415  # only a shell needs it

        flags = [(flag, about) for flag, (_, _, about) in FLAGS.items() if incomplete[:1] == "-"]
        items = [CompletionItem(f, help=about) for f, about in flags if f.startswith(incomplete)]
        return items + super().shell_complete(ctx, incomplete)


def _groups() -> Mapping[str, str]:
    """Return the help text of each command group that has one."""
    from rove.manifest import plugin_groups  # noqa: PLC0415  # to run a command needs none

    return {**plugin_groups(), **GROUPS}


def _broken_plugins() -> str:
    """Return that commands are missing because a plugin fails; empty if none does."""
    from rove.manifest import has_broken_plugin  # noqa: PLC0415  # only a mistake needs it

    return "; a plugin fails, see: rove --source-plugins" if has_broken_plugin() else ""


def _with_more(own: click.Command, below: Commands) -> Group:
    """Return a command that does something alone, and has further commands below it."""

    def call(**values: Any) -> object:  # noqa: ANN401  # whatever Click parsed
        alone = click.get_current_context().invoked_subcommand is None
        return own.callback(**values) if alone and own.callback else None

    return Group(
        below,
        name=own.name,
        help=own.help,
        epilog=own.epilog,
        params=own.params,
        callback=call,
        invoke_without_command=True,
    )


def _flag_rows() -> Iterator[tuple[str, str]]:
    for flag, (_, takes, title) in FLAGS.items():
        yield f"{flag} {takes}".strip(), title


def _of_plugins(command: str) -> click.Command | None:
    """Return a command of a plugin, or a group of some; a list that lacks it may be out of date."""
    from rove.manifest import is_served, plugin_commands  # noqa: PLC0415  # Rove's own need none

    if is_served(command):
        from rove.served_commands import ServedCommand  # noqa: PLC0415  # few commands are

        return ServedCommand(command, lambda: _load(command))
    for anew in (False, True):
        commands = plugin_commands(anew=anew)
        if command in commands and (found := _of_a_plugin(command)):
            return found
        if any(each.startswith(f"{command} ") for each in commands):
            about = _groups().get(command) or f"The commands that begin with {command!r}."
            return Group(Commands(command), name=command.rpartition(" ")[2], help=about)
    return None


def _load(command: str) -> click.Command:
    """Return a command of a plugin that the list names."""
    found = _of_a_plugin(command)
    if found is None:
        raise click.UsageError(f"there is no command {command!r} any more")
    return found


def _of_a_plugin(command: str) -> click.Command | None:
    from rove.manifest import plugin_operation  # noqa: PLC0415  # Rove's own need none

    if entry := plugin_operation(command):
        operation, owner = entry
        with suppress(Exception):  # What its plugin does wrong is named below.
            return command_of(operation, bare=operation.bare, owner=owner)
    from rove_core.plugins.loader import load_plugins  # noqa: PLC0415  # it loads every plugin

    for plugin in load_plugins().working:
        for operation in plugin.operations:
            if operation.command == command:
                return command_of(operation, bare=operation.bare, owner=plugin.distribution)
    return None
