"""Run one benchmark by its name, or list them."""

import ast
import runpy
import sys
from pathlib import Path


def main(arguments: list[str]) -> None:
    """Run the benchmark named first, with the other arguments; list all when none is named."""
    titles = _benchmarks()
    if not arguments:
        for name, title in titles.items():
            print(f"{name:12} {title}")
        return
    if arguments[0] not in titles:
        sys.exit(f"no benchmark is named {arguments[0]!r}; there are: {', '.join(titles)}")
    sys.argv = arguments
    runpy.run_module(f"benchmarks.{arguments[0]}", run_name="__main__")


def _benchmarks() -> dict[str, str]:
    """Find what can be run, with the first line of its docstring."""
    here = Path(__file__).parent
    files = {file.stem: file for file in here.glob("[!_]*.py")}
    files |= {file.parent.name: file for file in here.glob("*/__main__.py")}
    return {name: _title(file) for name, file in sorted(files.items())}


def _title(file: Path) -> str:
    return (ast.get_docstring(ast.parse(file.read_text("utf-8"))) or "").partition("\n")[0]


if __name__ == "__main__":
    main(sys.argv[1:])
