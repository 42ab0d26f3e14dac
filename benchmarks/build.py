"""What building a document costs: processor time, growth, rounds of waiting, requests, commands."""

import asyncio
import sys
from collections.abc import Iterator, Sequence

from benchmarks.costs import commands, example, growth, processor
from benchmarks.costs.line import Line


def main(arguments: Sequence[str]) -> int:
    """Print a table; return 1 when something takes more than it may."""
    if arguments[:1] == ["serve"]:
        asyncio.run(processor.serve(int(arguments[1]), arguments[2]))
        return 0
    print(f"{'':56}{'measured':>10}{'at most':>10}")
    over = 0
    for line in _lines():
        print(line, flush=True)
        over += line.is_over
    return int(bool(over))


def _lines() -> Iterator[Line]:
    yield from processor.lines()
    yield from growth.lines()
    yield from example.lines()
    yield from commands.lines()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
