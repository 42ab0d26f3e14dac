"""Servers that others wrote as sources: the reference servers, and the official TypeScript SDK."""

import json
from collections.abc import Iterator
from pathlib import Path
from shlex import join

from benchmarks.mcp.checks import OutsideCheck, check_output
from benchmarks.mcp.programs import OutsidePrograms
from benchmarks.mcp.sample import user_folder

_NODE = {"type": "entity", "name": "TB-123", "entityType": "ticket", "observations": ["A day."]}


def source_checks(programs: OutsidePrograms) -> Iterator[OutsideCheck]:
    """Connect each, search it, and read what was found."""
    with user_folder() as folder:
        project, docs, graph = folder / "project", folder / "docs", folder / "graph.json"
        (project / ".rove").mkdir(parents=True)
        docs.mkdir()
        (docs / "tokens.md").write_text("Tokens last a day.", "utf-8")
        graph.write_text(json.dumps(_NODE) + "\n", "utf-8")
        files = [*programs.node("tools", "mcp-server-filesystem"), str(docs)]
        yield from _found(programs, project, "files", files, "token", "tokens.md")
        everything = programs.node("tools", "mcp-server-everything")
        yield from _found(programs, project, "everything", everything, "architecture", "demo://")
        memory = programs.node("tools", "mcp-server-memory")
        passed = ('--set=environment=["MEMORY_FILE_PATH"]',)
        place = str(graph)
        yield from _found(
            programs, project, "memory", memory, "day", "TB-123", *passed, graph=place
        )
        for era in ("serve", "reject"):
            wiki = [*programs.script("wiki_server.mjs"), "stdio", era]
            yield from _found(programs, project, f"typescript-{era}", wiki, "day", "P-1")
        for era in ("stateless", "reject"):
            wiki = [*programs.script("wiki_server.mjs"), "0", era]
            with programs.running(wiki, cwd=project) as port:
                url = f"--url=http://127.0.0.1:{port}/mcp"
                yield from _found(programs, project, f"http-{era}", [url], "day", "P-1")


def _found(
    programs: OutsidePrograms,
    project: Path,
    name: str,
    place: list[str],
    *words: str,
    graph: str = "",
) -> Iterator[OutsideCheck]:
    """Connect a server under a name, search it for words, and look for an id in what is found."""
    query, item_id, *options = words
    where = ["--way=open", *place] if place[0].startswith("--url") else ["--command", join(place)]
    for command, seen in (
        (["rove", "--add-source", f"mcp:{name}", *where, *options], "can read"),
        (["rove", "sources", "search", f"mcp:{name}", query], item_id),
        (["rove", "sources", "probe", f"mcp:{name}"], "reads"),
    ):
        done = programs.run(command, cwd=project, MEMORY_FILE_PATH=graph)
        done.stdout += done.stderr
        yield check_output(f"{name}: rove {' '.join(command[1:3])}", done, seen)
