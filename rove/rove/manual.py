"""Man pages, generated from the commands."""

from collections.abc import Iterator, Mapping, Sequence

import click

from rove import __version__
from rove.examples import EXAMPLES
from rove.global_options import GLOBAL_OPTIONS
from rove.served_commands import whole_command


def manual_pages(root: click.Command) -> Mapping[str, str]:
    """Return the page of each command, in roff, by its name (``rove-build``)."""
    return dict(_pages(root, click.Context(root, info_name="rove"), ""))


def manual_page(root: click.Command, command: Sequence[str]) -> str | None:
    """Return the page of one command, in roff; None if there is no such command.

    Args:
        root: The root command.
        command: The words of the command; none for Rove itself.
    """
    found, context = root, click.Context(root, info_name="rove")
    for word in command:
        below = found.get_command(context, word) if isinstance(found, click.Group) else None
        if below is None:
            return None
        found = whole_command(below)
        context = click.Context(found, info_name=word, parent=context)
    name = "-".join(["rove", *command])
    return "\n".join(_page(found, context, name, " ".join(command))) + "\n"


def _pages(command: click.Command, context: click.Context, words: str) -> Iterator[tuple[str, str]]:
    name = "-".join(["rove", *words.split()])
    yield name, "\n".join(_page(command, context, name, words)) + "\n"
    if isinstance(command, click.Group):
        for word in command.list_commands(context):
            below = command.get_command(context, word)
            if below is not None:
                whole = whole_command(below)
                inner = click.Context(whole, info_name=word, parent=context)
                yield from _pages(whole, inner, f"{words} {word}".strip())


def _page(command: click.Command, context: click.Context, name: str, words: str) -> Iterator[str]:
    title, _, more = (command.help or "").partition("\n")
    yield f'.TH "{name.upper()}" "1" "" "rove {__version__}" "Rove"'
    yield from (".SH NAME", f"{_roff_text(name)} \\- {_roff_text(title.rstrip('.'))}")
    usage = " ".join(command.collect_usage_pieces(context))
    yield from (".SH SYNOPSIS", f".B {_roff_text(context.command_path)}", _roff_text(usage))
    if more.strip():
        yield ".SH DESCRIPTION"
        yield from _paragraphs(more)
    yield from _options(command, context)
    if isinstance(command, click.Group):
        yield ".SH COMMANDS"
        for word in command.list_commands(context):
            below = command.get_command(context, word)
            yield from (
                ".TP",
                f".B {_roff_text(word)}",
                _roff_text(whole_command(below).get_short_help_str(300)) if below else "",
            )
    if words in EXAMPLES:
        yield ".SH EXAMPLES"
        for example in EXAMPLES[words]:
            yield from (".PP", ".nf", _roff_text(example), ".fi")


def _options(command: click.Command, context: click.Context) -> Iterator[str]:
    yield ".SH OPTIONS"
    records = [each.get_help_record(context) for each in command.get_params(context)]
    own = [record for record in records if record and "--help" not in record[0]]
    for flag, about in (*own, *GLOBAL_OPTIONS.items()):
        yield from (".TP", f".B {_roff_text(flag)}", _roff_text(about))


def _paragraphs(text: str) -> Iterator[str]:
    for paragraph in text.strip().split("\n\n"):
        yield ".PP"
        yield _roff_text(" ".join(paragraph.split()))


def _roff_text(text: str) -> str:
    """Return text that roff takes for nothing else."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{escaped}" if escaped[:1] in {".", "'"} else escaped
