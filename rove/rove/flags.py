"""The flags of Rove and their commands."""

from collections.abc import Mapping, Sequence
from typing import Final

#: Flag: the command's words, what the flag takes, and one line of help.
FLAGS: Final[Mapping[str, tuple[tuple[str, ...], str, str]]] = {
    "--ticket": (("build",), "ID", "Build or refresh the document of a ticket."),
    "--find": (("find",), "ID", "Print the path of a ticket's document."),
    "--search": (("search",), "WORDS", "List the documents that words occur in."),
    "--status": (("status",), "", "Show the tasks, the documents and the server of this project."),
    "--source-plugins": (("sources", "plugins"), "", "List what can be connected."),
    "--add-source": (("sources", "add"), "KIND", "Connect a source."),
    "--set-default-source": (("sources", "default"), "NAME", "Choose the account of tickets."),
    "--api-find": (("find", "--name-only"), "ID", "Print the name of a ticket's document."),
    "--api-search": (("search", "--names-only"), "WORDS", "Print the names of documents."),
    "--start-server": (("server", "start"), "", "Start this project's server."),
    "--stop-server": (("server", "stop"), "", "Stop this project's server."),
    "--server-status": (("server", "status"), "", "Show whether this project's server runs."),
    "--demo": (("demo",), "[DIR]", "See Rove work on a sample company."),
}

_JSON: Final = "--json"


def as_command(arguments: Sequence[str]) -> list[str]:
    """Return the arguments as those of a command, if they contain one of the flags.

    A flag may be given more than once: each is one more value of the same command, and a command
    that takes but one refuses them. So does the command of the first flag when another follows.
    A value that begins with a dash stands behind an equals sign, or behind ``--``. ``--json`` may
    stand before the command, too.
    """
    if not arguments or not arguments[0].startswith("-"):
        return list(arguments)
    before, dashes = _split_at_dashes(arguments)
    behind = dashes[1:]
    flag = next((name for name in map(_name, before) if name in FLAGS), None)
    if flag is None:
        is_json = arguments[0] == _JSON and len(before) > 1
        return [*before[1:], _JSON, *dashes] if is_json else list(arguments)
    remaining = [each for each in before if each != flag]
    dashed = [each for each in remaining if each.startswith(f"{flag}=-")]
    plain = [each.removeprefix(f"{flag}=") for each in remaining if each not in dashed]
    values = [*(each.removeprefix(f"{flag}=") for each in dashed), *behind]
    return [*FLAGS[flag][0], *plain, *(["--", *values] if values else [])]


def _split_at_dashes(arguments: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """Return the arguments before ``--``, and those from there on."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    return arguments[:end], arguments[end:]


def _name(argument: str) -> str:
    return argument.partition("=")[0]
