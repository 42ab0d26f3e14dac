"""Write anew what the examples print: ``python -m docs_src.outputs``, then look at the diff."""

import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import click

from docs_src.sandbox import Sandbox, vendors

_EXAMPLES: Final = Path(__file__).parent
#: The folders of examples with something to run, step by step.
STEPS: Final = sorted({step.parent for step in _EXAMPLES.glob("*/[0-9]*")})
#: Those for who has accounts already.
_CONNECTED: Final = {
    "add_an_operation",
    "ask_one_account",
    "build_by_words",
    "explain_a_document",
    "filter_items",
    "preview_a_search",
    "read_logs",
    "refresh_a_document",
    "several_accounts",
    "sync_tickets",
    "use_as_library",
    "verify_a_document",
}


def main() -> int:
    """Run the examples of the named folders, or all, and replace the outputs that are kept."""
    chosen = [each for each in STEPS if not sys.argv[1:] or each.name in sys.argv[1:]]
    with vendors() as world, tempfile.TemporaryDirectory() as folder:
        connected = Path(folder, "connected")
        for steps in chosen:
            printed = outputs(steps, Sandbox(Path(folder, steps.name), world), connected)
            for file, expected in kept(steps):
                if printed[file] != expected:
                    click.echo(file.relative_to(_EXAMPLES))
                    file.write_text(printed[file], "utf-8")
    return 0


def outputs(steps: Path, sandbox: Sandbox, connected: Path) -> Mapping[Path, str]:
    """Run the steps of a page, and return what is printed, by the file that keeps it.

    Args:
        steps: The folder of the steps.
        sandbox: Where to run them.
        connected: A home with accounts, for those who have some; it is made where it is missing.
    """
    if steps.name in _CONNECTED:
        sandbox.connect(connected)
    printed = sandbox.run_steps(steps)
    return {(steps / name).with_suffix(".txt"): text for name, text in printed.items()}


def kept(steps: Path) -> Iterator[tuple[Path, str]]:
    """Yield each file with what a step of a page prints, and what is in it now."""
    for file in sorted(steps.glob("[0-9]*.txt")):
        yield file, file.read_text("utf-8")


if __name__ == "__main__":
    sys.exit(main())
