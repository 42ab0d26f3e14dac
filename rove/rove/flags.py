"""The flags of Rove: each is another spelling of a command, and this table says of which."""

from collections.abc import Mapping, Sequence
from typing import Final

#: Flag: the command's words, what the flag takes, and one line of help.
FLAGS: Final[Mapping[str, tuple[tuple[str, ...], str, str]]] = {
    "--ticket": (("build",), "ID", "Build or refresh the document of a ticket."),
    "--find": (("find",), "ID", "Print the path of a ticket's document."),
    "--search": (("search",), "WORDS", "List the documents that words occur in."),
    "--status": (("status",), "", "Show every task and what came of it."),
    "--source-plugins": (("sources", "plugins"), "", "List what can be connected."),
    "--add-source": (("sources", "add"), "KIND", "Connect a source."),
    "--set-default-source": (("sources", "default"), "NAME", "Say where tickets are read."),
    "--api-find": (("find", "--name-only"), "ID", "Print the name of a ticket's document."),
    "--api-search": (("search", "--names-only"), "WORDS", "The same for words, one line."),
    "--demo": (("demo",), "[DIR]", "See Rove work on a sample company."),
}


def as_command(arguments: Sequence[str]) -> list[str]:
    """Return the arguments as a command's, if one of the flags leads them or stands among them.

    ``--ticket`` may be given more than once; each is one more ticket of the same command. Of two
    different flags the second is left to the first one's command, which refuses it.
    """
    if not arguments or not arguments[0].startswith("-"):
        return list(arguments)
    chosen = next((name for name in map(_name, arguments) if name in FLAGS), None)
    if chosen is None:
        return list(arguments)
    words, takes, _ = FLAGS[chosen]
    values, rest = _split(arguments, chosen, takes=bool(takes))
    return [*words, *rest, *(["--", *values] if values else [])]


def _split(arguments: Sequence[str], flag: str, *, takes: bool) -> tuple[list[str], list[str]]:
    """Return the values of a flag, and all the other arguments."""
    values: list[str] = []
    rest: list[str] = []
    waiting = False
    for argument in arguments:
        name, equals, value = argument.partition("=")
        if waiting and not argument.startswith("-"):
            values.append(argument)
        elif name == flag and equals:
            values.append(value)
        elif argument != flag:
            rest.append(argument)
        waiting = argument == flag and takes
    return values, rest


def _name(argument: str) -> str:
    return argument.partition("=")[0]
