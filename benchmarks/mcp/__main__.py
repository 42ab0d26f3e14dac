"""What the MCP server costs; with names, whether outside programs understand it and are understood.

Outside programs come from npm and PyPI into ``build/mcp``; npm has to be there.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from benchmarks.mcp.agents import agent_checks
from benchmarks.mcp.checks import OutsideCheck
from benchmarks.mcp.costs import cost_lines
from benchmarks.mcp.logins import login_checks
from benchmarks.mcp.programs import InstallationError, OutsidePrograms
from benchmarks.mcp.protocol import protocol_checks
from benchmarks.mcp.sources import source_checks

PARTS: Final[Mapping[str, Callable[[OutsidePrograms], Iterator[OutsideCheck]]]] = {
    "protocol": protocol_checks,
    "sources": source_checks,
    "agents": agent_checks,
    "logins": login_checks,
}


def main(arguments: Sequence[str]) -> int:
    """Print tables; return 1 when a figure is over its bound or a check has failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", help=f"costs, {', '.join(PARTS)}; costs if none")
    parts = parser.parse_args(arguments).parts or ["costs"]
    failed = 0
    for part in parts:
        if part == "costs":
            for line in cost_lines():
                print(line, flush=True)
                failed += line.is_over
            continue
        if part not in PARTS:
            parser.error(f"there is no part {part!r}; there are: costs, {', '.join(PARTS)}")
        try:
            for check in PARTS[part](OutsidePrograms()):
                print(check, flush=True)
                failed += not check.passed
        except InstallationError as error:
            print(f"skipped  {part}: {error}")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
